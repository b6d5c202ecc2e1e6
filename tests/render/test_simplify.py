"""Simpler versions of meshes look like the mesh, whatever it is made of, and none is farther off than it says."""

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from tumble.physics import MjModel
from tumble.render.mesh import model_meshes as meshes
from tumble.render.mesh.primitives import TriangleMesh, flat_mesh, pack, sphere, strip
from tumble.render.mesh.simplify import FARTHEST, MeasuredSurface, diagonal, levels

Floats = NDArray[np.float64]


def grid(place: Callable[[Floats, Floats], Any], rows: int = 25, columns: int = 25) -> TriangleMesh:
    """A patch of place(u, v), with u and v from 0 to 1."""
    u, v = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    x, y, z = np.broadcast_arrays(*place(u, v))
    return split(np.stack([x, y, z], axis=2).reshape(-1, 3), strip(rows, columns))


def split(points: Floats, faces: NDArray[Any]) -> TriangleMesh:
    """A mesh whose triangles share no vertex, with flat normals, as files of triangles have it."""
    return flat_mesh(points[faces])


def joined(*parts: TriangleMesh) -> TriangleMesh:
    start = np.cumsum([0, *(len(part.vertices) for part in parts)])
    indices = np.concatenate([part.indices + first for part, first in zip(parts, start, strict=False)])
    return TriangleMesh(np.concatenate([part.vertices for part in parts]), indices.astype(np.uint32))


def moved(mesh: TriangleMesh, offset: Any, scale: float = 1.0) -> TriangleMesh:
    vertices = mesh.vertices.copy()
    vertices[:, :3] = scale * vertices[:, :3] + np.asarray(offset, np.float32)
    return TriangleMesh(vertices, mesh.indices)


def turned(mesh: TriangleMesh) -> TriangleMesh:
    """Seen from its other side."""
    vertices = mesh.vertices.copy()
    vertices[:, 4:7] *= -1
    return TriangleMesh(vertices, mesh.indices[:, ::-1])


BALL = TriangleMesh(sphere(40, 30).vertices.round(6) + np.float32(0), sphere(40, 30).indices)  # sin(2 pi) is 0
WAVE = grid(lambda u, v: (u, v, 0.1 * np.sin(6 * u) * np.cos(5 * v)))


def soup() -> TriangleMesh:
    """Patches that touch nothing: a tube of staves."""
    stave = [(0.13 * k, 0.13 * k + 0.11) for k in range(24)]
    return joined(
        *(grid(lambda u, v, a=a, b=b: (np.cos(a + u * (b - a)), np.sin(a + u * (b - a)), 3 * v), 4, 12) for a, b in stave)
    )


def plate() -> TriangleMesh:
    """Two sides half a millimetre apart, a metre wide."""
    side = grid(lambda u, v: (u, v, 0.0))
    return joined(side, turned(moved(side, (0, 0, -5e-4))))


def shell() -> TriangleMesh:
    """A dome a thousandth thick, open below."""
    dome = grid(lambda u, v: (np.sin(u + 0.1) * np.cos(6 * v), np.sin(u + 0.1) * np.sin(6 * v), np.cos(u + 0.1)), 16, 40)
    return joined(dome, turned(moved(dome, 0.0, 0.999)))


def bolts() -> TriangleMesh:
    """A wave with 12 small balls over it, held by nothing: each is two hundredths of the whole."""
    rng = np.random.default_rng(0)
    return joined(WAVE, *(moved(sphere(10, 8), (*rng.uniform(0, 1, 2), 0.4), 0.03) for _ in range(12)))


SHAPES: dict[str, Callable[[], TriangleMesh]] = {
    "ball": lambda: BALL, "open": lambda: WAVE, "soup": soup, "plate": plate, "shell": shell, "bolts": bolts,
}  # fmt: skip


