"""The parts of a step, one by one, for scripts that run the pipeline themselves. Each reads what those before it wrote.

Position: mj_kinematics, mj_comPos, mj_camlight, mj_flex, mj_tendon, mj_makeM, mj_factorM, mj_collision, mj_makeConstraint,
mj_island, mj_projectConstraint, mj_transmission. Velocity: mj_comVel, mj_passive, mj_referenceConstraint, mj_rne.
Acceleration: mj_fwdActuation, mj_fwdAcceleration, mj_fwdConstraint.
"""

from __future__ import annotations

from typing import Any

from tumble.physics.collision.driver import collision
from tumble.physics.dynamics.actuator.linkage import transmission_stage
from tumble.physics.dynamics.camlight import camlight
from tumble.physics.dynamics.com import com_pos, com_vel
from tumble.physics.dynamics.crb import factor_m, make_m
from tumble.physics.dynamics.rne import rne_bias_only, rne_with_acceleration
from tumble.physics.dynamics.tendon.path import tendon_stage
from tumble.physics.errors import ModelError
from tumble.physics.kernel import stage
from tumble.physics.query.argument_checks import Array, output, vector
from tumble.physics.run.program import bind
from tumble.physics.run.room import MAKE_ROWS, lacks_room, require, run_on_rows, run_stage
from tumble.physics.run.stepping import resolve
from tumble.physics.solver.dual.project import project_constraint
from tumble.physics.solver.update import inverse_constraint, update_cones, update_constraint
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtStage
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import CONSTRAINT, forward, forward_acc, forward_quiet, is_short, run_phase, run_range
from tumble.physics.step.integrate import runge_kutta
from tumble.physics.step.inverse import inverse_pos, inverse_pos_sensors, inverse_vel, inverse_vel_sensors
from tumble.physics.step.simulate import check_acc, check_pos, check_vel

EQUALITY, MAKE_CONSTRAINT, PROJECTION = int(Entry.EQUALITY), int(Entry.MAKE_CONSTRAINT), span(Phase.PROJECTION)


@stage
def run_entries(m, d):
    """Runs the entries of the stage table from d.run_first to d.run_last."""
    run_range(m, d, d.run_first, d.run_last)


@stage
def make_rows(m, d):
    """All constraint rows."""
    run_range(m, d, EQUALITY, MAKE_CONSTRAINT)


@stage
def solve_rows(m, d):
    """The solver with its no-slip pass, and what they prepare: again from the start if one of them has no room."""
    run_phase(m, d, PROJECTION)
    if is_short(d):
        return
    d.flg_rnepost = 0
    run_phase(m, d, CONSTRAINT)


MAKE_ROWS.add(make_rows)


def _entries(m: Model, d: Data, first: int, last: int | None = None) -> None:
    """Run one entry of the stage table, or those from `first` to `last`: what the model does not need is not in it."""
    require(m, d)
    d.put_number("run_first", first)
    d.put_number("run_last", first if last is None else last)
    run_stage(m, d, run_entries)


def mj_kinematics(m: Model, d: Data) -> None:
    """Positions and orientations of bodies, geoms, sites and joints, from qpos and the mocap bodies.

    Wakes the trees that were touched (flag sleep).
    """
    _entries(m, d, Entry.WAKE_TOUCHED, Entry.KINEMATICS)


def mj_comPos(m: Model, d: Data) -> None:
    """Centres of mass of subtrees, motion axes of dofs and inertias about them."""
    run_stage(m, d, com_pos)


def mj_camlight(m: Model, d: Data) -> None:
    """Positions and directions of cameras and lights."""
    run_stage(m, d, camlight)


def mj_tendon(m: Model, d: Data) -> None:
    """Lengths of tendons and their Jacobian."""
    require(m, d)
    run_stage(m, d, tendon_stage(m))


def mj_flex(m: Model, d: Data) -> None:
    """Positions of the vertices of flexes, boxes around their elements, and the lengths of their edges."""
    _entries(m, d, Entry.FLEX)


def mj_fwdKinematics(m: Model, d: Data) -> None:
    """mj_kinematics, mj_comPos, mj_camlight, mj_flex and mj_tendon; wakes what a tendon or an equality ties to an awake tree."""
    _entries(m, d, *span(Phase.POSES))


