"""The signed distance from points to a triangle mesh: the nearest triangle by the tree over them, the sign by its normal.

Where the nearest point is on an edge or a corner, the sign is that of the triangles' normals there, weighted by the angles at
which they meet. Source: Baerentzen and Aanaes, Signed distance computation using the angle weighted pseudonormal.
"""

from __future__ import annotations

import ctypes
import math

import numpy as np

from tumble.physics.compiler.bvh import Tree
from tumble.physics.compiler.progress import ask
from tumble.physics.kernel import Compiled, exact
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f8_at, f8_table_at, i4_at, i8_at

_ROOM = 64  # nodes on the stack: one a level of the tree
_AT_ONCE = 2048  # points between two moments at which a load can end: a tenth of a second with a large mesh
_FACE, _EDGE, _CORNER = 0, 1, 4  # where on a triangle: inside, on the edge that begins at corner 0, 1 or 2, at a corner


@exact
def nearest(p, a, b, c):
    """The nearest point of a triangle, from p [m], its squared distance, and where it lies. a, b, c, p: tuples.

    Source: Ericson, Real-time collision detection, 5.1.5.
    """
    ab = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    ac = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    ap = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    bp = p[0] - b[0], p[1] - b[1], p[2] - b[2]
    cp = p[0] - c[0], p[1] - c[1], p[2] - c[2]
    d1 = ab[0] * ap[0] + ab[1] * ap[1] + ab[2] * ap[2]
    d2 = ac[0] * ap[0] + ac[1] * ap[1] + ac[2] * ap[2]
    d3 = ab[0] * bp[0] + ab[1] * bp[1] + ab[2] * bp[2]
    d4 = ac[0] * bp[0] + ac[1] * bp[1] + ac[2] * bp[2]
    d5 = ab[0] * cp[0] + ab[1] * cp[1] + ab[2] * cp[2]
    d6 = ac[0] * cp[0] + ac[1] * cp[1] + ac[2] * cp[2]
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    u, v, where = 0.0, 0.0, _CORNER  # the point is a + u ab + v ac
    if d1 <= 0.0 and d2 <= 0.0:
        where = _CORNER
    elif d3 >= 0.0 and d4 <= d3:
        u, where = 1.0, _CORNER + 1
    elif d6 >= 0.0 and d5 <= d6:
        v, where = 1.0, _CORNER + 2
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        u, where = d1 / (d1 - d3), _EDGE
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        v, where = d2 / (d2 - d6), _EDGE + 2
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        v = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        u, where = 1.0 - v, _EDGE + 1
    else:
        u, v, where = vb / (va + vb + vc), vc / (va + vb + vc), _FACE
    x = ap[0] - u * ab[0] - v * ac[0]
    y = ap[1] - u * ab[1] - v * ac[1]
    z = ap[2] - u * ab[2] - v * ac[2]
    return x, y, z, x * x + y * y + z * z, where


@exact
def _box_distance(aabb, n, x, y, z):
    """Squared distance from a point to the box of a node, 0 inside."""
    dx = max(abs(x - aabb[n, 0]) - aabb[n, 3], 0.0)
    dy = max(abs(y - aabb[n, 1]) - aabb[n, 4], 0.0)
    dz = max(abs(z - aabb[n, 2]) - aabb[n, 5], 0.0)
    return dx * dx + dy * dy + dz * dz


@exact
def _corners(corner, t):
    a = corner[3 * t, 0], corner[3 * t, 1], corner[3 * t, 2]
    b = corner[3 * t + 1, 0], corner[3 * t + 1, 1], corner[3 * t + 1, 2]
    return a, b, (corner[3 * t + 2, 0], corner[3 * t + 2, 1], corner[3 * t + 2, 2])


@exact
def _search(p, guess, corner, child, nodeid, aabb, stack):
    """The triangle nearest to a point, with what `nearest` says of it; guess: one that is likely near."""
    a, b, c = _corners(corner, guess)
    best, found = guess, nearest(p, a, b, c)
    depth, stack[0] = 1, 0
    while depth > 0:
        depth -= 1
        n = stack[depth]
        if _box_distance(aabb, n, p[0], p[1], p[2]) >= found[3]:
            continue
        if child[2 * n] < 0:
            a, b, c = _corners(corner, nodeid[n])
            other = nearest(p, a, b, c)
            if other[3] < found[3]:
                best, found = nodeid[n], other
            continue
        left, right = child[2 * n], child[2 * n + 1]
        far = _box_distance(aabb, right, p[0], p[1], p[2]) > _box_distance(aabb, left, p[0], p[1], p[2])
        stack[depth] = right if far else left
        stack[depth + 1] = left if far else right
        depth += 2
    return best, found


