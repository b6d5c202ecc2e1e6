"""The forks that the user has made: what differs in each, their names, colours and errors over time.

`ForkRunner` steps them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal

from tumble import physics
from tumble.app.base.background import Background, Closed
from tumble.app.base.traces import Traces
from tumble.app.describe.integrators import NAMES as INTEGRATORS
from tumble.app.describe.numbers import moment
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.option_table import CONES, SOLVERS, TIMESTEP
from tumble.app.editing.parameters import OVERRIDE, parse
from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.session.session import Session
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import AddFork, DropFork, RunForks
from tumble.app.simulation.fork_runner import MEASURES, Moment, Track
from tumble.physics import ForkSettings
from tumble.render.frame import Ghost

if TYPE_CHECKING:
    from tumble.physics import MjModel, SolveSettings
    from tumble.physics.state.model import Model


SAME = "as it is"
NO_SETTINGS: SolveSettings = {}
SOLVER_CHOICES: dict[str, SolveSettings] = {SAME: NO_SETTINGS, **SOLVERS}
CONE_CHOICES: dict[str, SolveSettings] = {
    name.replace("cone ", "").removesuffix(" cone"): chosen for name, chosen in CONES.items()
}
INTEGRATOR_CHOICES: dict[str, ForkSettings] = {SAME: {}, **{name: {"integrator": kind} for kind, name in INTEGRATORS.items()}}
DIVIDED, TIMES = "\N{DIVISION SIGN}", "\N{MULTIPLICATION SIGN}"
STEP_CHOICES = (SAME, *(f"{DIVIDED} {n}" for n in (2, 5, 10)), *(f"{TIMES} {n}" for n in (2, 5, 10)))
OF_FILE = "as in the file"
NUMBER_CHOICES = (SAME, OF_FILE)
SIGNS = {DIVIDED: DIVIDED, "/": DIVIDED, TIMES: TIMES, "x": TIMES, "*": TIMES}
CONTACT_NUMBERS = {p.attribute.removeprefix("o_"): p for p in OVERRIDE}
EXAMPLES = {"solref": "0.05 1", "solimp": "0.9 0.95 0.001 0.5 2"}


class ForkChoice(Struct, frozen=True):
    """The user's choice, as texts; empty and `as it is`: as the model has it. numbers: of its elements and options."""

    solver: str = SAME
    cone: str = SAME
    integrator: str = SAME
    step: str = SAME
    solref: str = ""
    solimp: str = ""
    numbers: str = SAME


class Difference(Struct, frozen=True):
    """Settings of a fork that differ, whether edits of the model are reverted, its name, and changes of the model's numbers."""

    settings: ForkSettings = field(default_factory=lambda: ForkSettings())
    from_file: bool = False
    name: str = ""
    changes: tuple[Change, ...] = ()


def difference(chosen: ForkChoice, timestep: float) -> Difference:
    """Difference for a choice, for a model with this time step [s].

    Raises ValueError with a message for the user for an invalid number.
    """
    settings: ForkSettings = {
        **SOLVER_CHOICES[chosen.solver], **CONE_CHOICES[chosen.cone], **INTEGRATOR_CHOICES[chosen.integrator]
    }  # fmt: skip
    parts = [text for text in (chosen.solver, chosen.cone, chosen.integrator) if text != SAME]
    step = _step(chosen.step, timestep)
    if step is not None:
        settings["timestep"] = step
        parts.append(f"step {step:.4g} s")
    if chosen.solref.strip():
        settings["solref"] = _numbers("solref", chosen.solref)
        parts.append(f"solref {' '.join(f'{v:g}' for v in settings['solref'])}")
    if chosen.solimp.strip():
        settings["solimp"] = _numbers("solimp", chosen.solimp)
        parts.append(f"solimp {' '.join(f'{v:g}' for v in settings['solimp'])}")
    if chosen.numbers != SAME:
        parts.append(chosen.numbers)
    return Difference(settings, chosen.numbers == OF_FILE, ", ".join(parts))


def _step(text: str, timestep: float) -> float | None:
    """The time step [s] of a text with seconds or a factor."""
    text = text.strip()
    if text in ("", SAME):
        return None
    sign = SIGNS.get(text[0])
    value = parse(text[1:] if sign else text)
    if value is None or value <= 0:
        raise ValueError(f"The time step {text!r} is neither seconds above 0, as 0.001 is, nor a factor, as / 2 or x 2")
    step = value if sign is None else timestep * value if sign == TIMES else timestep / value
    if why := TIMESTEP.problem((step,)):
        raise ValueError(why)
    return step