def mj_makeM(m: Model, d: Data) -> None:
    """The inertia matrix M (and qM), tendon armature included."""
    run_stage(m, d, make_m)


def mj_crb(m: Model, d: Data) -> None:
    """The same as mj_makeM: composite inertias and the inertia matrix."""
    run_stage(m, d, make_m)


def mj_factorM(m: Model, d: Data) -> None:
    """The factor of the inertia matrix: qLD, qLDiagInv."""
    run_stage(m, d, factor_m)


def mj_transmission(m: Model, d: Data) -> None:
    """Lengths of actuators and their moment arms."""
    require(m, d)
    run_stage(m, d, transmission_stage(m))


def mj_collision(m: Model, d: Data) -> None:
    """All contacts: d.contact. Wakes the trees that they touch, and adds theirs (flag sleep)."""
    run_stage(m, d, collision)
    _entries(m, d, Entry.WAKE_TOUCHING)


def mj_makeConstraint(m: Model, d: Data) -> None:
    """The constraint rows: efc_J, efc_pos, efc_R and what else depends on the position."""
    run_stage(m, d, make_rows)


def mj_island(m: Model, d: Data) -> None:
    """Islands: which trees, dofs and rows the constraint joins."""
    _entries(m, d, *span(Phase.ISLANDS))


def mj_projectConstraint(m: Model, d: Data) -> None:
    """The whole matrix of the dual problem, dense: efc_AR = J M^-1 J' + R, for any solver. Raises ModelError if too large."""
    run_stage(m, d, project_constraint)


def mj_comVel(m: Model, d: Data) -> None:
    """Velocities of bodies and rates of the motion axes: cvel, cdof_dot."""
    run_stage(m, d, com_vel)


def mj_passive(m: Model, d: Data) -> None:
    """Forces of springs, dampers, gravity compensation and the medium: qfrc_passive and its parts."""
    _entries(m, d, Entry.FLUID, Entry.PASSIVE_CALLBACK)


def mj_referenceConstraint(m: Model, d: Data) -> None:
    """Velocities of the rows and the accelerations they ask for: efc_vel, efc_aref."""
    _entries(m, d, Entry.REFERENCE)


@checked
def mj_rne(m: Model, d: Data, flg_acc: int, result: Array) -> None:
    """Write to result, nv numbers, M qacc (left out if flg_acc is 0) + bias forces [N or N m], by Newton-Euler.

    Armature is not in it: that is no mass of a body.
    """
    result = output(result, "result", (m.nv,), "(nv,)")
    (rne_with_acceleration if flg_acc else rne_bias_only)(m, d)
    result[...] = d.work_dof


def mj_fwdPosition(m: Model, d: Data) -> None:
    """Everything that depends on position, without sensors."""
    run_stage(m, d, inverse_pos)


def mj_fwdVelocity(m: Model, d: Data) -> None:
    """Everything that depends on position and velocity, without sensors."""
    run_stage(m, d, inverse_vel)


def mj_fwdActuation(m: Model, d: Data) -> None:
    """Forces of actuators: actuator_force, qfrc_actuator, and act_dot."""
    _entries(m, d, Entry.ACTUATION)


def mj_fwdAcceleration(m: Model, d: Data) -> None:
    """All forces but those of constraints, and their acceleration: qfrc_smooth, qacc_smooth."""
    _entries(m, d, Entry.ACCELERATION)


def mj_fwdConstraint(m: Model, d: Data) -> None:
    """The solver: efc_force, qfrc_constraint, qacc; with the no-slip pass if the options ask for it."""
    run_on_rows(m, d, solve_rows)


def mj_invPosition(m: Model, d: Data) -> None:
    """Everything that inverse dynamics needs of the position, without sensors."""
    run_stage(m, d, inverse_pos)


def mj_invVelocity(m: Model, d: Data) -> None:
    """Everything that inverse dynamics needs of position and velocity, without sensors."""
    run_stage(m, d, inverse_vel)


