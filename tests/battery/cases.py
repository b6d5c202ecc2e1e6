"""Seeded pairs of shapes: separate, touching, grazing, deep; in general place, face on face, edge along edge, degenerate."""

import numpy as np
from msgspec import Struct

from tests.battery.shapes import MESHES, Hull, Shape, bounding_radius, far_point, half_sizes, unit

DEPTHS = ("separate", "touching", "grazing", "deep")
PLACES = ("general", "faces", "edges", "degenerate")
_QUARTERS = 0.5 * np.pi


class Case(Struct, frozen=True):
    """Two shapes in space, and the margin [m] at which they are compared. kind: place and depth."""

    first: Shape
    second: Shape
    margin: float
    kind: str

    @property
    def scale(self) -> float:
        """The size [m] that errors are compared with: of the larger shape; with a plane, of the other."""
        return max(self.first.radius, self.second.radius)

    @property
    def tolerance(self) -> float:
        """That of the option [m]: the default, or what is the same of a small scale."""
        return 1e-6 * min(self.scale, 1.0)


def rotation(rng: np.random.Generator) -> np.ndarray:
    """Uniformly distributed."""
    q = unit(rng.normal(size=4))
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def frame(n: np.ndarray, along: np.ndarray | None, rng: np.random.Generator) -> np.ndarray:
    """A rotation whose columns are a unit vector, what a second one leaves at right angles to it, and the third."""
    e = rng.normal(size=3) if along is None else along
    e = unit(e - n * (n @ e))
    return np.stack([n, e, np.cross(n, e)], axis=1)