def _numbers(name: str, text: str) -> tuple[float, ...]:
    parameter = CONTACT_NUMBERS[name]
    need = len(parameter.parts)
    values = [parse(word) for word in text.replace(";", " ").split()]
    known = tuple(v for v in values if v is not None)
    if len(values) != need or len(known) != need:
        raise ValueError(f"{name} takes {need} numbers, as {EXAMPLES[name]}; {text.strip()!r} is not")
    if why := parameter.problem(known):
        raise ValueError(f"{name}: {why}")
    return known


log = logging.getLogger(__name__)

MOST = 4  # most forks: each costs a step, and more colours are hard to distinguish
KEPT, BUCKETS = 1 << 14, 1 << 12  # of the errors: see Traces; 5 MB a fork, and a day at 10,000 steps per second
PREPARING, RUNNING, FAILED = "preparing", "running", "failed"


def new_traces() -> Traces:
    """Memory for errors, which does not grow."""
    return Traces([measure.name for measure in MEASURES], KEPT, BUCKETS)


class ForkEntry(Struct):
    """A fork of the list.

    ink: its colour, #rrggbb; begin: simulated time at which it was made [s]; edits: changes of the model at that moment;
    title: of its changes of the model's numbers, if any; ghost: whether it is drawn; remark: why it is not running.
    """

    key: int
    ink: str
    begin: float
    edits: dict[EditPlace, tuple[Values, Values]]
    choice: ForkChoice
    difference: Difference
    title: str = ""
    ghost: bool = True
    state: str = PREPARING
    remark: str = ""
    moment: Moment | None = None
    traces: Traces = field(default_factory=new_traces)
    track: Track = field(default_factory=Track)

    @property
    def name(self) -> str:
        """Differences in words."""
        return self.difference.name or f"unchanged, {moment(self.begin)}"


