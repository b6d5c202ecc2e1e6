"""Words for messages: what is valid, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# A longer list hides the message; an object's names may be thousands.
_SHOWN = 60


def meant(word: str, valid: Iterable[str]) -> str:
    """As in: did you mean "size"? Valid: name, size, type."""
    names = list(valid)
    # difflib compares each name with the word: bounded, so that a hostile model cannot make it the slow part.
    close = difflib.get_close_matches(word[:100], names[:10_000], n=1)
    guess = f'did you mean "{close[0]}"? ' if close and close[0] != word else ""
    return f"{guess}{'Valid' if guess else 'valid'}: {listing(names)}"


def with_article(kind: str) -> str:
    """A kind with its article."""
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"


def listing(names: Iterable[str]) -> str:
    """Names with commas, sorted as the schema or the model has them, the list cut when it is long."""
    names = list(names)
    if not names:
        return "none"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
