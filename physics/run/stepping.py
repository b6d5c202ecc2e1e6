"""The functions users call: mj_step and mj_forward, mj_inverse, and their kin."""

from __future__ import annotations

import logging

from tumble.physics.callback.table import settle
from tumble.physics.errors import ModelError
from tumble.physics.kernel import Stage
from tumble.physics.run.program import bind, is_hard, require_integrator
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.room import make_room, require, run_on_rows, run_stage, take
from tumble.physics.solver.lcp.solve import compare_lcp
from tumble.physics.state.arguments import checked, whole
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEnableBit, mjtIntegrator, mjtStage, mjtWarning
from tumble.physics.state.model import Model
from tumble.physics.step.forward import forward, forward_acc, forward_pos_vel
from tumble.physics.step.implicit import implicit, implicit_fast
from tumble.physics.step.integrate import euler
from tumble.physics.step.inverse import (
    compare_fwd_inv,
    inverse_acc,
    inverse_acc_sensors,
    inverse_pos,
    inverse_pos_vel,
    inverse_vel,
    inverse_vel_sensors,
)
from tumble.physics.step.simulate import check_acc, check_pos, check_vel, integrate_only, simulate
from tumble.physics.step.sleep import fall_asleep

log = logging.getLogger(__name__)


_MOST = 2**62  # steps at once: whatever is more may be no number for kernels


def mj_step(m: Model, d: Data, nstep: int = 1) -> None:
    """Advance the simulation by m.opt.timestep. Optionally, repeat nstep times.

    Releases the GIL. If the state diverges (not a number, or beyond mjMAXVAL), d.warning counts it and,
    unless the autoreset flag is disabled, the data are reset and the simulation goes on from there; where
    the initial state is itself bad there is nowhere to go on from, and the steps that are left are not done.
    What a callback raises is raised here; d.steps then tells how many steps were not done.
    Raises ModelError for an option that is not valid, and for a scene that needs too much memory.
    """
    if type(nstep) is not int or not -_MOST <= nstep <= _MOST:
        nstep = whole(nstep, "nstep")
    take(m, d)
    try:
        _advance(m, d, nstep)
    finally:
        d.give()


def _advance(m: Model, d: Data, nstep: int) -> None:
    left = d.steps if d.calling else 0  # of the steps that have called a callback, which has called this
    d.put_number("steps", nstep)
    binding = bind(m)
    require_integrator(m)
    reset_at = -1  # steps left when the data were last reset
    while True:
        run = m.bound or m  # held until the call returns, whatever is bound meanwhile
        simulate.call(run.address, d.address)
        if d.steps <= 0:
            d.form = binding.form
            if left:
                d.put_number("steps", left)
            return
        stuck = d.trouble and reset_at == d.steps
        reset_at = d.steps if d.trouble else reset_at
        resolve(m, d)
        if stuck:
            d.put_number("steps", left)
            return


def mj_forward(m: Model, d: Data) -> None:
    """Compute everything from the state and the inputs, without moving: poses, forces, accelerations, sensors."""
    run_stage(m, d, forward)


def mj_step1(m: Model, d: Data) -> None:
    """First half of a step: all that does not depend on controls and applied forces."""
    require(m, d)
    bind(m)
    for check in (check_pos, check_vel):
        check(m, d)
        if d.trouble:
            resolve(m, d)
    run_stage(m, d, forward_pos_vel)


def mj_step2(m: Model, d: Data) -> None:
    """Second half of a step, after the controls are set. Runge-Kutta needs whole steps: Euler is used instead."""
    require(m, d)
    bind(m)
    require_integrator(m)
    run_on_rows(m, d, forward_acc)
    check_acc(m, d)
    if d.trouble:
        resolve(m, d)
        run_stage(m, d, forward)
    (euler if m.opt.integrator == mjtIntegrator.mjINT_RK4 else integrate_only)(m, d)
    if d.failed:
        settle(d)


def mj_Euler(m: Model, d: Data) -> None:
    """Euler integration, semi-implicit in velocity, of the accelerations that mj_forward left."""
    require(m, d)
    bind(m)
    _integrate(m, d, euler)


