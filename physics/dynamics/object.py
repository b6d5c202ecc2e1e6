"""Pose, velocity and acceleration of anything that is fixed to a body: bodies, geoms, sites and cameras.

A body means its inertial frame (centre of mass, principal axes), an xbody its own frame.
"""

from tumble.physics.algebra.mat3 import load9
from tumble.physics.algebra.quat import load4, quat_mul
from tumble.physics.algebra.spatial import dot6, load6
from tumble.physics.algebra.vec3 import add3, cross3, load3, sub3
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtObj

BODY, XBODY, GEOM = int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_XBODY), int(mjtObj.mjOBJ_GEOM)
SITE, CAMERA = int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_CAMERA)


@kernel
def object_body(m, kind, i):
    """The body that object i of a kind is fixed to."""
    if kind == GEOM:
        return int(m.geom_bodyid[i])
    if kind == SITE:
        return int(m.site_bodyid[i])
    if kind == CAMERA:
        return int(m.cam_bodyid[i])
    return int(i)


@kernel
def object_pos(d, kind, i):
    """Position in the world."""
    if kind == BODY:
        return load3(d.xipos, i)
    if kind == GEOM:
        return load3(d.geom_xpos, i)
    if kind == SITE:
        return load3(d.site_xpos, i)
    if kind == CAMERA:
        return load3(d.cam_xpos, i)
    return load3(d.xpos, i)


@kernel
def object_mat(d, kind, i):
    """Orientation in the world, a matrix by rows."""
    if kind == BODY:
        return load9(d.ximat, i)
    if kind == GEOM:
        return load9(d.geom_xmat, i)
    if kind == SITE:
        return load9(d.site_xmat, i)
    if kind == CAMERA:
        return load9(d.cam_xmat, i)
    return load9(d.xmat, i)


@kernel
def object_quat(m, d, kind, i):
    """Orientation in the world, a quaternion: that of the body times the object's own."""
    whole = load4(d.xquat, object_body(m, kind, i))
    if kind == BODY:
        return quat_mul(whole, load4(m.body_iquat, i))
    if kind == GEOM:
        return quat_mul(whole, load4(m.geom_quat, i))
    if kind == SITE:
        return quat_mul(whole, load4(m.site_quat, i))
    if kind == CAMERA:
        return quat_mul(whole, load4(m.cam_quat, i))
    return whole


@kernel
def point_velocity(m, d, b, point):
    """Angular [rad/s] and linear [m/s] velocity, in world axes, of a world point that moves with body b; reads cvel."""
    v = load6(d.cvel, b)
    arm = sub3(point, load3(d.subtree_com, m.body_rootid[b]))
    return (v[0], v[1], v[2]), velocity_at(v, arm)


@kernel
def velocity_at(v, arm):
    """Linear velocity at the end of an arm from the place that a motion v (rotation, then translation) is about.

    In Python v and arm may be arrays, (6, n) and (3, n).
    """
    return add3((v[3], v[4], v[5]), cross3((v[0], v[1], v[2]), arm))


@kernel
def point_acceleration(m, d, b, point):
    """Angular and linear acceleration, in world axes, of a world point that moves with body b; reads cacc, cvel.

    Gravity counts as an acceleration of the world upwards, as an accelerometer feels it; but what cannot move
    reads zero, as it does in MuJoCo.
    """
    if m.body_weldid[b] == 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    a = load6(d.cacc, b)
    turn = (a[0], a[1], a[2])
    arm = sub3(point, load3(d.subtree_com, m.body_rootid[b]))
    w, v = point_velocity(m, d, b, point)
    # cacc is the rate of the velocity field at a place; the point itself moves through the field
    return turn, add3(add3((a[3], a[4], a[5]), cross3(turn, arm)), cross3(w, v))


@kernel
def last_dof(m, b):
    """The last dof that moves body b; -1: none."""
    w = m.body_weldid[b]
    return m.body_dofadr[w] + m.body_dofnum[w] - 1 if w > 0 else -1


@kernel
def apply_force(m, d, b, point, force, torque, out):
    """out += J'(force [N] at a world point, torque [N m]) for body b; reads cdof, subtree_com."""
    # move the force to the centre of the tree, where the motion axes are expressed
    moment = add3(torque, cross3(sub3(point, load3(d.subtree_com, m.body_rootid[b])), force))
    f = (moment[0], moment[1], moment[2], force[0], force[1], force[2])
    while b > 0 and m.body_dofnum[b] == 0:
        b = m.body_parentid[b]
    if b > 0:
        i = m.body_dofadr[b] + m.body_dofnum[b] - 1
        while i >= 0:
            out[i] += dot6(load6(d.cdof, i), f)
            i = m.dof_parentid[i]
