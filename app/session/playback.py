"""Work on what was played: the history of a session runs again on a copy of its model, in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.replay.replay_file import require
from tumble.app.replay.state import ReplayError
from tumble.app.replay.tape import Tape
from tumble.app.session.history import Cut
from tumble.app.session.session import Session
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjModel

CLOSING = 5.0  # time for work at hand when the window closes [s]
NO_HISTORY = "No step was taken yet: press Space to play"
Check = Callable[[], None]


class WorkStopped(Exception):
    """The result is no longer wanted."""


class Playback:
    """A cut of the history on a copy of the model, at its beginning; check: called on the way, may raise WorkStopped."""

    def __init__(self, model: MjModel, cut: Cut, check: Check) -> None:
        self.model = physics.variant(model)
        self.model.tumble.threads = 1  # the simulation's own threads continue
        self.data = physics.MjData(self.model)
        self._cut, self.check = cut, check
        require(cut.timeline, self.model, self.data)
        self.tape = Tape.of(cut.timeline, self.model, self.data)

    def undisturbed(self, last: int, steps: int) -> int:
        """First position of the last steps before another, none of which begins before a change of the model, a reset or another
        jump of the state."""
        line = self._cut.timeline
        jumps = [int(step) for step in (*line.jump_step, *line.edits["step"]) if step < last]
        return max(0, last - steps, *jumps)

    def go_to(self, position: int) -> None:
        """Play to a position that lies ahead."""
        while self.tape.now < position:
            self.step(min(self.tape.ahead(), position - self.tape.now))

    def step(self, count: int = 1) -> None:
        """Take steps as recorded, at most as many as the tape has before its next event."""
        physics.mj_step(self.model, self.data, count)
        self.tape.followed(count)
        self.check()


class PastWork(QObject):
    """Work of one session, one at a time: later work replaces earlier. done: a result, or words why there is none."""

    done = pyqtSignal(object)
    _cut = pyqtSignal(object, object, int)  # from the simulation thread: the history or why not, the work, its number

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._background = Background(type(self).__name__, self)
        self._number = 0
        self._compiled: tuple[Bundle, MjModel] | None = None
        self.working = False
        self._cut.connect(self._begin)
        session.model_loaded.connect(self._forget)

    def work_on(self, seconds: float, work: Callable[[MjModel, Cut, Check], object]) -> None:
        """Work on the seconds before the present position; `done` follows. work: called in the background with the model as it
        was loaded."""
        history = self._session.history
        number, now = self.begin(), history.now
        behind = max(0, history.end - now) * history.timestep

        def start(cut: Cut | str) -> None:
            there = not isinstance(cut, str) and now > cut.begin
            self._cut.emit(cut if there else NO_HISTORY, work, number)

        history.cut(start, behind + seconds)

    def run(self, work: Callable[[Check], object], number: int | None = None) -> None:
        """Work in the background, without the history. number: of work that has begun, from any thread."""
        number = self.begin() if number is None else number

        def check() -> None:
            self._background.check()
            if number != self._number:
                raise WorkStopped

        self._background.run(
            lambda: work(check),
            lambda result: self._end(result, number),
            lambda why: self._end(why, number),
            (PhysicsError, ReplayError, LoadError, WorkStopped),
        )

    def fail(self, why: str, number: int) -> None:
        """The work of this number cannot be done; from any thread."""
        self._cut.emit(why, None, number)

    def stop(self) -> None:
        """No result is wanted any more."""
        self._number += 1
        self.working = False

    def close(self) -> bool:
        """The session ends; returns True if the thread has ended."""
        self.stop()
        return self._background.close(CLOSING)

    def begin(self) -> int:
        """Number of work that begins now: none before it is wanted any more."""
        self._number += 1
        self.working = True
        return self._number

    def _forget(self) -> None:
        self.stop()
        self._compiled = None

    def _begin(self, cut: Cut | str, work: Callable[[MjModel, Cut, Check], object], number: int) -> None:
        if number != self._number:
            return
        if isinstance(cut, str):
            self._end(cut, number)
            return
        self.run(lambda check: work(self._model_of(cut), cut, check), number)

    def _model_of(self, cut: Cut) -> MjModel:
        compiled = self._compiled
        if compiled is None or compiled[0] is not cut.bundle:
            compiled = self._compiled = cut.bundle, cut.bundle.compile()
            physics.prepare(compiled[1])
        return compiled[1]

    def _end(self, result: object, number: int) -> None:
        if number == self._number:
            self.working = False
            self.done.emit(result)
