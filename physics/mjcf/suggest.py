"""Words for messages: what is valid, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN = 60  # a longer list hides the message
MODEL_NAMES = 12  # of a model's own, which may be thousands: a file with several errors has several such lists


def meant(word: str, valid: Iterable[str], limit: int = _SHOWN) -> str:
    """As in: did you mean "size"? Valid: name, size, type; of the valid names at most so many."""
    names = list(valid)
    # difflib compares each name with the word: bounded, so that a hostile model cannot make it the slow part.
    close = difflib.get_close_matches(word[:100], names[:10_000], n=1)
    guess = f'did you mean "{close[0]}"? ' if close and close[0] != word else ""
    return f"{guess}{'Valid' if guess else 'valid'}: {listing(names, limit)}"


def with_article(kind: str) -> str:
    """A kind with its article."""
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"


def listing(names: Iterable[str], limit: int = _SHOWN) -> str:
    """Names with commas, sorted as the schema or the model has them, cut after a number of names."""
    names = list(names)
    if not names:
        return "none"
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
