"""From a mesh as it is given to a mesh of the model: moved, scaled, centred at its mass and aligned with its inertia."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets.mesh import solid as solids
from tumble.physics.compiler.assets.mesh.hull import Hull, HullError, convex_hull
from tumble.physics.compiler.assets.mesh.polygons import NO_POLYGONS, Polygons, polygons
from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh, check
from tumble.physics.compiler.assets.sdf.octree import EMPTY, Octree, octree
from tumble.physics.compiler.bodies.frames import principal
from tumble.physics.compiler.bvh import NO_TREE, Tree, mesh_tree
from tumble.physics.compiler.kernels import add_normals
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec, vec3
from tumble.physics.compiler.progress import ask

NO_GRAPH = np.empty(0, np.int32)
_FORWARDS, _BACKWARDS = [0, 1, 2], [0, 2, 1]
_ROUNDING = 1e-9  # relative, by which the moments of something flat may violate what all moments satisfy


class Recipe(NamedTuple):
    """Options to process a mesh: its element's attributes, and flags for its convex hull and octree.

    fixed: its frame stays where it is, as that of a function is the geom's.
    """

    scale: Vec = (1.0, 1.0, 1.0)
    refpos: Vec = ZERO
    refquat: Quat = IDENTITY
    smoothnormal: bool = False
    maxhullvert: int = -1
    inertia: str = "legacy"
    hull: bool = False
    octree: bool = False
    fixed: bool = False


class MeshShape(Struct, eq=False):
    """A mesh as the model stores it.

    vertices, normals: (n, 3) f4 in the mesh's own frame; faces, face_normals, face_texcoords: (nface, 3) i4.
    pos, quat: that frame in the frame of the file. amount: volume [m^3], or area [m^2] of a shell; inertia: its moments about
    the axes for one kilogram in each unit of the amount. low, high: the corners of its bounding box. graph: its convex hull
    as `mesh_graph` has it, empty if nothing asked for a hull. polygons: of the hull. octree: empty if nothing asked for it.
    These and the tree, over the faces, are empty until the mesh is finished: nothing that is drawn needs them.
    mass_pos, mass_quat: centre of mass and axes of inertia in the mesh's own frame, which mostly is that.
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
    graph: np.ndarray = field(default_factory=lambda: NO_GRAPH)
    polygons: Polygons = NO_POLYGONS
    tree: Tree = NO_TREE
    octree: Octree = EMPTY
    mass_pos: Vec = ZERO
    mass_quat: Quat = IDENTITY


def process(raw: RawMesh, recipe: Recipe) -> MeshShape:
    """The mesh of the model. Raises MeshProblem if vertices, faces or volume do not make one."""
    return begin(raw, recipe)[1]()


def begin(raw: RawMesh, recipe: Recipe) -> tuple[MeshShape, Callable[[], MeshShape]]:
    """The mesh as it is drawn, with its mass and frame, and what makes it with the rest: hull, polygons, tree and octree.

    Both raise MeshProblem, at vertices, faces, or a volume or a hull that do not make a mesh.
    """
    check(raw)
    ask()
    given = raw.vertices.astype(np.float64)
    first = recipe.inertia == solids.CONVEX or not len(raw.faces)
    hull = _hull(given, recipe) if first else None
    if not len(raw.faces) and hull is not None:
        raw.faces = hull.faces
    ask()
    normals = raw.normals if len(raw.normals) else vertex_normals(given, raw.faces, recipe.smoothnormal)
    ask()
    points = placed(given, recipe)
    _require_finite(points)
    mirrored = bool(np.prod(recipe.scale) < 0)
    try:
        solid = _solid(points, hull.faces if hull and recipe.inertia == solids.CONVEX else raw.faces, mirrored, recipe.inertia)
        moments, quat = principal(solid.inertia)
        _check_moments(moments)
    except MeshProblem:
        if recipe.hull:
            _hull(given, recipe)  # raises what is wrong with the hull, which says more
        raise
    own, frame = (solid.centre, quat), (ZERO, IDENTITY)
    if recipe.fixed:
        own, frame = frame, own
    points = turned(points - own[0], own[1])
    faces, corners, seams = _triangles(raw, len(normals), turn=mirrored and raw.from_file)
    ask()
    shape = MeshShape(
        points.astype(np.float32), faces, turned(_directed(normals, recipe), own[1]).astype(np.float32), corners,
        raw.texcoords, seams, *own, solid.amount, moments, vec3(points.min(axis=0)), vec3(points.max(axis=0)),
        mass_pos=frame[0], mass_quat=frame[1],
    )  # fmt: skip

    def finish() -> MeshShape:
        outer = _hull(given, recipe) if recipe.hull and hull is None else hull
        ask()
        tree = mesh_tree(points, faces)
        ask()
        # Contacts alone ask for polygons: what only shows has none.
        outline = polygons(given, outer.faces if outer else raw.faces[:0], points, mirrored)
        ask()
        return replace(
            shape, graph=outer.graph() if outer else NO_GRAPH, polygons=outline, tree=tree,
            octree=octree(points, faces, tree) if recipe.octree else EMPTY,
        )  # fmt: skip

    return shape, finish


