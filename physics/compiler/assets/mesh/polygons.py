"""The polygons of a hull: coplanar triangles merged."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.kernels import group_normals, trace_outlines
from tumble.physics.compiler.kernels.outlines import table_room
from tumble.physics.compiler.progress import ask
from tumble.physics.state.constants import mjMINVAL

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


class Polygons(Struct, frozen=True):
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


_LEAST = np.finfo(np.float32).eps  # a corner whose edges span less does not say which way a polygon faces
_MANY = 24  # corners from which on polygons are looked at one by one: all ears against all corners would take much memory


def triangles(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Triangles of polygons that follow each other, in their order.

    vertices: (nvert, 3) f4; counts: corners of each polygon, 3 or more; corners: the vertex of each corner of all polygons.
    Returns (ntriangle, 3) indices into `corners`. What is left of a polygon that has no more ears is left out.
    """
    starts = np.cumsum(counts) - counts
    pieces = counts - 2
    polygon = np.repeat(np.arange(len(counts)), pieces)
    step = np.arange(len(polygon)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    first = starts[polygon]
    found = np.stack([first, first + step + 1, first + step + 2], axis=1)
    ends = np.cumsum(pieces)
    with np.errstate(all="ignore"):  # a number that is none makes no ear
        for i in np.flatnonzero(~_are_fans(vertices, counts, corners, starts)):
            x, y = _flat(vertices[corners[starts[i] : starts[i] + counts[i]]][None])
            ears = _clip(x[0], y[0])
            found[ends[i] - pieces[i] : ends[i]] = -1
            found[ends[i] - pieces[i] : ends[i] - pieces[i] + len(ears)] = starts[i] + ears
    return found[found[:, 0] >= 0]


def _are_fans(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Mask of polygons that are fans: clipping ears at the second corner leaves a triangle."""
    fans = counts == 3
    for n in np.unique(counts[(counts > 3) & (counts < _MANY)]):
        which = np.flatnonzero(counts == n)
        x, y = _flat(vertices[corners[starts[which][:, None] + np.arange(n)]])
        area = _area(x, y)
        fans[which] = True
        for k in range(1, n - 2):
            ear = [0, k, k + 1]
            fans[which] &= _are_ears(x[:, ear], y[:, ear], x[:, k + 2 :], y[:, k + 2 :], area)
    return fans


def _flat(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two coordinates, (n, corners) each, that polygons are looked at in; points: (n, corners, 3).

    What is left out is where the first corner faces whose edges are long enough to tell, x where none is.
    """
    edges = np.roll(points, -1, axis=1) - points
    after = np.roll(edges, -1, axis=1)
    facing = np.abs(np.cross(edges, after))
    n = np.arange(len(points))
    x, y, z = facing[n, np.argmax(np.max(facing, axis=2) > _LEAST, axis=1)].T
    is_x = (x > y) & (x > z) | (np.maximum(np.maximum(x, y), z) <= _LEAST)
    is_z = ~is_x & (z > x) & (z > y)
    return points[n, :, np.where(is_x, 1, 0)], points[n, :, np.where(is_z, 1, 2)]


def _area(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Twice the area of polygons, (n,), above 0 if they turn left; x, y: (n, corners)."""
    parts = x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)
    return np.cumsum(parts, axis=1)[:, -1]  # one after the other: what is nearly nothing has its sign from rounding


def _clip(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Triangles of a polygon in the plane, (n - 2, 3), or fewer where no corner is an ear any more."""
    rest, found, at, left = list(range(len(x))), [], 0, len(x)
    area = _area(x[None], y[None])
    while len(rest) > 3 and left > 0:
        left, at = left - 1, at % len(rest)
        order = rest[at:] + rest[:at]
        ear, others = order[:3], order[3:]
        if not _are_ears(x[None, ear], y[None, ear], x[None, others], y[None, others], area)[0]:
            at += 1
            continue
        found.append(ear)
        del rest[(at + 1) % len(rest)]
        if left > 0:  # an ear that the last try finds is the last one
            left = len(rest) + 1
    if len(rest) == 3:
        found.append(rest)
    return np.array(found, np.int64).reshape(-1, 3)


def _are_ears(x: np.ndarray, y: np.ndarray, px: np.ndarray, py: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Mask of triangles that are ears: oriented like their polygons, with no other corner inside.

    x, y: (n, 3) of the triangle; px, py: (n, others) of the other corners; area: (n,) of the polygons. Returns (n,).
    """
    turn = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 1]) - (y[:, 1] - y[:, 0]) * (x[:, 2] - x[:, 1])
    inside = np.zeros(px.shape, bool)  # by the parity of how many edges a ray from the corner crosses
    for i, j in ((0, 2), (1, 0), (2, 1)):
        xi, yi, xj, yj = x[:, i, None], y[:, i, None], x[:, j, None], y[:, j, None]
        crossed = px < (xj - xi) * (py - yi) / (yj - yi) + xi
        inside ^= ((yi > py) != (yj > py)) & crossed
    return ~(turn * area < 0) & ~inside.any(axis=1)
