"""The timeline without drawing: visible range, spots, hit tests, which pictures fit, and its words."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from enum import Enum, auto
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe import numbers
from tumble.app.describe.numbers import digits_of, duration
from tumble.app.look import theme
from tumble.app.replay.replay_view import Bookmark
from tumble.app.session.events import Event, EventKind
from tumble.app.session.history import History
from tumble.app.session.session import Session
from tumble.render.frame import Frame

Array = NDArray[Any]

LENGTHS = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0)  # of an axis, times a power of ten
LEAST_AXIS = 500  # steps on an axis at least while all of it is seen
LEAST_SEEN = 10  # steps in view at least
SLACK = 1.7  # an axis is laid out again where it is so many times too long
EDGE = 0.05  # share of the view between the newest moment and the right edge, while it is followed


class Look(Struct, frozen=True):
    """Look of a kind of event. word: its name; shape: a key of SHAPES; ink: #rrggbb; rank: the higher, the more
    it matters."""

    word: str
    shape: str
    ink: str
    rank: int


LOOKS: dict[EventKind, Look] = {
    EventKind.CONTACT: Look("Contacts", "tick", theme.INKS[0], 0),
    EventKind.SLEEP: Look("Sleeps", "down", theme.INKS[5], 1),
    EventKind.WAKE: Look("Wakes", "up", theme.INKS[4], 2),
    EventKind.EDIT: Look("Edits", "circle", theme.INKS[2], 3),
    EventKind.RESET: Look("Resets", "square", theme.colours()["text"], 4),
    EventKind.BREAKPOINT: Look("Breakpoints", "stop", theme.INKS[3], 5),
    EventKind.WARNING: Look("Warnings", "diamond", theme.INKS[7], 6),
}
BOOKMARK = Look("Bookmark", "flag", theme.colours()["accent"], 7)
CAMERA = Look("Camera", "ring", theme.INKS[6], -1)
_TURN = [(math.cos(a), math.sin(a)) for a in np.linspace(0.0, 2.0 * math.pi, 16, endpoint=False)]
_EIGHT = [(1.08 * math.cos(a), 1.08 * math.sin(a)) for a in np.arange(8) * math.pi / 4 + math.pi / 8]
# Outlines in units of half a mark's height, y down.
SHAPES: dict[str, list[tuple[float, float]]] = {
    "tick": [(-0.22, -1.0), (0.22, -1.0), (0.22, 1.0), (-0.22, 1.0)],
    "up": [(0.0, -1.0), (1.0, 0.9), (-1.0, 0.9)],
    "down": [(0.0, 1.0), (1.0, -0.9), (-1.0, -0.9)],
    "circle": _TURN,
    "ring": _TURN,
    "square": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
    "stop": _EIGHT,
    "diamond": [(0.0, -1.15), (1.15, 0.0), (0.0, 1.15), (-1.15, 0.0)],
    "flag": [(-0.8, -1.0), (1.0, -0.45), (-0.45, 0.1), (-0.45, 1.0), (-0.8, 1.0)],
}


class Spot(Struct, frozen=True, eq=False):
    """A marker on the timeline. time: on the axis [s]; when: of the simulation then [s]; frame: its poses."""

    step: int
    time: float
    when: float
    look: Look
    text: str
    frame: Frame | None = None


class Spots:
    """Spots in the order of their times, and their columns: times [s], ranks, pictured (whether there is a frame)."""

    def __init__(self, spots: Sequence[Spot] = ()) -> None:
        self.all = sorted(spots, key=lambda spot: spot.step)
        self.times = np.array([spot.time for spot in self.all])
        self.ranks = np.array([spot.look.rank for spot in self.all], np.int64)
        self.pictured = np.array([spot.frame is not None for spot in self.all], bool)

    def __len__(self) -> int:
        return len(self.all)

    def beside(self, step: int, way: int) -> int | None:
        """The step of the next spot after (way 1) or before (way -1) a step; None if missing. Camera keys do not count."""
        steps = [spot.step for spot in self.all if spot.look is not CAMERA]
        if way > 0:
            return next((s for s in steps if s > step), None)
        return next((s for s in reversed(steps) if s < step), None)


def spots(
    events: Sequence[Event],
    bookmarks: Sequence[Bookmark],
    keys: Sequence[tuple[float, str]],
    hidden: Collection[EventKind],
    timestep: float,
) -> Spots:
    """Contents of the timeline; keys: (time, text) of the camera; hidden: kinds that are omitted."""
    result = [Spot(e.step, e.step * timestep, e.time, LOOKS[e.kind], e.text, e.frame) for e in events if e.kind not in hidden]
    result += [Spot(b.step, b.step * timestep, b.time, BOOKMARK, b.text, b.frame) for b in bookmarks]
    result += [Spot(round(time / timestep), time, time, CAMERA, text) for time, text in keys]
    return Spots(result)


class Axis:
    """The stretch of time that is seen, start to stop [s].

    It shows all there is until it is zoomed or moved. All grows while the simulation runs; so that it is not squeezed in every
    frame, the axis is a round length longer than the history. Zoomed, it follows the newest moment while visible.
    """

    def __init__(self) -> None:
        self.whole = True
        self.start, self.stop = 0.0, 1.0
        self._first = self._end = 0.0
        self._length = 0.0
        self._least = 1e-9  # seconds in view at least

    @property
    def span(self) -> float:
        """Seconds in view."""
        return self.stop - self.start

    def set_bounds(self, first: float, end: float, timestep: float, beyond: float = 0.0) -> None:
        """Set the span that is known: it reaches from first to end [s]; of branches, up to `beyond` [s]."""
        before, self._first, self._end = self._end, first, end
        self._least = LEAST_SEEN * timestep
        needed = max(end - first, beyond - first, LEAST_AXIS * timestep)
        if not needed <= self._length <= SLACK * needed:
            self._length = round_length(needed)
        if self.whole:
            self.show_all()
            return
        edge = self.stop - EDGE * self.span
        followed = end > before and self.start <= before <= self.stop and end > edge
        self.move(end - edge if followed else 0.0)

    def show_all(self) -> None:
        """Show all there is, from now on."""
        self.whole = True
        self.start, self.stop = self._first, self._first + self._length

    def move(self, seconds: float) -> None:
        """See later times, or earlier ones, as far as there are any."""
        if self.whole:
            return
        span = self.span
        self.start = min(max(self.start + seconds, self._first), self._first + self._length - span)
        self.stop = self.start + span

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` as much; the moment `at` [s] stays where it is."""
        span = max(self.span * factor, self._least)
        if span >= self._length:
            self.show_all()
            return
        self.whole = False
        self.start = at - (at - self.start) * span / self.span
        self.stop = self.start + span
        self.move(0.0)

    def reveal(self, time: float) -> None:
        """Show a moment: move only if it is not in view."""
        if not self.start <= time <= self.stop:
            self.move(time - 0.5 * (self.start + self.stop))


