"""Poses of the model's cameras and lights, which may follow or look at bodies."""

from tumble.physics.algebra.mat3 import load9, mat_mul, mat_vec, store9
from tumble.physics.algebra.quat import load4, quat_mat
from tumble.physics.algebra.vec3 import add3, cross3, load3, store3, sub3, unit3
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtCamLight

TRACK, TRACKCOM = int(mjtCamLight.mjCAMLIGHT_TRACK), int(mjtCamLight.mjCAMLIGHT_TRACKCOM)
TARGETBODY, TARGETCOM = int(mjtCamLight.mjCAMLIGHT_TARGETBODY), int(mjtCamLight.mjCAMLIGHT_TARGETBODYCOM)


@stage
def camlight(m, d):
    """Reads x*, subtree_com; writes cam_xpos, cam_xmat, light_xpos, light_xdir."""
    for i in range(m.ncam):
        mode, b = m.cam_mode[i], m.cam_bodyid[i]
        pos = place(d, mode, b, load3(m.cam_pos, i), load3(m.cam_pos0, i), load3(m.cam_poscom0, i))
        mat = load9(m.cam_mat0, i)
        if mode != TRACK and mode != TRACKCOM:
            mat = mat_mul(load9(d.xmat, b), quat_mat(load4(m.cam_quat, i)))
        target = m.cam_targetbodyid[i]
        if target >= 0 and (mode == TARGETBODY or mode == TARGETCOM):
            mat = look_at(pos, load3(d.xpos if mode == TARGETBODY else d.subtree_com, target))
        store3(d.cam_xpos, i, pos)
        store9(d.cam_xmat, i, mat)
    for i in range(m.nlight):
        mode, b = m.light_mode[i], m.light_bodyid[i]
        pos = place(d, mode, b, load3(m.light_pos, i), load3(m.light_pos0, i), load3(m.light_poscom0, i))
        heading = load3(m.light_dir0, i)
        if mode != TRACK and mode != TRACKCOM:
            heading = mat_vec(load9(d.xmat, b), load3(m.light_dir, i))
        target = m.light_targetbodyid[i]
        if target >= 0 and (mode == TARGETBODY or mode == TARGETCOM):
            heading = sub3(load3(d.xpos if mode == TARGETBODY else d.subtree_com, target), pos)
        heading, _ = unit3(heading)
        store3(d.light_xpos, i, pos)
        store3(d.light_xdir, i, heading)


@kernel
def place(d, mode, b, local, from_body, from_com):
    """World position of a camera or light on body b: fixed in the body, or at a constant offset in world axes."""
    if mode == TRACK:
        return add3(load3(d.xpos, b), from_body)
    if mode == TRACKCOM:
        return add3(load3(d.subtree_com, b), from_com)
    return add3(load3(d.xpos, b), mat_vec(load9(d.xmat, b), local))


@kernel
def look_at(pos, target):
    """Frame at pos whose -z axis points to the target, its x axis horizontal."""
    z, _ = unit3(sub3(pos, target))
    x, _ = unit3(cross3((0.0, 0.0, 1.0), z))
    y, _ = unit3(cross3(z, x))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]
