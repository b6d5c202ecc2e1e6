"""The history of the simulation as the window sees it: its position on the tape, events, and going back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.describe.numbers import moment
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_file import Replay
from tumble.app.replay.replay_view import Bookmark, marks_to
from tumble.app.replay.tape import Position
from tumble.app.replay.timeline import Timeline
from tumble.app.session.events import Event, EventKind, Events, EventWatch, bound_pictures
from tumble.app.simulation import commands
from tumble.app.simulation.commands import Command
from tumble.app.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

TOGETHER = 0.7  # changes of one field within this wall time [s] are one event: a slider is dragged
BLOWN = "The state blew up and was reset. Simulation, Explain the last blow-up goes back there and shows why"
STRAYED = (
    "From step {} on it differs from the recording, which is of another version or another kind of processor, or a "
    "controller has changed the model"
)
KEPT = "{} is kept: it is on the timeline, to be returned to"
DROPPED = "{} was dropped: the memory for the history is full, or there are too many branches"
MOST_TEXT = 200  # letters of a bookmark's name


class LeftBranch(Struct, frozen=True):
    """A course of events that was left for another; number: of its course; fork, end: positions where it parts and ends."""

    number: int
    name: str
    fork: int
    end: int


class Cut(Struct, frozen=True):
    """A part of the history, as a replay. begin: its first position; seconds: simulated time in it [s]."""

    bundle: Bundle
    timeline: Timeline
    begin: int
    seconds: float

    def replay(self, view: dict[str, Any], marks: Sequence[Bookmark]) -> Replay:
        """The replay with the view from `view_flags.describe`, and the bookmarks in this part."""
        start = self.begin * self.seconds / self.timeline.steps
        own = {"begin": start, "seconds": self.seconds, "bookmarks": marks_to(marks, self.begin)}
        return Replay(self.bundle, self.timeline, view | own)


class History(QObject):
    """Positions are numbers of steps. Everything in it is as of the last snapshot.

    first: the earliest that can be reached; now: where the simulation is; end: the last that is known; target: where it is
    on its way to; timestep [s]; nbytes: memory that the tape takes. changed: span, position, events or bookmarks changed;
    rewritten: numbers of the model are as they were at another position; returned: another course that was left is there again,
    so that the data gathered from this one do not describe the displayed one.
    """

    changed = pyqtSignal()
    rewritten = pyqtSignal()
    returned = pyqtSignal()
    blew_up = pyqtSignal()  # `blown` gives the position
    told = pyqtSignal(str)  # something that the user should know

    def __init__(self, send: Callable[[Command], None], pause: Callable[[bool], None], parent: QObject) -> None:
        """send: to the simulation thread; pause: pauses or continues."""
        super().__init__(parent)
        self._send, self._pause = send, pause
        self._position = Position()
        self._events = Events()
        self._watch: EventWatch | None = None
        self._snapshot: Snapshot | None = None
        self._bundle: Bundle | None = None
        self._edited: tuple[str, float] = ("", 0.0)
        self.bookmarks: list[Bookmark] = []
        self._names: dict[int, str] = {}  # of courses, by their numbers
        self._set_aside: dict[int, tuple[Events, list[Bookmark], int | None]] = {}  # of branches: events, bookmarks, `blown`
        self.timestep = 0.0
        self._removed: int | None = None  # the branch that the user dropped last
        self.blown: int | None = None  # a position shortly before the state blew up last

    # ---- where it stands

    @property
    def first(self) -> int:
        return self._position.first

    @property
    def now(self) -> int:
        return self._position.now

    @property
    def end(self) -> int:
        return self._position.end

    @property
    def target(self) -> int | None:
        return self._position.target

    @property
    def time(self) -> float:
        """The position on the timeline [s]."""
        return self.now * self.timestep

    @property
    def seconds(self) -> float:
        """The length of the timeline [s]."""
        return (self.end - self.first) * self.timestep

    @property
    def nbytes(self) -> int:
        return self._position.nbytes

    @property
    def strayed(self) -> int:
        """The step at which a replay first diverged from its record; 0: nowhere."""
        return self._position.strayed

    @property
    def playing(self) -> bool:
        """True while a recording is played."""
        return self.now < self.end and self._snapshot is not None and not self._snapshot.paused

    @property
    def course(self) -> str:
        """Name of the current branch."""
        return self._name(self._position.course)

    @property
    def branches(self) -> list[LeftBranch]:
        """The branches that were left and are stored, the one left last first."""
        infos = reversed(self._position.branches)
        return [LeftBranch(info.number, self._name(info.number), info.fork, info.end) for info in infos]

    @property
    def events(self) -> list[Event]:
        return self._events.all

    def begin(self, model: MjModel, bundle: Bundle | None, snapshot: Snapshot) -> None:
        """Another model runs, with its own history."""
        self._bundle, self._snapshot = bundle, snapshot
        self._events, self.bookmarks = Events(), []
        self._names, self._set_aside = {}, {}
        self._watch = EventWatch(model, snapshot)
        self._position = snapshot.position
        self.blown = None
        self.timestep = float(model.opt.timestep)
        self.changed.emit()

    def follow(self, model: MjModel, snapshot: Snapshot) -> None:
        """Follow a new snapshot."""
        assert self._watch is not None
        before, self._position, self._snapshot = self._position, snapshot.position, snapshot
        self.timestep = float(model.opt.timestep)
        if snapshot.position.course != before.course:
            self._change_course(before, model, snapshot)
        if snapshot.position.end < before.end or snapshot.position.first > before.first:
            self._forget()
        if snapshot.position.branches != before.branches:
            self._tell_dropped(before)
        happened = self._watch.look(snapshot)
        # At the end of the history, unless it was only replayed up to there; an end before the last one: what was
        # recorded after this was left.
        if self.now == self.end and (self.end != before.end or self.now == before.now):
            for kind, text in happened:
                self._events.add(Event(self.now, snapshot.time, kind, text, snapshot.frame.copy()))
            if self._watch.blew_up:
                self.blown = before.now
                self.told.emit(BLOWN)
                self.blew_up.emit()
        if self.strayed and not before.strayed:
            log.warning("%s", STRAYED.format(self.strayed))
            self.told.emit(STRAYED.format(self.strayed))
        if snapshot.position.rewritten != before.rewritten:
            self.rewritten.emit()
        if snapshot.position != before or happened:
            self.changed.emit()

    def _change_course(self, before: Position, model: MjModel, snapshot: Snapshot) -> None:
        """The tape holds another course: one that begins here, or one that was left, with its events."""
        now = self._position
        self._set_aside[before.course] = self._events.copy(), [*self.bookmarks], self.blown
        bound_pictures(events for events, _, _ in reversed(self._set_aside.values()))
        kept = self._set_aside.pop(now.course, None)
        if kept is not None:
            self._events, self.bookmarks, self.blown = kept
            self._watch = EventWatch(model, snapshot)
            self.returned.emit()
        else:
            self._names[now.course] = f"Branch {now.course + 1}, from {moment(now.since * self.timestep, 2)}"
            self._events.cut(self.first, now.since)
            self.bookmarks = [mark for mark in self.bookmarks if mark.step <= now.since]
            self.told.emit(KEPT.format(self._name(before.course)))

    def _tell_dropped(self, before: Position) -> None:
        """Report the branches that were dropped."""
        kept = {branch.number for branch in self._position.branches} | {self._position.course}
        lost = [info.number for info in before.branches if info.number not in kept]
        if lost and self._removed not in lost:
            names = ", ".join(self._name(number) for number in lost)
            log.warning("%s", DROPPED.format(names))
            self.told.emit(DROPPED.format(names))
        for number in lost:
            self._set_aside.pop(number, None)

    def _name(self, number: int) -> str:
        return self._names.get(number, f"Branch {number + 1}")

    def _forget(self) -> None:
        self._events.cut(self.first, self.end)
        if self.blown is not None and not self.first <= self.blown < self.end:
            self.blown = None
        self.bookmarks = [mark for mark in self.bookmarks if self.first <= mark.step <= self.end]

    # ---- the way back

    def go(self, step: int) -> None:
        """Pause, and show the simulation as it was after a step, or the nearest stored one."""
        if self._snapshot is not None:
            self._pause(True)
            self._send(commands.Go(step))

    def go_to(self, time: float) -> None:
        """The same for a time of the timeline [s], or the nearest that there is."""
        if self.timestep > 0:
            self.go(min(self.end, max(self.first, round(time / self.timestep))))

    def back(self, count: int = 1) -> None:
        """Pause, and go back so many steps, as far as they are stored."""
        if self._snapshot is None:
            return
        if self.now <= self.first:
            self.told.emit("No earlier steps are kept")
            return
        self._pause(True)
        self._send(commands.Back(count))

    def play(self) -> None:
        """Run on from here as recorded; at the end a simulation continues live, a replay stops."""
        self._pause(False)

    def go_on(self) -> None:
        """Continue from here, and keep the recorded future as a branch."""
        if self._snapshot is not None:
            self._send(commands.LeaveFuture())
            self._pause(False)

    def return_to(self, number: int) -> None:
        """Pause, and go to the end of a branch that was left; the present course becomes a branch."""
        if self._snapshot is not None:
            self._pause(True)
            self._send(commands.ReturnTo(number))

    def return_to_last(self) -> None:
        """The same for the branch that was left last."""
        if self._position.branches:
            self.return_to(self._position.branches[-1].number)
        else:
            self.told.emit("There is no other branch: Continue from here, in the past, begins one")

    def name_branch(self, number: int, text: str) -> None:
        """Rename a branch; an empty name changes nothing."""
        if text.strip():
            self._names[number] = text.strip()[:MOST_TEXT]
            self.changed.emit()

    def drop_branch(self, number: int) -> None:
        """Discard a branch, as requested by the user."""
        self._removed = number
        self._send(commands.DropBranch(number))

    def set_memory(self, megabytes: int) -> None:
        """Limit the memory of the history [MB]."""
        self._send(commands.LimitHistory(max(megabytes, 1) * 2**20))

    def cut(self, answer: Callable[[Cut | str], None], seconds: float | None = None) -> None:
        """Cut the last seconds [s] out of the history as a replay; None: all that is kept.

        answer is called with it in the simulation thread, or with an error message.
        """
        bundle = self._bundle
        if bundle is None:
            answer("there is no model")
            return

        def told(part: commands.TapePart | str) -> None:
            answer(part if isinstance(part, str) else Cut(bundle, part.timeline, part.begin, part.seconds))

        self._send(commands.CutTape(told, seconds))

    # ---- marks in it

    def note(self, kind: EventKind, text: str) -> None:
        """Note an event of this moment that no snapshot shows."""
        if self._snapshot is not None:
            self._events.add(Event(self.now, self._snapshot.time, kind, text, self._snapshot.frame.copy()))
            self.changed.emit()

    def note_edit(self, field: str) -> None:
        """Numbers of the model are changed by the user."""
        before, now = self._edited, monotonic()
        self._edited = field, now
        if before[0] != field or now - before[1] > TOGETHER:
            self.note(EventKind.EDIT, f"{field} changed")

    def mark(self, text: str = "") -> None:
        """Put a bookmark here, or give the one here another name."""
        if self._snapshot is None:
            return
        name = text.strip()[:MOST_TEXT] or moment(self._snapshot.time)
        self._put(Bookmark(self.now, self._snapshot.time, name, self._snapshot.frame.copy()))

    def rename(self, step: int, text: str) -> None:
        """Rename a bookmark; an empty name changes nothing."""
        for mark in self.bookmarks:
            if mark.step == step and text.strip():
                self._put(replace(mark, text=text.strip()[:MOST_TEXT]))

    def unmark(self, step: int) -> None:
        """Remove a bookmark."""
        self.bookmarks = [mark for mark in self.bookmarks if mark.step != step]
        self.changed.emit()

    def restore(self, marks: list[tuple[int, float, str]]) -> None:
        """Restore bookmarks (step, time [s], text) of a replay file."""
        for step, time, text in marks:
            if self.first <= step <= self.end:
                self._put(Bookmark(step, time, text[:MOST_TEXT]))

    def _put(self, mark: Bookmark) -> None:
        others = [other for other in self.bookmarks if other.step != mark.step]
        self.bookmarks = sorted([*others, mark], key=lambda mark: mark.step)
        self.changed.emit()
