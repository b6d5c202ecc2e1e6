"""Hulls of meshes, their graphs and polygons: convex, closed, and those of the reference."""

import mujoco
import numpy as np
import pytest

from tumble.physics.compiler.assets.mesh.hull import Hull, HullError, convex_hull
from tumble.physics.compiler.assets.mesh.polygons import Polygons, parallel_groups, polygons
from tumble.physics.compiler.bvh import mesh_tree, tree


def ball(number: int) -> np.ndarray:
    """Points on and in the unit ball."""
    rng = np.random.default_rng(number)
    points = rng.normal(size=(number, 3))
    return (points / np.linalg.norm(points, axis=1)[:, None] * rng.choice((0.5, 1), (number, 1))).astype(np.float32)


def prism(corners: int) -> np.ndarray:
    """A prism with so many sides, and points in the middle of its ends."""
    angle = 2 * np.pi * np.arange(corners) / corners
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rows = [np.column_stack([ring, np.full(corners, z)]) for z in (-0.5, 1)] + [np.array([[0, 0, -0.5], [0, 0, 1]])]
    return np.concatenate(rows).astype(np.float32)


def reference(vert: np.ndarray, most: int = -1) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.add_mesh(name="m", uservert=vert.ravel(), maxhullvert=most, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m")
    return spec.compile()


def neighbour_sets(hull: Hull) -> dict[int, set[int]]:
    """The neighbours of each vertex, by their numbers in the mesh."""
    adr, edges = hull.neighbours
    neighbours = {}
    for vertex, first in zip(hull.vertices, adr, strict=True):
        end = first + int(np.argmax(edges[first:] < 0))
        neighbours[int(vertex)] = {int(hull.vertices[k]) for k in edges[first:end]}
    return neighbours


def corner_lists(found: Polygons) -> list[list[int]]:
    return [found.vert[a : a + n].tolist() for a, n in zip(found.vertadr, found.vertnum, strict=True)]


@pytest.mark.parametrize("vert", [ball(60), prism(7), prism(4)], ids=["ball", "prism", "box"])
def test_a_hull_is_closed_convex_and_seen_from_outside(vert: np.ndarray) -> None:
    hull = convex_hull(vert)
    edges = {(int(f[k]), int(f[k - 2])) for f in hull.faces for k in range(3)}
    assert len(edges) == 3 * len(hull.faces)
    assert {(q, p) for p, q in edges} == edges  # every edge is passed once in each direction
    assert len(hull.vertices) - len(edges) // 2 + len(hull.faces) == 2  # Euler
    a, b, c = (vert[hull.faces[:, k]].astype(float) for k in range(3))
    height = np.einsum("fi,fvi->fv", np.cross(b - a, c - a), vert[None] - a[:, None])
    assert height.max() < 1e-6  # nothing is above a face, but for rounding
    sets = neighbour_sets(hull)
    assert {(p, q) for p in sets for q in sets[p]} == edges


@pytest.mark.parametrize("vert", [ball(60), prism(7)], ids=["ball", "prism"])
def test_graphs_and_polygons_are_those_of_the_reference(vert: np.ndarray) -> None:
    hull, theirs = convex_hull(vert), reference(vert)
    np.testing.assert_array_equal(hull.graph(), theirs.mesh_graph)
    actual = polygons(vert, hull.faces)
    for name in ("vertadr", "vertnum", "vert", "mapadr", "mapnum", "map"):
        np.testing.assert_array_equal(getattr(actual, name), getattr(theirs, f"mesh_poly{name}"), name)
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, theirs.mesh_quat[0])
    np.testing.assert_allclose(actual.normal @ turn.reshape(3, 3), theirs.mesh_polynormal, atol=1e-7)


@pytest.mark.parametrize("most", [4, 5, 10, 30, 100])
def test_a_hull_of_few_vertices_is_that_of_the_reference(most: int) -> None:
    vert = ball(60)
    hull, graph = convex_hull(vert, most), reference(vert, most).mesh_graph
    number, faces = int(graph[0]), graph[-3 * len(hull.faces) :].reshape(-1, 3)
    assert len(hull.vertices) == number <= most
    assert {frozenset(f) for f in faces.tolist()} == {frozenset(f) for f in hull.faces.tolist()}


@pytest.mark.parametrize(("vert", "says"), [
    (ball(3), "at least 4 vertices"), (ball(20) * (1, 1, 0), "in a plane"), (ball(20) * (1, 0, 0), "plane or on a line"),
    (np.full((10, 3), 0.5), "no hull of volume"), (ball(20) * np.nan, "not finite"), (ball(20) + np.inf, "not finite"),
])  # fmt: skip
def test_points_without_a_hull_are_told(vert: np.ndarray, says: str) -> None:
    with pytest.raises(HullError, match=says):
        convex_hull(vert)


def test_coplanar_hull_faces_merge_with_outward_normals() -> None:
    vert = prism(6)
    actual = polygons(vert, convex_hull(vert).faces)
    assert sorted(actual.vertnum) == [4] * 6 + [6] * 2
    centres = np.array([vert[corners].mean(axis=0) for corners in corner_lists(actual)])
    assert (np.einsum("pi,pi->p", actual.normal, centres - vert.mean(axis=0)) > 0).all()
    assert actual.mapnum.tolist() == [3] * 12 + [0, 0]  # three meet in each corner, none in the middle of an end


def test_polygons_of_a_mirrored_mesh_point_outwards() -> None:
    vert = prism(5)
    placed = vert * np.array((-1, 2, 1))
    actual = polygons(vert, convex_hull(vert).faces, placed, mirrored=True)
    centres = np.array([placed[corners].mean(axis=0) for corners in corner_lists(actual)])
    assert (np.einsum("pi,pi->p", actual.normal, centres - placed.mean(axis=0)) > 0).all()


def test_a_polygon_that_meets_itself_in_a_corner_is_two() -> None:
    vert = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [-1, 0, 0], [-1, -1, 0]], float)
    actual = polygons(vert, np.array([[0, 1, 2], [0, 3, 4]], np.int32))
    assert sorted(map(sorted, corner_lists(actual))) == [[0, 1, 2], [0, 3, 4]]


def test_normals_less_than_a_thousandth_apart_count_as_one() -> None:
    angles = np.array([0.0, 0.0015, -0.0017, 1.0, 2.0, 1.0])
    places = parallel_groups(np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1))
    assert places.tolist() == [0, 0, 1, 2, 3, 2]


def random_triangles(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Small triangles in a flat box: vertices and faces."""
    rng = np.random.default_rng(5)
    corners = rng.uniform(-1, 1, (number, 1, 3)) * (3, 2, 1) + rng.uniform(-0.3, 0.3, (number, 3, 3))
    return corners.reshape(-1, 3).astype(np.float32), np.arange(3 * number, dtype=np.int32).reshape(-1, 3)


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
