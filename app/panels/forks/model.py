"""The forks that the user has made: their names, colours and errors over time; they are stepped by `ForkRunner`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

import physics
from app.base.background import Background, Closed
from app.base.traces import Traces
from app.describe.numbers import moment
from app.editing.edits import Edits
from app.look import theme
from app.look.theme import INKS
from app.panels.forks.difference import Difference
from app.session.session import Session
from app.simulation.changes import Change
from app.simulation.fork_error import MEASURES, Moment, Track
from render.ghosts import Ghost

if TYPE_CHECKING:
    from physics.state.model import Model

log = logging.getLogger(__name__)

MOST = 4  # forks at a time: each costs a step, and more colours could not be told apart
KEPT, BUCKETS = 1 << 14, 1 << 12  # of the errors: see Traces; 5 MB a fork, and a day at 10,000 steps per second
PREPARING, RUNNING, FAILED = "preparing", "running", "failed"


def new_traces() -> Traces:
    """Memory for errors, which does not grow."""
    return Traces([measure.name for measure in MEASURES], KEPT, BUCKETS)


@dataclass
class ForkEntry:
    """A fork of the list. ink: its colour, #rrggbb; ghost: whether it is drawn; remark: why it is not running."""

    key: int
    name: str
    ink: str
    difference: Difference
    ghost: bool = True
    state: str = PREPARING
    remark: str = ""
    moment: Moment | None = None
    traces: Traces = field(default_factory=new_traces)
    track: Track = field(default_factory=Track)


class Forks(QObject):
    """At most MOST forks of the present model. changed: the list, or the state of a fork, is another."""

    changed = pyqtSignal()
    _answered = pyqtSignal(int, str)  # from the simulation thread: key, "" or what is wrong

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._edits = session, session.part(Edits)
        self.entries: list[ForkEntry] = []
        self._made = 0
        self._running = False  # until the panel is open
        self._background = Background("fork", self)
        self._answered.connect(self._show_answer)
        session.model_loaded.connect(self._forget)
        session.advanced.connect(self._advance)

    @property
    def running(self) -> bool:
        """Whether forks are stepped."""
        return self._running

    def set_running(self, running: bool) -> None:
        """Have them stand still, at no cost, or go on, again from the present state."""
        if running != self._running:
            self._running = running
            self._session.run_forks(running)
            self._advance()

    def add(self, wanted: Difference) -> ForkEntry:
        """Fork the present state. Raises ValueError with a message for the user if that cannot be."""
        model = self._session.model
        if model is None:
            raise ValueError("Open a model first: there is nothing to fork")
        if len(self.entries) >= MOST:
            raise ValueError(f"There can be at most {MOST} forks: remove one first")
        try:
            made = physics.variant_of_fork(model, **wanted.settings)
        except physics.PhysicsError as error:
            raise ValueError(str(error)) from error
        self._made += 1
        ink = next(ink for ink in INKS if ink not in [theme.shown(e.ink) for e in self.entries])
        snapshot = self._session.snapshot
        name = wanted.name or f"unchanged, {moment(0.0 if snapshot is None else snapshot.time)}"
        entry = ForkEntry(self._made, name, ink, wanted)
        self.entries.append(entry)
        key = entry.key
        self._background.run(lambda: self._prepare(made), lambda wrong: self._begin(key, wrong))
        self.changed.emit()
        return entry

    def remove(self, key: int) -> None:
        """Run a fork no more, and forget it."""
        self.entries = [entry for entry in self.entries if entry.key != key]
        self._session.drop_fork(key)
        self._show_ghosts()
        self.changed.emit()

    def restart(self) -> None:
        """Have all forks restart from the present state."""
        self._session.run_forks(self._running)

    def set_ghost(self, key: int, on: bool) -> None:
        """Draw a fork, or not."""
        for entry in self.entries:
            if entry.key == key:
                entry.ghost = on
        self._show_ghosts()
        self._session.forces_changed.emit()

    def close(self, timeout: float = 10.0) -> bool:
        """End the threads; whether they have ended."""
        return self._background.close(timeout)

    # ---- how a fork begins

    def _prepare(self, model: Model) -> str:
        """Compile what the fork needs, for which the simulation would have to wait otherwise; "" or what is wrong.

        The fork itself is made by the simulation thread, which owns the model and the data, between two steps.
        """
        try:
            physics.prepare(model, lambda progress: self._background.check())
        except physics.PhysicsError as error:
            return str(error)
        except Closed:
            raise
        except Exception as error:  # a fault of ours; the thread must not die silently
            log.exception("preparing a fork failed")
            return f"internal error: {type(error).__name__}: {error}"
        return ""

    def _begin(self, key: int, wrong: str) -> None:
        entry = self._find(key)
        if entry is None:
            return  # removed, or of a model before
        if wrong:
            self._show_answer(key, wrong)
            return
        answer: Callable[[str], None] = lambda wrong: self._answered.emit(key, wrong)  # noqa: E731 - a closure with a type
        changes = self._to_file() if entry.difference.from_file else ()
        self._session.fork(key, entry.difference.settings, changes, entry.track, answer)

    def _to_file(self) -> tuple[Change, ...]:
        """What brings the model back to its file."""
        return tuple(Change(place.field, place.index, before) for place, (before, _) in self._edits.changes().items())

    def _show_answer(self, key: int, wrong: str) -> None:
        entry = self._find(key)
        if entry is not None:
            entry.state, entry.remark = (FAILED, wrong) if wrong else (RUNNING, "")
            self.changed.emit()

    def _find(self, key: int) -> ForkEntry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    # ---- what comes from the simulation

    def _forget(self) -> None:
        """Another model: the forks were of the one before."""
        if self.entries:
            self.entries = []
            self.changed.emit()

    def _advance(self) -> None:
        snapshot = self._session.snapshot
        if snapshot is None or not self.entries:
            return
        moments = {moment.key: moment for moment in snapshot.forks}
        stopped = False
        for entry in self.entries:
            entry.traces.feed(*entry.track.take())
            entry.moment = moments.get(entry.key) if self._running else None
            remark = entry.moment.stopped if entry.moment is not None else entry.remark
            stopped |= remark != entry.remark
            entry.remark = remark
        self._show_ghosts()
        if stopped:
            self.changed.emit()

    def _show_ghosts(self) -> None:
        shown = [(e.moment, e.ink) for e in self.entries if e.ghost and e.moment is not None]
        ghosts = (Ghost(m.geom_xpos, m.geom_xmat, _rgb(ink), m.flexvert_xpos) for m, ink in shown)
        self._session.extras.ghosts = tuple(ghosts)


def _rgb(ink: str) -> tuple[float, float, float]:
    colour = theme.ink(ink)
    return colour.redF(), colour.greenF(), colour.blueF()
