"""Sensors that depend on position and velocity."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import cross3, load3, sub3
from tumble.physics.dynamics.com import subtree_momenta
from tumble.physics.dynamics.object import object_body, object_mat, object_pos, point_velocity
from tumble.physics.kernel import kernel, stage
from tumble.physics.sensor.delayed import after_measuring, are_off, before_measuring, keeps_reading
from tumble.physics.sensor.output import clamp, limit_row, put1, put3
from tumble.physics.state.enums import mjtConstraint, mjtSensor, mjtStage

VEL = int(mjtStage.mjSTAGE_VEL)
LIMIT_JOINT, LIMIT_TENDON = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
VELOCIMETER, GYRO = int(mjtSensor.mjSENS_VELOCIMETER), int(mjtSensor.mjSENS_GYRO)
JOINTVEL, BALLANGVEL = int(mjtSensor.mjSENS_JOINTVEL), int(mjtSensor.mjSENS_BALLANGVEL)
TENDONVEL, ACTUATORVEL = int(mjtSensor.mjSENS_TENDONVEL), int(mjtSensor.mjSENS_ACTUATORVEL)
JOINTLIMITVEL, TENDONLIMITVEL = int(mjtSensor.mjSENS_JOINTLIMITVEL), int(mjtSensor.mjSENS_TENDONLIMITVEL)
FRAMELINVEL, FRAMEANGVEL = int(mjtSensor.mjSENS_FRAMELINVEL), int(mjtSensor.mjSENS_FRAMEANGVEL)
SUBTREELINVEL, SUBTREEANGMOM = int(mjtSensor.mjSENS_SUBTREELINVEL), int(mjtSensor.mjSENS_SUBTREEANGMOM)


@stage
def sensor_vel(m, d):
    """Reads cvel, velocities, limit rows; writes the velocity sensors in sensordata (and subtree momenta where needed)."""
    if are_off(m):
        return
    before_measuring(m, d, VEL)
    for s in range(m.nsensor):
        if m.sensor_needstage[s] == VEL and not keeps_reading(m, d, s):
            if m.sensor_type[s] == FRAMELINVEL or m.sensor_type[s] == FRAMEANGVEL:
                frame_velocity(m, d, s)
            else:
                simple_velocity(m, d, s)
            clamp(m, d, s)
    after_measuring(m, d, VEL)


@kernel
def simple_velocity(m, d, s):
    """Readings without a frame of reference."""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind in (VELOCIMETER, GYRO):
        turn, v = point_velocity(m, d, m.site_bodyid[i], load3(d.site_xpos, i))
        put3(m, d, s, mat_t_vec(load9(d.site_xmat, i), v if kind == VELOCIMETER else turn))
    elif kind == JOINTVEL:
        put1(m, d, s, d.qvel[m.jnt_dofadr[i]])
    elif kind == TENDONVEL:
        put1(m, d, s, d.ten_velocity[i])
    elif kind == ACTUATORVEL:
        put1(m, d, s, d.actuator_velocity[i])
    elif kind == BALLANGVEL:
        a = m.jnt_dofadr[i]
        put3(m, d, s, (d.qvel[a], d.qvel[a + 1], d.qvel[a + 2]))
    elif kind in (JOINTLIMITVEL, TENDONLIMITVEL):
        r = limit_row(d, LIMIT_JOINT if kind == JOINTLIMITVEL else LIMIT_TENDON, i)
        put1(m, d, s, d.efc_vel[r] if r >= 0 else 0.0)
    elif kind in (SUBTREELINVEL, SUBTREEANGMOM):
        if d.flg_subtreevel == 0:
            subtree_momenta(m, d)
        put3(m, d, s, load3(d.subtree_linvel, i) if kind == SUBTREELINVEL else load3(d.subtree_angmom, i))


@kernel
def frame_velocity(m, d, s):
    """Linear or angular velocity of an object, seen by an observer who moves and turns with another if there is one."""
    kind, obj, i = m.sensor_type[s], m.sensor_objtype[s], m.sensor_objid[s]
    ref, r = m.sensor_reftype[s], m.sensor_refid[s]
    pos = object_pos(d, obj, i)
    turn, v = point_velocity(m, d, object_body(m, obj, i), pos)
    if r >= 0:
        # the observer's frame, extended to where the object is, moves there with its own velocity
        ref_turn, ref_v = point_velocity(m, d, object_body(m, ref, r), object_pos(d, ref, r))
        carried = cross3(ref_turn, sub3(pos, object_pos(d, ref, r)))
        mat = object_mat(d, ref, r)
        v = mat_t_vec(mat, sub3(sub3(v, ref_v), carried))
        turn = mat_t_vec(mat, sub3(turn, ref_turn))
    put3(m, d, s, v if kind == FRAMELINVEL else turn)
