"""Marching cubes: the triangles where numbers on a grid change sign.

An edge of the grid between numbers of two signs has a vertex, where they interpolate to 0. In each cube, segments across its
faces join these vertices to loops, and a loop is filled by triangles. Where the negative corners of a face are opposite, they are
cut off each for itself; both cubes at the face do the same, so the surface is closed.
Source: Lorensen and Cline, Marching cubes.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh
from tumble.physics.compiler.assets.mesh.solid import cross_rows, unit_rows
from tumble.physics.compiler.bvh import Ints, Reals
from tumble.physics.compiler.plugins import Instance

_MOST = 5  # triangles in a cube
# How each loop of more than three vertices is filled, in the order of the sets of negative corners: by triangles that all begin
# at the vertex of that number, or (a to d) as _HEXAGON says. Any choice would do; these are seen in the reference's meshes, so
# that masses agree; where none was seen, in 22 of 256, all triangles begin at the first.
_FILLED = (
    "011021210024a00c1d131111c4b12c411201d2411c3000000101d021ac4030d000203111c06111100034010302a0302102044000110"
    "03c2cb30240011342400110c100063300d12010b41302060103000112c2011d003411010a1000224152200055b01031004313004010"
)
_HEXAGON = {
    "a": ((0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)), "b": ((0, 1, 3), (0, 3, 4), (0, 4, 5), (1, 2, 3)),
    "c": ((0, 1, 2), (0, 2, 4), (0, 4, 5), (2, 3, 4)), "d": ((0, 1, 5), (1, 2, 3), (1, 3, 5), (3, 4, 5)),
}  # fmt: skip
# Corners have bits 1, 2, 4 for x, y, z; edges are 4 axis + the bits of where they are along the two other axes.


def _edge(a: int, b: int) -> int:
    """The edge between two corners of a cube."""
    axis = (a ^ b).bit_length() - 1
    low = a & b
    j, k = [n for n in range(3) if n != axis]
    return 4 * axis + (low >> j & 1) + 2 * (low >> k & 1)


def _faces() -> list[list[int]]:
    """The four corners of each face of a cube, clockwise from outside."""
    faces = []
    for axis in range(3):
        j, k = 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
        faces += [[0, j, j + k, k], [(1 << axis) + corner for corner in (0, k, j + k, j)]]
    return faces


def _loops(negative: int) -> list[list[int]]:
    """Edges of a cube whose vertices make closed loops, anticlockwise as seen from positive numbers. negative: a bit a corner."""
    after: dict[int, int] = {}
    for corners in _faces():
        inside = [bool(negative >> corner & 1) for corner in corners]
        for i in range(4):
            if inside[i] and not inside[i - 1]:  # a run of negative corners begins
                end = next(j for j in range(i, i + 4) if not inside[(j + 1) % 4])
                after[_edge(corners[end % 4], corners[(end + 1) % 4])] = _edge(corners[i - 1], corners[i])
    loops = []
    while after:
        loop = [min(after)]
        while (following := after.pop(loop[-1])) != loop[0]:
            loop.append(following)
        loops.append(loop)
    return loops


@cache
def _table() -> tuple[np.ndarray, np.ndarray]:
    """For each of 256 sets of negative corners: the edges of its triangles (256, 5, 3), and how many those are (256,)."""
    table, count = np.zeros((256, _MOST, 3), np.int64), np.zeros(256, np.int64)
    ways = iter(_FILLED)
    for negative in range(256):
        for loop in _loops(negative):
            for corners in _triangles(len(loop), next(ways) if len(loop) > 3 else "0"):
                table[negative, count[negative]] = [loop[i] for i in corners]
                count[negative] += 1
    return table, count


def _triangles(n: int, way: str) -> tuple[tuple[int, int, int], ...]:
    """The triangles that fill a loop of n vertices."""
    if way in _HEXAGON:
        return _HEXAGON[way]
    first = int(way)
    return tuple((first, (first + i) % n, (first + i + 1) % n) for i in range(1, n - 1))


def isosurface(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The surface where numbers on a grid, (nz, ny, nx), are 0: vertices (n, 3) f4, x y z in steps of the grid, and triangles.

    Triangles (m, 3) are anticlockwise from where numbers are positive. Vertices and triangles are in the order of the cubes, x
    fastest, as the reference has them.
    """
    values = np.ascontiguousarray(values, np.float32)
    negative = values < 0
    vertices, numbers = _vertices(values, negative)
    bits = np.zeros([n - 1 for n in values.shape], np.int64)
    for corner in range(8):
        x, y, z = corner & 1, corner >> 1 & 1, corner >> 2 & 1
        nz, ny, nx = bits.shape
        bits |= negative[z : z + nz, y : y + ny, x : x + nx].astype(np.int64) << corner
    cube = np.argwhere((bits > 0) & (bits < 255))
    table, count = _table()
    kind = bits[tuple(cube.T)]
    which = np.repeat(np.arange(len(cube)), count[kind])
    start = np.cumsum(count[kind]) - count[kind]
    edge = table[kind[which], np.arange(len(which)) - start[which]]
    return vertices, _numbers(numbers, cube[which][:, None], edge)


