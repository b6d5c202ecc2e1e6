"""Shapes that an element asks for by name and parameters, as the reference makes them: vertex by vertex, triangle by triangle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import RawMesh
from tumble.physics.mjcf.spec import Element

_MOST_DIVISIONS = 4  # of a sphere's triangles
_MOST_RINGS = 10  # of a hemisphere
_MOST_STEPS = 1000  # along any other resolution, whose square counts
_GOLDEN = (1 + math.sqrt(5)) / 2
_ICOSAHEDRON = np.array([
    (-1, _GOLDEN, 0), (1, _GOLDEN, 0), (-1, -_GOLDEN, 0), (1, -_GOLDEN, 0), (0, -1, _GOLDEN), (0, 1, _GOLDEN),
    (0, -1, -_GOLDEN), (0, 1, -_GOLDEN), (_GOLDEN, 0, -1), (_GOLDEN, 0, 1), (-_GOLDEN, 0, -1), (-_GOLDEN, 0, 1),
])  # fmt: skip
_ICOSAHEDRON_FACES = (
    (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
    (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
)  # fmt: skip

Face = tuple[int, int, int]
Made = tuple[np.ndarray, list[Face]]


def make_builtin(element: Element) -> RawMesh:
    """The mesh that `builtin` and `params` ask for. Raises MjcfError for parameters that it does not take."""
    kind = str(element.get("builtin"))
    for name in ("file", "vertex"):
        if element.has(name):
            raise element.error(f'has {name} besides builtin="{kind}"; valid is one of them')
    try:
        return make_shape(kind, np.atleast_1d(np.asarray(element.get("params", ()), float)).tolist())
    except ValueError as problem:
        raise element.error(str(problem)) from None


def make_shape(kind: str, values: Sequence[float]) -> RawMesh:
    """The mesh of a builtin shape with its parameters. Raises ValueError for those that it does not take."""
    parameters = _PARAMETERS[kind]
    names = " ".join(parameter.name for parameter in parameters)
    if len(values) != len(parameters):
        raise ValueError(f'builtin="{kind}" needs {len(parameters)} params ({names}), has {len(values)}')
    for parameter, value in zip(parameters, values, strict=True):
        if not (parameter.low <= value <= parameter.high):
            raise ValueError(f"params: {parameter.name} must be {parameter.low:g} to {parameter.high:g}, is {value:g}")
    if kind in ("wedge", "plate"):
        return (_wedge if kind == "wedge" else _plate)(*values)
    vertices, faces = _MAKERS[kind](*values)
    return RawMesh(vertices.astype(np.float32), np.array(faces, np.int32).reshape(-1, 3))


class _Parameter(NamedTuple):
    name: str
    low: float
    high: float


_ABOVE = math.ulp(0.0)  # of what must be greater than 0
_PARAMETERS = {
    "sphere": (_Parameter("subdivision", 0, _MOST_DIVISIONS),),
    "hemisphere": (_Parameter("resolution", 0, _MOST_RINGS),),
    "cone": (_Parameter("nvert", 3, _MOST_STEPS), _Parameter("radius", -math.inf, math.inf)),
    "supersphere": (_Parameter("resolution", 3, _MOST_STEPS), _Parameter("e", 0, math.inf), _Parameter("n", 0, math.inf)),
    "supertorus": (_Parameter("resolution", 3, _MOST_STEPS), _Parameter("radius", _ABOVE, 1),
                   _Parameter("s", _ABOVE, math.inf), _Parameter("t", _ABOVE, math.inf)),
    "wedge": (_Parameter("res_phi", 1, _MOST_STEPS), _Parameter("res_theta", 1, _MOST_STEPS),
              _Parameter("fov_phi", _ABOVE, 180), _Parameter("fov_theta", _ABOVE, 90), _Parameter("gamma", 0, 1)),
    "plate": (_Parameter("res_x", 1, _MOST_STEPS), _Parameter("res_y", 1, _MOST_STEPS)),
}  # fmt: skip


def _sphere(subdivision: float) -> Made:
    """An icosahedron whose triangles are repeatedly divided into four."""
    vertices = [tuple(v / math.sqrt(v @ v)) for v in _ICOSAHEDRON]
    faces: list[Face] = list(_ICOSAHEDRON_FACES)
    for _ in range(int(subdivision)):
        middles: dict[tuple[int, int], int] = {}
        smaller: list[Face] = []
        for a, b, c in faces:
            ab, bc, ca = (_middle(vertices, middles, p, q) for p, q in ((a, b), (b, c), (c, a)))
            smaller += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = smaller
    return np.array(vertices), faces


def _middle(vertices: list[tuple[float, ...]], middles: dict[tuple[int, int], int], p: int, q: int) -> int:
    """The vertex half way between two others, on the sphere; each is made once."""
    key = (min(p, q), max(p, q))
    if key not in middles:
        middles[key] = len(vertices)
        point = (np.array(vertices[p]) + np.array(vertices[q])) / 2
        vertices.append(tuple(point / math.sqrt(point @ point)))
    return middles[key]


def _hemisphere(resolution: float) -> Made:
    """Four faces of an octahedron with rings of points, brought to the sphere, over a disk with one point at its centre."""
    last = int(resolution) + 1
    vertices, starts = [np.array([0.0, 0.0, 1.0])], [0]
    for ring in range(1, last + 1):
        starts.append(len(vertices))
        for quadrant in range(4):
            cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[quadrant]
            for step in range(ring):
                a, b = ring - step, step
                point = np.array([a * cosine - b * sine, a * sine + b * cosine, last - ring], float)
                vertices.append(point / math.sqrt(point @ point))
    faces: list[Face] = []
    for ring in range(last):
        for quadrant in range(4):
            inner = [starts[ring] + (quadrant * ring + k) % max(1, 4 * ring) for k in range(ring + 1)]
            outer = [starts[ring + 1] + (quadrant * (ring + 1) + k) % (4 * ring + 4) for k in range(ring + 2)]
            for k in range(ring + 1):
                faces.append((inner[k], outer[k], outer[k + 1]))
                if k < ring:
                    faces.append((inner[k], outer[k + 1], inner[k + 1]))
    centre, rim = len(vertices), starts[last]
    faces += [(rim + k, centre, rim + (k + 1) % (4 * last)) for k in range(4 * last)]
    return np.array([*vertices, np.zeros(3)]), faces


def _cone(nvert: float, radius: float) -> Made:
    """A polygon below and a smaller one, or a point, above; the triangles are those of the hull."""
    angle = 2 * np.pi * np.arange(int(nvert)) / int(nvert)
    ring = np.stack([np.cos(angle), np.sin(angle), np.full(len(angle), -1.0)], axis=1)
    top = ring * (radius, radius, -1) if radius > 0 else np.array([[0.0, 0.0, 1.0]])
    return np.concatenate([ring, top]), []


def _power(values: np.ndarray, exponent: float) -> np.ndarray:
    """The size to a power, with the sign."""
    return np.sign(values) * np.abs(values) ** exponent


def _grid(row: int, after: int, n: int) -> list[Face]:
    """Triangles between a closed row of n vertices and the row after it, by their first vertices."""
    faces: list[Face] = []
    for k in range(n):
        following = (k + 1) % n
        faces += [(row + k, row + following, after + k), (row + following, after + following, after + k)]
    return faces


def _supersphere(resolution: float, e: float, n: float) -> Made:
    """Rings from the south pole to the north pole."""
    count = int(resolution)
    across = -np.pi / 2 + np.pi * np.arange(1, count) / count
    around = -np.pi + 2 * np.pi * np.arange(count) / count
    radius, height = _power(np.cos(across), n)[:, None], _power(np.sin(across), n)
    x, y = radius * _power(np.cos(around), e), radius * _power(np.sin(around), e)
    rings = np.stack([x, y, np.broadcast_to(height[:, None], x.shape)], axis=2).reshape(-1, 3)
    faces: list[Face] = [(0, 1 + (k + 1) % count, 1 + k) for k in range(count)]
    for ring in range(count - 2):
        faces += _grid(1 + ring * count, 1 + (ring + 1) * count, count)
    last, pole = 1 + (count - 2) * count, 1 + (count - 1) * count
    faces += [(last + k, last + (k + 1) % count, pole) for k in range(count)]
    return np.concatenate([[[0.0, 0.0, -1.0]], rings, [[0.0, 0.0, 1.0]]]), faces


def _supertorus(resolution: float, radius: float, s: float, t: float) -> Made:
    """Rings about a circle of radius 1."""
    count = int(resolution)
    angle = 2 * np.pi * np.arange(count) / count
    reach = 1 + radius * _power(np.cos(angle), s)
    x, y = _power(np.cos(angle), t)[:, None] * reach, _power(np.sin(angle), t)[:, None] * reach
    z = np.broadcast_to(radius * _power(np.sin(angle), s), x.shape)
    faces: list[Face] = []
    for ring in range(count):
        here, there = ring * count, (ring + 1) % count * count
        for k in range(count):
            following = (k + 1) % count
            faces += [(here + k, there + k, here + following), (there + k, there + following, here + following)]
    return np.stack([x, y, z], axis=2).reshape(-1, 3), faces


def _cells(count: int, reach: float, gamma: float) -> np.ndarray:
    """The middles [rad] of cells from -reach to reach [deg]; gamma draws their edges to the middle."""
    edges = np.linspace(-1, 1, count + 1)
    edges = (1 - gamma) * edges + gamma * edges**5
    return np.radians(reach * (edges[1:] + edges[:-1]) / 2)


def _wedge(res_phi: float, res_theta: float, fov_phi: float, fov_theta: float, gamma: float) -> RawMesh:
    """Points of a sphere about -z, each with three normals: outward, and along the two angles. Triangles: of the hull."""
    phi = np.repeat(_cells(int(res_phi), fov_phi, gamma), int(res_theta))
    theta = np.tile(_cells(int(res_theta), fov_theta, gamma), int(res_phi))
    points = np.stack([np.sin(phi) * np.cos(theta), np.sin(theta), -np.cos(phi) * np.cos(theta)], axis=1)
    along_phi = np.stack([np.cos(phi), np.zeros_like(phi), np.sin(phi)], axis=1)
    along_theta = np.stack([-np.sin(theta) * np.sin(phi), np.cos(theta), np.sin(theta) * np.cos(phi)], axis=1)
    normals = np.stack([points, along_phi, along_theta], axis=1).reshape(-1, 3)
    return RawMesh(points.astype(np.float32), normals=normals.astype(np.float32), normals_each=3)


def _plate(res_x: float, res_y: float) -> RawMesh:
    """Points of a rectangle at z = -1, each with three normals: along the axes. It has no hull: it cannot collide."""
    nx, ny = int(res_x), int(res_y)
    x, y = ((np.arange(n) + 0.5) * 2 / n - 1 for n in (nx, ny))
    points = np.column_stack([np.repeat(x, ny), np.tile(y, nx), np.full(nx * ny, -1.0)])
    corner = (np.arange(nx - 1)[:, None] * ny + np.arange(ny - 1)).reshape(-1, 1)
    faces = np.hstack([corner, corner + ny, corner + 1, corner + ny + 1, corner + 1, corner + ny]).reshape(-1, 3)
    normals = np.tile(np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32), (nx * ny, 1))
    return RawMesh(points.astype(np.float32), faces.astype(np.int32), normals, normals_each=3)


_MAKERS: dict[str, Callable[..., Made]] = {
    "sphere": _sphere, "hemisphere": _hemisphere, "cone": _cone, "supersphere": _supersphere, "supertorus": _supertorus,
}  # fmt: skip
