"""Velocity and acceleration of anything that is fixed to a body."""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.algebra.vec3 import add3, cross3
from physics.dynamics.object import velocity_at
from physics.errors import ModelError
from physics.query.check import Array, index, output
from physics.state.data import Data
from physics.state.enums import mjtObj
from physics.state.model import Model

# kind of object: fields with its position, orientation and (None: it is one) body
_FRAMES: dict[int, tuple[str, str, str | None]] = {
    mjtObj.mjOBJ_BODY: ("xipos", "ximat", None),
    mjtObj.mjOBJ_XBODY: ("xpos", "xmat", None),
    mjtObj.mjOBJ_GEOM: ("geom_xpos", "geom_xmat", "geom_bodyid"),
    mjtObj.mjOBJ_SITE: ("site_xpos", "site_xmat", "site_bodyid"),
    mjtObj.mjOBJ_CAMERA: ("cam_xpos", "cam_xmat", "cam_bodyid"),
}


def _place(m: Model, d: Data, objtype: int, objid: int) -> tuple[int, Array, Array]:
    """Body, position and orientation matrix of an object."""
    if int(objtype) not in _FRAMES:
        raise ModelError(f"object type {int(objtype)} has no frame; valid are body, xbody, geom, site, camera")
    pos, mat, body = _FRAMES[int(objtype)]
    i = index(objid, mjtObj(int(objtype)).name.removeprefix("mjOBJ_").lower(), len(getattr(d, pos)))
    return i if body is None else int(getattr(m, body)[i]), getattr(d, pos)[i], getattr(d, mat)[i].reshape(3, 3)


def _write(res: Array, turn: Array, move: Array, mat: Array | None) -> None:
    res[:3], res[3:] = (turn, move) if mat is None else (mat.T @ turn, mat.T @ move)


def mj_objectVelocity(m: Model, d: Data, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Write an object's angular [rad/s] and linear [m/s] velocity to the six numbers of res.

    In its own axes if flg_local, else in the world's. Reads cvel: call mj_forward first.
    """
    res = output(res, "res", (6,))
    body, pos, mat = _place(m, d, objtype, objid)
    v = d.cvel[body]
    _write(res, v[:3], np.array(velocity_at(v, pos - d.subtree_com[m.body_rootid[body]])), mat if flg_local else None)


def mj_objectAcceleration(m: Model, d: Data, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Write an object's angular [rad/s^2] and linear [m/s^2] acceleration to the six numbers of res.

    In its own axes if flg_local, else in the world's; gravity counts as an acceleration upwards, but what cannot
    move reads zero. Reads cacc: call mj_rnePostConstraint first.
    """
    res = output(res, "res", (6,))
    body, pos, mat = _place(m, d, objtype, objid)
    if m.body_weldid[body] == 0:
        res[...] = 0.0
        return
    a = d.cacc[body]
    velocity = np.empty(6)
    mj_objectVelocity(m, d, objtype, objid, velocity, 0)
    carried = cross3(velocity[:3], velocity[3:])  # the object moves through the velocity field of its body
    move = np.array(add3(velocity_at(a, pos - d.subtree_com[m.body_rootid[body]]), carried))
    _write(res, a[:3], move, mat if flg_local else None)


def point_velocities(cvel: Any, com: Any, points: Any) -> Array:
    """Velocities (n, 3) [m/s] in the world of world points (n, 3) [m] that move with bodies.

    cvel: (n, 6) those of their bodies, about the places com (n, 3), as d.cvel and d.subtree_com of the root have them.
    """
    return np.stack(velocity_at(np.asarray(cvel).T, (np.asarray(points) - com).T), axis=1)
