"""Solve a frozen step again with other settings: another solver, cone, tolerance or contact model, on a private copy.

    again = Again(m)                       # keeps its copies and kernels: solve as often as you like
    newton = again.solve(d)
    pgs = again.solve(d, solver=mjtSolver.mjSOL_PGS, iterations=500, tolerance=0)
    plot(pgs.record.cost - newton.record.cost.min())

Nothing of the model or the data changes. The step is the one that the data's results belong to, if it was recorded
(start_recording): its state is kept, for a step overwrites it at its end. Without recording it is the present state.

`again.hold(d)` copies that state, which takes little; `again.solve_held(...)` then solves it, in another thread if need be,
while the data go on.
"""

from __future__ import annotations

from typing import TypeVar, Unpack

import numpy as np
from msgspec import Struct

from tumble.physics.errors import ModelError
from tumble.physics.observe.fork import SolveSettings, apply_settings
from tumble.physics.observe.optimization.contact_problem import ContactProblem, read_problem
from tumble.physics.observe.record import EVERYTHING, Integers, Numbers, Record, is_recording, read_record, start_recording
from tumble.physics.query.force import contact_forces
from tumble.physics.run.program import bind, unbind
from tumble.physics.run.room import run_stage
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.components import mj_getState, mj_setState, mj_stateSize
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtTimer
from tumble.physics.state.model import Model
from tumble.physics.step.forward import forward

M = TypeVar("M", bound=Model)

SOLVER = mjtTimer.mjTIMER_CONSTRAINT


class Solved(Struct, frozen=True):
    """A step solved again. All arrays are copies.

    qacc, qfrc_constraint: (nv,) acceleration [m/s^2 or rad/s^2] and constraint force [N or N m].
    efc_force, efc_state, efc_type, efc_id: (nefc,) the rows, which another cone makes others of.
    contact_pos, contact_frame, contact_geom, contact_force: (ncon, 3), (ncon, 9), (ncon, 2) and (ncon, 6).
    niter: (nisland or 1,) iterations of each of the first islands; seconds: time of the solver alone.
    record: every iterate.
    """

    qacc: Numbers
    qfrc_constraint: Numbers
    efc_force: Numbers
    efc_state: Integers
    efc_type: Integers
    efc_id: Integers
    contact_pos: Numbers
    contact_frame: Numbers
    contact_geom: Integers
    contact_force: Numbers
    niter: Integers
    seconds: float
    record: Record


def variant_of_solve(m: M, settings: SolveSettings) -> M:
    """The model as a solve with other settings sees it, for a look at its options.

    Raises ArgumentError for what is no model, ModelError for settings not valid.
    """
    require_kind(m, Model, "m", "an MjModel")
    made = m.shadow()
    apply_settings(made, settings)
    return made


class Again:
    """A private model and data in which steps are solved again; the model's arrays are shared, its options are not."""

    def __init__(self, m: Model, *, alone: bool = False) -> None:
        """For steps of this model; alone: on one thread, as the model's own threads are at work for others.

        Raises ArgumentError for what is no model, ModelError if memory is short.
        """
        require_kind(m, Model, "m", "an MjModel")
        self._model, self._alone = m, alone
        self._options, self._shadow = m.shadow(), m.shadow()  # as they were when a step was held, and as a solve changes them
        unbind(self._shadow)
        self._data = Data(self._shadow)
        self._start = np.zeros(0)
        start_recording(self._data)

    def solve(self, d: Data, **settings: Unpack[SolveSettings]) -> Solved:
        """Solve the step of `d` again; its model must be that of this object.

        Raises ArgumentError for what are no data, ModelError for a setting that is not valid, or for data of another model.
        """
        self.hold(d)
        return self.solve_held(**settings)

    def hold(self, d: Data) -> None:
        """Copy the step of `d`, which `solve_held` solves. Not while another thread is in `solve_held`. Raises as `solve`."""
        require_kind(d, Data, "d", "an MjData")
        if d.model is not self._model:
            raise ModelError("the data belong to another model than the one they are to be solved again with")
        self._options.follow(self._model)
        if self._alone:
            self._options.tumble.threads = 1
        self._data.copy_fixed(d)
        self._start = _start_of(self._model, d)

    def solve_held(self, **settings: Unpack[SolveSettings]) -> Solved:
        """Solve the step that is held; reads no other data. Raises ModelError for a setting that is not valid."""
        m, mine = self._shadow, self._data
        m.follow(self._options)
        apply_settings(m, settings)
        size = mj_stateSize(m, EVERYTHING)
        mj_setState(m, mine, self._start[:size], EVERYTHING)
        mine.inner.tree_asleep = self._start[size:].astype(np.int32)
        bind(m)
        mine.timer_duration[SOLVER], mine.timer_number[SOLVER] = 0.0, 0
        run_stage(m, mine, forward)
        contact = mine.contact
        force = contact_forces(mine.efc_force, contact.efc_address, contact.dim, contact.friction, mine.efc_type)
        return Solved(
            mine.qacc.copy(), mine.qfrc_constraint.copy(), mine.efc_force.copy(), mine.efc_state.copy(), mine.efc_type.copy(),
            mine.efc_id.copy(), contact.pos.copy(), contact.frame.copy(), contact.geom.copy(), force,
            mine.solver_niter[: max(1, mine.nisland)].copy(),
            float(mine.timer_duration[SOLVER] / mine.timer_number[SOLVER]),  # more than once where arrays had to grow
            read_record(m, mine),
        )  # fmt: skip

    def problem_of(self, contact: int) -> ContactProblem | str:
        """The optimization that a contact is part of, as the last solve had it; a sentence where there is none to show."""
        return read_problem(self._shadow, self._data, contact)


def solve_again(m: Model, d: Data, **settings: Unpack[SolveSettings]) -> Solved:
    """Solve the step of `d` again with other settings, once: see Again, which is faster for many."""
    return Again(m).solve(d, **settings)


def _start_of(m: Model, d: Data) -> Numbers:
    """The state that the results of `d` were computed from, if it is known, else the present one; then tree_asleep."""
    if is_recording(d) and d.record_width > 0:
        return d.record_start.copy()
    state = np.empty(mj_stateSize(m, EVERYTHING))
    mj_getState(m, d, state, EVERYTHING)
    return np.concatenate([state, d.tree_asleep])