def random_size(kind: str, base: float, degenerate: bool, rng: np.random.Generator) -> np.ndarray:
    """Sizes of one geom about a base [m]; a degenerate one is now and then thin or short. Meshes scale by powers of two."""
    if kind in MESHES:
        return np.array([2.0 ** round(np.log2(base)), 0.0, 0.0])
    size = base * 10.0 ** rng.uniform(-0.5, 0.0, 3)
    if rng.random() < 0.1:
        size[:] = base
    if degenerate and rng.random() < 0.5:
        size[rng.integers(3)] *= 10.0 ** rng.uniform(-4, -1)
    size[{"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3):] = 0.0
    return size


class Maker:
    """Makes the cases of one pair of kinds."""

    def __init__(self, kinds: tuple[str, str], hulls: tuple[Hull | None, Hull | None], seed: int) -> None:
        self.kinds, self.hulls = kinds, hulls
        self.rng = np.random.default_rng(seed)

    def case(self, number: int) -> Case:
        """The next case; the number decides its kind."""
        rng = self.rng
        place, depth = PLACES[number % 4], DEPTHS[(number // 4) % 4]
        degenerate = place == "degenerate"
        base = 10.0 ** rng.uniform(-2, 2)
        other = np.clip(base * 10.0 ** rng.uniform(-2, 2), 1e-2, 1e2) if rng.random() < 0.5 else base
        sizes = [random_size(kind, b, degenerate, rng) for kind, b in zip(self.kinds, (base, other), strict=True)]
        least = min(half_sizes(k, s, h).min() for k, s, h in zip(self.kinds, sizes, self.hulls, strict=True) if k != "plane")
        gap = self._gap(depth, least)
        margin = float(rng.choice([0.0, 0.0, 0.0, 1e-2, 0.3, 3.0]) * least)
        mat1 = rotation(rng) if rng.random() < 0.8 else np.eye(3)
        n, mat2 = self._turned(place, mat1)
        pos = self._offset(n, mat1, mat2, sizes, gap)
        if degenerate and rng.random() < 0.5:
            pos, mat2 = self._coincident(pos, mat1, mat2)
        pos1 = rng.normal(size=3) * base if rng.random() < 0.5 else np.zeros(3)
        shapes = [Shape(self.kinds[k], sizes[k], pos1 + (pos if k else 0.0), (mat1, mat2)[k], self.hulls[k]) for k in range(2)]
        return Case(shapes[0], shapes[1], margin, f"{place}, {depth}")

    def _gap(self, depth: str, least: float) -> float:
        """Distance of the surfaces along the direction of placement [m]."""
        rng = self.rng
        if depth == "separate":
            return float(least * 10.0 ** rng.uniform(-3, 1))
        if depth == "touching":
            return float(least * rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-9, -5))
        if depth == "grazing":
            return float(-least * 10.0 ** rng.uniform(-5, -2))
        return float(-least * rng.uniform(0.05, 1.5))

    def _turned(self, place: str, mat1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The world direction in which the second shape is placed, and its axes."""
        rng = self.rng
        if place in ("general", "degenerate"):
            n = unit(rng.normal(size=3))
            if self.kinds[0] == "plane":
                n = mat1[:, 2]
            return n, rotation(rng)
        flat = [self._flat(k, place) for k in range(2)]
        mine, other = frame(*flat[0], rng), frame(-flat[1][0], flat[1][1], rng)
        if flat[0][1] is None or flat[1][1] is None or rng.random() < 0.3:  # turned about the normal, by any angle
            angle = rng.uniform(0, 2 * np.pi)
        else:
            angle = _QUARTERS * rng.integers(4) if place == "faces" else 0.0
        c, s = np.cos(angle), np.sin(angle)
        spin = np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
        return mat1 @ flat[0][0], mat1 @ mine @ spin @ other.T

    def _flat(self, k: int, place: str) -> tuple[np.ndarray, np.ndarray | None]:
        """A normal of a flat side of a shape, or of one of its edges and that edge's direction, in its frame."""
        rng, kind, hull = self.rng, self.kinds[k], self.hulls[k]
        if kind == "plane":
            return np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
        if hull is not None:
            edge = rng.integers(len(hull.edges))
            along = unit(hull.along[edge])
            if place == "faces":
                normal = hull.normals[rng.integers(len(hull.normals))]
                return normal, unit(hull.along[np.abs(unit(hull.along) @ normal).argmin()])
            heights = hull.vertices[hull.edges[edge, 0]] @ hull.normals.T
            near = np.isclose(heights, (hull.vertices @ hull.normals.T).max(0), rtol=0, atol=1e-5 * np.abs(hull.vertices).max())
            near &= np.abs(hull.normals @ along) < 1e-3
            normal = unit(rng.dirichlet(np.ones(near.sum())) @ hull.normals[near]) if near.any() else hull.normals[0]
            return normal, along
        axes = np.eye(3) * rng.choice([-1.0, 1.0], 3)[:, None]
        order = [2, 0, 1] if kind == "cylinder" and rng.random() < 0.6 else rng.permutation(3)
        if kind == "capsule":
            order = [0, 2, 1]
        i, j, k = order
        if place == "edges" and kind in ("box", "cylinder"):
            return unit(axes[i] + axes[j] * 10.0 ** rng.uniform(-1, 1)), axes[k]
        return axes[i], axes[j]

    def _offset(self, n: np.ndarray, mat1: np.ndarray, mat2: np.ndarray, sizes: list[np.ndarray], gap: float) -> np.ndarray:
        """From the first origin to the second, so that a farthest point of each is `gap` from the other's."""
        rng = self.rng
        b = mat2 @ far_point(self.kinds[1], sizes[1], -n @ mat2, self.hulls[1], rng)
        if self.kinds[0] == "plane":
            slide = rng.normal(size=3) * bounding_radius(self.kinds[1], sizes[1], self.hulls[1])
            return np.asarray(n * (gap - n @ b) + slide - n * (n @ slide))
        a = mat1 @ far_point(self.kinds[0], sizes[0], n @ mat1, self.hulls[0], rng)
        return np.asarray(a - b + gap * n)

    def _coincident(self, pos: np.ndarray, mat1: np.ndarray, mat2: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centres that coincide, or are on an axis of the first; axes that are parallel, or not."""
        rng = self.rng
        if rng.random() < 0.5 and self.kinds[0] != "plane":
            axis = mat1[:, rng.integers(3)]
            pos = axis * (axis @ pos) * rng.integers(2)
        if rng.random() < 0.7:
            mat2 = mat1[:, rng.permutation(3)]
            mat2 = mat2 * np.linalg.det(mat2)
        return pos, mat2
