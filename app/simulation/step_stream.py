"""Samples of every step on their way from the simulation thread to the window: a stream, unlike snapshots, loses none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from tumble.physics import MjData

# Deliveries that wait for a window that does not read, 125 a second; beyond them the watcher's ring keeps the latest.
WAITING = 1024

Seen = TypeVar("Seen")
SeenNow = TypeVar("SeenNow", covariant=True)


class Watcher(Protocol[SeenNow]):
    """Watches every step of one data from `attach` to `detach`: a tumble.physics.observe.tap.Tap."""

    def attach(self) -> None: ...

    def detach(self) -> None: ...

    @property
    def steps(self) -> int: ...

    @property
    def count(self) -> int: ...

    def since(self, count: int) -> SeenNow: ...


class StepStream(Generic[Seen]):
    """Watches every step; the window takes the samples since its last read."""

    def __init__(self, make: Callable[[MjData], Watcher[Seen]]) -> None:
        """make: the watcher of the data that it is given."""
        self._make = make
        self._watcher: Watcher[Seen] | None = None
        self._steps = self._count = 0
        self._chunks: deque[Seen] = deque()

    def begin(self, data: MjData) -> None:
        """Watch from the next step on; in the simulation thread, as are `collect` and `end`."""
        self._watcher = self._make(data)
        self._watcher.attach()

    def collect(self) -> None:
        """Deliver new samples."""
        if self._watcher is None or self._watcher.steps == self._steps or len(self._chunks) >= WAITING:
            return
        self._steps = self._watcher.steps
        seen = self._watcher.since(self._count)
        self._count = self._watcher.count
        self._chunks.append(seen)

    def end(self) -> None:
        """Stop watching."""
        if self._watcher is not None:
            self.collect()
            self._watcher.detach()

    def take(self) -> list[Seen]:
        """Items since the last call, oldest first; for the window's thread."""
        taken = []
        while self._chunks:
            taken.append(self._chunks.popleft())
        return taken
