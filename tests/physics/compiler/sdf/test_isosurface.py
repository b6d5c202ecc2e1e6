"""Marching cubes: closed surfaces, outward, at the right place, whatever the signs are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tumble.physics.compiler.assets.mesh.solid import enclosed_volume
from tumble.physics.compiler.assets.sdf.isosurface import isosurface


def directed_edges(faces: np.ndarray) -> Counter[tuple[int, int]]:
    return Counter((int(f[i]), int(f[i - 2])) for f in faces for i in range(3))


def test_the_surface_of_any_signs_is_closed():
    values = np.pad(np.random.default_rng(0).standard_normal((9, 8, 7)), 1, constant_values=1.0)  # all 256 cubes, nearly
    _, faces = isosurface(values)
    edges = directed_edges(faces)
    assert len(faces) > 1000
    # where two sheets touch the same vertices an edge may serve both: what leaves comes back
    assert all(edges[b, a] == count for (a, b), count in edges.items())


def test_a_ball_has_its_volume_and_its_radius():
    z, y, x = np.meshgrid(*[np.arange(25.0) - 12] * 3, indexing="ij")
    vertices, faces = isosurface(np.sqrt(x * x + y * y + z * z) - 10)
    at = np.linalg.norm(vertices.astype(float) - 12, axis=1)
    assert np.abs(at - 10).max() < 0.02  # the distance along an edge is not quite linear
    assert enclosed_volume(vertices.astype(float), faces) == pytest.approx(4 / 3 * np.pi * 1000, rel=0.01)


def test_corners_of_one_cube_are_cut_off_in_the_direction_of_positive_numbers():
    for negative in range(1, 255):
        values = np.where([negative >> k & 1 for k in range(8)], -1.0, 1.0).reshape(2, 2, 2)
        vertices, faces = isosurface(np.pad(values, 1, constant_values=1.0))
        assert enclosed_volume(vertices.astype(float), faces) > 0
