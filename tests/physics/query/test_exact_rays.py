"""Rays at shapes of all sizes from all distances, against the surfaces' equations solved with more digits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.state.enums import mjtGeom

Long = np.longdouble
Longs = NDArray[np.longdouble]
SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
EDGE = 1e-9  # of the size: nearer to an edge rounding decides which side is met


def roots(a: Long, b: Long, c: Long) -> list[Long]:
    """Solutions of a t^2 + 2 b t + c = 0."""
    det = b * b - a * c
    return [] if det < 0 or a == 0 else [(-b - np.sqrt(det)) / a, (-b + np.sqrt(det)) / a]


def meetings(kind: str, size: Longs, p: Longs, v: Longs) -> list[tuple[Long, Longs]]:
    """Every t at which the line is on the surface, and the outward normal there: each piece of the surface on its own."""
    found = []
    if kind == "box":
        for k in range(3):
            for sign in (-1, 1):
                t = (sign * size[k] - p[k]) / v[k]
                x = p + t * v
                if all(abs(x[j]) <= size[j] for j in range(3) if j != k):
                    found.append((t, sign * np.eye(3, dtype=Long)[k]))
    if kind in ("sphere", "ellipsoid"):
        radii = np.full(3, size[0]) if kind == "sphere" else size
        q, w = p / radii, v / radii
        found += [(t, (p + t * v) / radii**2) for t in roots(w @ w, q @ w, q @ q - 1)]
    if kind in ("cylinder", "capsule"):
        for t in roots(v[:2] @ v[:2], p[:2] @ v[:2], p[:2] @ p[:2] - size[0] ** 2):
            x = p + t * v
            found += [(t, x * [1, 1, 0])] if abs(x[2]) <= size[1] else []
        for sign in (-1, 1):
            if kind == "cylinder":
                t = (sign * size[1] - p[2]) / v[2]
                found += [(t, np.array([0, 0, sign], Long))] if np.hypot(*(p + t * v)[:2]) <= size[0] else []
            else:
                q = p - np.array([0, 0, sign * size[1]])
                for t in roots(v @ v, q @ v, q @ q - size[0] ** 2):
                    found += [(t, q + t * v)] if sign * (p + t * v)[2] >= size[1] else []
    return [(t, n / np.sqrt(n @ n)) for t, n in found]


@pytest.mark.parametrize("kind", SHAPES)
def test_a_ray_meets_a_shape_of_any_size_from_any_distance_where_its_equation_says(kind: str) -> None:
    """The error is that of rounding the start, more where the ray grazes or the shape is flat; not of the direction's length."""
    rng, number, met = np.random.default_rng(7), getattr(mjtGeom, f"mjGEOM_{kind.upper()}"), 0
    for _ in range(300):
        scale, far, length = 10.0 ** rng.uniform([-6, -3, -6], [6, 5, 6])
        size = scale * 10.0 ** rng.uniform(-1, 0, 3)
        target = rng.uniform(-0.6, 0.6, 3) * (size if kind != "capsule" else size[[0, 0, 1]])
        start = target + far * scale * rng.normal(size=3) if rng.random() < 0.8 else target * 0.9
        vec = target - start if np.linalg.norm(target - start) > 0.5 * scale else rng.normal(size=3)
        vec *= length / np.linalg.norm(vec)
        normal = np.zeros(3)
        t = physics.mju_rayGeom(np.zeros(3), np.eye(3).ravel(), size, start, vec, number, normal)
        ahead = sorted((s, n) for s, n in meetings(kind, size.astype(Long), start.astype(Long), vec.astype(Long)) if s >= 0)
        if not ahead:
            assert t == -1
            continue
        met += 1
        wanted, outward = ahead[0]
        incidence = abs(outward @ vec) / length
        flat = float(size.max() / size.min()) if kind == "ellipsoid" else 1.0
        tolerance = 4e-14 * flat * (np.linalg.norm(start) + scale) / max(float(incidence), 1e-3)
        assert abs(float(t - wanted)) * length <= tolerance
        edge = np.sort([abs(float(s - wanted)) for s, _ in ahead])[1:]
        if incidence > 1e-2 and not (len(edge) and edge[0] * length < EDGE * scale):
            np.testing.assert_allclose(normal, outward.astype(float), atol=1e-6 + 10 * tolerance / size.min())
    assert met > 200