def _vertices(values: np.ndarray, negative: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The vertices, and for each axis the numbers of those on edges along it, in a grid by the edges' low ends."""
    points, order, ends = [], [], []
    _, ny, nx = values.shape
    for axis in range(3):
        low = tuple(slice(0, n - (k == 2 - axis)) for k, n in enumerate(values.shape))
        high = tuple(slice(int(k == 2 - axis), n) for k, n in enumerate(values.shape))
        at = np.argwhere(negative[low] != negative[high])
        a, b = values[low][tuple(at.T)], values[high][tuple(at.T)]
        point = at[:, ::-1].astype(np.float32)
        point[:, axis] += a / (a - b)
        along = np.arange(3) == 2 - axis
        cube = np.where(along, at, np.maximum(at - 1, 0))  # the first that has the edge
        place = (at - cube) @ (4, 2, 1)
        order.append((((cube[:, 0] * ny + cube[:, 1]) * nx + cube[:, 2]) * 3 + axis) * 8 + place)
        points.append(point)
        ends.append(at)
    rank = np.empty(sum(map(len, order)), np.int64)
    sequence = np.argsort(np.concatenate(order))
    rank[sequence] = np.arange(len(rank))
    numbers = []
    for at, own in zip(ends, np.split(rank, np.cumsum([len(one) for one in order])[:-1]), strict=True):
        grid = np.full(values.shape, -1)
        grid[tuple(at.T)] = own
        numbers.append(grid)
    return np.concatenate(points)[sequence], numbers


def _numbers(numbers: list[np.ndarray], cube: np.ndarray, edge: np.ndarray) -> np.ndarray:
    """The numbers of the vertices on edges, (n, 3), of cubes, (n, 1, 3) z y x."""
    axis, first, second = edge // 4, edge & 1, edge >> 1 & 1
    zero = np.zeros_like(edge)
    x = cube[..., 2] + np.where(axis == 0, zero, first)
    y = cube[..., 1] + np.select([axis == 0, axis == 2], [first, second], zero)
    z = cube[..., 0] + np.where(axis == 2, zero, second)
    stacked = np.stack(numbers)
    return stacked[axis, z, y, x].astype(np.int32)


_POINTS = 300  # of the grid, along the three axes together: the reference's


def function_mesh(instance: Instance) -> RawMesh:
    """The mesh of a function, in the frame that the function is given in. Raises MeshProblem if it has no surface."""
    function, values = instance.plugin, instance.values
    assert isinstance(function, SdfFunction)
    try:
        half = function.bounds(values)
    except ValueError as problem:
        raise MeshProblem(str(problem)) from None
    except (Exception, SystemExit) as error:  # bounds may be a function of the user's
        raise MeshProblem(f"is made of {function.name}, whose bounds raised {type(error).__name__}: {error}") from error
    count = np.floor(_POINTS / half.sum() * half).astype(int) + 1
    if count.min() < 2:
        raise MeshProblem(f"is made of {function.name} with bounds {half}: one side is too small for the others")
    axes = [(2 * half[k] * np.arange(n) / (n - 1) - half[k]) for k, n in enumerate(count)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    try:
        distance = function.sample(np.stack((x.ravel(), y.ravel(), z.ravel()), axis=1), values).reshape(x.shape)
    except (Exception, SystemExit) as error:  # the user's function: what it says belongs to the mesh that asked for it
        raise MeshProblem(f"is made of {function.name}, which raised {type(error).__name__}: {error}") from error
    if not np.isfinite(distance).all():
        raise MeshProblem(f"is made of {function.name}, whose distance is not a number somewhere within its bounds")
    vertices, faces = isosurface(distance)
    if not len(faces):
        raise MeshProblem(f"is made of {function.name}, which has no surface within its bounds")
    placed = (2 * half * vertices.astype(np.float64) / (count - 1) - half).astype(np.float32)
    return RawMesh(placed, faces, _normals(vertices, faces))


def _normals(vertices: Reals, faces: Ints) -> Reals:
    """Normals of vertices, by the areas of their triangles in steps of the grid, as in the reference."""
    a, b, c = (vertices[faces[:, k]].astype(np.float64) for k in range(3))
    across = cross_rows(b - a, c - a)
    number = faces.ravel()
    sums = np.stack([np.bincount(number, across[:, k].repeat(3), len(vertices)) for k in range(3)], axis=1)
    return unit_rows(sums)[0].astype(np.float32)