def _triangles(raw: RawMesh, count: int, *, turn: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vertex, the normal and the texture coordinate of each triangle's corners, (nface, 3) each.

    count: of normals; without indices of their own corners have the first normal of their vertex, as far as there are so
    many. turn: the other way round, for files whose mesh a scale turns inside out; the reference leaves others as they are.
    """
    own = np.minimum(raw.normals_each * raw.faces, count - 1)
    normals = raw.face_normals if len(raw.face_normals) else own
    seams = raw.face_texcoords if len(raw.face_texcoords) else raw.faces if len(raw.texcoords) else np.zeros_like(raw.faces)
    order = _BACKWARDS if turn else _FORWARDS
    faces, normals, seams = (np.ascontiguousarray(rows[:, order], np.int32) for rows in (raw.faces, normals, seams))
    return faces, normals, seams


def _hull(points: np.ndarray, recipe: Recipe) -> Hull:
    try:
        return convex_hull(points, recipe.maxhullvert)
    except HullError as problem:
        raise MeshProblem(f"cannot collide: {problem}") from None


def _solid(points: np.ndarray, faces: np.ndarray, mirrored: bool, mode: str) -> solids.Enclosed:
    """The solid that the faces enclose; if a scale turns the mesh inside out, the faces are flipped."""
    if mode == solids.EXACT:
        solids.check_orientation(points, faces)
    return solids.measure(points, faces[:, _BACKWARDS] if mirrored else faces, mode)


def placed(points: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Points of the file moved to the reference pose, then scaled."""
    return turned(points - recipe.refpos, recipe.refquat) * recipe.scale


def _directed(normals: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Normals of the mesh as it is placed: a scale stretches them the other way than points, and does not turn them inward."""
    x, y, z = recipe.scale
    across = np.array([y * z, x * z, x * y]) * (-1 if x * y * z < 0 else 1)
    return solids.unit_rows(turned(solids.unit_rows(normals.astype(np.float64))[0], recipe.refquat) * across)[0]


def turned(rows: np.ndarray, quat: Quat) -> np.ndarray:
    """Rows as seen from a frame of this rotation."""
    if quat == IDENTITY:
        return rows
    x, y, z = np.array(pose.quat_mat(quat)).T
    return np.stack([rows[:, 0] * axis[0] + rows[:, 1] * axis[1] + rows[:, 2] * axis[2] for axis in (x, y, z)], axis=1)


def _require_finite(points: np.ndarray) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(points.astype(np.float32)).all()
    if not finite:
        raise MeshProblem("is out of proportion after scale: a coordinate is not finite")


def _check_moments(moments: Vec) -> None:
    """Raise MeshProblem for moments of inertia that no solid has: those of a mesh that is not closed."""
    a, b, c = moments
    if not min(moments) > 0:
        raise MeshProblem(f"has the moments of inertia {a:g} {b:g} {c:g}, which must be positive: it may not be closed")
    if 2 * max(moments) > (a + b + c) * (1 + _ROUNDING):
        raise MeshProblem(f"has the moments of inertia {a:g} {b:g} {c:g}, any two of which must sum to at least the third: "
                          "it may not be closed")  # fmt: skip


_SHARP = 0.8  # cosine between a triangle and the mean at its corner below which the edge counts as sharp
_SMALL = 1e-7  # twice an area [m^2]; what is smaller has no direction to rely on


def vertex_normals(vertices: np.ndarray, faces: np.ndarray, smooth: bool) -> np.ndarray:
    """The mean normal of the triangles at each vertex, weighted by their area, (nvert, 3); z if there is none.

    Unless smooth, triangles at a large angle to the mean are taken out of it again, so that edges stay edges. Sums have
    single precision, for that is what the reference's vertices show where much is taken out and little is left.
    """
    _, normals, areas = solids.triangles(vertices, faces)
    weighted = normals * np.where(2 * areas < _SMALL, 0.0, 2 * areas)[:, None]
    ask()
    total = _sum(faces, weighted, np.ones(faces.shape, bool), len(vertices))
    if not smooth:
        mean, length = solids.unit_rows(total.astype(np.float64))
        mean[length < _SMALL] = 0
        ask()
        sharp = np.stack([solids.dot_rows(normals, mean[faces[:, k]]) < _SHARP for k in range(3)], axis=1)
        total -= _sum(faces, weighted, sharp, len(vertices))
    return solids.unit_rows(total.astype(np.float64))[0]


def _sum(faces: np.ndarray, terms: np.ndarray, where: np.ndarray, count: int) -> np.ndarray:
    """Sums of the triangles' terms, (nface, 3) f8, at their vertices, (count, 3) f4; where: (nface, 3) at which corners."""
    sums = np.zeros((count, 3), np.float32)
    add_normals.run(sums, count, np.ascontiguousarray(faces, np.int32), np.ascontiguousarray(terms), where, len(faces))
    return sums