def dense(mesh: TriangleMesh, spacing: float) -> Floats:
    """Points of a mesh, none of whose places is farther than `spacing` from one: by cutting triangles in halves."""
    corners = mesh.vertices[:, :3].astype(float)[mesh.indices.astype(int)]
    points = [corners.reshape(-1, 3)]
    while len(corners):
        side = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        corners, side = corners[side.max(axis=1) > spacing], side[side.max(axis=1) > spacing]
        longest = side.argmax(axis=1)
        row = np.arange(len(corners))
        a, b, c = (corners[row, (longest + k) % 3] for k in range(3))
        middle = 0.5 * (a + b)
        points.append(middle)
        corners = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    return np.unique(np.concatenate(points).round(9), axis=0)


def assert_alike(mesh: TriangleMesh) -> list[TriangleMesh]:
    """The mesh's levels, each of which is as near as it says, in both directions."""
    simplified, size = levels(mesh), diagonal(mesh.vertices[:, :3].astype(float))
    spacing = 0.008 * size
    original = dense(mesh, spacing)
    tree = cKDTree(original)
    for level in simplified:
        simple = dense(level.mesh, spacing)
        apart = max(tree.query(simple)[0].max(), cKDTree(simple).query(original)[0].max())
        assert level.error <= FARTHEST * size
        assert apart <= level.error + spacing
    counts = [len(mesh.indices), *(len(level.mesh.indices) for level in simplified)]
    assert all(fewer <= 0.75 * more for more, fewer in itertools.pairwise(counts))
    assert [level.error for level in simplified] == sorted(level.error for level in simplified)
    return [level.mesh for level in simplified]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_level_is_farther_from_its_mesh_than_it_says(shape: str) -> None:
    mesh = SHAPES[shape]()
    simplified = assert_alike(mesh)
    assert simplified
    assert len(simplified[-1].indices) < 0.5 * len(mesh.indices)


def test_surface_distance_is_the_maximum_of_both_directions() -> None:
    def surface(mesh: TriangleMesh) -> MeasuredSurface:
        return MeasuredSurface(mesh.vertices[:, :3].astype(float), mesh.indices.astype(int), 1.0)

    wave = surface(WAVE)
    assert wave.apart(surface(WAVE)) == pytest.approx(0.0, abs=1e-7)
    assert wave.apart(surface(moved(WAVE, (0, 0, 1.0)))) == pytest.approx(1.0, abs=0.01)
    # A bolt that is gone, and a spike that was not there, count as much as one another.
    bolt = moved(sphere(8, 6), (0.5, 0.5, 2.0), 0.01)
    for first, second in ((WAVE, joined(WAVE, bolt)), (joined(WAVE, bolt), WAVE)):
        assert surface(first).apart(surface(second)) == pytest.approx(2.01, abs=0.11)
    nothing = surface(TriangleMesh(WAVE.vertices, WAVE.indices[:0]))
    assert wave.apart(nothing) == nothing.apart(wave) == np.inf


def test_a_long_thin_triangle_is_as_near_as_it_is() -> None:
    """Of a fan, the nearest triangles by their corners are all others."""
    angle = np.linspace(0, np.pi, 400)
    fan = np.concatenate([[[0, 0, 0]], np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)])
    faces = np.stack([np.zeros(399, int), np.arange(1, 400), np.arange(2, 401)], axis=1)
    square = np.array([[-1.0, 0, 0], [1, 0, 0], [1, 1, 0], [-1, 1, 0]])
    disc, surface = MeasuredSurface(fan, faces, 1.0), MeasuredSurface(square, np.array([[0, 1, 2], [0, 2, 3]]), 1.0)
    assert disc.apart(surface) == pytest.approx(np.sqrt(2) - 1, abs=1e-4)  # at the square's corners


def corners_and_faces(mesh: TriangleMesh) -> tuple[Floats, Floats]:
    """(n, 3, 3) normals of corners, and (n, 1, 3) those of their faces."""
    corners = mesh.vertices[mesh.indices.astype(int)].astype(float)
    across = np.cross(corners[:, 1, :3] - corners[:, 0, :3], corners[:, 2, :3] - corners[:, 0, :3])
    return corners[..., 4:7], (across / np.linalg.norm(across, axis=1, keepdims=True))[:, None]


