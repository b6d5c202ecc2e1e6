"""Velocity and acceleration of anything that is fixed to a body."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.dynamics.object import velocity_at
from tumble.physics.errors import ModelError
from tumble.physics.query.check import Array, address, index, output
from tumble.physics.query.compiled.motion import object_acceleration, object_velocity
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtObj
from tumble.physics.state.model import Model

# The arrays that have a place for each object of a kind that has a frame.
_PLACES: dict[int, str] = {
    mjtObj.mjOBJ_BODY: "xipos",
    mjtObj.mjOBJ_XBODY: "xpos",
    mjtObj.mjOBJ_GEOM: "geom_xpos",
    mjtObj.mjOBJ_SITE: "site_xpos",
    mjtObj.mjOBJ_CAMERA: "cam_xpos",
}


def _object(d: Data, objtype: int, objid: int) -> tuple[int, int]:
    """The kind and number of an object that has a frame."""
    kind = int(objtype)
    if kind not in _PLACES:
        raise ModelError(f"object type {kind} has no frame; valid are body, xbody, geom, site, camera")
    return kind, index(objid, mjtObj(kind).name.removeprefix("mjOBJ_").lower(), len(getattr(d, _PLACES[kind])))


@checked
def mj_objectVelocity(m: Model, d: Data, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Write an object's angular [rad/s] and linear [m/s] velocity to the six numbers of res.

    In its own axes if flg_local, else in the world's. Reads cvel: call mj_forward first.
    """
    res = output(res, "res", (6,))
    kind, i = _object(d, objtype, objid)
    object_velocity.on(m, d, kind, i, int(flg_local), address(res))


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
