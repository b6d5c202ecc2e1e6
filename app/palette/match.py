"""Fuzzy search: how well typed words fit a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Scores of one word, the higher the better.
WHOLE, WHOLE_WORD, PREFIX, WORD_START, INSIDE, SCATTERED = 100, 90, 80, 60, 40, 10
LONGEST_GAP = 6  # letters that a scattered match may skip at once
_BREAKS = " _-./[],:"


def words_of(typed: str) -> list[str]:
    """The words of a query, in lower case; brackets and commas separate them."""
    return [word for word in re.split(r"[\s\[\],]+", typed.lower()) if word]


def score(words: Sequence[str], title: str, about: str = "") -> int:
    """How well all words fit; 0: one of them does not. Both texts in lower case.

    A word may be whole, a beginning, the start of a word, inside, or scattered: its letters in this order, with small gaps.
    Scattered letters count in the title only.
    """
    total = 0
    for word in words:
        best = max(in_text(word, title), in_text(word, about) // 2) or _scattered(word, title)
        if not best:
            return 0
        total += best
    return total


def in_text(word: str, text: str) -> int:
    """The score of a word that is somewhere in a text; 0: it is not."""
    if word == text:
        return WHOLE
    best, at = 0, text.find(word)
    while at >= 0 and best < WHOLE_WORD:
        starts = at == 0 or text[at - 1] in _BREAKS
        ends = at + len(word) == len(text) or text[at + len(word)] in _BREAKS
        best = max(best, (WHOLE_WORD if ends else PREFIX if at == 0 else WORD_START) if starts else INSIDE)
        at = text.find(word, at + 1)
    return best


def _scattered(word: str, text: str) -> int:
    return SCATTERED if len(word) > 1 and _pattern(word).search(text) else 0


@lru_cache(maxsize=64)
def _pattern(word: str) -> re.Pattern[str]:
    """The first letter starts a word, and the others follow with small gaps."""
    first, *rest = (re.escape(letter) for letter in word)
    return re.compile(rf"(?<![a-z0-9]){first}" + "".join(f".{{0,{LONGEST_GAP}}}?{letter}" for letter in rest))
