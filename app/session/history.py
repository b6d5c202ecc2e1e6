"""The history of the simulation as the window sees it: its position on the tape, events, and going back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.replay.archive import Replay
from app.replay.bundle import Bundle
from app.replay.tape import Position
from app.replay.timeline import Timeline
from app.replay.view import marks_to
from app.session.events import Event, EventKind, Events, EventWatch
from app.simulation import tape_commands as commands
from app.simulation.commands import Command
from app.simulation.snapshot import Snapshot
from render.frame import Frame

if TYPE_CHECKING:
    from physics import MjModel

log = logging.getLogger(__name__)

TOGETHER = 0.7  # changes of one field within this wall time [s] are one event: a slider is dragged
BLOWN = "The state blew up and was reset. Simulation, Explain the blow-up goes back there and says why"
STRAYED = (
    "From step {} on it goes another way than recorded: the record is of another version or another kind of processor, or a "
    "controller has changed the model"
)
MOST_TEXT = 200  # letters of a bookmark's name


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A moment that the user wants to come back to; as an Event."""

    step: int
    time: float
    text: str
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of the past, as a replay has it. begin: the position where it begins; seconds: simulated time in it [s]."""

    bundle: Bundle
    timeline: Timeline
    begin: int
    seconds: float

    def replay(self, view: dict[str, Any], marks: Sequence[Bookmark]) -> Replay:
        """With the view as `view_state.describe` gives it, and those of the bookmarks that are in this part."""
        start = self.begin * self.seconds / self.timeline.steps
        return Replay(self.bundle, self.timeline, view | {"begin": start, "bookmarks": marks_to(marks, self.begin)})


class History(QObject):
    """Positions are numbers of steps. Everything in it is as of the last snapshot.

    first: the earliest that can be reached; now: where the simulation is; end: the last that is known; target: where it is
    on its way to; timestep [s]; nbytes: memory that the tape takes. changed: span, position, events or bookmarks are others;
    rewritten: numbers of the model are as they were at another position.
    """

    changed = pyqtSignal()
    rewritten = pyqtSignal()
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
        self.timestep = 0.0
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
        """The position on the time line [s]."""
        return self.now * self.timestep

    @property
    def seconds(self) -> float:
        """The length of the time line [s]."""
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
        """Whether what was recorded is being played again."""
        return self.now < self.end and self._snapshot is not None and not self._snapshot.paused

    @property
    def events(self) -> list[Event]:
        return self._events.all

    def begin(self, model: MjModel, bundle: Bundle | None, snapshot: Snapshot) -> None:
        """Another model runs, with its own history."""
        self._bundle, self._snapshot = bundle, snapshot
        self._events, self.bookmarks = Events(), []
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
        if snapshot.position.end < before.end or snapshot.position.first > before.first:
            self._forget()
        happened = self._watch.look(snapshot)
        # At the end of what is known, unless it was only played again up to there; an end before the last one: what was
        # recorded after this was left.
        if self.now == self.end and (self.end != before.end or self.now == before.now):
            for kind, text in happened:
                self._events.add(Event(self.now, snapshot.time, kind, text, snapshot.frame.copy()))
            if self._watch.blew_up:
                self.blown = before.now
                self.told.emit(BLOWN)
        if self.strayed and not before.strayed:
            log.warning("%s", STRAYED.format(self.strayed))
            self.told.emit(STRAYED.format(self.strayed))
        if snapshot.position.rewritten != before.rewritten:
            self.rewritten.emit()
        if snapshot.position != before or happened:
            self.changed.emit()

    def _forget(self) -> None:
        self._events.cut(self.first, self.end)
        if self.blown is not None and not self.first <= self.blown < self.end:
            self.blown = None
        self.bookmarks = [mark for mark in self.bookmarks if self.first <= mark.step <= self.end]

    # ---- the way back

    def go(self, step: int) -> None:
        """Pause, and show the simulation as it was after a step, or the nearest that is kept."""
        if self._snapshot is not None:
            self._pause(True)
            self._send(commands.Go(step))

    def go_to(self, time: float) -> None:
        """The same for a time of the time line [s], or the nearest that there is."""
        if self.timestep > 0:
            self.go(min(self.end, max(self.first, round(time / self.timestep))))

    def play(self) -> None:
        """Run on from here as recorded; at the end a simulation continues live, a replay stops."""
        self._pause(False)

    def go_on(self) -> None:
        """Forget what came after, and run on from here."""
        if self._snapshot is not None:
            self._send(commands.ForgetFuture())
            self._pause(False)

    def set_memory(self, megabytes: int) -> None:
        """Limit the memory of the history [MB]."""
        self._send(commands.LimitHistory(megabytes * 2**20))

    def cut(self, answer: Callable[[Cut | str], None], seconds: float | None = None) -> None:
        """Cut the last seconds [s] out of the history as a replay; None: all that is kept.

        answer is called with it in the simulation thread, or with a message why there is none.
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
        name = text.strip()[:MOST_TEXT] or f"t = {self._snapshot.time:.3f} s"
        self._put(Bookmark(self.now, self._snapshot.time, name, self._snapshot.frame.copy()))

    def rename(self, step: int, text: str) -> None:
        """Give a bookmark another name; an empty one leaves it as it is."""
        for mark in self.bookmarks:
            if mark.step == step and text.strip():
                self._put(replace(mark, text=text.strip()[:MOST_TEXT]))

    def unmark(self, step: int) -> None:
        """Take a bookmark away."""
        self.bookmarks = [mark for mark in self.bookmarks if mark.step != step]
        self.changed.emit()

    def restore(self, marks: list[tuple[int, float, str]]) -> None:
        """Take over bookmarks (step, time [s], text) that a replay file has."""
        for step, time, text in marks:
            if self.first <= step <= self.end:
                self._put(Bookmark(step, time, text[:MOST_TEXT]))

    def _put(self, mark: Bookmark) -> None:
        others = [other for other in self.bookmarks if other.step != mark.step]
        self.bookmarks = sorted([*others, mark], key=lambda mark: mark.step)
        self.changed.emit()