def round_length(seconds: float) -> float:
    """The least round length that is not shorter."""
    power = 10.0 ** math.floor(math.log10(seconds))
    return next(length * power for length in LENGTHS if length * power >= seconds * (1 - 1e-12))


def near(xs: Array, x: float, reach: float) -> list[int]:
    """Indices of the places within a distance of x, the nearest first."""
    away = np.abs(np.asarray(xs, float) - x)
    indices = np.flatnonzero(away <= reach)
    return [int(k) for k in indices[np.argsort(away[indices], kind="stable")]]


def place_pictures(xs: Array, ranks: Array, kept: Array, width: float, wide: float, gap: float) -> list[tuple[int, float]]:
    """Indices of the spots at xs that get a picture `wide` pixels wide, and its left edge.

    None overlaps another. Those of higher rank come first, among equals those that had one, so that pictures stay while nothing
    more important comes, then the earlier ones. A picture is over its spot: in the middle, or where that is taken, next to
    another one. kept: where the left edge of a spot's picture was, from the spot; nan: it had none.
    """
    if width < wide:
        return []
    xs, ranks, kept = np.asarray(xs, float), np.asarray(ranks), np.asarray(kept, float)
    order = np.lexsort((xs, np.isnan(kept), -ranks))
    own = np.clip(xs + np.where(np.isnan(kept), -0.5 * wide, kept), 0.0, width - wide)
    free = (xs >= 0) & (xs <= width)
    placed: dict[int, float] = {}
    while True:
        taken = np.array(list(placed.values()))
        fits = free & _clear(own, taken, wide + gap)
        beside = np.concatenate((taken - wide - gap, taken + wide + gap))
        beside = beside[(beside >= 0) & (beside <= width - wide) & _clear(beside, taken, wide + gap)]
        away = np.abs(beside + 0.5 * wide - xs[:, None]) if len(beside) else np.full((len(xs), 1), np.inf)
        squeezed = free & ~fits & (away.min(axis=1) <= 0.5 * wide - gap)
        if not np.any(fits | squeezed):
            return sorted(placed.items())
        best = ranks == ranks[fits | squeezed].max()
        chosen = fits if np.any(fits & best) else squeezed
        k = int(order[(chosen & best)[order]][0])
        placed[k] = float(own[k] if chosen is fits else beside[away[k].argmin()])
        free[k] = False


def _clear(lefts: Array, taken: Array, apart: float) -> NDArray[np.bool_]:
    """Indices of the places far enough from all that are taken; rounding is no overlap."""
    return ~np.any(np.abs(lefts[:, None] - taken) < apart - 1e-6, axis=1)


