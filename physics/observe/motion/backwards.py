"""Time backwards: steps of Runge-Kutta with a negative time step, where nothing brakes.

    back = backwards(m, d, 100)          # d stands, a hundred steps earlier
    print(back.steps, back.obstacle)

Motion without friction, impacts and dampers runs backwards as well as forwards: forces are the same at the opposite
velocity. What depends on the velocity's sign takes energy forwards, and would give it backwards, so that the smallest
error grows: there is no way back. Contacts, limits, equalities and friction loss are soft constraints, which brake as
well. Each of these is named.
The way back errs by as much as the way there: with Runge-Kutta by the fourth power of the time step.
Source: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), chapter V.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.observe.fork import fork
from tumble.physics.run.stepping import mj_forward, mj_step
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtConstraint, mjtIntegrator
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
ODD = 1e-9  # of the forces: a part that turns with the velocity and is less is rounding
_RK4 = int(mjtIntegrator.mjINT_RK4)
_CONTACT = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)
_WORDS = {
    int(mjtConstraint.mjCNSTR_EQUALITY): "an equality constraint acts, which is soft and brakes",
    int(mjtConstraint.mjCNSTR_FRICTION_DOF): "friction loss of a joint brakes",
    int(mjtConstraint.mjCNSTR_FRICTION_TENDON): "friction loss of a tendon brakes",
    int(mjtConstraint.mjCNSTR_LIMIT_JOINT): "a joint is at its limit, which is soft and brakes",
    int(mjtConstraint.mjCNSTR_LIMIT_TENDON): "a tendon is at its limit, which is soft and brakes",
}


class BackwardResult(Struct, frozen=True):
    """Steps taken backwards, and what was in the way of the next; "": nothing."""

    steps: int
    obstacle: str


def obstacle(m: Model, d: Data) -> str:
    """Why time cannot run backwards from this state; "" where it can."""
    if int(m.opt.integrator) != _RK4:
        return "it takes the integrator Runge-Kutta (RK4), which errs least"
    if int(m.nhistory) or int(m.nplugin):
        return "delays and plugins remember the past, not what comes after it"
    if int(m.na):
        return "activations of actuators follow their controls, and not the other way"
    copy, data = fork(m, d)
    return _dissipation(copy, data)


def backwards(m: Model, d: Data, count: int) -> BackwardResult:
    """Move the data by steps into the past, as far as nothing is in the way; inputs are those of now."""
    reason = obstacle(m, d)
    if reason:
        return BackwardResult(0, reason)
    own, data = fork(m, d)
    own.opt.timestep = -float(m.opt.timestep)
    steps = 0
    while steps < count and not reason:
        before = float(data.time), np.array(data.qpos), np.array(data.qvel)
        mj_step(own, data)
        mj_forward(own, data)
        reason = _of_rows(data)
        if reason or not np.isfinite(data.qacc).all():
            data.time, data.qpos[:], data.qvel[:] = before
            break
        steps += 1
    d.time, d.qpos[:], d.qvel[:] = float(data.time), data.qpos, data.qvel
    mj_forward(m, d)
    return BackwardResult(steps, reason)


def _of_rows(d: Data) -> str:
    """The constraint that acts, in words."""
    if not int(d.nefc):
        return ""
    kind = int(np.asarray(d.efc_type)[0])
    return "bodies touch: contacts brake" if kind >= _CONTACT else _WORDS[kind]


def _dissipation(m: Model, d: Data) -> str:
    """Whatever brakes, in words: forces at a velocity near the present one, and at its opposite. d: a copy."""
    mj_forward(m, d)
    if reason := _of_rows(d):
        return reason
    some = np.array(d.qvel) + 0.1 * (1 + np.arange(int(m.nv)) % 3)  # a pendulum at rest has a damper nonetheless
    names = "qfrc_damper", "qfrc_fluid", "qfrc_actuator", "qfrc_passive"
    there: dict[str, Numbers] = {}
    back: dict[str, Numbers] = {}
    for sign, forces in ((1.0, there), (-1.0, back)):
        d.qvel[:] = sign * some
        mj_forward(m, d)
        forces |= {name: np.array(getattr(d, name)) for name in names}
    scale = max(float(abs(forces[name]).max(initial=0.0)) for forces in (there, back) for name in names)
    odd = {name: float(abs(there[name] - back[name]).max(initial=0.0)) > ODD * max(scale, 1e-12) for name in names}
    if odd["qfrc_damper"]:
        return "dampers brake"
    if odd["qfrc_fluid"]:
        return "the medium brakes: density and viscosity are not 0"
    if odd["qfrc_actuator"]:
        return "actuators brake: their force depends on the velocity"
    return "a force depends on the direction of the velocity" if odd["qfrc_passive"] else ""