def _distances(points, count, corners, normals, triangles, child, nodeid, aabb, stack, out):
    """Signed distances of points: addresses of `signed_distances`' arrays, their counts; normals: 7 rows a triangle."""
    at, values = f8_table_at(points, count, 3), f8_at(out, count)
    corner, normal = f8_table_at(corners, 3 * triangles, 3), f8_table_at(normals, 7 * triangles, 3)
    nodes = 2 * triangles - 1
    children, ids, boxes, waiting = i4_at(child, 2 * nodes), i4_at(nodeid, nodes), f8_table_at(aabb, nodes, 6), i8_at(stack, 64)
    guess = 0
    for i in range(count):
        p = at[i, 0], at[i, 1], at[i, 2]
        guess, found = _search(p, guess, corner, children, ids, boxes, waiting)
        x, y, z, square, where = found
        row = 7 * guess + where
        outside = x * normal[row, 0] + y * normal[row, 1] + z * normal[row, 2] >= 0.0
        values[i] = math.sqrt(square) if outside else -math.sqrt(square)


distances = Compiled(_distances, (INT,) * 10)


def signed_distances(points: np.ndarray, vert: np.ndarray, faces: np.ndarray, tree: Tree) -> np.ndarray:
    """Signed distances (n,) [m] of points (n, 3) to a mesh, negative inside.

    vert: (nvert, 3); faces: (nface, 3); tree: over the faces.
    """
    points = np.ascontiguousarray(points, np.float64)
    out, stack = np.empty(len(points)), np.empty(_ROOM, np.int64)
    corners = np.ascontiguousarray(vert[faces], np.float64)
    normals = _normals(corners, _merged(vert)[faces])
    child, nodeid = np.ascontiguousarray(tree.child, np.int32), np.ascontiguousarray(tree.nodeid, np.int32)
    aabb = np.ascontiguousarray(tree.aabb, np.float64)
    run = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 10)(distances.address)
    arrays = (corners, normals, child, nodeid, aabb, stack)
    c, n, *rest = (array.ctypes.data for array in arrays)
    for first in range(0, len(points), _AT_ONCE):
        ask()
        part, its = points[first : first + _AT_ONCE], out[first:]
        run(part.ctypes.data, len(part), c, n, len(faces), *rest, its.ctypes.data)
    return out


def _merged(vert: np.ndarray) -> np.ndarray:
    """For each vertex, a number that those at the same place share: files repeat them where texture coordinates differ."""
    return np.unique(vert, axis=0, return_inverse=True)[1].ravel()


def _normals(corners: np.ndarray, vertex: np.ndarray) -> np.ndarray:
    """Normals that decide the sign: (nface, 7, 3) the triangle's normal, those of its edges 01, 12, 20 and of its corners.

    corners: (nface, 3, 3); vertex: (nface, 3) the number of each corner's place.
    """
    sides = np.roll(corners, -1, axis=1) - corners
    across = np.cross(sides[:, 0], sides[:, 1])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    normal = np.divide(across, length, out=np.zeros_like(across), where=length > 0)
    result = np.empty((len(corners), 7, 3))
    result[:, _FACE] = normal
    ends = np.sort(np.stack((vertex, np.roll(vertex, -1, axis=1)), axis=2), axis=2)
    result[:, _EDGE : _EDGE + 3] = _summed(normal[:, None].repeat(3, axis=1), ends[..., 0] * (vertex.max() + 1) + ends[..., 1])
    backward = -np.roll(sides, 1, axis=1)
    angle = np.arctan2(np.linalg.norm(np.cross(sides, backward), axis=2), (sides * backward).sum(axis=2))
    result[:, _CORNER:] = _summed(normal[:, None] * angle[..., None], vertex)
    return result


def _summed(vectors: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Of each vector, (n, 3, 3), the sum over all with its number in group, (n, 3)."""
    number = np.unique(group, return_inverse=True)[1].ravel()
    flat = vectors.reshape(-1, 3)
    sums = np.stack([np.bincount(number, flat[:, k]) for k in range(3)], axis=1)
    return sums[number].reshape(vectors.shape)
