"""Sensors that depend on position only (and the kinetic energy: MuJoCo counts it here)."""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec
from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_unit
from tumble.physics.algebra.vec3 import load3, sub3
from tumble.physics.dynamics.energy import kinetic_energy, potential_energy
from tumble.physics.dynamics.object import object_mat, object_pos, object_quat
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.sensor.delayed import after_measuring, are_off, before_measuring, keeps_reading
from tumble.physics.sensor.output import clamp, is_apart, limit_row, put1, put3, put4
from tumble.physics.state.enums import mjtConstraint, mjtSensor, mjtStage
from tumble.physics.state.stages import Entry

POS = int(mjtStage.mjSTAGE_POS)
LIMIT_JOINT, LIMIT_TENDON = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
MAGNETOMETER, JOINTPOS = int(mjtSensor.mjSENS_MAGNETOMETER), int(mjtSensor.mjSENS_JOINTPOS)
TENDONPOS, ACTUATORPOS = int(mjtSensor.mjSENS_TENDONPOS), int(mjtSensor.mjSENS_ACTUATORPOS)
BALLQUAT, SUBTREECOM = int(mjtSensor.mjSENS_BALLQUAT), int(mjtSensor.mjSENS_SUBTREECOM)
JOINTLIMITPOS, TENDONLIMITPOS = int(mjtSensor.mjSENS_JOINTLIMITPOS), int(mjtSensor.mjSENS_TENDONLIMITPOS)
FRAMEPOS, FRAMEQUAT = int(mjtSensor.mjSENS_FRAMEPOS), int(mjtSensor.mjSENS_FRAMEQUAT)
FRAMEXAXIS, FRAMEZAXIS = int(mjtSensor.mjSENS_FRAMEXAXIS), int(mjtSensor.mjSENS_FRAMEZAXIS)
E_POTENTIAL, E_KINETIC = int(mjtSensor.mjSENS_E_POTENTIAL), int(mjtSensor.mjSENS_E_KINETIC)
CLOCK, SHAPES = int(mjtSensor.mjSENS_CLOCK), int(Entry.SENSOR_SHAPES)


@stage
def sensor_pos(m, d):
    """Reads poses, lengths, limit rows; writes the position sensors in sensordata."""
    if are_off(m):
        return
    before_measuring(m, d, POS)
    for s in range(m.nsensor):
        if m.sensor_needstage[s] == POS and not is_apart(m.sensor_type[s]) and not keeps_reading(m, d, s):
            if FRAMEPOS <= m.sensor_type[s] <= FRAMEZAXIS:
                frame_pose(m, d, s)
            else:
                simple_position(m, d, s)
            clamp(m, d, s)
    if m.stage[SHAPES] != 0:
        run(m.stage[SHAPES], m, d)
    after_measuring(m, d, POS)


@kernel
def simple_position(m, d, s):
    """Readings that are copied, more or less."""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind == JOINTPOS:
        put1(m, d, s, d.qpos[m.jnt_qposadr[i]])
    elif kind == TENDONPOS:
        put1(m, d, s, d.ten_length[i])
    elif kind == ACTUATORPOS:
        put1(m, d, s, d.actuator_length[i])
    elif kind == BALLQUAT:
        q = m.jnt_qposadr[i]
        put4(m, d, s, quat_unit((d.qpos[q], d.qpos[q + 1], d.qpos[q + 2], d.qpos[q + 3])))
    elif kind in (JOINTLIMITPOS, TENDONLIMITPOS):
        r = limit_row(d, LIMIT_JOINT if kind == JOINTLIMITPOS else LIMIT_TENDON, i)
        put1(m, d, s, d.efc_pos[r] - d.efc_margin[r] if r >= 0 else 0.0)
    elif kind == SUBTREECOM:
        put3(m, d, s, load3(d.subtree_com, i))
    elif kind == MAGNETOMETER:
        field = (m.opt_magnetic[0], m.opt_magnetic[1], m.opt_magnetic[2])
        put3(m, d, s, mat_t_vec(load9(d.site_xmat, i), field))
    elif kind == E_POTENTIAL:
        if d.flg_energypos == 0:
            potential_energy(m, d)
        put1(m, d, s, d.energy[0])
    elif kind == E_KINETIC:  # needs velocity, but nothing that has to be computed from it
        if d.flg_energyvel == 0:
            kinetic_energy(m, d)
        put1(m, d, s, d.energy[1])
    elif kind == CLOCK:
        put1(m, d, s, d.time)


@kernel
def frame_pose(m, d, s):
    """Position, orientation or an axis of an object's frame, seen from another's if there is one."""
    kind, obj, i = m.sensor_type[s], m.sensor_objtype[s], m.sensor_objid[s]
    ref, r = m.sensor_reftype[s], m.sensor_refid[s]
    if kind == FRAMEQUAT:
        quat = object_quat(m, d, obj, i)
        if r >= 0:
            quat = quat_mul(quat_inv(object_quat(m, d, ref, r)), quat)
        put4(m, d, s, quat)
        return
    if kind == FRAMEPOS:
        v = object_pos(d, obj, i)
        if r >= 0:
            v = sub3(v, object_pos(d, ref, r))
    else:
        v = column(object_mat(d, obj, i), kind - FRAMEXAXIS)
    if r >= 0:
        v = mat_t_vec(object_mat(d, ref, r), v)
    put3(m, d, s, v)
