"""From a mesh as it is given to a mesh of the model: moved, scaled, centred at its mass and aligned with its inertia."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from physics.compiler import pose
from physics.compiler.assets.mesh.hull import Hull, HullError, convex_hull
from physics.compiler.assets.mesh.normals import vertex_normals
from physics.compiler.assets.mesh.polygons import Polygons, polygons
from physics.compiler.assets.mesh.raw import MeshProblem, RawMesh, check
from physics.compiler.assets.mesh.solid import CONVEX, EXACT, Solid, check_orientation, measure, unit_rows
from physics.compiler.axes import principal
from physics.compiler.bvh import Tree, mesh_tree
from physics.compiler.pose import IDENTITY, ZERO, Quat, Vec, vec3


class Recipe(NamedTuple):
    """What is to be done with a mesh: its element's attributes, and whether anything needs its convex hull."""

    scale: Vec = (1.0, 1.0, 1.0)
    refpos: Vec = ZERO
    refquat: Quat = IDENTITY
    smoothnormal: bool = False
    maxhullvert: int = -1
    inertia: str = "legacy"
    hull: bool = False


@dataclass(slots=True, eq=False)
class Shape:
    """A mesh as the model stores it.

    vertices, normals: (n, 3) f4 in the mesh's own frame; faces, face_normals, face_texcoords: (nface, 3) i4.
    pos, quat: that frame in the frame of the file. amount: volume [m^3], or area [m^2] of a shell; inertia: its moments about
    the axes for one kilogram in each unit of the amount. low, high: the corners of its bounding box. graph: its convex hull
    as `mesh_graph` has it, empty where nothing asked for a hull. polygons: of the hull, else of the faces.
    """

    vertices: np.ndarray
    faces: np.ndarray
    normals: np.ndarray
    face_normals: np.ndarray
    texcoords: np.ndarray
    face_texcoords: np.ndarray
    pos: Vec
    quat: Quat
    amount: float
    inertia: Vec
    low: Vec
    high: Vec
    graph: np.ndarray
    polygons: Polygons
    tree: Tree


def process(raw: RawMesh, recipe: Recipe) -> Shape:
    """The mesh of the model. Raises MeshProblem where vertices, faces or volume do not make one."""
    check(raw)
    points = placed(raw.vertices.astype(np.float64), recipe)
    rounded = points.astype(np.float32)
    _require_finite(rounded)
    hull = _hull(rounded, recipe) if recipe.hull or recipe.inertia == CONVEX or not len(raw.faces) else None
    faces = raw.faces if len(raw.faces) or hull is None else hull.faces
    normals = raw.normals if len(raw.normals) else vertex_normals(raw.vertices.astype(np.float64), faces, recipe.smoothnormal)
    solid = _solid(points, faces, hull, recipe)
    moments, quat = principal(solid.inertia)
    _check_moments(moments)
    points = turned(points - solid.centre, quat)
    outline = polygons(rounded.astype(np.float64), hull.faces if hull else faces)
    vertices = points.astype(np.float32)
    return Shape(
        vertices, faces, turned(_directed(normals, recipe), quat).astype(np.float32),
        raw.face_normals if len(raw.face_normals) else _own(faces, len(normals), raw.normals_each), raw.texcoords,
        raw.face_texcoords if len(raw.face_texcoords) else faces if len(raw.texcoords) else np.zeros_like(faces),
        solid.centre, quat, solid.amount, moments, vec3(points.min(axis=0)), vec3(points.max(axis=0)),
        hull.graph() if hull else np.empty(0, np.int32), replace(outline, normal=turned(outline.normal, quat)),
        mesh_tree(points, faces),
    )  # fmt: skip


def _hull(points: np.ndarray, recipe: Recipe) -> Hull:
    try:
        return convex_hull(points.astype(np.float64), recipe.maxhullvert)
    except HullError as problem:
        raise MeshProblem(f"cannot collide: {problem}") from None


def _solid(points: np.ndarray, faces: np.ndarray, hull: Hull | None, recipe: Recipe) -> Solid:
    if recipe.inertia == CONVEX and hull is not None:
        return measure(points, hull.faces, CONVEX)
    if recipe.inertia == EXACT:
        check_orientation(points, faces)
        mirrored = np.prod(recipe.scale) < 0  # turns the mesh inside out
        return measure(points, faces[:, ::-1] if mirrored else faces, EXACT)
    return measure(points, faces, recipe.inertia)


def placed(points: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Moved to the reference pose, then scaled."""
    return turned(points - recipe.refpos, recipe.refquat) * recipe.scale


def _directed(normals: np.ndarray, recipe: Recipe) -> np.ndarray:
    """As `_placed`; normals are scaled like points, as in the reference."""
    return unit_rows(turned(unit_rows(normals.astype(np.float64))[0], recipe.refquat) * recipe.scale)[0]


def turned(rows: np.ndarray, quat: Quat) -> np.ndarray:
    """Rows as seen from a frame of this rotation."""
    if quat == IDENTITY:
        return rows
    x, y, z = np.array(pose.quat_mat(quat)).T
    return np.stack([rows[:, 0] * axis[0] + rows[:, 1] * axis[1] + rows[:, 2] * axis[2] for axis in (x, y, z)], axis=1)


def _require_finite(points: np.ndarray) -> None:
    if not np.isfinite(points).all():
        raise MeshProblem("is out of proportion after scale: a coordinate is not finite")


def _check_moments(moments: Vec) -> None:
    """Raise MeshProblem for moments of inertia that no solid has: those of a mesh that is not closed."""
    a, b, c = moments
    if not min(moments) > 0:
        raise MeshProblem(f"has the moments of inertia {a:g} {b:g} {c:g}, which must be positive: it may not be closed")
    if a + b < c or a + c < b or b + c < a:
        raise MeshProblem(f"has the moments of inertia {a:g} {b:g} {c:g}, any two of which must sum to at least the third: "
                          "it may not be closed")  # fmt: skip


def _own(faces: np.ndarray, count: int, each: int) -> np.ndarray:
    """For every corner the first normal of its vertex, as far as there are so many."""
    return np.minimum(each * faces, count - 1).astype(np.int32)
