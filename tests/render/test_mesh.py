"""Meshes: closed, facing outward, of the right volume; normals of unit length."""

import math
from typing import Any

import numpy as np
import pytest

from tumble.render.constants import MeshId
from tumble.render.mesh import model_meshes as meshes
from tumble.render.mesh.primitives import TriangleMesh, primitives

FINE = primitives(96, 64)
VOLUMES = {
    MeshId.SPHERE: 4 / 3 * math.pi,
    MeshId.CAPSULE: 4 / 3 * math.pi + 2 * math.pi,
    MeshId.CYLINDER: 2 * math.pi,
    MeshId.BOX: 8.0,
    MeshId.CONE: math.pi / 3,
}


def corners(triangles: TriangleMesh, stretch: float = 1.0) -> np.ndarray:
    """(n, 3, 3) corners; caps pushed apart by `stretch`, as the shader does."""
    position = triangles.vertices[:, :3].astype(float)
    position[:, 2] += stretch * triangles.vertices[:, 3]
    return position[triangles.indices.astype(int)]


def volume(triangles: np.ndarray) -> float:
    return float(np.einsum("ij,ij->", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])) / 6)


@pytest.mark.parametrize("kind", VOLUMES)
def test_volume_is_the_solids_and_positive_so_faces_look_outward(kind: MeshId) -> None:
    # 96 slices lose 1 - sinc(2 pi / 96), less than 0.1 %, of a round solid's area.
    assert volume(corners(FINE[kind])) == pytest.approx(VOLUMES[kind], rel=3e-3)


@pytest.mark.parametrize("kind", VOLUMES)
@pytest.mark.parametrize("level", [0, int(MeshId.COARSE)])
def test_surface_is_closed(kind: MeshId, level: int) -> None:
    """The area vectors of a closed surface add up to nothing."""
    if kind == MeshId.BOX:
        level = 0
    faces = corners(primitives(28, 16)[level + kind])
    area = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    np.testing.assert_allclose(area.sum(axis=0), 0, atol=1e-5)


@pytest.mark.parametrize("kind", FINE)
def test_normals_are_unit_and_on_the_faces_side(kind: int) -> None:
    triangles = FINE[kind]
    normal = triangles.vertices[:, 4:7]
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-6)
    faces = corners(triangles)
    area = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    mean = normal[triangles.indices.astype(int)].sum(axis=1)
    real = np.linalg.norm(area, axis=1) > 1e-9
    assert np.all(np.einsum("ij,ij->i", area, mean)[real] > 0)


def test_capsule_keeps_round_caps_at_any_length() -> None:
    capsule = FINE[MeshId.CAPSULE]
    for half in (0.0, 0.3, 5.0):
        points = corners(capsule, half).reshape(-1, 3)
        beyond = np.maximum(np.abs(points[:, 2]) - half, 0)
        np.testing.assert_allclose(np.hypot(np.hypot(points[:, 0], points[:, 1]), beyond), 1, atol=1e-5)


MESH = """
<asset><mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
<hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.25" elevation="0 0 0 0  0 1 1 0  0 0 0 0"/></asset>
<worldbody><geom type="mesh" mesh="tetra"/><geom type="hfield" hfield="h"/></worldbody>"""


def test_model_mesh_is_the_models_solid(load: Any) -> None:
    model, _ = load(MESH)
    assert volume(corners(meshes.model_mesh(model, 0))) == pytest.approx(1 / 6, rel=1e-5)


def test_hfield_has_its_heights_and_walls(load: Any) -> None:
    model, _ = load(MESH)
    grid = meshes.hfield_grid(model, 0)
    assert grid.shape == (3, 4, 3)
    np.testing.assert_allclose(grid[1, 1], (-2 / 3, 0.0, 0.5))
    points = corners(meshes.hfield(model, 0)).reshape(-1, 3)
    np.testing.assert_allclose(points.min(axis=0), (-2, -1, -0.25))
    np.testing.assert_allclose(points.max(axis=0), (2, 1, 0.5))