class Forks(QObject):
    """At most MOST forks of the present model. changed: the list, or the state of a fork, changed."""

    changed = pyqtSignal()
    _answered = pyqtSignal(int, str)  # from the simulation thread: key, error message or ""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._edits = session, session.part(Edits)
        self.entries: list[ForkEntry] = []
        self._made = 0
        self.running = False  # whether forks are stepped; not until the panel is open
        self._background = Background("fork", self)
        self._answered.connect(self._show_answer)
        session.model_loaded.connect(self._forget)
        session.advanced.connect(self._advance)

    def set_running(self, running: bool) -> None:
        """Suspend all forks at no cost, or restart them from the present state."""
        if running != self.running:
            self.running = running
            self._session.send(RunForks(running))
            self._advance()

    def add(self, choice: ForkChoice, name: str = "", changes: tuple[Change, ...] = ()) -> ForkEntry:
        """Fork the present state, also with these changes of the model's numbers, which have a name.

        Raises ValueError with a message for the user if that cannot be.
        """
        if self._session.model is None:
            raise ValueError("Open a model first: there is nothing to fork")
        if len(self.entries) >= MOST:
            raise ValueError(f"There can be at most {MOST} forks: remove one first")
        wanted, variant = self._understood(choice, name, changes)
        self._made += 1
        ink = next(ink for ink in INKS if ink not in [theme.shown(e.ink) for e in self.entries])
        snapshot = self._session.snapshot
        begin = 0.0 if snapshot is None else snapshot.time
        entry = ForkEntry(self._made, ink, begin, self._edits.changes(), choice, wanted, name)
        self.entries.append(entry)
        self._start(entry, variant)
        return entry

    def change(self, key: int, choice: ForkChoice) -> None:
        """Change the settings of a fork: it restarts from the present state.

        Raises ValueError as `add`; the fork then keeps running as it is.
        """
        entry = self.find(key)
        if entry is not None and entry.choice != choice:
            entry.difference, variant = self._understood(choice, entry.title, entry.difference.changes)
            entry.choice, entry.state, entry.remark = choice, PREPARING, ""
            self._start(entry, variant)

    def is_same(self, entry: ForkEntry) -> bool:
        """True if a fork has the simulation's settings, so that it cannot differ."""
        model, wanted = self._session.model, entry.difference
        if model is None or (wanted.from_file and entry.edits):
            return False
        same = all(_setting(model, name) == value for name, value in wanted.settings.items())
        same = same and all(self._edits.value(EditPlace(c.field, c.index)) == c.value for c in wanted.changes)
        return same and entry.edits == self._edits.changes()

    def remove(self, key: int) -> None:
        """Stop a fork and discard it."""
        self.entries = [entry for entry in self.entries if entry.key != key]
        self._session.send(DropFork(key))
        self._show_ghosts()
        self.changed.emit()

    def restart(self) -> None:
        """Restart all forks from the present state."""
        self._session.send(RunForks(self.running))

    def set_ghost(self, key: int, on: bool) -> None:
        """Draw a fork, or not."""
        for entry in self.entries:
            if entry.key == key:
                entry.ghost = on
        self._show_ghosts()
        self._session.forces_changed.emit()

    def close(self, timeout: float = 10.0) -> bool:
        """End the threads; returns True if they have ended."""
        return self._background.close(timeout)

    # ---- how a fork begins

    def _understood(self, choice: ForkChoice, title: str, changes: tuple[Change, ...]) -> tuple[Difference, Model]:
        """Difference for a choice and changes, and a model with its options, to prepare its kernels. Raises ValueError."""
        model = self._session.loaded_model
        wanted = difference(choice, float(model.opt.timestep))
        wanted = replace(wanted, name=", ".join(filter(None, (title, wanted.name))), changes=changes)
        try:
            variant = physics.variant_of_fork(model, **wanted.settings)
        except physics.PhysicsError as error:
            raise ValueError(str(error)) from error
        for change in changes:
            if change.field.startswith(("opt.", "tumble.")) and len(change.value) == 1:  # may need other kernels
                change.write(variant)
        return wanted, variant

    def _start(self, entry: ForkEntry, variant: Model) -> None:
        wanted = entry.difference
        self._background.run(lambda: self._prepare(variant), lambda wrong: self._begin(entry, wanted, wrong))
        self.changed.emit()

    def _prepare(self, model: Model) -> str:
        """Compile the fork's kernels, so that the simulation need not wait; returns an error message or "".

        The fork itself is made by the simulation thread, which owns the model and the data, between two steps.
        """
        try:
            physics.prepare(model, lambda progress: self._background.check())
        except physics.PhysicsError as error:
            return str(error)
        except Closed:
            raise
        except Exception as error:  # a bug of the program; the thread must not die silently
            log.exception("preparing a fork failed")
            return f"internal error: {type(error).__name__}: {error}"
        return ""

    def _begin(self, entry: ForkEntry, wanted: Difference, wrong: str) -> None:
        key = entry.key
        if self.find(key) is not entry or entry.difference is not wanted:
            return  # removed, of a model before, or changed again meanwhile
        if wrong:
            self._show_answer(key, wrong)
            return
        answer: Callable[[str], None] = lambda wrong: self._answered.emit(key, wrong)  # noqa: E731 - a closure with a type
        changes = (*(self._to_file() if entry.difference.from_file else ()), *entry.difference.changes)
        self._session.send(AddFork(key, entry.difference.settings, changes, entry.track, answer))

    def _to_file(self) -> tuple[Change, ...]:
        """Edits that restore the file's numbers."""
        return tuple(Change(place.field, place.index, before) for place, (before, _) in self._edits.changes().items())

    def _show_answer(self, key: int, wrong: str) -> None:
        entry = self.find(key)
        if entry is not None:
            entry.state, entry.remark = (FAILED, wrong) if wrong else (RUNNING, "")
            self.changed.emit()

    def find(self, key: int) -> ForkEntry | None:
        """The fork of a key; None if missing."""
        return next((entry for entry in self.entries if entry.key == key), None)

    # ---- simulation results

    def _forget(self) -> None:
        """Another model: drop the forks of the previous one."""
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
            entry.moment = moments.get(entry.key) if self.running else None
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


def _setting(model: MjModel, name: str) -> object:
    """The model's own value of a fork's setting; None for solref and solimp, which each contact has."""
    return getattr(model.opt, name, getattr(model.tumble, name, None))


def _rgb(ink: str) -> tuple[float, float, float]:
    colour = theme.ink(ink)
    return colour.redF(), colour.greenF(), colour.blueF()
