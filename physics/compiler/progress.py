"""Progress of reading a model's files: reported to a listener, which can stop the load.

`tell` says which asset is waited for. What takes long inside one, or after all of them, calls `ask` between its parts, so that
a load can be stopped at any point: the listener then hears the last report again. Workers have a listener of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

READING, HULLS = "Reading", "Preparing contacts of"  # stages of a load
_SHARES = {READING: (0.0, 0.5), HULLS: (0.5, 1.0)}  # of the bar that each takes
_EARLY, _TOO_EARLY = 1.0, 0.1  # seconds and part of the bar before which time is not worth a word, or says nothing


class AssetProgress(Struct, frozen=True):
    """An asset is waited for. number: which one it is, from 1; name: of the asset or its file; seconds: since the load began."""

    number: int
    total: int
    name: str
    stage: str = READING
    seconds: float = 0.0

    @property
    def done(self) -> float:
        """The part that is behind us, 0 to 1."""
        begin, end = _SHARES[self.stage]
        return begin + (end - begin) * (self.number - 1) / self.total

    def __str__(self) -> str:
        return f"{self.stage} {self.name}, {self.number} of {self.total}{self._time()}"

    def _time(self) -> str:
        if self.seconds < _EARLY:
            return ""
        if self.done < _TOO_EARLY:
            return f", {self.seconds:.0f} s so far"
        left = self.seconds * (1 - self.done) / self.done
        return f", {self.seconds:.0f} s so far, about {max(1, round(left))} s left"


Listener = Callable[[AssetProgress], None]

INTERVAL = 0.05  # time between two questions at least [s]


class _Hearing:
    """A listener, what it heard last, and when [s]."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self.last = listener, AssetProgress(1, 1, "the model")
        self.began = self.when = monotonic()

    def say(self, progress: AssetProgress) -> None:
        self.when = monotonic()
        self.last = replace(progress, seconds=self.when - self.began)
        self.listener(self.last)


_hearing: ContextVar[_Hearing | None] = ContextVar("hearing", default=None)


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Inside the `with`, this thread tells `listener` what it reads; what that raises ends the load."""
    token = _hearing.set(None if listener is None else _Hearing(listener))
    try:
        yield
    finally:
        _hearing.reset(token)


def tell(number: int, total: int, name: str, stage: str = READING) -> None:
    """Say that asset `number` of `total` is waited for."""
    hearing = _hearing.get()
    if hearing is not None:
        hearing.say(AssetProgress(number, total, name, stage))


def ask() -> None:
    """Let the listener end the load here; costs nothing where there is none, or it was asked a moment ago."""
    hearing = _hearing.get()
    if hearing is not None and monotonic() - hearing.when >= INTERVAL:
        hearing.say(hearing.last)


class AskingBytes(BytesIO):
    """Bytes whose reader takes its time: each piece is a point at which the load can end."""

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        ask()
        return super().read(size)
