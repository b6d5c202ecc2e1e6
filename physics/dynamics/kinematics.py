"""Forward kinematics: from joint positions to the poses of bodies, joints, geoms and sites."""

from tumble.physics.algebra.mat3 import load9, mat_mul, mat_vec, store9
from tumble.physics.algebra.quat import load4, quat_axis_angle, quat_mat, quat_mul, quat_rot, quat_unit, store4
from tumble.physics.algebra.vec3 import add3, add_scaled3, load3, store3, sub3
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtEnableBit, mjtJoint, mjtSameFrame, mjtSleepState

FREE, BALL, SLIDE = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_SLIDE)
SAME_BODY, SAME_INERTIA = int(mjtSameFrame.mjSAMEFRAME_BODY), int(mjtSameFrame.mjSAMEFRAME_INERTIA)
SAME_BODYROT, SAME_INERTIAROT = int(mjtSameFrame.mjSAMEFRAME_BODYROT), int(mjtSameFrame.mjSAMEFRAME_INERTIAROT)
SLEEP, STATIC, AWAKE = int(mjtEnableBit.mjENBL_SLEEP), int(mjtSleepState.mjS_STATIC), int(mjtSleepState.mjS_AWAKE)
WORLD_MAT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@stage
def kinematics(m, d):
    """Poses of everything attached to bodies: reads qpos, mocap_*; writes x*, geom_x*, site_x*.

    With sleep, those of what sleeps are as they were, and so are, once they are known, those of what cannot move.
    """
    known = m.opt_enableflags & SLEEP != 0 and d.static_ready != 0
    store3(d.xpos, 0, (0.0, 0.0, 0.0))
    store4(d.xquat, 0, (1.0, 0.0, 0.0, 0.0))
    store9(d.xmat, 0, WORLD_MAT)
    store3(d.xipos, 0, (0.0, 0.0, 0.0))
    store9(d.ximat, 0, WORLD_MAT)
    sameframe, iquat = m.body_sameframe, m.body_iquat
    xpos, xquat, xmat = d.xpos, d.xquat, d.xmat
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        if known and d.body_awake[b] == STATIC:
            continue
        pos, quat = body_pose(m, d, b)
        store3(xpos, b, pos)
        store4(xquat, b, quat)
        mat = quat_mat(quat)
        store9(xmat, b, mat)
        same = sameframe[b]
        if same == SAME_BODY:
            store3(d.xipos, b, pos)
            store9(d.ximat, b, mat)
        else:
            store3(d.xipos, b, add3(pos, mat_vec(mat, load3(m.body_ipos, b))))
            store9(d.ximat, b, mat if same == SAME_BODYROT else quat_mat(quat_mul(quat, load4(iquat, b))))
    attach(d, known, m.geom_bodyid, m.geom_sameframe, m.geom_pos, m.geom_quat, d.geom_xpos, d.geom_xmat)
    attach(d, known, m.site_bodyid, m.site_sameframe, m.site_pos, m.site_quat, d.site_xpos, d.site_xmat)
    d.static_ready = 1


@kernel
def body_pose(m, d, b):
    """World pose of body b, whose parent's is known; writes the anchors and axes of its joints."""
    first, count = m.body_jntadr[b], m.body_jntnum[b]
    qpos, jnt_pos, jnt_axis = d.qpos, m.jnt_pos, m.jnt_axis
    if count == 1 and m.jnt_type[first] == FREE:
        # Normalize a copy: users write qpos between steps and must read back what they wrote.
        a = m.jnt_qposadr[first]
        pos = (qpos[a], qpos[a + 1], qpos[a + 2])
        store3(d.xanchor, first, pos)
        store3(d.xaxis, first, load3(jnt_axis, first))
        return pos, quat_unit((qpos[a + 3], qpos[a + 4], qpos[a + 5], qpos[a + 6]))

    p, mocap = m.body_parentid[b], m.body_mocapid[b]
    if mocap >= 0:
        pos, quat = load3(d.mocap_pos, mocap), quat_unit(load4(d.mocap_quat, mocap))
    else:
        pos, quat = load3(m.body_pos, b), load4(m.body_quat, b)
    if p > 0:
        pos = add3(load3(d.xpos, p), mat_vec(load9(d.xmat, p), pos))
        quat = quat_mul(load4(d.xquat, p), quat)
    for j in range(first, first + count):
        a = m.jnt_qposadr[j]
        local, axis = load3(jnt_pos, j), load3(jnt_axis, j)
        anchor, world_axis = add3(pos, quat_rot(quat, local)), quat_rot(quat, axis)
        store3(d.xanchor, j, anchor)
        store3(d.xaxis, j, world_axis)
        if m.jnt_type[j] == SLIDE:
            pos = add_scaled3(pos, qpos[a] - m.qpos0[a], world_axis)
        else:
            if m.jnt_type[j] == BALL:
                turn = quat_unit((qpos[a], qpos[a + 1], qpos[a + 2], qpos[a + 3]))
            else:
                turn = quat_axis_angle(axis, qpos[a] - m.qpos0[a])
            quat = quat_mul(quat, turn)
            pos = sub3(anchor, quat_rot(quat, local))  # the anchor stays where it is
    return pos, quat_unit(quat)


@kernel
def attach(d, known, bodyid, sameframe, pos, quat, xpos, xmat):
    """World poses of what is fixed to bodies: geoms or sites; known: those of static bodies are."""
    for i in range(bodyid.shape[0]):
        b, same = bodyid[i], sameframe[i]
        if known and d.body_awake[b] != AWAKE:
            continue
        if same == SAME_BODY:
            store3(xpos, i, load3(d.xpos, b))
            store9(xmat, i, load9(d.xmat, b))
        elif same == SAME_INERTIA:
            store3(xpos, i, load3(d.xipos, b))
            store9(xmat, i, load9(d.ximat, b))
        else:
            mat = load9(d.xmat, b)
            store3(xpos, i, add3(load3(d.xpos, b), mat_vec(mat, load3(pos, i))))
            if same == SAME_BODYROT:
                store9(xmat, i, mat)
            elif same == SAME_INERTIAROT:
                store9(xmat, i, load9(d.ximat, b))
            else:
                store9(xmat, i, mat_mul(mat, quat_mat(load4(quat, i))))
