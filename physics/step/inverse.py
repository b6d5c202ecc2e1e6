"""Inverse dynamics: the applied force that gives the acceleration d.qacc; and its comparison with the forward dynamics.

With soft constraints the inverse exists and is analytic: the constraint force is a function of the
acceleration, row by row, and what is left of the equations of motion is the applied force.
Source: MuJoCo documentation, Computation, Inverse dynamics.
"""

from __future__ import annotations

import math

from tumble.physics.algebra.sparse import mul_sym, solve_ld
from tumble.physics.algebra.vec3 import load3
from tumble.physics.dynamics.object import apply_force
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.solver.product import copy
from tumble.physics.solver.update import forces_of_acceleration
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import (
    ACCELERATION_SENSORS,
    POSITION_SENSORS,
    VELOCITY_SENSORS,
    position_stages,
    run_phase,
    velocity_stages,
)

INVDISCRETE = int(mjtEnableBit.mjENBL_INVDISCRETE)
INVERSE_FLEX = int(Entry.INVERSE_FLEX)
RUNGE_KUTTA = int(mjtIntegrator.mjINT_RK4)  # no velocity in its step is implicit: discrete time is no other
IMPLICIT, DERIVED, DERIVATIVES = int(mjtIntegrator.mjINT_IMPLICIT), int(Entry.DERIV_SMOOTH), span(Phase.DERIVATIVES)
NO_EULERDAMP, NO_DAMPER = int(mjtDisableBit.mjDSBL_EULERDAMP), int(mjtDisableBit.mjDSBL_DAMPER)


@stage
def inverse_pos(m, d):
    """Everything that depends on position only, without sensors."""
    position_stages(m, d)


@stage
def inverse_pos_sensors(m, d):
    """Position sensors and potential energy."""
    run_phase(m, d, POSITION_SENSORS)


@stage
def inverse_vel(m, d):
    """Everything that depends on position and velocity, without sensors."""
    velocity_stages(m, d)


@stage
def inverse_vel_sensors(m, d):
    """Velocity sensors and kinetic energy."""
    run_phase(m, d, VELOCITY_SENSORS)


@stage
def inverse_pos_vel(m, d):
    """All of these four, in their order."""
    if position_stages(m, d):
        run_phase(m, d, POSITION_SENSORS)
        velocity_stages(m, d)
        run_phase(m, d, VELOCITY_SENSORS)


@stage
def inverse_acc(m, d):
    """Reads qacc and all forces of position and velocity; writes efc_force, qfrc_constraint, qfrc_inverse.

    If the model asks for discrete time, qacc becomes the acceleration in continuous time: the caller restores it.
    """
    inverse_forces(m, d)
    d.flg_rnepost = 0  # cacc and cfrc_* belonged to another acceleration


@stage
def inverse_acc_sensors(m, d):
    """Acceleration sensors."""
    run_phase(m, d, ACCELERATION_SENSORS)


@kernel
def inverse_forces(m, d):
    """qfrc_inverse = M qacc + bias - passive - constraint; see inverse_acc."""
    if m.opt_enableflags & INVDISCRETE and m.opt_integrator != RUNGE_KUTTA:
        to_continuous(m, d)
    forces_of_acceleration(m, d)
    mul_sym(m.M_rownnz, m.M_rowadr, m.M_colind, d.M, d.qacc, d.qfrc_inverse)
    for i in range(m.nv):
        d.qfrc_inverse[i] += d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i]


@kernel
def to_continuous(m, d):
    """qacc <- the acceleration in continuous time that the integrator makes qacc of.

    An integrator implicit in velocity solves (M - h D) a = f where the continuous dynamics is M a' = f: so
    a' = a - M^-1 h D a. Euler's D is that of joint dampers, implicitfast's what it keeps of qDeriv, implicit's qDeriv.
    """
    if m.stage[DERIVED] == 0:  # of Euler
        if m.opt_disableflags & (NO_EULERDAMP | NO_DAMPER):
            return
        for i in range(m.nv):
            d.work_dof[i] = m.opt_timestep * m.dof_damping[i] * d.qacc[i]
    else:
        run_phase(m, d, DERIVATIVES)
        for i in range(m.nv):
            d.work_dof[i] = 0.0
        for k in range(d.awake_nrun):
            implicit_change(m, d, d.awake_dof[k, 0], d.awake_dof[k, 1])
        if m.stage[INVERSE_FLEX] != 0:
            run(m.stage[INVERSE_FLEX], m, d)
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.work_dof)
    for i in range(m.nv):
        d.qacc[i] += d.work_dof[i]


@kernel
def implicit_change(m, d, first, end):
    """work_dof <- -h D qacc of the dofs from `first` to `end`, those of whole trees; it is 0 before."""
    h = m.opt_timestep
    if m.opt_integrator == IMPLICIT:
        for i in range(first, end):
            for a in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
                d.work_dof[i] -= h * d.qDeriv[a] * d.qacc[m.D_colind[a]]
        return
    for i in range(first, end):
        last = m.M_rowadr[i] + m.M_rownnz[i] - 1
        d.work_dof[i] -= h * d.qDeriv[m.mapD2M[last]] * d.qacc[i]
        for a in range(m.M_rowadr[i], last):
            j, value = m.M_colind[a], h * d.qDeriv[m.mapD2M[a]]
            d.work_dof[i] -= value * d.qacc[j]
            d.work_dof[j] -= value * d.qacc[i]


@stage
def compare_fwd_inv(m, d):
    """Writes solver_fwdinv: norms of forward minus inverse dynamics, of constraint and of applied joint forces [N or N m].

    The inverse is that of the acceleration the solver found; all other fields are as they were.
    """
    nv, nefc = m.nv, d.nefc
    d.solver_fwdinv[0], d.solver_fwdinv[1] = 0.0, 0.0
    if nefc == 0:
        return
    copy(d.qacc, d.inverse_qacc, nv)
    copy(d.qfrc_constraint, d.inverse_qfrc, nv)
    copy(d.efc_force, d.inverse_efc, nefc)
    inverse_forces(m, d)
    d.solver_fwdinv[0] = distance(d.qfrc_constraint, d.inverse_qfrc, nv)
    copy(d.inverse_qacc, d.qacc, nv)
    copy(d.inverse_qfrc, d.qfrc_constraint, nv)
    copy(d.inverse_efc, d.efc_force, nefc)
    applied_forces(m, d, d.inverse_qfrc)
    d.solver_fwdinv[1] = distance(d.qfrc_inverse, d.inverse_qfrc, nv)


@kernel
def applied_forces(m, d, out):
    """out <- all forces that inverse dynamics has to find: applied ones and those of actuators."""
    xfrc = d.xfrc_applied
    for i in range(m.nv):
        out[i] = d.qfrc_applied[i] + d.qfrc_actuator[i]
    for b in range(1, m.nbody):
        force, torque = (xfrc[b, 0], xfrc[b, 1], xfrc[b, 2]), (xfrc[b, 3], xfrc[b, 4], xfrc[b, 5])
        apply_force(m, d, b, load3(d.xipos, b), force, torque, out)


@kernel
def distance(x, y, n):
    """Euclidean distance of the first n numbers."""
    total = 0.0
    for k in range(n):
        total += (x[k] - y[k]) ** 2
    return math.sqrt(total)
