"""Volume, centre and inertia of what triangles enclose, or of the triangles themselves.

Each triangle and a common apex make a pyramid; sums over the pyramids give volume, centre and products of inertia
(O'Rourke, Computational Geometry in C, section 1.3.8). The sums run in the triangles' order: nearly symmetric meshes get
the reference's axes only if the last bits of their products agree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.bodies.frames import Full
from tumble.physics.compiler.kernels import describe_triangles, sum_moments
from tumble.physics.compiler.pose import Vec, vec3
from tumble.physics.state.constants import mjMINVAL

EXACT, CONVEX, LEGACY, SHELL = "exact", "convex", "legacy", "shell"


_SMALL = 5e-8  # area [m^2] from which a triangle has an orientation that counts


class Enclosed(NamedTuple):
    """Volume [m^3], or area [m^2] of a shell; its centre; its inertia about that for one kilogram per m^3, or per m^2."""

    amount: float
    centre: Vec
    inertia: Full


def measure(vertices: np.ndarray, faces: np.ndarray, mode: str) -> Enclosed:
    """The solid that a mesh encloses. vertices: (nvert, 3) f8; faces: (nface, 3).

    mode: "exact": with the sign of each pyramid, "convex": the same of the faces of a convex hull, "legacy": without the
    sign, "shell": the surface. Raises MeshProblem if there is no area or no volume.
    """
    centres, normals, areas = triangles(vertices, faces)
    area = _total(areas)
    if area < mjMINVAL:
        raise MeshProblem(f"has an area of {area:g}, too little to be a mesh: see its scale")
    middle = _total(areas[:, None] * centres) / area
    if mode == SHELL:
        amount, centre = area, middle
    else:
        volumes = _volumes(centres - middle, normals, areas, mode)
        amount = _total(volumes)
        if amount < 0 and mode != LEGACY and -amount >= mjMINVAL:
            raise MeshProblem(f'has the volume {amount:g}: its triangles are the wrong way round; inertia="legacy" takes them so')
        if amount < mjMINVAL:
            raise MeshProblem(f'has the volume {amount:g}, too little to be solid; inertia="shell" gives its surface mass')
        centre = _total(volumes[:, None] * (centres * 3 / 4 + middle / 4)) / amount
    total, inertia = _second_moments(vertices - centre, faces, mode)
    return Enclosed(total, vec3(centre), inertia)


def enclosed_volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Volume [m^3] that closed triangles enclose, negative where they face inward. vertices: (nvert, 3); faces: (nface, 3)."""
    centres, normals, areas = triangles(vertices, faces)
    return float(_total(_volumes(centres - vertices.mean(axis=0), normals, areas, EXACT)))


def _total(terms: np.ndarray) -> np.ndarray:
    """Sum over rows, one after the other; NumPy's own sum adds pairwise."""
    return np.add.accumulate(terms, axis=0)[-1]


def triangles(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centres (nface, 3), unit normals (nface, 3), z where there is no area, and areas (nface,), of valid faces."""
    vertices, faces = np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(faces, np.int32)
    centres, normals, areas = np.empty((len(faces), 3)), np.empty((len(faces), 3)), np.empty(len(faces))
    describe_triangles.run(vertices, len(vertices), faces, len(faces), centres, normals, areas)
    return centres, normals, areas


def cross_rows(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Cross products of rows."""
    return np.stack([u[:, i] * v[:, j] - u[:, j] * v[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)


def dot_rows(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Inner products of rows."""
    return u[:, 0] * v[:, 0] + u[:, 1] * v[:, 1] + u[:, 2] * v[:, 2]


def unit_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows scaled to length 1, those without direction to the z axis; and their lengths."""
    lengths = np.sqrt(dot_rows(rows, rows))
    short = lengths < mjMINVAL
    scaled = rows * (1 / np.where(short, 1.0, lengths))[:, None]
    scaled[short] = (0.0, 0.0, 1.0)
    return scaled, lengths


def _volumes(centres: np.ndarray, normals: np.ndarray, areas: np.ndarray, mode: str) -> np.ndarray:
    """Volumes of the pyramids whose apex is the origin."""
    volumes = dot_rows(centres, normals) * areas / 3
    return np.abs(volumes) if mode == LEGACY else volumes


def _second_moments(vertices: np.ndarray, faces: np.ndarray, mode: str) -> tuple[float, Full]:
    """Volume (area of a shell), and inertia about the origin.

    Of pyramids without signs also the volume depends on the apex: the one that counts belongs to this inertia.
    """
    centres, normals, areas = triangles(vertices, faces)
    amounts = areas if mode == SHELL else _volumes(centres, normals, areas, mode)
    weights = amounts / (12 if mode == SHELL else 20)
    sums, corners = np.empty(6), np.ascontiguousarray(faces, np.int32)
    sum_moments.run(np.ascontiguousarray(vertices), len(vertices), corners, len(corners), weights, sums)
    xx, yy, zz, xy, xz, yz = sums.tolist()
    return float(_total(amounts)), (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)


def check_orientation(vertices: np.ndarray, faces: np.ndarray) -> None:
    """Raise MeshProblem if two triangles go along an edge in the same direction; tiny ones do not count."""
    _, _, areas = triangles(vertices, faces)
    solid = faces[areas >= _SMALL]
    edges = np.concatenate([solid[:, [0, 1]], solid[:, [1, 2]], solid[:, [2, 0]]]).astype(np.int64)
    keys = np.sort(edges[:, 0] * len(vertices) + edges[:, 1])
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        start, end = divmod(int(keys[twice[0]]), len(vertices))
        raise MeshProblem(f'has faces of inconsistent orientation: two go from vertex {start} to vertex {end}; inertia="exact" '
                          'needs outward faces, inertia="convex" does not')  # fmt: skip
