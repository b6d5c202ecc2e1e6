"""Rays: what they meet first, and how far away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.collision.ray.geom import cast_query
from physics.errors import PhysicsError
from physics.query.check import Array, output, vector
from physics.state.constants import mjMINVAL
from physics.state.data import Data
from physics.state.model import Model

_GROUPS = 6


def mj_ray(
    m: Model, d: Data, pnt: Any, vec: Any, geomgroup: Any = None, flg_static: int = 1, bodyexclude: int = -1,
    geomid: NDArray[np.int32] | None = None, normal: Array | None = None,
) -> float:  # fmt: skip
    """Distance, in lengths of vec, from a world point pnt [m] along vec to the nearest geom that is not transparent.

    geomgroup: for each of six groups whether it is seen, None: all are. flg_static: whether geoms that cannot move are.
    bodyexclude: a body whose geoms are not, -1: none. geomid (1,) and normal (3,), where given, receive the geom (-1:
    none) and the surface's outward normal. -1 if nothing is met. Reads geom_xpos, geom_xmat: call mj_forward first.
    Raises PhysicsError for a vec without length.
    """
    direction = vector(vec, "vec", 3)
    if not np.linalg.norm(direction) >= mjMINVAL:
        raise PhysicsError("vec has no length: a ray needs a direction")
    groups = -1
    if geomgroup is not None:
        groups = sum(1 << k for k, seen in enumerate(vector(geomgroup, "geomgroup", _GROUPS)) if seen)
    query = d._arrays["ray_query"]
    query[:3], query[3:6], query[6:] = vector(pnt, "pnt", 3), direction, (groups, flg_static, bodyexclude)
    cast_query(m, d)
    result = d._arrays["ray_result"]
    if geomid is not None:
        output(geomid, "geomid", (1,), dtype=np.int32)
        geomid[0] = int(result[1])
    if normal is not None:
        output(normal, "normal", (3,))
        normal[:] = result[2:]
    return float(result[0])


def mj_multiRay(
    m: Model, d: Data, pnt: Any, vec: Any, geomgroup: Any, flg_static: int, bodyexclude: int,
    geomid: NDArray[np.int32] | None, dist: Array, normal: Array | None, nray: int, cutoff: float,
) -> None:  # fmt: skip
    """mj_ray for nray directions from one point: vec, and normal, of 3 nray numbers; geomid and dist of nray.

    Whatever is farther than cutoff [m] is not met.
    """
    directions = vector(vec, "vec", 3 * nray).reshape(nray, 3)
    output(dist, "dist", (nray,))
    if geomid is not None:
        output(geomid, "geomid", (nray,), dtype=np.int32)
    if normal is not None:
        output(normal, "normal", (3 * nray,))
    found, n = np.empty(1, np.int32), np.empty(3)
    for k, direction in enumerate(directions):
        dist[k] = mj_ray(m, d, pnt, direction, geomgroup, flg_static, bodyexclude, found, n)
        if dist[k] * np.linalg.norm(direction) > cutoff:
            dist[k], found[0], n[:] = -1.0, -1, 0.0
        if geomid is not None:
            geomid[k] = found[0]
        if normal is not None:
            normal[3 * k : 3 * k + 3] = n