class Move(Enum):
    """Aims of the buttons and keys of the timeline."""

    FIRST = auto()
    SPOT_BEFORE = auto()
    BACK = auto()
    FORWARD = auto()
    SPOT_AFTER = auto()
    LAST = auto()


def goal(move: Move, at: int, first: int, end: int, found: Spots) -> int | None:
    """The step that a move leads to from the step `at`, of those from first to end; None: nowhere."""
    match move:
        case Move.FIRST:
            step: int | None = first
        case Move.LAST:
            step = end
        case Move.BACK:
            step = at - 1
        case Move.FORWARD:
            step = at + 1
        case Move.SPOT_BEFORE:
            step = found.beside(at, -1)
        case Move.SPOT_AFTER:
            step = found.beside(at, 1)
    return step if step is not None and step != at and first <= step <= end else None


class Requests:
    """Requests one moment at a time: while one is pending, only the newest request is kept."""

    def __init__(self, go: Callable[[int], None]) -> None:
        self._go = go
        self._sent: int | None = None
        self._wanted: int | None = None

    @property
    def aim(self) -> int | None:
        """The step reached once all requests are done; None without any."""
        return self._sent if self._wanted is None else self._wanted

    def ask(self, step: int) -> None:
        """Go to a step, now or after the pending one."""
        if self._sent is None:
            self._sent = step
            self._go(step)
        else:
            self._wanted = step

    def arrived(self) -> None:
        """The pending request is done: go to the moment requested last."""
        step, self._sent, self._wanted = self._wanted, None, None
        if step is not None:
            self.ask(step)

    def forget(self) -> None:
        """Drop all pending requests."""
        self._sent = self._wanted = None


MOST_LINES = 6  # most spots listed


class Stand(Enum):
    """Place of the simulation in its time; the value is its colour."""

    NOTHING = theme.colours()["dim"]
    LIVE = theme.colours()["good"]
    PAST = theme.colours()["accent"]
    AGAIN = theme.INKS[0]
    ON_THE_WAY = theme.colours()["warn"]


def moment(step: int, timestep: float) -> str:
    """A place on the axis."""
    return numbers.moment(step * timestep, digits_of(timestep))


def stand(history: History, paused: bool, loaded: bool) -> tuple[Stand, str]:
    """Place of the simulation, in a word and a line."""
    if not loaded:
        return Stand.NOTHING, "No model"
    behind = f"{duration((history.end - history.now) * history.timestep)} before the end"
    if history.target is not None:
        return Stand.ON_THE_WAY, f"Going to {moment(history.target, history.timestep)}"
    odd = f"; from {moment(history.strayed, history.timestep)} on it differs from the recording" if history.strayed else ""
    if history.playing:
        return Stand.AGAIN, f"Replaying, {behind}{odd}"
    if history.now < history.end:
        return Stand.PAST, f"In the past: {behind}{odd}"
    return Stand.LIVE, ("Live, paused" if paused else "Live") + odd


def spot_line(spot: Spot, timestep: float) -> str:
    """A spot in a line: position, text, and the simulation time where it differs."""
    own = f" (time {numbers.moment(spot.when, digits_of(timestep))})" if abs(spot.when - spot.time) > 0.5 * timestep else ""
    return f"{moment(spot.step, timestep)}  {spot.text or spot.look.word}{own}"


def spot_lines(found: Sequence[Spot], timestep: float) -> list[str]:
    """Marks at a place, a line each, and the number of others."""
    lines = [spot_line(spot, timestep) for spot in found[:MOST_LINES]]
    more = len(found) - MOST_LINES
    return [*lines, f"and {more} more"] if more > 0 else lines


def empty_line(time: float, history: History) -> str:
    """Text for a moment [s] without events."""
    step = round(time / history.timestep)
    return moment(step, history.timestep) if history.first <= step <= history.end else "Nothing is recorded at this moment"


def reach(history: History) -> str:
    """The past that can be reached, and the memory it takes."""
    return f"Reaches back {duration((history.end - history.first) * history.timestep)} now, in {history.nbytes / 2**20:.1f} MB"


def mark_here(session: Session) -> None:
    """Bookmark the present moment, and report it."""
    history = session.history
    if session.model is None:
        return
    here = next((bookmark.text for bookmark in history.bookmarks if bookmark.step == history.now), "")
    if here:
        session.status.emit(f"{here} is at this moment")
        return
    taken = {bookmark.text for bookmark in history.bookmarks}
    name = next(name for k in range(1, len(taken) + 2) if (name := f"Bookmark {k}") not in taken)
    history.mark(name)
    session.status.emit(f"{name} at {moment(history.now, history.timestep)}: see Window, Timeline")
