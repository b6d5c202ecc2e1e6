"""Solve a frozen step again with other settings: another solver, cone, tolerance or contact model, on a private copy.

    again = Again(m)                       # keeps its copies and kernels: solve as often as you like
    newton = again.solve(d)
    pgs = again.solve(d, solver=mjtSolver.mjSOL_PGS, iterations=500, tolerance=0)
    plot(pgs.record.cost - newton.record.cost.min())

Nothing of the model or the data changes. The step is the one that the data's results belong to, if it was recorded
(start_recording): its state is kept, for a step overwrites it at its end. Without recording it is the present state.
"""

from __future__ import annotations

from typing import TypeVar, Unpack

import numpy as np
from msgspec import Struct

from tumble.physics.errors import ModelError
from tumble.physics.observe.fork import SolveSettings, apply_settings
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

    def __init__(self, m: Model) -> None:
        """For steps of this model. Raises ArgumentError for what is no model, ModelError if memory is short."""
        require_kind(m, Model, "m", "an MjModel")
        self._model = m
        self._shadow = m.shadow()
        unbind(self._shadow)
        self._data = Data(self._shadow)
        start_recording(self._data)

    def solve(self, d: Data, **settings: Unpack[SolveSettings]) -> Solved:
        """Solve the step of `d` again; its model must be that of this object.

        Raises ArgumentError for what are no data, ModelError for a setting that is not valid, or for data of another model.
        """
        require_kind(d, Data, "d", "an MjData")
        if d.model is not self._model:
            raise ModelError("the data belong to another model than the one they are to be solved again with")
        m, mine = self._shadow, self._data
        m.follow(self._model)
        apply_settings(m, settings)
        mine.copy_fixed(d)
        _restore(self._model, d, mine)
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


def solve_again(m: Model, d: Data, **settings: Unpack[SolveSettings]) -> Solved:
    """Solve the step of `d` again with other settings, once: see Again, which is faster for many."""
    return Again(m).solve(d, **settings)


def _restore(m: Model, d: Data, mine: Data) -> None:
    """The state that the results of `d` were computed from, if it is known, else its present one."""
    size = mj_stateSize(m, EVERYTHING)
    if is_recording(d) and d.record_width > 0:
        mj_setState(m, mine, d.record_start[:size], EVERYTHING)
        mine.inner.tree_asleep = d.record_start[size:].astype(np.int32)
        return
    state = np.empty(size)
    mj_getState(m, d, state, EVERYTHING)
    mj_setState(m, mine, state, EVERYTHING)
