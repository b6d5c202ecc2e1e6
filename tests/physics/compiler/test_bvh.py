"""Bounding volume hierarchies: valid trees, and those of the reference."""

from __future__ import annotations

import mujoco
import numpy as np

from tumble.physics.compiler.bvh import Tree, mesh_tree, tree


def random_triangles(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Small triangles in a flat box: vertices and faces."""
    rng = np.random.default_rng(5)
    corners = rng.uniform(-1, 1, (number, 1, 3)) * (3, 2, 1) + rng.uniform(-0.3, 0.3, (number, 3, 3))
    return corners.reshape(-1, 3).astype(np.float32), np.arange(3 * number, dtype=np.int32).reshape(-1, 3)


def leaves(found: Tree, node: int = 0) -> list[int]:
    """What is in the leaves below a node, checked on the way: boxes hold boxes, first children come next."""
    first, second = found.child[node]
    if first < 0:
        assert second < 0
        assert found.nodeid[node] >= 0
        return [int(found.nodeid[node])]
    assert first == node + 1
    assert found.nodeid[node] == -1
    for child in (first, second):
        assert found.depth[child] == found.depth[node] + 1
        gap = np.abs(found.aabb[child, :3] - found.aabb[node, :3]) + found.aabb[child, 3:] - found.aabb[node, 3:]
        assert gap.max() < 1e-12
    return leaves(found, first) + leaves(found, second)


def test_every_triangle_is_in_one_leaf_and_every_box_in_the_one_above() -> None:
    for number in (1, 2, 3, 37, 64):
        found = mesh_tree(*random_triangles(number))
        assert len(found.depth) == 2 * number - 1
        assert sorted(leaves(found)) == list(range(number))
        assert found.depth.max() == np.ceil(np.log2(number)) if number > 1 else found.depth.max() == 0


def test_boxes_alike_make_a_tree_of_no_more_depth() -> None:
    same = np.zeros((1000, 3))
    assert tree(same, same).depth.max() == 10


def test_the_tree_of_a_mesh_is_that_of_the_reference() -> None:
    vert, face = random_triangles(200)
    spec = mujoco.MjSpec()
    spec.add_mesh(name="m", uservert=vert.ravel(), userface=face.ravel(), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", contype=0, conaffinity=0)
    theirs = spec.compile()
    ours = mesh_tree(theirs.mesh_vert, theirs.mesh_face)
    nodes = slice(theirs.mesh_bvhadr[0], theirs.mesh_bvhadr[0] + theirs.mesh_bvhnum[0])
    for name in ("depth", "child", "nodeid"):
        assert (getattr(ours, name) == getattr(theirs, f"bvh_{name}")[nodes]).all(), name
    # the reference makes boxes before it rounds vertices to 32 bits
    np.testing.assert_allclose(ours.aabb, theirs.bvh_aabb[nodes], atol=1e-6)
