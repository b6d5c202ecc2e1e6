"""The polygons of a hull: coplanar triangles merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.physics.compiler.kernels import group_normals, trace_outlines
from tumble.physics.compiler.kernels.outlines import table_room
from tumble.physics.compiler.progress import ask
from tumble.physics.state.constants import mjMINVAL

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Polygons:
    """The polygons of a hull.

    normal: (npoly, 3) outward. vertadr, vertnum: (npoly,) where each one's corners are in vert, anticlockwise from outside.
    mapadr, mapnum: (nvert,) where the polygons that meet in each vertex of the mesh are in map.
    """

    normal: Reals
    vertadr: Ints
    vertnum: Ints
    vert: Ints
    mapadr: Ints
    mapnum: Ints
    map: Ints


_NOTHING = np.empty(0, np.int32)
NO_POLYGONS = Polygons(np.empty((0, 3)), _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING)


def polygons(vert: Reals, faces: Ints, placed: Reals | None = None, mirrored: bool = False) -> Polygons:
    """Put faces, (nface, 3), together: those that adjoin and whose normals differ by less than 0.0016.

    vert: (nvert, 3) vertices of the file, as convex_hull takes them; normals are compared there. placed: (nvert, 3) the
    same in the frame in which normals are wanted, None: in that of vert; a polygon's is that of its first three corners.
    mirrored: whether placing them turns the mesh inside out.
    """
    faces = np.ascontiguousarray(faces, np.int32)
    place = parallel_groups(face_normals(vert, faces))
    ask()
    sizes = np.bincount(place)
    corners, numbers = _outlines(faces, np.argsort(place, kind="stable"), sizes, len(vert))
    begins = _begin(numbers)
    if mirrored:
        corners = _turned(corners, begins, numbers)
    first = corners[begins[:, None] + np.arange(3)]
    return _collect(face_normals(vert if placed is None else placed, first), begins, numbers, corners, len(vert))


def parallel_groups(normals: Reals) -> Ints:
    """The place of each unit normal, (n, 3), among those that differ: in descending order of x, then y, then z, (n,)."""
    count = len(normals)
    tree, group, rank = np.empty((count, 5), np.int32), np.empty(count, np.int32), np.empty(count, np.int32)
    group_normals.run(np.ascontiguousarray(normals), count, tree, group, rank)
    return rank[group]


def face_normals(vert: Reals, faces: Ints) -> Reals:
    """Unit normals of triangles, (nface, 3); x if one has no area."""
    a, b, c = (vert[faces[:, k]].astype(np.float64) for k in range(3))
    u, v = b - a, c - a
    cross = np.stack([u[:, i] * v[:, j] - u[:, j] * v[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
    length = np.sqrt((cross[:, 0] * cross[:, 0] + cross[:, 1] * cross[:, 1]) + cross[:, 2] * cross[:, 2])
    tiny = length < mjMINVAL
    cross /= np.where(tiny, 1.0, length)[:, None]  # the order of normals hangs on the last bit: divide, as is
    cross[tiny] = (1.0, 0.0, 0.0)
    return cross


def _outlines(faces: Ints, order: NDArray[np.integer], sizes: NDArray[np.integer], nvert: int) -> tuple[Ints, Ints]:
    """The corners of the closed lines about groups of triangles, and how many each line has.

    order: (nface,) the triangles by group; sizes: how many each group has. Edges that two of a group pass in both directions are
    inside. Lines that do not close are left out: those of faces that are not consistent, which a hull has not.
    """
    count, largest = len(faces), int(sizes.max(initial=0))
    room, capacity = table_room(largest), 3 * largest + 1
    bounds = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
    corners, numbers, counts = np.empty(3 * count, np.int32), np.empty(count, np.int32), np.empty(2, np.int32)
    table, edges, vertices = np.empty(room, np.int32), np.empty((5, capacity), np.int32), np.full((3, nvert), -1, np.int32)
    trace_outlines.run(faces, count, order.astype(np.int32), bounds, len(sizes), table, room, edges, capacity, vertices, nvert,
                       corners, numbers, counts)  # fmt: skip
    return corners[: counts[0]].copy(), numbers[: counts[1]].copy()


def _turned(corners: Ints, begins: Ints, numbers: Ints) -> Ints:
    """Lines that go the other way round from the same first corner."""
    begin, number = np.repeat(begins, numbers), np.repeat(numbers, numbers)
    place = np.arange(len(corners)) - begin
    return corners[begin + np.where(place == 0, 0, number - place)]


def _collect(normal: Reals, begins: Ints, num: Ints, vert: Ints, nvert: int) -> Polygons:
    order = np.argsort(vert, kind="stable")
    mapnum = np.bincount(vert, minlength=nvert).astype(np.int32)
    owner = np.repeat(np.arange(len(num), dtype=np.int32), num)
    return Polygons(normal, begins, num, vert, _begin(mapnum), mapnum, owner[order])


def _begin(num: Ints) -> Ints:
    return (np.cumsum(num) - num).astype(np.int32)
