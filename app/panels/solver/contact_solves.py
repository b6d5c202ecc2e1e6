"""The step that stands solved by Newton, CG and PGS, as one contact sees it; in the background, from a copy. No Qt here."""

from __future__ import annotations

from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble.physics import Again, ContactModel, mjtCone, mjtSolver, mjtTimer
from tumble.physics.errors import PhysicsError
from tumble.physics.kernel.prepare import load, ready
from tumble.physics.observe.again import variant_of_solve
from tumble.physics.observe.optimization.contact_problem import MOST_ROWS, ContactProblem
from tumble.physics.observe.optimization.sections import SolverPath, solver_path
from tumble.physics.run.program import needed

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel, Solved, SolveSettings

Array = NDArray[np.float64]

SOLVERS = {"Newton": mjtSolver.mjSOL_NEWTON, "CG": mjtSolver.mjSOL_CG, "PGS": mjtSolver.mjSOL_PGS}
TWIN = {mjtCone.mjCONE_ELLIPTIC: mjtCone.mjCONE_PYRAMIDAL, mjtCone.mjCONE_PYRAMIDAL: mjtCone.mjCONE_ELLIPTIC}
NO_CONTACT = "No contact acts in this step. When bodies touch, the contact pressed hardest is shown, or the one that you choose"
APART = "The geoms of the chosen contact are apart in this step"
UNBOUND = "The accelerations of this step are without bound: it has no cost to show"
HARD = "Hard contacts (LCP) minimize no cost. Choose soft contacts in Options to see the optimization"


class HeldStep(Struct, frozen=True, eq=False):
    """A step that is copied. number: counts them; model: whose options it has; time [s]; lock: of who holds or solves.

    Without again: why it could not be copied.
    """

    number: int = 0
    time: float = 0.0
    model: MjModel | None = None
    again: Again | None = None
    lock: Lock = field(default_factory=Lock)
    why: str = ""


class ShownStep(Struct):
    """The newest step in a snapshot; serial: of the snapshot's own step, held: of the one that is held."""

    step: HeldStep = field(default_factory=HeldStep)
    serial: tuple[int, int] = (-1, -1)
    held: tuple[int, int] = (-1, -1)


class StepHold:
    """Copies the state of the last step once each time it is `wanted`: not while the step before is being solved."""

    def __init__(self) -> None:
        self.wanted = False
        self.taken = 0
        self._step = HeldStep()
        self._serial = (-1, -1)

    def room(self, model: MjModel, data: MjData) -> ShownStep:
        return ShownStep()

    def take(self, model: MjModel, data: MjData, into: ShownStep) -> None:
        serial = int(data.timer_number[mjtTimer.mjTIMER_FORWARD]), int(data.resets)
        if self._step.model is not model:
            self._step = HeldStep()
        lock = self._step.lock
        if self.wanted and lock.acquire(blocking=False):
            try:
                self.wanted = False
                self.taken += 1
                self._step, self._serial = self._copied(model, data), serial
            finally:
                lock.release()
        into.step, into.serial, into.held = self._step, serial, self._serial

    def _copied(self, model: MjModel, data: MjData) -> HeldStep:
        try:
            again = self._step.again or Again(model, alone=True)
            again.hold(data)
        except PhysicsError as error:
            return HeldStep(self.taken, model=model, why=f"The step cannot be copied: {error}")
        return HeldStep(self.taken, float(data.time), model, again, self._step.lock)

    def forget(self) -> None:
        """Let go of the step and its model."""
        self._step, self.wanted = HeldStep(), False


class ContactTarget(Struct, frozen=True, eq=False):
    """The contact to show: that of these geoms nearest to a point of the world [m]; geoms of a flex: -1."""

    geoms: tuple[int, int]
    point: Array


class ContactSolves(Struct, frozen=True, eq=False):
    """A step as a contact sees it. time [s]; chosen: False if it is only the one pressed hardest; seconds: that it took.

    problem: with the model's cone; twin: with the other one; paths: of Newton, CG and PGS, in the order of SOLVERS.
    geoms: the two of the contact, -1 of a flex.
    """

    time: float
    chosen: bool
    problem: ContactProblem
    twin: ContactProblem
    paths: tuple[SolverPath, ...]
    geoms: tuple[int, int]
    seconds: float


def solve_contact(step: HeldStep, target: ContactTarget | None, *, warm: bool) -> ContactSolves | str:
    """Solve a step by each of the solvers; a sentence for the user where there is nothing to show.

    target: None: the contact pressed hardest; warm: start where the step itself does, rather than without forces.
    Raises PhysicsError.
    """
    with step.lock:
        return _solve(step, target, warm)


def _solve(step: HeldStep, target: ContactTarget | None, warm: bool) -> ContactSolves | str:
    began = perf_counter()
    model, again = step.model, step.again
    assert model is not None
    assert again is not None
    if int(model.tumble.contact_model) == ContactModel.LCP:
        return HARD
    settings = [_settings(solver, warm) for solver in SOLVERS.values()]
    for each in settings:
        _prepare(model, each)
    newton = again.solve_held(**settings[0])
    if not np.isfinite(newton.qacc).all():
        return UNBOUND
    contact = _contact_of(newton, target)
    if contact < 0:
        return NO_CONTACT if target is None else APART
    problem = again.problem_of(contact)
    if isinstance(problem, str):
        return problem
    largest = max(len(trace.rows) for trace in newton.record)
    if largest > MOST_ROWS:  # PGS solves all islands, each with a dense matrix
        return f"An island of this step has {largest} constraint rows; steps with up to {MOST_ROWS} in one are shown"
    others = [again.solve_held(**each) for each in settings[1:]]
    twin_settings: SolveSettings = {**settings[0], "cone": TWIN[mjtCone(int(model.opt.cone))], "iterations": 0}
    _prepare(model, twin_settings)
    again.solve_held(**twin_settings)
    twin = again.problem_of(contact)
    if isinstance(twin, str):
        return twin
    paths = tuple(solver_path(problem, solved.record) for solved in (newton, *others))
    first, second = (int(g) for g in newton.contact_geom[contact])
    return ContactSolves(step.time, target is not None, problem, twin, paths, (first, second), perf_counter() - began)


def _settings(solver: int, warm: bool) -> SolveSettings:
    """Of the soft problem alone: the no-slip pass solves another one after it."""
    settings: SolveSettings = {"solver": solver, "noslip_iterations": 0}
    if not warm:
        settings["warmstart"] = False
    return settings


def _prepare(model: MjModel, settings: SolveSettings) -> None:
    """Compile missing kernels in another process: here, it would stop the window."""
    parts = needed(variant_of_solve(model, settings)).values()
    if not ready(parts):
        load(parts, lambda progress: None)


def _contact_of(solved: Solved, target: ContactTarget | None) -> int:
    """Index of the contact to show; -1: it is not there."""
    if target is None:
        force = solved.contact_force[:, 0]
        return int(np.argmax(force)) if len(force) and force.max() > 0 else -1
    geoms = np.asarray(target.geoms)
    same = np.flatnonzero(
        (solved.contact_geom == geoms).all(axis=1) | (solved.contact_geom == geoms[::-1]).all(axis=1)
    )
    if len(same) == 0:
        return -1
    away = ((solved.contact_pos[same] - target.point) ** 2).sum(axis=1)
    return int(same[np.argmin(away)])
