"""Octrees of meshes: the tree and the distances of the reference, which are those to the triangles; a field without steps."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.compiler.parity import both
from tumble.physics.compiler.assets.mesh.solid import enclosed_volume
from tumble.physics.compiler.assets.sdf.isosurface import isosurface
from tumble.physics.compiler.assets.sdf.mesh_distance import signed_distances
from tumble.physics.compiler.bvh import mesh_tree
from tumble.physics.errors import ModelError
from tumble.physics.model import MjModel
from tumble.physics.state.export.saved import packed, unpacked

BOX = 'vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"'
SPIKE = 'vertex="0 0 0 3 .1 .2 .3 2 .1 .2 .7 1.7"'
NEEDLE = 'vertex="-1 -1 -.01 1 -1 -.01 -1 -.95 -.01 1 -.95 -.01 -1 -1 .01 1 -1 .01 -1 1 3 -1 1 3.2"'


def scene(mesh: str, geom: str = 'type="sdf"') -> str:
    return f'<mujoco><asset><mesh name="m" {mesh}/></asset><worldbody><geom {geom} mesh="m"/></worldbody></mujoco>'


def field(m: MjModel) -> tuple[np.ndarray, np.ndarray]:
    """The vertices and triangles of the first mesh."""
    return m.mesh_vert[: m.mesh_vertnum[0]].astype(float), m.mesh_face[: m.mesh_facenum[0]]


@pytest.mark.parametrize("mesh", [BOX, SPIKE, NEEDLE, 'builtin="supertorus" params="20 .3 1 1" scale="1 .6 .01"'])
def test_the_octree_is_the_reference_s(mesh):
    ours, theirs = both(scene(mesh))
    assert ours.noct == theirs.noct > 10_000
    assert (ours.mesh_octadr.tolist(), ours.mesh_octnum.tolist()) == (theirs.mesh_octadr.tolist(), theirs.mesh_octnum.tolist())
    assert (ours.oct_depth == theirs.oct_depth).all()
    assert (ours.oct_child == theirs.oct_child).all()
    # vertices are kept with 24 bits, and the reference builds the tree of what it had before that
    assert_allclose(ours.oct_aabb, theirs.oct_aabb, atol=1e-9)
    assert_allclose(ours.oct_coeff, theirs.oct_coeff, atol=1e-9)


def test_trees_of_several_meshes_follow_each_other():
    xml = f"""<mujoco><asset><mesh name="a" {SPIKE}/><mesh name="n" {SPIKE}/><mesh name="b" {BOX}/></asset>
<worldbody><geom type="sdf" mesh="b"/><geom type="mesh" mesh="n"/><geom type="sdf" mesh="a" contype="0" conaffinity="0"/>
</worldbody></mujoco>"""
    ours, theirs = both(xml)
    for name in ("mesh_octadr", "mesh_octnum", "oct_child", "oct_depth"):
        assert (getattr(ours, name) == getattr(theirs, name)).all(), name


def test_a_mesh_without_a_geom_of_type_sdf_has_no_octree():
    m = MjModel.from_xml_string(scene(BOX, 'type="mesh"'))
    assert (m.noct, m.mesh_octadr[0], m.mesh_octnum[0]) == (0, -1, 0)


@pytest.mark.parametrize(("name", "value"), [("oct_child", 0), ("mesh_octnum", 9), ("mesh_octadr", -2), ("geom_plugin", 0)])
def test_a_saved_octree_that_leads_elsewhere_is_refused(name, value):
    m = MjModel.from_xml_string(scene(SPIKE))
    m._arrays[name].reshape(-1)[0 if name == "oct_child" else -1] = value
    with pytest.raises(ModelError, match=r"damaged: .*lead"):
        unpacked(packed(m), MjModel, "x.tumble-model")


def test_duplicate_seam_vertices_keep_the_distance_sign():
    m = MjModel.from_xml_string(scene(SPIKE, 'type="mesh"'))
    vert, face = field(m)
    apart, own = vert[face].reshape(-1, 3), np.arange(3 * len(face)).reshape(-1, 3)
    points = np.random.default_rng(1).uniform(-2, 3, (2000, 3))
    expected = signed_distances(points, vert, face, mesh_tree(vert, face))
    assert_allclose(signed_distances(points, apart, own, mesh_tree(apart, own)), expected, atol=1e-12)
    assert 0 < np.count_nonzero(expected < 0) < len(points)


def directed_edges(faces: np.ndarray) -> Counter[tuple[int, int]]:
    return Counter((int(f[i]), int(f[i - 2])) for f in faces for i in range(3))


def test_the_surface_of_any_signs_is_closed():
    values = np.pad(np.random.default_rng(0).standard_normal((9, 8, 7)), 1, constant_values=1.0)  # all 256 cubes, nearly
    _, faces = isosurface(values)
    edges = directed_edges(faces)
    assert len(faces) > 1000
    # where two sheets touch the same vertices an edge may serve both: what leaves comes back
    assert all(edges[b, a] == count for (a, b), count in edges.items())


def test_isosurface_of_one_cell_encloses_positive_volume():
    for negative in range(1, 255):
        values = np.where([negative >> k & 1 for k in range(8)], -1.0, 1.0).reshape(2, 2, 2)
        vertices, faces = isosurface(np.pad(values, 1, constant_values=1.0))
        assert enclosed_volume(vertices.astype(float), faces) > 0