def mj_invConstraint(m: Model, d: Data) -> None:
    """Forces of constraints for the acceleration d.qacc: efc_force, efc_state, qfrc_constraint."""
    run_stage(m, d, inverse_constraint)


@checked
def mj_forwardSkip(m: Model, d: Data, skipstage: int, skipsensor: int) -> None:
    """mj_forward without what is up to date already: stages up to skipstage (mjtStage), and sensors if skipsensor."""
    if skipstage < mjtStage.mjSTAGE_POS:
        run_stage(m, d, inverse_pos)
        if skipsensor:
            _entries(m, d, Entry.ENERGY_POS)
        else:
            run_stage(m, d, inverse_pos_sensors)
    if skipstage < mjtStage.mjSTAGE_VEL:
        run_stage(m, d, inverse_vel)
        if skipsensor:
            _entries(m, d, Entry.ENERGY_VEL)
        else:
            run_stage(m, d, inverse_vel_sensors)
    if not m.opt.disableflags & mjtDisableBit.mjDSBL_ACTUATION:
        _entries(m, d, Entry.CONTROL)
    if skipsensor:
        _entries(m, d, *span(Phase.FORCES))
        mj_fwdConstraint(m, d)
    else:
        run_on_rows(m, d, forward_acc)


def mj_sensorPos(m: Model, d: Data) -> None:
    """Sensors of positions."""
    _entries(m, d, Entry.SENSOR_POS, Entry.USER_POS)


def mj_sensorVel(m: Model, d: Data) -> None:
    """Sensors of velocities."""
    _entries(m, d, Entry.SENSOR_VEL, Entry.USER_VEL)


def mj_sensorAcc(m: Model, d: Data) -> None:
    """Sensors of accelerations and forces."""
    _entries(m, d, *span(Phase.ACCELERATION_SENSORS))


def mj_checkPos(m: Model, d: Data) -> None:
    """Warn, and reset unless the autoreset flag is disabled, if a position is not a number or beyond mjMAXVAL."""
    run_stage(m, d, check_pos)
    if d.trouble:
        resolve(m, d)


def mj_checkVel(m: Model, d: Data) -> None:
    """Warn, and reset unless the autoreset flag is disabled, if a velocity is not a number or beyond mjMAXVAL."""
    run_stage(m, d, check_vel)
    if d.trouble:
        resolve(m, d)


def mj_checkAcc(m: Model, d: Data) -> None:
    """Warn, and reset unless the autoreset flag is disabled, if an acceleration is not a number or beyond mjMAXVAL.

    After a reset everything is computed again.
    """
    run_stage(m, d, check_acc)
    if d.trouble:
        resolve(m, d)
        run_stage(m, d, forward)


@checked
def mj_RungeKutta(m: Model, d: Data, N: int) -> None:
    """Integrate a step by the Runge-Kutta method of order N, from what mj_forward left.

    ModelError unless N is 4, and with the flag sleep.
    """
    if m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP:
        raise ModelError("Runge-Kutta does not go with the flag sleep: trees would have to wake within a step")
    if N != 4:
        raise ModelError(f"Runge-Kutta of order {N} is not supported; valid is 4")
    bind(m)
    m.as_run.stage[Entry.FORWARD_QUIET] = forward_quiet.address  # its inner stages; nothing else runs this entry
    runge_kutta(m, d)
    while lacks_room(d):  # the state is that of the start again, the accelerations are not
        resolve(m, d)
        run_stage(m, d, forward)
        runge_kutta(m, d)


@checked
def mj_constraintUpdate(m: Model, d: Data, jar: Any, cost: Array | None, flg_coneHessian: int) -> None:
    """Write efc_state, efc_force and qfrc_constraint that go with jar = J qacc - aref, nefc numbers.

    cost: one number, or None: the constraint's cost s(jar). flg_coneHessian: also write the Hessians of elliptic
    contacts in the cone state to d.contact.H.
    """
    if cost is not None:
        cost = output(cost, "cost", (1,))
    d.solve_jar[: d.nefc] = vector(jar, "jar", d.nefc, "nefc")
    update_constraint(m, d)
    if flg_coneHessian:
        update_cones(m, d)
    if cost is not None:
        cost[0] = d.solve_cost

