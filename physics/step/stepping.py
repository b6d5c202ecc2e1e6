"""The functions users call to move a simulation: mj_step, mj_forward and their kin."""

from __future__ import annotations

import logging

from physics.kernel import Stage
from physics.state.data import Data
from physics.state.enums import mjtIntegrator, mjtWarning
from physics.state.model import Model
from physics.state.reset import mj_resetData
from physics.step.forward import forward, forward_acc, forward_pos_vel
from physics.step.integrate import euler
from physics.step.program import bind
from physics.step.simulate import check_acc, check_state, integrate_only, simulate

log = logging.getLogger(__name__)


def mj_step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance the simulation by nstep steps of m.opt.timestep.

    Releases the GIL. If the state diverges (not a number, or beyond mjMAXVAL), d.warning counts it and,
    unless the autoreset flag is disabled, the data are reset and the simulation goes on from there.
    """
    bind(m)
    d.steps = nstep
    while True:
        simulate(m, d)
        if d.steps <= 0:
            return
        _resolve(m, d)


def mj_forward(m: Model, d: Data) -> None:
    """Compute everything from the state and the inputs, without moving: poses, forces, accelerations, sensors."""
    run_stage(m, d, forward)


def mj_step1(m: Model, d: Data) -> None:
    """First half of a step: all that does not depend on controls and applied forces."""
    bind(m)
    check_state(m, d)
    if d.trouble:
        _resolve(m, d)
    run_stage(m, d, forward_pos_vel)


def mj_step2(m: Model, d: Data) -> None:
    """Second half of a step, after the controls are set. Runge-Kutta needs whole steps: Euler is used instead."""
    bind(m)
    forward_acc(m, d)
    check_acc(m, d)
    if d.trouble:
        _resolve(m, d)
        run_stage(m, d, forward)
    (euler if m.opt.integrator == mjtIntegrator.mjINT_RK4 else integrate_only)(m, d)


def mj_Euler(m: Model, d: Data) -> None:
    """Euler integration, semi-implicit in velocity, of the accelerations that mj_forward left."""
    bind(m)
    euler(m, d)


def run_stage(m: Model, d: Data, stage: Stage) -> None:
    """Run a stage of the pipeline, making room until it fits."""
    bind(m)
    while True:
        stage(m, d)
        if not (d.needcon or d.needefc or d.needA or d.needcollide):
            return
        _resolve(m, d)


def _resolve(m: Model, d: Data) -> None:
    """Do what a kernel stopped for: make room, compile a narrow phase, or reset after divergence."""
    if d.needcon:
        d.grow_contacts(d.needcon)
        d.needcon = 0
    if d.needefc:
        d.grow_rows(d.needefc)
        d.needefc = 0
    if d.needA:
        d.grow_dual(d.needA)
        d.needA = 0
    if d.needcollide:
        m._bound = None
        bind(m)
        d.needcollide = 0
    if d.trouble:
        warning = mjtWarning(d.trouble - 1)
        index, time = int(d.warning_lastinfo[warning]), d.time
        log.warning("%s at time %.4f s, index %d: the data are reset", _BAD[warning], time, index)
        number, lastinfo = d.warning_number.copy(), d.warning_lastinfo.copy()
        steps = d.steps
        mj_resetData(m, d)
        # Unlike the reference, counts of warnings outlive the reset: a model that diverges often shows it.
        d.warning_number, d.warning_lastinfo, d.steps = number, lastinfo, steps


_BAD = {
    mjtWarning.mjWARN_BADQPOS: "position not finite or huge (qpos)",
    mjtWarning.mjWARN_BADQVEL: "velocity not finite or huge (qvel)",
    mjtWarning.mjWARN_BADQACC: "acceleration not finite or huge (qacc)",
}
