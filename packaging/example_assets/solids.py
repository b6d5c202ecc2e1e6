"""Closed surfaces from loops of points: what is turned on a lathe, cut from a plate, or drawn along a path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

Points = np.ndarray  # (n, 2) or (n, 3)


class Polyhedron(Struct, frozen=True, eq=False):
    """A surface of triangles. vertex: (n, 3) [m]; face: (k, 3) vertices, counterclockwise seen from outside."""

    vertex: np.ndarray
    face: np.ndarray

    def moved(self, pos: Sequence[float] = (0, 0, 0), axis: str = "z", degrees: float = 0.0) -> Polyhedron:
        """The solid turned about one of the axes x, y, z, then moved."""
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        turned = self.vertex.copy()
        turned[:, i] = c * self.vertex[:, i] - s * self.vertex[:, j]
        turned[:, j] = s * self.vertex[:, i] + c * self.vertex[:, j]
        return Polyhedron(turned + pos, self.face)

    def __add__(self, other: Polyhedron) -> Polyhedron:
        return Polyhedron(np.vstack([self.vertex, other.vertex]), np.vstack([self.face, other.face + len(self.vertex)]))


def loft(loops: Sequence[Points], closed: bool = False) -> Polyhedron:
    """The skin over loops of equally many points: capped at both ends, or closed from the last loop back to the first.

    Each loop turns counterclockwise seen from where the next loops lie.
    """
    number, n = len(loops), len(loops[0])
    vertex = np.vstack(loops)
    a = np.arange(n)
    b = (a + 1) % n
    faces = []
    for k in range(number if closed else number - 1):
        lower, upper = k * n, (k + 1) % number * n
        faces += [np.stack([lower + a, lower + b, upper + b], 1), np.stack([lower + a, upper + b, upper + a], 1)]
    if not closed:
        first, last = len(vertex), len(vertex) + 1
        vertex = np.vstack([vertex, loops[0].mean(0), loops[-1].mean(0)])
        end = (number - 1) * n
        faces += [np.stack([b, a, np.full(n, first)], 1), np.stack([end + a, end + b, np.full(n, last)], 1)]
    return Polyhedron(vertex, np.vstack(faces))


def raised(outline: Points, z: float) -> Points:
    """A flat outline (n, 2) at a height: (n, 3)."""
    return np.column_stack([outline, np.full(len(outline), z)])


def circle(radius: float, n: int = 28, centre: Sequence[float] = (0.0, 0.0)) -> Points:
    """n points of a circle, counterclockwise."""
    angle = 2 * np.pi * np.arange(n) / n
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + centre


def rectangle(width: float, height: float, radius: float, n: int = 5) -> Points:
    """A rectangle about the origin with rounded corners of n points each."""
    angle = np.linspace(0, np.pi / 2, n)
    corner = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    parts = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        turned = corner @ np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), k)
        parts.append(turned + np.array([sx * (width / 2 - radius), sy * (height / 2 - radius)]))
    return np.vstack(parts)


def link(radius: float, other: float, length: float, n: int = 12) -> Points:
    """The outline around two circles, one at the origin, the other at x = length."""
    slant = np.arccos(np.clip((radius - other) / length, -1, 1))
    near, far = np.linspace(slant, 2 * np.pi - slant, n), np.linspace(-slant, slant, n)
    return np.vstack([
        other * np.column_stack([np.cos(far), np.sin(far)]) + [length, 0],
        radius * np.column_stack([np.cos(near), np.sin(near)]),
    ])


def gear(teeth: int, module: float, hub: float = 0.0) -> tuple[Points, Points]:
    """The outline of a spur gear of pitch radius teeth * module / 2, and a round hole with as many points."""
    pitch = teeth * module / 2
    root, tip = pitch - 1.15 * module, pitch + 0.9 * module
    step = 2 * np.pi / teeth
    shape = ((-0.5, root), (-0.29, root), (-0.13, tip), (0.13, tip), (0.29, root))
    angle = np.array([(k + at) * step for k in range(teeth) for at, _ in shape])
    radius = np.array([r for _ in range(teeth) for _, r in shape])
    around = np.column_stack([np.cos(angle), np.sin(angle)])
    return radius[:, None] * around, max(hub, 0.2 * root) * around


def inset(outline: Points, by: float) -> Points:
    """An outline moved inwards by a distance, point by point along the bisector."""
    edge = np.roll(outline, -1, 0) - outline
    normal = np.column_stack([-edge[:, 1], edge[:, 0]]) / np.linalg.norm(edge, axis=1)[:, None]  # to the left: inwards
    both = normal + np.roll(normal, 1, 0)
    return outline + by * both * (2 / (both**2).sum(1))[:, None]


def plate(outline: Points, low: float, high: float, bevel: float = 0.0, hole: Points | None = None) -> Polyhedron:
    """A plate cut from an outline, its edges bevelled; with a hole of as many points it is a ring."""
    if not bevel:
        loops = [raised(outline, low), raised(outline, high)]
    else:
        small = inset(outline, bevel)
        loops = [raised(small, low), raised(outline, low + bevel), raised(outline, high - bevel), raised(small, high)]
    if hole is None:
        return loft(loops)
    return loft([*loops, raised(hole, high), raised(hole, low)], closed=True)


def lathe(profile: Sequence[tuple[float, float]], n: int = 28) -> Polyhedron:
    """What a profile of (radius, height) turned about z encloses. From bottom to top; no radius may be 0."""
    return loft([raised(circle(radius, n), z) for radius, z in profile])


def box(size: Sequence[float], bevel: float) -> Polyhedron:
    """A box about the origin with these edge lengths, bevelled."""
    return plate(rectangle(size[0], size[1], bevel, 3), -size[2] / 2, size[2] / 2, 0.6 * bevel)


def tube(path: Points, radius: Sequence[tuple[float, float]], n: int = 16) -> Polyhedron:
    """A tube along x of elliptic section: at each point of the path (k, 3), its half width in y and half height in z."""
    angle = 2 * np.pi * np.arange(n) / n
    loops = []
    for (x, y, z), (wide, high) in zip(path, radius, strict=True):
        loops.append(np.column_stack([np.full(n, x), y + wide * np.cos(angle), z + high * np.sin(angle)]))
    return loft(loops)
