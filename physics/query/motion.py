"""Velocity and acceleration of anything that is fixed to a body; how a body that a hand holds is pulled and placed.

All read the poses and velocities of the last forward pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_rot, quat_vel
from tumble.physics.dynamics.kinematics import attach
from tumble.physics.dynamics.object import velocity_at
from tumble.physics.errors import ModelError
from tumble.physics.query.argument_checks import Array, address, index, output, source, target, vector
from tumble.physics.query.compiled import differentiate, integrate, normalize, object_acceleration, object_velocity
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtJoint, mjtObj
from tumble.physics.state.model import Model

Vector = NDArray[np.float64]

# Of each kind of object that has a frame: its name, and the array with a place for each.
_PLACES: dict[int, tuple[str, str]] = {
    int(mjtObj.mjOBJ_BODY): ("body", "xipos"),
    int(mjtObj.mjOBJ_XBODY): ("xbody", "xpos"),
    int(mjtObj.mjOBJ_GEOM): ("geom", "geom_xpos"),
    int(mjtObj.mjOBJ_SITE): ("site", "site_xpos"),
    int(mjtObj.mjOBJ_CAMERA): ("camera", "cam_xpos"),
}


def _object(d: Data, objtype: int, objid: int) -> tuple[int, int]:
    """The kind and number of an object that has a frame."""
    kind = int(objtype)
    if kind not in _PLACES:
        raise ModelError(f"object type {kind} has no frame; valid are body, xbody, geom, site, camera")
    name, places = _PLACES[kind]
    return kind, index(objid, name, len(d._arrays[places]))


@checked
def mj_objectVelocity(m: Model, d: Data, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Write an object's angular [rad/s] and linear [m/s] velocity to the six numbers of res.

    In its own axes if flg_local, else in the world's. Reads cvel: call mj_forward first.
    """
    to = target(res, "res", (6,))
    kind, i = _object(d, objtype, objid)
    run = m.bound or m  # held until the call returns
    object_velocity.call(run.address, d.address, kind, i, int(flg_local), to)


