"""Sensors that depend on forces and accelerations."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import cross3, load3, sub3
from tumble.physics.dynamics.object import object_body, object_pos, point_acceleration
from tumble.physics.dynamics.rne_post import inner_forces
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.sensor.contact_sensor import touch_force
from tumble.physics.sensor.delayed import after_measuring, are_off, before_measuring, keeps_reading
from tumble.physics.sensor.output import clamp, is_apart, limit_row, put1, put3
from tumble.physics.state.enums import mjtConstraint, mjtSensor, mjtStage, mjtTrn
from tumble.physics.state.stages import Entry

ACC = int(mjtStage.mjSTAGE_ACC)
LIMIT_JOINT, LIMIT_TENDON = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
TENDON = int(mjtTrn.mjTRN_TENDON)
TOUCH, ACCELEROMETER = int(mjtSensor.mjSENS_TOUCH), int(mjtSensor.mjSENS_ACCELEROMETER)
FORCE, TORQUE = int(mjtSensor.mjSENS_FORCE), int(mjtSensor.mjSENS_TORQUE)
ACTUATORFRC, JOINTACTFRC = int(mjtSensor.mjSENS_ACTUATORFRC), int(mjtSensor.mjSENS_JOINTACTFRC)
TENDONACTFRC = int(mjtSensor.mjSENS_TENDONACTFRC)
JOINTLIMITFRC, TENDONLIMITFRC = int(mjtSensor.mjSENS_JOINTLIMITFRC), int(mjtSensor.mjSENS_TENDONLIMITFRC)
FRAMELINACC, FRAMEANGACC = int(mjtSensor.mjSENS_FRAMELINACC), int(mjtSensor.mjSENS_FRAMEANGACC)
CONTACTS, TAXELS = int(Entry.SENSOR_CONTACTS), int(Entry.SENSOR_TAXELS)
GRIDS = int(Entry.SENSOR_GRIDS)


@stage
def sensor_acc(m, d):
    """Reads qacc, efc_force, actuator forces; writes the acceleration sensors in sensordata (and cacc, cfrc_* where needed)."""
    if are_off(m):
        return
    before_measuring(m, d, ACC)
    for s in range(m.nsensor):
        if m.sensor_needstage[s] == ACC and not is_apart(m.sensor_type[s]) and not keeps_reading(m, d, s):
            kind = m.sensor_type[s]
            if kind in (ACCELEROMETER, FORCE, TORQUE, FRAMELINACC, FRAMEANGACC):
                if d.flg_rnepost == 0:
                    inner_forces(m, d)
                felt(m, d, s)
            else:
                simple_force(m, d, s)
            clamp(m, d, s)
    if m.stage[CONTACTS] != 0:
        run(m.stage[CONTACTS], m, d)
    if m.stage[TAXELS] != 0:
        run(m.stage[TAXELS], m, d)
    if m.stage[GRIDS] != 0:
        run(m.stage[GRIDS], m, d)
    after_measuring(m, d, ACC)


@kernel
def simple_force(m, d, s):
    """Readings of forces that are known without the bodies' accelerations."""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind == TOUCH:
        put1(m, d, s, touch_force(m, d, i))
    elif kind == ACTUATORFRC:
        put1(m, d, s, d.actuator_force[i])
    elif kind == JOINTACTFRC:
        put1(m, d, s, d.qfrc_actuator[m.jnt_dofadr[i]])
    elif kind == TENDONACTFRC:
        total = 0.0
        for u in range(m.nu):
            if m.actuator_trntype[u] == TENDON and m.actuator_trnid[u, 0] == i:
                total += d.actuator_force[u]
        put1(m, d, s, total)
    elif kind in (JOINTLIMITFRC, TENDONLIMITFRC):
        r = limit_row(d, LIMIT_JOINT if kind == JOINTLIMITFRC else LIMIT_TENDON, i)
        put1(m, d, s, d.efc_force[r] if r >= 0 else 0.0)


@kernel
def felt(m, d, s):
    """Accelerations of a point, and the force and torque between a body and its parent, at a site and in its frame."""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind in (FRAMELINACC, FRAMEANGACC):
        obj = m.sensor_objtype[s]
        turn, a = point_acceleration(m, d, object_body(m, obj, i), object_pos(d, obj, i))
        put3(m, d, s, a if kind == FRAMELINACC else turn)
        return
    b, mat, pos = m.site_bodyid[i], load9(d.site_xmat, i), load3(d.site_xpos, i)
    if kind == ACCELEROMETER:
        _, v = point_acceleration(m, d, b, pos)
    else:
        f = load6(d.cfrc_int, b)
        v = (f[3], f[4], f[5])
        if kind == TORQUE:
            arm = sub3(pos, load3(d.subtree_com, m.body_rootid[b]))
            v = sub3((f[0], f[1], f[2]), cross3(arm, v))
    put3(m, d, s, mat_t_vec(mat, v))
