"""Rays at one geom, one shape or some triangles: where they meet them, by geometry and as the reference says."""

import mujoco
import numpy as np
import pytest

from tumble import physics
from tumble.physics.errors import ModelError, PhysicsError, ShapeError

RANDOM = np.random.default_rng(3)
SCENE = """
<mujoco>
  <asset>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="4" ncol="5" size="1 1 0.5 0.2" elevation="0 1 2 1 0  1 2 3 2 1  0 2 1 1 0  0 0 1 0 0"/>
  </asset>
  <worldbody>
    <geom name="hills" type="hfield" hfield="hills" pos="0 0 -2" euler="5 3 0"/>
    <body pos="0.2 0 0.5" euler="30 20 10"><freejoint/><geom name="tetra" type="mesh" mesh="tetra" rgba="1 1 1 0"/></body>
  </worldbody>
</mujoco>
"""
SHAPES = (0, 2, 3, 4, 5, 6)  # plane, sphere, capsule, ellipsoid, cylinder, box


@pytest.fixture(scope="module")
def both():
    pairs = []
    for module in (physics, mujoco):
        m = module.MjModel.from_xml_string(SCENE)
        d = module.MjData(m)
        module.mj_forward(m, d)
        pairs.append((module, m, d))
    return pairs


@pytest.mark.parametrize(("geom", "name"), [(0, "mj_rayHfield"), (1, "mj_rayMesh")])
def test_a_ray_at_one_geom_meets_it_where_the_references_does(both, geom, name):
    met = 0
    for _ in range(200):
        start = RANDOM.uniform(-2, 2, 3)
        vec = both[1][2].geom_xpos[geom] + RANDOM.uniform(-0.7, 0.7, 3) - start
        normals = [np.full(3, np.nan), np.full(3, np.nan)]
        found = [getattr(module, name)(m, d, geom, start, vec, n) for (module, m, d), n in zip(both, normals, strict=True)]
        assert found[0] == pytest.approx(found[1], rel=1e-7, abs=1e-9)  # vertices have 32 bits
        np.testing.assert_allclose(*normals, atol=1e-6)
        assert found[0] == getattr(physics, name)(both[0][1], both[0][2], geom, start, vec)
        met += found[0] >= 0
    assert 20 < met < 200


def test_a_ray_at_a_geom_of_another_type_is_refused(both):
    _, m, d = both[0]
    with pytest.raises(ModelError, match="geom 0 should be of type mesh; it is of type hfield"):
        physics.mj_rayMesh(m, d, 0, np.zeros(3), np.ones(3))
    with pytest.raises(ModelError, match="geom 7 does not exist"):
        physics.mj_rayHfield(m, d, 7, np.zeros(3), np.ones(3))
    with pytest.raises(PhysicsError, match="no length"):
        physics.mj_rayHfield(m, d, 0, np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("kind", SHAPES)
def test_a_ray_at_a_shape_meets_it_where_the_references_does(kind):
    for _ in range(100):
        quat, mat, size = RANDOM.normal(size=4), np.empty(9), RANDOM.uniform(0.3, 1, 3)
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
        pos, start, vec = RANDOM.normal(size=3), 2 * RANDOM.normal(size=3), RANDOM.normal(size=3)
        normals = [np.full(3, np.nan), np.full(3, np.nan)]
        ray = (pos, mat, size, start, vec, kind)
        found = [physics.mju_rayGeom(*ray, normals[0]), mujoco.mju_rayGeom(*ray, normals[1])]
        assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(*normals, atol=1e-9)


def test_a_ray_at_an_unknown_shape_is_refused():
    with pytest.raises(ModelError, match="geomtype 7"):
        physics.mju_rayGeom(np.zeros(3), np.eye(3).ravel(), np.ones(3), np.zeros(3), np.ones(3), 7)


def test_a_ray_at_triangles_finds_the_nearest_and_its_nearest_vertex():
    vert = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1.0]])
    face, vertex = np.array([[0, 1, 2], [3, 4, 5]], np.int32), np.zeros(1, np.int32)
    assert physics.mju_raySkin(2, 6, face, vert, [0.7, 0.1, 3], [0, 0, -2], vertex) == pytest.approx(1.0)
    assert vertex[0] == 4
    assert physics.mju_raySkin(2, 6, face.ravel(), vert.ravel(), [0.1, 0.7, -1], [0, 0, 1], vertex) == pytest.approx(1.0)
    assert vertex[0] == 2
    assert physics.mju_raySkin(2, 6, face, vert, [2, 2, 3], [0, 0, -1], vertex) == -1
    assert vertex[0] == -1
    with pytest.raises(ModelError, match="vertices from 0 to 5"):
        physics.mju_raySkin(1, 6, [0, 1, 6], vert, [0, 0, 3], [0, 0, -1], None)
    with pytest.raises(ShapeError, match="vert"):
        physics.mju_raySkin(1, 5, [0, 1, 2], vert, [0, 0, 3], [0, 0, -1], None)
