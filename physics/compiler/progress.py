"""Progress of reading a model's files: reported to a listener, which can stop the load.

`tell` says which asset is read. What takes long inside one, or after all of them, calls `ask` between its parts, so that a load
can be stopped at any point: the listener then hears the last report again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from time import monotonic
from typing import TypeVar


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


T = TypeVar("T")

Listener = Callable[[AssetProgress], None]

_ROUNDS = 1024  # of a short loop between two questions
INTERVAL = 0.05  # time between two questions at least [s]


class _Hearing:
    """A listener, what it heard last, and when [s]."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self.last, self.when = listener, AssetProgress(1, 1, "the model"), monotonic()

    def say(self, progress: AssetProgress) -> None:
        self.last, self.when = progress, monotonic()
        self.listener(progress)


_hearing: ContextVar[_Hearing | None] = ContextVar("hearing", default=None)


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Inside the `with`, this thread tells `listener` what it reads; what that raises ends the load."""
    token = _hearing.set(None if listener is None else _Hearing(listener))
    try:
        yield
    finally:
        _hearing.reset(token)


def tell(number: int, total: int, name: str) -> None:
    """Say that asset `number` of `total` is about to be read."""
    hearing = _hearing.get()
    if hearing is not None:
        hearing.say(AssetProgress(number, total, name))


def ask() -> None:
    """Let the listener end the load here; costs nothing where there is none, or it was asked a moment ago."""
    hearing = _hearing.get()
    if hearing is not None and monotonic() - hearing.when >= INTERVAL:
        hearing.say(hearing.last)


def asking(items: Iterable[T]) -> Iterator[T]:
    """The items, with a question every now and then: for loops whose rounds are short."""
    for k, item in enumerate(items):
        if k % _ROUNDS == 0:
            ask()
        yield item


class AskingBytes(BytesIO):
    """Bytes whose reader takes its time: each piece is a point at which the load can end."""

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        ask()
        return super().read(size)