@checked
def mj_objectAcceleration(m: Model, d: Data, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Write an object's angular [rad/s^2] and linear [m/s^2] acceleration to the six numbers of res.

    In its own axes if flg_local, else in the world's; gravity counts as an acceleration upwards, but what cannot
    move reads zero. Reads cacc: call mj_rnePostConstraint first.
    """
    res = output(res, "res", (6,))
    kind, i = _object(d, objtype, objid)
    object_acceleration.on(m, d, kind, i, int(flg_local), address(res))


def point_velocities(cvel: Any, com: Any, points: Any) -> Array:
    """Velocities (n, 3) [m/s] in the world of world points (n, 3) [m] that move with bodies.

    cvel: (n, 6) those of their bodies, about the places com (n, 3), as d.cvel and d.subtree_com of the root have them.
    """
    return np.stack(velocity_at(np.asarray(cvel).T, (np.asarray(points) - com).T), axis=1)


@checked
def mj_integratePos(m: Model, qpos: Array, qvel: Any, dt: float) -> None:
    """Move qpos (nq,) along a velocity qvel (nv,) for a time dt [s], in place; quaternions stay unit."""
    to = target(qpos, "qpos", (m.nq,), "(nq,)")
    _held, at = source(qvel, "qvel", m.nv, "nv")
    integrate.call(m.address, to, at, float(dt))


@checked
def mj_differentiatePos(m: Model, qvel: Array, dt: float, qpos1: Any, qpos2: Any) -> None:
    """Write to qvel (nv,) the velocity that leads from qpos1 to qpos2, (nq,) each, in a time dt [s], the short way."""
    to = target(qvel, "qvel", (m.nv,), "(nv,)")
    _first, at = source(qpos1, "qpos1", m.nq, "nq")
    _second, then = source(qpos2, "qpos2", m.nq, "nq")
    differentiate.call(m.address, to, float(dt), at, then)


@checked
def mj_normalizeQuat(m: Model, qpos: Array) -> None:
    """Scale the quaternions in qpos (nq,) to length 1, in place."""
    qpos = output(qpos, "qpos", (m.nq,), "(nq,)")
    normalize.call(m.address, address(qpos))


@checked
def mj_local2Global(d: Data, xpos: Array, xmat: Array, pos: Any, quat: Any, body: int, sameframe: int) -> None:
    """Write to xpos (3,) [m] and xmat (9,) the world pose of a frame that is fixed to a body at pos (3,) [m] and quat (4,).

    sameframe (mjtSameFrame): with which frame of the body it coincides, wholly or in rotation. Reads xpos, xmat, xipos, ximat.
    """
    xpos = output(xpos, "xpos", (3,))
    xmat = output(xmat, "xmat", (9,))
    i = index(body, "body", len(d.xpos))
    frame = vector(pos, "pos", 3)[None], vector(quat, "quat", 4)[None]
    attach(d, 0, np.array([i]), np.array([sameframe]), *frame, xpos[None], xmat[None])


# ---------------------------------------------------------------- a body that a hand holds


def pull(m: Model, d: Data, body: int, point: Vector, target: Vector, spring: float, damper: float) -> Vector:
    """Force and torque (6,) [N, N m] about the body's centre of mass that pull a point of it to a target, both (3,) [m].

    spring, damper: [N/m, N s/m].
    """
    velocity = np.array(velocity_at(d.cvel[body], point - d.subtree_com[m.body_rootid[body]]))
    force = spring * (target - point) - damper * velocity
    return np.concatenate((force, np.cross(point - d.xipos[body], force)))


def turn(d: Data, body: int, quat: Vector, spring: float, damper: float) -> Vector:
    """Torque (3,) [N m] that turns a body to an orientation, the quaternion (4,). spring, damper: [N m/rad, N m s/rad]."""
    apart = np.array(quat_vel(quat_mul(quat, quat_inv(d.xquat[body])), 1.0))
    return spring * apart - damper * np.asarray(d.cvel[body, :3])


def place_mocap(m: Model, d: Data, body: int, pos: Vector, quat: Vector) -> bool:
    """Place a mocap body; False if the body is none."""
    mocap = int(m.body_mocapid[body])
    if mocap >= 0:
        d.mocap_pos[mocap], d.mocap_quat[mocap] = pos, quat
    return mocap >= 0


def place_tree(m: Model, d: Data, body: int, pos: Vector, quat: Vector) -> bool:
    """Place a body by moving its tree, which floats freely, rigidly; False if its root is not free.

    Writes qpos; the caller runs the forward pass.
    """
    root = int(m.body_rootid[body])
    joint = int(m.body_jntadr[root])
    if m.body_jntnum[root] != 1 or m.jnt_type[joint] != mjtJoint.mjJNT_FREE:
        return False
    turned = quat_mul(quat, quat_inv(d.xquat[body]))
    adr = int(m.jnt_qposadr[joint])
    d.qpos[adr : adr + 3] = pos + np.array(quat_rot(turned, d.xpos[root] - d.xpos[body]))
    orientation = np.array(quat_mul(turned, d.xquat[root]))
    d.qpos[adr + 3 : adr + 7] = orientation / np.linalg.norm(orientation)
    return True


def wrench_about_centre(d: Data, body: int, force: Any, torque: Any, point: Any, *, turns: bool) -> Vector:
    """Force and torque (6,) [N, N m] in the world about a body's centre of mass, as xfrc_applied has them.

    force: (3,) at a point (3,) of the body's frame [m]; torque: (3,). turns: both are along the body's axes, else the world's.
    """
    frame = d.xmat[body].reshape(3, 3)
    f, t = (frame @ v if turns else np.asarray(v, float) for v in (force, torque))
    arm = d.xpos[body] + frame @ point - d.xipos[body]
    return np.concatenate((f, t + np.cross(arm, f)))
