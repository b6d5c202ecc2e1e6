"""Rays, what they meet first and how far away, and the distance between two geoms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.mat3 import mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add_scaled3, sub3
from tumble.physics.collision.convex.distance import gap_query
from tumble.physics.collision.ray.flex_rays import cast_at_flex
from tumble.physics.collision.ray.geom import cast_at_geom, cast_query, local_normal, ray_local
from tumble.physics.collision.ray.many import cast_many
from tumble.physics.collision.ray.mesh import ray_triangle
from tumble.physics.collision.sdf.bind import ask
from tumble.physics.errors import ModelError, PhysicsError
from tumble.physics.query.argument_checks import Array, index, numbers, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

_GROUPS = 6


def _direction(vec: Any) -> Array:
    direction = vector(vec, "vec", 3)
    if not math.hypot(*direction.tolist()) >= mjMINVAL:
        raise PhysicsError("vec has no length: a ray needs a direction")
    return direction


def _bits(geomgroup: Any | None) -> int:
    """Six groups, seen or not, as bits; -1: all are seen."""
    if geomgroup is None:
        return -1
    return sum(1 << k for k, seen in enumerate(vector(geomgroup, "geomgroup", _GROUPS)) if seen)


@checked
def mj_ray(
    m: Model, d: Data, pnt: Any, vec: Any, geomgroup: Any | None = None, flg_static: int = 1, bodyexclude: int = -1,
    geomid: NDArray[np.int32] | None = None, normal: Array | None = None,
) -> float:  # fmt: skip
    """Distance, in lengths of vec, from a world point pnt [m] along vec to the nearest geom that is not transparent.

    geomgroup: for each of six groups whether it is seen, None: all are. flg_static: whether geoms that cannot move are.
    bodyexclude: a body whose geoms are not, -1: none. geomid (1,) and normal (3,), where given, receive the geom (-1:
    none) and the surface's outward normal. -1 if nothing is met. Reads geom_xpos, geom_xmat: call mj_forward first.
    Raises PhysicsError for a vec without length.
    """
    direction = _direction(vec)
    query = d._arrays["ray_query"]
    query[:3], query[3:6], query[6:] = vector(pnt, "pnt", 3), direction, (_bits(geomgroup), flg_static, bodyexclude)
    ask(cast_query, m, d)
    if geomid is not None:
        geomid = output(geomid, "geomid", (1,), dtype=np.int32)
        geomid[0] = int(d._arrays["ray_result"][1])
    return _result(d, normal)


def _result(d: Data, normal: Array | None) -> float:
    """The distance that a cast found, and its normal."""
    result = d._arrays["ray_result"]
    if normal is not None:
        output(normal, "normal", (3,))[:] = result[2:]
    return float(result[0])


@checked
def mj_multiRay(
    m: Model, d: Data, pnt: Any, vec: Any, geomgroup: Any | None, flg_static: int, bodyexclude: int,
    geomid: NDArray[np.int32] | None, dist: Array, normal: Array | None, nray: int, cutoff: float,
) -> None:  # fmt: skip
    """mj_ray for nray directions from one point: vec, and normal, of 3 nray numbers; geomid and dist of nray.

    Geoms are ignored whose bounding sphere, or plane, is farther than cutoff [m] from the point. Raises PhysicsError for a
    direction without length.
    """
    nray = int(nray)  # True is a number, but none of a shape
    directions = vector(vec, "vec", 3 * nray).reshape(nray, 3)
    if not (np.linalg.norm(directions, axis=1) >= mjMINVAL).all():
        raise PhysicsError("vec has a row without length: a ray needs a direction")
    dist = output(dist, "dist", (nray,))
    if geomid is not None:
        geomid = output(geomid, "geomid", (nray,), dtype=np.int32)
    if normal is not None:
        normal = output(normal, "normal", (3 * nray,))
    query, rays, found = d._arrays["ray_query"], d._arrays["ray_many"], d._arrays["ray_found"]
    query[:3], query[4], query[6:] = vector(pnt, "pnt", 3), cutoff, (_bits(geomgroup), flg_static, bodyexclude)
    for first in range(0, nray, len(rays)):
        part = slice(first, min(first + len(rays), nray))
        n = part.stop - first
        rays[:n], query[3], query[5] = directions[part], first == 0, n
        ask(cast_many, m, d)
        dist[part] = found[:n, 0]
        if geomid is not None:
            geomid[part] = found[:n, 1]
        if normal is not None:
            normal[3 * first : 3 * part.stop] = found[:n, 2:].ravel()


def _at_geom(m: Model, d: Data, geomid: int, kind: mjtGeom, pnt: Any, vec: Any, normal: Array | None) -> float:
    """mj_ray for one geom, which must be of a type."""
    g = index(geomid, "geom", m.ngeom)
    if m.geom_type[g] != kind:
        what = (kind.name.removeprefix("mjGEOM_").lower(), mjtGeom(int(m.geom_type[g])).name.removeprefix("mjGEOM_").lower())
        raise ModelError(f"geom {g} should be of type {what[0]}; it is of type {what[1]}")
    query = d._arrays["ray_query"]
    query[:3], query[3:6], query[6:] = vector(pnt, "pnt", 3), _direction(vec), (g, 1, -1)
    ask(cast_at_geom, m, d)
    return _result(d, normal)


@checked
def mj_rayMesh(m: Model, d: Data, geomid: int, pnt: Any, vec: Any, normal: Array | None = None) -> float:
    """mj_ray for one geom of type mesh, whatever its group and colour. Raises ModelError for a geom of another type."""
    return _at_geom(m, d, geomid, mjtGeom.mjGEOM_MESH, pnt, vec, normal)


@checked
def mj_rayHfield(m: Model, d: Data, geomid: int, pnt: Any, vec: Any, normal: Array | None = None) -> float:
    """mj_ray for one geom of type hfield, whatever its group and colour. Raises ModelError for a geom of another type."""
    return _at_geom(m, d, geomid, mjtGeom.mjGEOM_HFIELD, pnt, vec, normal)


@checked
def mj_rayFlex(
    m: Model, d: Data, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: Any,
    vec: Any, vertid: NDArray[np.int32] | None = None, normal: Array | None = None,
) -> float:  # fmt: skip
    """Distance, in lengths of vec, from a world point pnt [m] along vec to the nearest part of a flex; -1: none is met.

    flg_vert: whether vertices are met, as balls of the flex's radius; flg_edge: edges, as capsules; flg_face: triangles, of
    solids those of the elements of flex_layer; flg_skin: what the skin of cloth and solids shows, edges and the triangles of
    layer 0. vertid (1,), where given, receives the vertex of the flex that is nearest to the place met, -1 if
    there is none; normal (3,) the unit normal, of triangles that of their vertices' order. Reads flexvert_xpos: call
    mj_forward first. Raises PhysicsError for a vec without length, ModelError for a flex that does not exist.
    """
    f = index(flexid, "flex", m.nflex)
    flags = sum(1 << k for k, flag in enumerate((flg_vert, flg_edge, flg_face, flg_skin)) if flag)
    query = d._arrays["ray_query"]
    query[:3], query[3:6], query[6:] = vector(pnt, "pnt", 3), _direction(vec), (f, flex_layer, flags)
    ask(cast_at_flex, m, d)
    if vertid is not None:
        output(vertid, "vertid", (1,), dtype=np.int32)[0] = int(d._arrays["ray_result"][1])
    return _result(d, normal)


_SHAPES = (mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_ELLIPSOID,
           mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_BOX)  # fmt: skip


@checked
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: int, normal: Array | None = None) -> float:
    """Distance, in lengths of vec, from a point pnt (3,) [m] along vec (3,) to the surface of a shape; -1: it is not met.

    pos (3,) [m], mat (9,): pose of the shape; size: (3,) [m], geomtype (mjtGeom): plane, sphere, capsule, ellipsoid, cylinder or
    box. normal (3,), where given, receives the outward unit normal there, zeros if there is none. Raises ModelError for
    other types, PhysicsError for a vec without length.
    """
    if geomtype not in _SHAPES:
        raise ModelError(f"geomtype {geomtype} is not a plane, sphere, capsule, ellipsoid, cylinder or box")
    frame, extent = vector(mat, "mat", 9), vector(size, "size", 3)
    local = mat_t_vec(frame, sub3(vector(pnt, "pnt", 3), vector(pos, "pos", 3)))
    along = mat_t_vec(frame, _direction(vec))
    t = ray_local(geomtype, extent, local, along)
    if normal is not None:
        output(normal, "normal", (3,))[:] = 0.0
        if t >= 0.0:
            normal[:] = mat_vec(frame, local_normal(geomtype, extent, add_scaled3(local, t, along)))
    return float(t) if t >= 0.0 else -1.0


@checked
def mju_raySkin(
    nface: int, nvert: int, face: Any, vert: Any, pnt: Any, vec: Any, vertid: NDArray[np.int32] | None
) -> float:
    """Distance, in lengths of vec, from a point pnt (3,) [m] along vec (3,) to the nearest of some triangles; -1: none is met.

    face: 3 nface vertex numbers; vert: 3 nvert coordinates [m]. vertid (1,), where given, receives the vertex of the triangle
    that is nearest to the place met, -1 if there is none. Raises PhysicsError for a vec without length.
    """
    nface, nvert = int(nface), int(nvert)  # not True, as above
    faces = numbers(face, "face", np.int64).reshape(-1)
    points = vector(numbers(vert, "vert").reshape(-1), "vert", 3 * nvert).reshape(nvert, 3)
    if faces.shape != (3 * nface,) or (nface and not (faces.min() >= 0 and faces.max() < nvert)):
        raise ModelError(f"face should be {3 * nface} numbers of vertices from 0 to {nvert - 1}")
    start, direction, corners = vector(pnt, "pnt", 3), _direction(vec), points[faces.reshape(nface, 3)]
    found = [(t, k) for k in range(nface) if (t := float(ray_triangle(corners[k], start, direction))) >= 0.0]
    best, hit = min(found, default=(-1.0, -1))
    if vertid is not None:
        far = np.linalg.norm(corners[hit] - (start + best * direction), axis=1) if hit >= 0 else None
        output(vertid, "vertid", (1,), dtype=np.int32)[0] = -1 if far is None else faces[3 * hit + int(far.argmin())]
    return best


@checked
def mj_geomDistance(m: Model, d: Data, geom1: int, geom2: int, distmax: float, fromto: Array | None = None) -> float:
    """Signed distance [m] of two geoms, negative where they overlap; distmax if it is not less.

    fromto: (6,), where given, receives the nearest points of the first and the second geom [m], or zeros beyond distmax.
    Reads geom_xpos, geom_xmat: call mj_forward first. UnknownIndexError for a geom that does not exist.
    """
    query, result = d._arrays["gap_query"], d._arrays["gap_result"]
    query[:] = index(geom1, "geom1", m.ngeom), index(geom2, "geom2", m.ngeom), distmax
    ask(gap_query, m, d)
    if fromto is not None:
        output(fromto, "fromto", (6,))[:] = result[1:]
    return float(result[0])
