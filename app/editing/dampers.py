"""Dampers that a model's integrator takes at the beginning of a step, and how stiff they are for the time step.

A damper g [1/s], in units of acceleration, alone is v' = -g v. Semi-implicit Euler multiplies v by 1 - h g in a step h, the
Runge-Kutta method of fourth order by the Taylor polynomial of exp(-h g): they are stable for h g below 2 and 2.785. Euler takes
the damping of joints at the end of the step unless the flag eulerdamp is off, and the implicit integrators take all of it
there: that is stable at any step. The share of a damper is h g over its limit. From a half on, Euler turns the velocity around in
each step, and RK4 leaves a seventh more of it than the damper does.
Source: E. Hairer, G. Wanner, Solving ordinary differential equations II, chapter IV.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.stiffness import Array, ElementAt, Servo
from tumble.physics.query.mobility import mobility, moment_arms
from tumble.physics.run.program import is_hard

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

COARSE = 0.5  # share from which the step is coarse for a damper
EULER_LIMIT, RK4_LIMIT = 2.0, 2.7852935634052822  # of h g; the second is the real root of |1 - z + z^2/2 - z^3/6 + z^4/24| = 1
_OBJ, _INT, _OFF = physics.mjtObj, physics.mjtIntegrator, physics.mjtDisableBit
_AFFINE = int(physics.mjtGain.mjGAIN_AFFINE)


def dampers(model: MjModel, data: MjData) -> list[Servo]:
    """Dampers that the integrator takes explicitly, at the present pose, the largest share first.

    Of joints and tendons, and of actuators whose force is their control times a damping, at their largest control. A servo's
    own damping is not among them: `stiffness.servos` has it.
    """
    integrator, flags = int(model.opt.integrator), int(model.opt.disableflags)
    explicit = {int(_INT.mjINT_EULER): EULER_LIMIT, int(_INT.mjINT_RK4): RK4_LIMIT}
    if integrator not in explicit or is_hard(model):
        return []
    limit, found = explicit[integrator], []
    if not flags & int(_OFF.mjDSBL_DAMPER):
        if integrator == int(_INT.mjINT_RK4) or flags & int(_OFF.mjDSBL_EULERDAMP):
            found += _of_joints(model, data, limit)
        found += _of_tendons(model, data, limit)
    if not flags & int(_OFF.mjDSBL_ACTUATION):
        found += _of_actuators(model, data, limit)
    return sorted(found, key=lambda damper: -damper.share)


def _of_joints(model: MjModel, data: MjData, limit: float) -> list[Servo]:
    """Of a joint of several dofs the one of the largest share counts."""
    found: dict[int, Servo] = {}
    for i in np.flatnonzero(np.asarray(model.dof_damping) > 0).tolist():
        axis, joint = np.zeros(model.nv), int(model.dof_jntid[i])
        axis[i] = 1.0
        damper = _damper(model, data, (_OBJ.mjOBJ_JOINT, joint), float(model.dof_damping[i]), axis, limit)
        if damper is not None and (joint not in found or damper.share > found[joint].share):
            found[joint] = damper
    return list(found.values())


def _of_tendons(model: MjModel, data: MjData, limit: float) -> list[Servo]:
    found = []
    dense = np.zeros((model.ntendon, model.nv))
    if np.any(np.asarray(model.tendon_damping) > 0):
        physics.mju_sparse2dense(dense, np.ravel(data.ten_J), data.ten_J_rownnz, data.ten_J_rowadr, np.ravel(data.ten_J_colind))
    for t in np.flatnonzero(np.asarray(model.tendon_damping) > 0).tolist():
        found.append(_damper(model, data, (_OBJ.mjOBJ_TENDON, t), float(model.tendon_damping[t]), dense[t], limit))
    return [damper for damper in found if damper is not None]


def _of_actuators(model: MjModel, data: MjData, limit: float) -> list[Servo]:
    found = []
    for i in range(model.nu):
        gain = -float(model.actuator_gainprm[i, 2])
        if int(model.actuator_gaintype[i]) != _AFFINE or gain <= 0:
            continue
        control = float(model.actuator_ctrlrange[i, 1]) if model.actuator_ctrllimited[i] else float(data.ctrl[i])
        arms = moment_arms(model, data, i)
        found.append(_damper(model, data, (_OBJ.mjOBJ_ACTUATOR, i), gain * control, arms, limit))
    return [damper for damper in found if damper is not None]


def _damper(
    model: MjModel, data: MjData, element: ElementAt, damping: float, along: Array, limit: float
) -> Servo | None:
    weight = mobility(model, data, along) if damping > 0 else 0.0
    if weight <= 0:
        return None
    rate, name = damping * weight, name_of(model, *element)
    share = float(model.opt.timestep) * rate / limit
    return Servo(name, 0.0, damping, 1 / weight, share, COARSE * limit / rate, element)
