"""Hooks in the simulation thread: drivers of inputs, monitors and streams of every step, probes of published moments."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tumble.app.replay.tape import Tape

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

# Deliveries that wait for a window that does not read, 125 a second; beyond them the watcher's ring keeps the latest.
WAITING = 1024

Seen = TypeVar("Seen")
SeenNow = TypeVar("SeenNow", covariant=True)
Reading = TypeVar("Reading")


class DriverSlot(IntEnum):
    """The drivers in the order in which they write: the later one sees what the earlier one wrote, and overrides it."""

    FORCES = 0
    GENERATORS = 1
    CONTROLLER = 2


class InputDriver(Protocol):
    """Writes controls or applied forces; while there is one, steps are taken one at a time. It never raises."""

    def begin(self, model: MjModel, data: MjData) -> None:
        """The driver is installed, perhaps while the simulation is paused."""

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Write the inputs of the step that is about to be taken."""

    def end(self) -> None:
        """The driver is not installed any more: no step is under way."""


class StepMonitor(Protocol):
    """Sees the data before and after each step; while there is one, steps are taken one at a time."""

    def begin(self, tape: Tape) -> None:
        """The monitor is installed, or the simulation has gone to another position on its tape."""

    def before_step(self, model: MjModel, data: MjData) -> None:
        """A step is about to be taken."""

    def after_step(self, model: MjModel, data: MjData) -> bool:
        """A step was taken; returns True if the simulation shall stop here."""


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


class Probe(Protocol[Reading]):
    """Copies numbers from the live data, in the simulation thread, into storage that the window reads later.

    Each snapshot has its own storage, so what the window reads does not change. A probe is taken only while
    it is watched: `Session.watch`. It is compared by identity.
    """

    def room(self, model: MjModel, data: MjData) -> Reading:
        """New storage for one snapshot."""

    def take(self, model: MjModel, data: MjData, into: Reading) -> None:
        """Fill the storage; do not keep or change model or data. Arrays in it may be replaced where they grow."""
