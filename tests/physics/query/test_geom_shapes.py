"""Shapes of geoms: what they enclose, how far a point is from them, and which way a mesh faces."""

from __future__ import annotations

import numpy as np
import pytest

from tumble import physics
from tumble.physics.query.geom_shapes import (
    distance,
    facing,
    hull_filling,
    inside_shape,
    is_closed,
    is_inside,
    surface_points,
)


def tub(turned: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """An open tub, 0.2 m wide and high, with walls of 0.02 m, as vertices and triangles; turned: with its faces inward."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    rings = [(0.1, 0.0), (0.1, 0.2), (0.08, 0.2), (0.08, 0.02)]
    vertices = np.array([(*half * corner, height) for half, height in rings for corner in square])
    quads = [(3, 2, 1, 0), (12, 13, 14, 15)]
    for ring in (0, 4, 8):
        quads += [(ring + k, ring + (k + 1) % 4, ring + 4 + (k + 1) % 4, ring + 4 + k) for k in range(4)]
    faces = np.array([triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))])
    return vertices, faces[:, ::-1] if turned else faces


def test_point_in_a_cavity_is_outside_of_the_mesh_and_as_far_as_its_nearest_wall() -> None:
    vertices, faces = tub()
    corners = vertices[faces]
    assert not is_inside(corners, np.array([0.01, 0, 0.1]))
    assert distance(corners, np.array([0.01, 0, 0.1])) == pytest.approx(0.07)  # to the inner wall
    assert distance(corners, np.array([0.0, 0, 0.5])) == pytest.approx(np.hypot(0.3, 0.08))  # to the rim's inner edge
    for turned in (False, True):
        assert is_inside(vertices[tub(turned)[1]], np.array([0.09, 0, 0.1]))


def test_points_of_a_shape_are_inside_of_it_until_they_are_drawn_outward() -> None:
    shapes = '<mujoco><worldbody><geom type="{}" size=".1 .2 .3"/></worldbody></mujoco>'
    for kind in ("sphere", "capsule", "ellipsoid", "cylinder", "box"):
        compiled = physics.MjModel.from_xml_string(shapes.format(kind))
        points = surface_points(compiled, 0)
        assert len(points) > 50
        assert inside_shape(compiled, 0, 0.999 * points).mean() > 0.9  # of a capsule some lie inside: where its caps begin
        outside = points[np.abs(points[:, 2]) > 0.2 * (kind == "capsule")]
        assert not inside_shape(compiled, 0, 1.001 * outside).any()


def test_facing_and_closed_know_volume_and_holes() -> None:
    vertices, faces = tub()
    own = facing(vertices, faces)
    assert own.volume == pytest.approx(0.2**3 - 0.16**2 * 0.18)
    assert facing(vertices, faces[:, ::-1]).volume == pytest.approx(-own.volume)
    assert facing(vertices, faces[:0]).outward == 0.0
    assert is_closed(vertices[faces])
    assert not is_closed(vertices[faces[2:]])


def test_hull_of_a_mesh_encloses_its_cavity() -> None:
    vertices, faces = tub()
    vertex, face = (" ".join(f"{number:g}" for number in numbers.ravel()) for numbers in (vertices, faces))
    m = physics.MjModel.from_xml_string(f"""<mujoco><asset><mesh name="tub" vertex="{vertex}" face="{face}"/></asset>
      <worldbody><geom type="mesh" mesh="tub"/></worldbody></mujoco>""")
    centre = np.asarray(m.geom_pos[0])
    points = np.array([(0, 0, 0.1), (0, 0, 0.01), (0, 0, 0.21), (0.11, 0, 0.1)]) - centre
    turn = np.zeros(9)
    physics.mju_quat2Mat(turn, np.asarray(m.geom_quat[0]))
    assert inside_shape(m, 0, points @ turn.reshape(3, 3)).tolist() == [True, True, False, False]
    assert hull_filling(m, 0) == pytest.approx(0.2**3 / (0.2**3 - 0.16**2 * 0.18), rel=1e-6)
