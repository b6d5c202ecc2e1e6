"""Oddities of a file that still loads: collected while it is read and compiled, reported afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_collected: ContextVar[dict[str, None] | None] = ContextVar("notes", default=None)


def add(text: str) -> None:
    """Note something, `file:line:column: <tag> what`, once; without a collector it is dropped."""
    found = _collected.get()
    if found is not None:
        found[text] = None


@contextmanager
def collected() -> Iterator[dict[str, None]]:
    """The notes made inside the `with`, by this thread, in order: the keys of a dict, each once."""
    notes: dict[str, None] = {}
    token = _collected.set(notes)
    try:
        yield notes
    finally:
        _collected.reset(token)
