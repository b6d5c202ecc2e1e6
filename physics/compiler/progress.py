"""Progress of reading a model's files: reported to a listener, which can stop the load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AssetProgress:
    """An asset is about to be read. number: which one it is, from 1; name: of the asset or its file."""

    number: int
    total: int
    name: str

    @property
    def done(self) -> float:
        """The part that is behind us, 0 to 1."""
        return (self.number - 1) / self.total

    def __str__(self) -> str:
        return f"Reading {self.name}, {self.number} of {self.total}"


Listener = Callable[[AssetProgress], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Inside the `with`, this thread tells `listener` what it reads; what that raises ends the load."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(number: int, total: int, name: str) -> None:
    """Say that asset `number` of `total` is about to be read."""
    listener = _listener.get()
    if listener is not None:
        listener(AssetProgress(number, total, name))