def mj_implicit(m: Model, d: Data) -> None:
    """Integration implicit in velocity of the accelerations that mj_forward left, as the integrator in the options says.

    With hard contacts both are implicitfast. ModelError unless it is one of them, and for flexes with hard contacts, whose steps
    have no implicit form.
    """
    require(m, d)
    hard = is_hard(m)
    if m.opt.integrator not in _IMPLICIT or (hard and m.nflex):
        raise ModelError("mj_implicit needs integrator implicit or implicitfast in the options, and soft contacts for flexes")
    bind(m)
    _integrate(m, d, implicit_fast if hard else _IMPLICIT[m.opt.integrator])


_IMPLICIT: dict[int, Stage] = {mjtIntegrator.mjINT_IMPLICIT: implicit, mjtIntegrator.mjINT_IMPLICITFAST: implicit_fast}


def _integrate(m: Model, d: Data, integrator: Stage) -> None:
    """Put to sleep the trees that rest, and integrate. Raises what a callback raises meanwhile: the step is then not done."""
    if m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP:
        fall_asleep(m, d)
        if d.failed:
            settle(d)
    integrator(m, d)


def mj_inverse(m: Model, d: Data) -> None:
    """Write to d.qfrc_inverse the applied and actuator force [N or N m] that makes the acceleration d.qacc.

    Whatever d.qfrc_applied, d.xfrc_applied and d.ctrl hold is not read: it is what is asked for.
    With the invdiscrete flag, d.qacc is the change of velocity over a step of the integrator divided by the time step;
    ModelError for Runge-Kutta, which has no discrete inverse.
    """
    mj_inverseSkip(m, d, mjtStage.mjSTAGE_NONE, 0)


@checked
def mj_inverseSkip(m: Model, d: Data, skipstage: int, skipsensor: int) -> None:
    """mj_inverse without what is up to date already: stages up to skipstage (mjtStage), and sensors if skipsensor."""
    discrete = bool(m.opt.enableflags & mjtEnableBit.mjENBL_INVDISCRETE)
    if discrete and m.opt.integrator not in (mjtIntegrator.mjINT_EULER, *_IMPLICIT):
        raise ModelError("the inverse in discrete time (flag invdiscrete) needs integrator Euler, implicit or implicitfast")
    if skipstage < mjtStage.mjSTAGE_POS and not skipsensor:
        run_stage(m, d, inverse_pos_vel)
    else:
        if skipstage < mjtStage.mjSTAGE_POS:
            run_stage(m, d, inverse_pos)
        if skipstage < mjtStage.mjSTAGE_VEL:
            run_stage(m, d, inverse_vel)
            if not skipsensor:
                run_stage(m, d, inverse_vel_sensors)
    asked = d.qacc.copy() if discrete else None
    run_stage(m, d, inverse_acc)
    if not skipsensor and m.nsensor > 0:
        run_stage(m, d, inverse_acc_sensors)
    if asked is not None:
        d.qacc = asked


def mj_compareFwdInv(m: Model, d: Data) -> None:
    """After mj_forward: write to d.solver_fwdinv how far the solver's result is from its analytic inverse."""
    require(m, d)
    run_stage(m, d, compare_lcp if is_hard(m) else compare_fwd_inv)


def resolve(m: Model, d: Data) -> None:
    """Do what a kernel stopped for: make room, compile a narrow phase, or reset after divergence."""
    make_room(m, d)
    if d.trouble:
        warning = mjtWarning(d.trouble - 1)
        index, time = int(d.warning_lastinfo[warning]), d.time
        log.warning("%s at time %.4f s, index %d: the data are reset", _BAD[warning], time, index)
        number, lastinfo = d.warning_number.copy(), d.warning_lastinfo.copy()
        steps = d.steps
        mj_resetData(m, d)
        # Unlike the reference, counts of warnings outlive the reset: a model that diverges often shows it.
        d.warning_number, d.warning_lastinfo = number, lastinfo
        d.put_number("steps", steps)


_BAD = {
    mjtWarning.mjWARN_BADQPOS: "position not finite or huge (qpos)",
    mjtWarning.mjWARN_BADQVEL: "velocity not finite or huge (qvel)",
    mjtWarning.mjWARN_BADQACC: "acceleration not finite or huge (qacc)",
}