def test_simplified_levels_keep_smooth_and_sharp_normals() -> None:
    """Its places are the mesh's own."""
    for mesh in (BALL, plate()):
        places = {row.tobytes() for row in np.ascontiguousarray(mesh.vertices[:, :3])}
        for level in levels(mesh):
            assert all(row.tobytes() in places for row in np.ascontiguousarray(level.mesh.vertices[:, :3]))
    for level in levels(BALL):
        assert np.einsum("nk,nk->n", level.mesh.vertices[:, 4:7], level.mesh.vertices[:, :3]).min() > np.cos(np.radians(8))
    staircase = grid(lambda u, v: (u, v, 0.2 * np.abs((4 * u) % 2 - 1)), 25, 25)  # folds of 77 degrees, and flat between them
    for level in levels(staircase):
        normal, face = corners_and_faces(level.mesh)
        np.testing.assert_allclose(normal, np.broadcast_to(face, normal.shape), atol=1e-4)


def test_a_flattened_ripple_shows_no_streaks_of_light() -> None:
    """A level that lost the ripples has lost their normals too."""
    u, v = np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60), indexing="ij")
    place = np.stack([u, v, 0.004 * np.sin(60 * u + 20 * v)], axis=2).reshape(-1, 3)
    slope = 0.004 * np.cos(60 * u + 20 * v).ravel()
    normal = np.stack([60 * slope, 20 * slope, -np.ones(slope.shape)], axis=1)
    mesh = TriangleMesh(pack(place, normal / np.linalg.norm(normal, axis=1, keepdims=True)), strip(60, 60))
    simplest = levels(mesh)[-1].mesh.vertices
    assert np.degrees(np.arccos(np.clip(-simplest[:, 6], -1, 1))).mean() < 2.0


def test_no_part_vanishes_however_close_it_is_to_another() -> None:
    """Balls of 5 mm that float 2 mm over a plate of a metre: their distance from it is less than what a level may be off."""
    wave = grid(lambda u, v: (u, v, 0.02 * np.sin(6 * u)), 40, 40)
    balls = [moved(sphere(10, 8), (0.1 + 0.2 * k, 0.5, 0.02 * np.sin(0.6 + 1.2 * k) + 0.007), 0.005) for k in range(5)]
    simplified = assert_alike(joined(wave, *balls))
    assert len(simplified[-1].indices) < 0.5 * len(wave.indices)
    for mesh in simplified:
        corners = mesh.vertices[:, :3].astype(float)[mesh.indices.astype(int)]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
        for ball in balls:
            centre = ball.vertices[:, :3].mean(axis=0)
            assert area[np.linalg.norm(corners.mean(axis=1) - centre, axis=1) < 0.0051].sum() > 0.4 * 0.9 * 4 * np.pi * 0.005**2


def test_texture_coordinates_stay_with_their_places() -> None:
    """A cylinder's texture begins where it ends: no triangle of a level reaches across."""
    u, v = np.meshgrid(np.linspace(0, 1, 49), np.linspace(0, 1, 17), indexing="ij")
    place = np.stack([np.cos(2 * np.pi * u), np.sin(2 * np.pi * u), 2 * v], axis=2).reshape(-1, 3).round(6)
    mesh = TriangleMesh(pack(place, place * (1, 1, 0), 0.0, np.stack([u, v], axis=2).reshape(-1, 2)), strip(49, 17))
    simplified = assert_alike(mesh)
    assert simplified
    for level in simplified:
        corners = level.vertices[level.indices.astype(int)]
        assert np.ptp(corners[:, :, 7], axis=1).max() < 0.5
        np.testing.assert_allclose(corners[..., 0], np.cos(2 * np.pi * corners[..., 7]), atol=1e-5)


@pytest.mark.fuzz
def test_levels_of_published_robots_are_alike() -> None:
    folders = [Path(folder) for folder in os.environ.get("FUZZ_CORPORA", "").split()]
    files = [path for folder in folders for path in sorted(folder.rglob("scene.xml"))][:40]
    if not files:
        pytest.skip("no folder of robots in FUZZ_CORPORA")
    for path in files:
        model = MjModel.from_xml_path(str(path))
        for index in range(model.nmesh):
            mesh = meshes.model_mesh(model, index)
            if 600 <= len(mesh.indices) < 20_000:
                assert_alike(mesh)
