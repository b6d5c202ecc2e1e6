"""Events of a simulation that a user may want to return to: found from one look at it to the next. No Qt here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.islands import tree_name
from tumble.app.describe.names import body_name, name_of
from tumble.app.describe.warnings import describe
from tumble.app.simulation.autopsy import BAD
from tumble.app.simulation.snapshot import Snapshot
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

# A pair of geoms that was apart for less than this [s] has not met again: it rattles. Nor has one that touched at the last look,
# however long ago that was: fast playback and slow pictures look less often than that.
APART = 0.25
# Simulated time in which the meetings of all pairs are one event [s].
TOGETHER = 0.1
NAMED = 3  # so many simultaneous events are named
MOST_EVENTS = 1000
MOST_FRAME_BYTES = 48 * 2**20  # for pictures of them; those of the oldest go first


class EventKind(Enum):
    """A kind of event."""

    CONTACT = auto()  # geoms have met
    WAKE = auto()  # trees have woken
    SLEEP = auto()  # trees have fallen asleep
    WARNING = auto()  # of the engine
    RESET = auto()  # to the initial state or a keyframe, by the user or because the state blew up
    EDIT = auto()  # numbers of the model were changed
    BREAKPOINT = auto()  # the simulation was stopped


class Event(Struct, frozen=True):
    """An event; step: the position on the tape; time [s] of the simulation; frame: poses for its picture."""

    step: int
    time: float
    kind: EventKind
    text: str
    frame: Frame | None = None


class EventWatch:
    """Finds events by comparing each snapshot with the one before. blew_up: whether the state blew up at the last call."""

    def __init__(self, model: MjModel, snapshot: Snapshot) -> None:
        self._model = model
        self._met: dict[int, float] = {}  # when each pair of geoms was last seen in contact [s]
        self._touching: frozenset[int] = frozenset()  # the pairs in contact at the last look
        self._told = -np.inf  # when a meeting was last reported [s]
        self.blew_up = False
        self._remember(snapshot)
        self._meetings(snapshot)

    def look(self, snapshot: Snapshot) -> list[tuple[EventKind, str]]:
        """The events since the last look."""
        events = []
        if snapshot.time < self._time:
            events.append((EventKind.RESET, "reset"))
            self._met.clear()
            self._told = -np.inf
            self._meetings(snapshot)
        else:
            met = self._meetings(snapshot)
            if met and snapshot.time - self._told >= TOGETHER:
                events.append((EventKind.CONTACT, f"contact: {_listed(met, self._pair)}"))
                self._told = snapshot.time
        new = np.flatnonzero(snapshot.warning_number > self._warnings)
        self.blew_up = bool(np.isin(new, BAD).any())
        if len(new):
            events.append((EventKind.WARNING, _listed(new, lambda k: self._warning(snapshot, int(k)))))
        asleep = snapshot.frame.tree_asleep >= 0
        for kind, trees, word in (
            (EventKind.WAKE, self._asleep & ~asleep, "awake"),
            (EventKind.SLEEP, asleep & ~self._asleep, "asleep"),
        ):
            if trees.any():
                events.append((kind, f"{word}: {_listed(np.flatnonzero(trees), lambda t: tree_name(self._model, int(t)))}"))
        self._remember(snapshot)
        return events

    def _remember(self, snapshot: Snapshot) -> None:
        self._time = snapshot.time
        self._warnings = snapshot.warning_number.copy()
        self._asleep: NDArray[np.bool_] = snapshot.frame.tree_asleep >= 0

    def _meetings(self, snapshot: Snapshot) -> list[int]:
        """Pairs that have touched since they were last apart, each as one number."""
        sides = snapshot.contact_sides() + self._model.nflex  # flexes first, the last of them first
        # No np.unique: its first call imports numpy.ma, just before a model's first picture.
        codes = sorted(set((sides[:, 0] * (self._model.nflex + self._model.ngeom) + sides[:, 1]).tolist()))
        now, met = snapshot.time, self._met
        new = [code for code in codes if code not in self._touching and now - met.get(code, -np.inf) > APART]
        met.update(dict.fromkeys(codes, now))
        self._touching = frozenset(codes)
        return new

    def _warning(self, snapshot: Snapshot, kind: int) -> str:
        return describe(self._model, kind, int(snapshot.warning_info[kind]), snapshot.time)

    def _pair(self, code: int) -> str:
        model = self._model
        return " and ".join(self._side(int(k) - model.nflex) for k in divmod(code, model.nflex + model.ngeom))

    def _side(self, geom: int) -> str:
        if geom < 0:
            return name_of(self._model, physics.mjtObj.mjOBJ_FLEX, -1 - geom)
        name = physics.mj_id2name(self._model, physics.mjtObj.mjOBJ_GEOM, geom)
        return name or body_name(self._model, int(self._model.geom_bodyid[geom]))


class Events:
    """The stored events, in the order of their steps; the oldest are discarded first, and their pictures before that."""

    def __init__(self) -> None:
        self.all: list[Event] = []

    def add(self, event: Event) -> None:
        """Add an event of the present moment."""
        self.all.append(event)
        if len(self.all) > MOST_EVENTS:
            oldest = next((k for k, e in enumerate(self.all) if e.kind is EventKind.CONTACT), 0)  # of which there are most
            del self.all[oldest]
        size = 0
        for k in range(len(self.all) - 1, -1, -1):
            frame = self.all[k].frame
            if frame is None:
                break  # as are all before it
            size += frame.nbytes
            if size > MOST_FRAME_BYTES:
                e = self.all[k]
                self.all[k] = Event(e.step, e.time, e.kind, e.text)

    def copy(self) -> Events:
        """A copy of the events, unaffected by later changes."""
        copy = Events()
        copy.all = [*self.all]
        return copy

    def cut(self, first: int, end: int) -> None:
        """Discard events before the first position and after the last: they have not happened."""
        if self.all and (self.all[0].step < first or self.all[-1].step > end):
            self.all = [event for event in self.all if first <= event.step <= end]


def bound_pictures(events: Iterable[Events]) -> None:
    """Limit pictures to the available memory; those of the first events are kept longest."""
    seen: set[int] = set()
    size = 0
    for some in events:
        for k, event in enumerate(some.all):
            if event.frame is not None and id(event) not in seen:
                seen.add(id(event))
                size += event.frame.nbytes
                if size > MOST_FRAME_BYTES:
                    some.all[k] = replace(event, frame=None)


def _listed(found: Sequence[int] | NDArray[Any], name: Callable[[int], str]) -> str:
    """The names of the first ones, and how many more there are; a name takes long where there are many elements."""
    more = len(found) - NAMED
    return ", ".join(name(k) for k in found[:NAMED]) + (f" and {more} more" if more > 0 else "")
