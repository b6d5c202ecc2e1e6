"""Oddities of a file that still loads: collected while it is read and compiled, reported afterwards.

The same of several elements of a file is one note, at the first of them, with their number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PLACE = re.compile(r"(?P<file>.+?):(?P<at>\d+:\d+): (?P<what>.+)", re.DOTALL)


class Notes:
    """Notes, in order."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], dict[str, None]] = {}  # by file and what is odd, line:column of each element

    def add(self, text: str) -> None:
        """Take in a note; one of an element that is attached or replicated counts once."""
        found = _PLACE.fullmatch(text)
        file, at, what = ("", "", text) if found is None else found.group("file", "at", "what")
        self._places.setdefault((file, what), {})[at] = None

    def update(self, other: Notes) -> None:
        """Take in the notes of another collector, after those that are here."""
        for key, places in other._places.items():
            self._places.setdefault(key, {}).update(places)

    def lines(self) -> tuple[str, ...]:
        """A line each."""
        return tuple(
            (f"{file}:{first}: {what}" if first else what) + (f" ({1 + len(more)} times in this file)" if more else "")
            for (file, what), (first, *more) in self._places.items()
        )


_collected: ContextVar[Notes | None] = ContextVar("notes", default=None)


def add(text: str) -> None:
    """Note something, `file:line:column: <tag> what`; without a collector it is dropped."""
    notes = _collected.get()
    if notes is not None:
        notes.add(text)


def take(others: Notes) -> None:
    """Note what was collected elsewhere."""
    notes = _collected.get()
    if notes is not None:
        notes.update(others)


@contextmanager
def collected() -> Iterator[Notes]:
    """The notes made inside the `with`, by this thread."""
    notes = Notes()
    token = _collected.set(notes)
    try:
        yield notes
    finally:
        _collected.reset(token)
