"""Examinations of the running model by the doctor, in the background on a copy, and their findings."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe, copy_state
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tumble.app.doctor.finding import Finding, FindingKey
    from tumble.app.doctor.live.signs import ForceProbe, Sign, SignWatch
    from tumble.physics import MjData, MjModel

CLOSING = 5.0  # time for an examination that is at work when the window closes [s]
REPORT = 50  # steps between two reports of progress
IDLE = 1500  # from a load, or an edit while the panel is closed, to the examination for the status bar [ms]
SETTLED = 700  # from the last edit to the next examination, while the panel is open [ms]
MOST_DOFS = 300  # of a model whose file and start are examined unasked
MOST_RUN = 100  # ... with runs: larger ones take seconds, in which pictures come late
LOOK_INTERVAL = 0.1  # wall time between two looks at snapshots [s]
SIGN_INTERVAL = 1.0  # wall time between two examinations of what they show [s]
LONGEST_WAIT = 64  # turns until a sign that led to no finding is looked into again
MOMENT = 0.25  # simulated time of such an examination [s]


class Scope(Enum):
    """Extent of an examination: file and start, without a run; with a run from there; a run from the present state."""

    START = auto()
    WHOLE = auto()
    MOMENT = auto()


class Stopped(Exception):
    """The examination is no longer wanted."""


class ExaminedState(Struct, frozen=True, eq=False):
    """Model and state from which findings were made."""

    model: MjModel
    start: MjData


class Examiner(QObject):
    """Of one session. findings: those that hold, ranked; whole: True if a run from the start is behind them; share: how much
    of an examination that was asked for is done, None while none is at work; problem: why there is no result; applied: findings
    whose changes the user has applied, which are not in the file yet. changed: one of these is new; answered: the examination
    that `look_into` has asked for is over.
    """

    changed = pyqtSignal()
    answered = pyqtSignal()
    _copied = pyqtSignal(object, int)  # from the simulation thread: the model and data, or why not; which examination
    _went = pyqtSignal(float, int)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._edits = session, session.part(Edits)
        self.findings: list[Finding] = []
        self.applied: list[Finding] = []
        self.whole = False
        self.share: float | None = None
        self.problem = ""
        self.silent: set[str] = set()  # rules that the user has silenced since the model was loaded
        self._background = Background("doctor", self)
        self._run = 0  # number of the examination that is wanted: those before come to nothing
        self._scope: Scope | None = None  # of that at work
        self._edits_of: dict[EditPlace, tuple[Values, Values]] = {}  # with which the last one began
        self._of_start: list[Finding] = []
        self._of_moments: dict[FindingKey, Finding] = {}
        self._states: dict[FindingKey, ExaminedState] = {}  # of findings of moments, and the one of the start
        self._start: ExaminedState | None = None
        self._steps: dict[FindingKey, int] = {}  # of the timeline, at which findings of moments were made
        self._time = 0.0  # simulated time of the last snapshot [s]
        self._open = False
        self._edit_pending = False  # whether the last snapshot may be from before an edit
        self._signs: SignWatch | None = None
        self._forces: ForceProbe | None = None
        self._waits: dict[Sign, tuple[int, int]] = {}  # signs looked into without a finding: turns to wait, and the last wait
        self._asked = False  # whether a look into the present state was asked for
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._examine_unasked)
        self._look_turn = session.frame_budget.new_turn(LOOK_INTERVAL)
        self._sign_turn = session.frame_budget.new_turn(SIGN_INTERVAL)
        self._copied.connect(self._begin)
        self._went.connect(self._on_progress)
        session.model_loaded.connect(self._follow)
        session.advanced.connect(self._advance)
        session.history.blew_up.connect(self._on_blown)
        self._edits.settled.connect(self._on_edited)

    # ---- requests

    def start(self) -> None:
        """Examine the model as it is now, with the edits that are not in the file, and a run from its initial state."""
        self._examine(Scope.WHOLE)

    def look_into(self) -> None:
        """Examine the present state; `answered` follows."""
        self._asked = True
        self._examine(Scope.MOMENT)

    def stop(self) -> None:
        """End the examination at work."""
        self._run += 1
        self._later.stop()
        self._scope, self.share = None, None
        self.changed.emit()

    def set_open(self, open: bool) -> None:
        """The panel was opened or closed; while it is open, the running simulation is looked at."""
        if open == self._open:
            return
        self._open = open
        self._watch_forces()
        if open and not self.whole and self.unasked and self._scope is not Scope.WHOLE:
            self.start()

    @property
    def unasked(self) -> bool:
        """True for a model that is run without being asked."""
        model = self._session.model
        return model is not None and model.nv <= MOST_RUN

    def silence(self, rule: str) -> None:
        """Leave a rule's findings out until another model is loaded."""
        self.silent.add(rule)
        self._merge()

    def note_applied(self, finding: Finding) -> None:
        """The user has applied the change of a finding."""
        self.applied = [other for other in self.applied if other.key != finding.key] + [finding]
        self._merge()

    def state_of(self, finding: Finding) -> ExaminedState | None:
        """Model and state from which a finding was made."""
        at_start = any(other.key == finding.key for other in self._of_start)
        return self._start if at_start else self._states.get(finding.key)

    def step_of(self, finding: Finding) -> int | None:
        """Step of the timeline that shows a finding; None if missing so far or no longer kept.

        A time of a run from the start is looked for after the last reset.
        """
        history, snapshot = self._session.history, self._session.snapshot
        step = None if finding in self._of_start else self._steps.get(finding.key)
        if step is None and finding.time is not None and snapshot is not None and history.timestep > 0:
            step = history.now + round((finding.time - snapshot.time) / history.timestep)
        return step if step is not None and history.first <= step <= history.end else None

    def close(self) -> bool:
        """The session ends; returns True if the thread has ended."""
        self._run += 1
        return self._background.close(CLOSING)

    # ---- when

    def _follow(self) -> None:
        """Another model runs, or the same one was read again."""
        if self._session.kept is None:
            self.silent.clear()
        self._of_start, self._of_moments, self._states, self._steps = [], {}, {}, {}
        self._start = None
        self.findings, self.applied = [], []
        self.whole, self.problem, self._signs = False, "", None
        self._waits.clear()
        self.stop()
        self._watch_forces()
        self._later.start(SETTLED if self._open else IDLE)

    def _on_edited(self) -> None:
        """The user has changed numbers: what was found may no longer hold."""
        if self._edits.changes() == self._edits_of or self._session.model is None:
            self._merge()  # written to the file, which changes what is applied
            return
        self._edit_pending = True
        self._of_moments, self._steps, self._signs = {}, {}, None
        self._waits.clear()
        self._merge()
        self._later.start(SETTLED if self._open else IDLE)

    def _examine_unasked(self) -> None:
        model = self._session.model
        if model is None or model.nv > MOST_DOFS or (self._scope is Scope.WHOLE and self._edits.changes() == self._edits_of):
            return
        if self._scope is Scope.WHOLE or (self._open and self.unasked):
            self.start()
        else:
            self._examine(Scope.START)

    def _on_blown(self) -> None:
        from tumble.app.doctor.live.blown import blown_finding

        if self._edit_pending:
            return  # it may be of the numbers of before
        snapshot, history = self._session.snapshot, self._session.history
        finding = None if snapshot is None else blown_finding(self._session.loaded_model, snapshot, self._time)
        if finding is not None and history.blown is not None:
            self._of_moments[finding.key], self._steps[finding.key] = finding, history.blown
            self._merge()

    # ---- signs in the running simulation

    def _watch_forces(self) -> None:
        model = self._session.model
        wanted = self._open and self.unasked and model is not None and model.nu > 0
        if self._forces is not None and not wanted:
            self._session.send(WatchProbe(self._forces, False))
            self._forces = None
        elif wanted and self._forces is None:
            from tumble.app.doctor.live.signs import ForceProbe

            self._forces = ForceProbe()
            self._session.send(WatchProbe(self._forces, True))

    def _advance(self) -> None:
        """A new snapshot."""
        snapshot = self._session.snapshot
        self._time = 0.0 if snapshot is None else snapshot.time
        self._edit_pending = self._edit_pending and not self._session.is_obeyed
        if not self._open or self._session.paused or not self.unasked:
            return
        self._look_turn.take(self._look)
        self._sign_turn.take(self._take_signs)

    def _look(self) -> None:
        model, snapshot = self._session.model, self._session.snapshot
        if model is None or snapshot is None:
            return
        if self._signs is None:
            from tumble.app.doctor.live.signs import SignWatch

            self._signs = SignWatch(model)
        self._signs.look(model, snapshot, None if self._forces is None else self._session.reading(self._forces))

    def _take_signs(self) -> None:
        from tumble.app.doctor.live.signs import explains

        signs = set() if self._signs is None else self._signs.take()
        open_signs = [sign for sign in signs if not any(explains(finding, sign) for finding in (*self.findings, *self.applied))]
        due = [sign for sign in open_signs if not self._waits.get(sign, (0, 0))[0]]
        self._waits |= {sign: (self._waits[sign][0] - 1, self._waits[sign][1]) for sign in open_signs if sign not in due}
        if due and self._scope is None and not self._later.isActive():
            for sign in due:  # what still moves may be no finding yet: later, but less and less often
                wait = min(LONGEST_WAIT, max(1, 2 * self._waits.get(sign, (0, 0))[1]))
                self._waits[sign] = wait, wait
            self._examine(Scope.MOMENT)

    # ---- an examination

    def _examine(self, scope: Scope) -> None:
        if self._session.model is None:
            return
        self._run += 1
        self._later.stop()
        self._scope, self.problem = scope, ""
        self._edits_of = self._edits.changes()
        self.share = 0.0 if scope is Scope.WHOLE or self._asked else None
        self.changed.emit()
        run = self._run
        self._session.send(copy_state(lambda copy: self._copied.emit(copy, run)))

    def _begin(self, copy: tuple[MjModel, MjData] | str, run: int) -> None:
        if run != self._run or self._session.model is None or self._scope is None:
            return
        if isinstance(copy, str):
            self._fail(copy, run)
            return
        (model, data), scope = copy, self._scope
        path, step = self._session.path, self._session.history.now
        model.notes = self._session.model.notes
        model.tumble.threads = 1  # the simulation's own threads continue
        start = data if scope is Scope.MOMENT else None
        self._background.run(
            lambda: self._work(model, start, path, scope, run),
            lambda found: self._end(*found, step, run),
            lambda why: self._fail(why, run),
            (PhysicsError, Stopped),
        )

    def _work(
        self, model: MjModel, start: MjData | None, path: Path | None, scope: Scope, run: int
    ) -> tuple[list[Finding], ExaminedState]:
        from tumble.app.doctor.case import SECONDS, Examination
        from tumble.app.doctor.examine import examine
        from tumble.app.session.loader import without_text

        def check() -> None:
            self._background.check()
            if run != self._run:
                raise Stopped

        def going(done: int, steps: int) -> None:
            check()
            if done % REPORT == 0:
                self._went.emit(done / max(steps, 1), run)

        seconds = {Scope.START: 0.0, Scope.WHOLE: SECONDS, Scope.MOMENT: MOMENT}[scope]
        source = None if path is None or without_text(path) else path
        case = Examination(model, source, start, seconds, begun=scope is Scope.MOMENT, check=check)
        return examine(case, going), ExaminedState(model, case.start)

    def _on_progress(self, share: float, run: int) -> None:
        if run == self._run and self.share is not None:
            self.share = share
            self.changed.emit()

    def _end(self, found: list[Finding], state: ExaminedState, step: int, run: int) -> None:
        if run != self._run or self._scope is None:
            return
        if self._scope is Scope.MOMENT:
            self._of_moments |= {f.key: replace(f, time=float(state.start.time)) for f in found}
            self._steps |= {finding.key: step for finding in found}
            self._states |= {finding.key: state for finding in found}
        else:
            self.whole, self._of_start, self._start = self._scope is Scope.WHOLE, found, state
            there = {finding.key for finding in found}
            self.applied = [finding for finding in self.applied if finding.key not in there]  # the change was not enough
        self._finish()

    def _fail(self, why: str, run: int) -> None:
        if run == self._run:
            self.problem = why
            self._finish()

    def _finish(self) -> None:
        self._scope, self.share = None, None
        asked, self._asked = self._asked, False
        self._merge()
        if self._open and self.unasked and not self.whole and not self.problem:
            self._later.start(SETTLED)  # the start has been put off for the present state
        if asked:
            self.answered.emit()

    def _merge(self) -> None:
        """Rank all findings, each once, without what is silenced or applied."""
        found = {finding.key: finding for finding in (*self._of_moments.values(), *self._of_start)}
        self.applied = [finding for finding in self.applied if self.is_applied(finding)]
        done = {finding.key for finding in self.applied}
        kept = [f for f in found.values() if f.rule not in self.silent and f.key not in done]
        self.findings = _ranked(kept)
        self.changed.emit()

    def is_applied(self, finding: Finding) -> bool:
        """True if the model has the numbers of the change, and the file not."""
        changes = () if finding.change is None else finding.change.changes
        places = {EditPlace(change.field, change.index): change.value for change in changes}
        same = all(self._edits.value(place) == value for place, value in places.items())
        return same and any(self._edits.is_changed(place) for place in places)


def _ranked(findings: Sequence[Finding]) -> list[Finding]:
    if not findings:
        return []
    from tumble.app.doctor.examine import ranked  # the rules, which a window without findings does not need

    return ranked(findings)
