"""The search of a convex narrow phase, step by step: what it knows after every point of the Minkowski difference it asks for.

The kernels run as the Python functions that they are, and of one of them this thread is told each call: nothing is added to what
the simulation runs, and what is shown is what was computed. All searches (distance walk, polytope, portal) ask for the
farthest point of the difference in a direction, u, and that alone bounds the signed distance of the shapes from below:
with h(u) how far the difference reaches along u, it is the largest of all -h(u). From above it is bounded by any point that
is known to be of the difference, or where they overlap by the nearest face of a polytope inside it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from enum import IntEnum, auto
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.collision.convex import epa, portal
from tumble.physics.collision.convex.simplex import plane_weights, segment_weights, tetrahedron_weights, triangle_weights
from tumble.physics.collision.convex.support import add_vertex, core_radius
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]
Result = TypeVar("Result")

_REMOVED = -2  # in d.ccd_place: a face that is no longer part of the polytope
_FLAT = 1e-12  # volume of a tetrahedron over the cube of its size, below which weights mean nothing


class SearchKind(IntEnum):
    """Kinds of steps.

    WALK: the distance walk (GJK); TURN: its tetrahedron is turned round the origin; POLYTOPE: that expands (EPA); REFINE: the
    walk between shapes that are moved apart, for a sharper normal; PORTAL: the portal is refined (MPR); CLIP: one face is cut
    along a side of the other.
    """

    WALK = auto()
    TURN = auto()
    POLYTOPE = auto()
    REFINE = auto()
    PORTAL = auto()
    CLIP = auto()


class CollisionStep(Struct, frozen=True):
    """State of a search after one of its steps. Points are in world axes [m].

    kind: of what; number: among those of its kind, from 0. direction (3,): in which the farthest point was asked for.
    vertices (n, 3): of the difference; on1, on2 (n, 3): the points of the two dressed shapes that they are made of; newest:
    which of them this step has brought, -1: none. faces (k, 3): of the polytope, as vertices; nearest: which of them is the
    nearest to the origin, -1: none.
    low, high: bounds of the signed distance [m] after this step. normal (3,), point1, point2 (3,): the answer so far, from
    geom1 to geom2 and on their surfaces; not numbers where there is none yet. foot (3,): its point of the difference, 0: none.
    polygon (n, 3): what is left of the face that is clipped.
    """

    kind: SearchKind
    number: int
    low: float
    high: float
    normal: Numbers
    point1: Numbers
    point2: Numbers
    foot: Numbers
    direction: Numbers
    vertices: Numbers
    on1: Numbers
    on2: Numbers
    newest: int
    faces: Integers
    nearest: int
    polygon: Numbers


class _Answer(Struct, frozen=True):
    """A point of the difference, or of a face's plane, and what it is made of: dressed, relative to the centre of geom1."""

    dist: float
    normal: Numbers
    point1: Numbers
    point2: Numbers


class SearchWatch:
    """Collects the steps of searches between geoms d.hit_geom1 and d.hit_geom2 that run as Python functions in `run`.

    Until the first point is reported: what follows is of the same geoms turned a little, for more points (multiccd).
    """

    def __init__(self, m: Model, d: Data) -> None:
        self.steps: list[CollisionStep] = []
        self._m, self._d = m, d
        self._low, self._high = -np.inf, np.inf
        self._answer: _Answer | None = None
        self._size = 0  # of the simplex

    def run(self, search: Callable[[], Result]) -> Result:
        """Run a search; what it returns."""
        with np.errstate(all="ignore"), self._d.interpreted():
            add_vertex.watchers[threading.get_ident()] = self._look
            try:
                return search()
            finally:
                del add_vertex.watchers[threading.get_ident()]

    def _look(self, m: Model, d: Data, k: int, way: tuple[float, float, float]) -> None:
        """A kernel has asked for a point, and `add_vertex` has found it."""
        if d.hit_num == 0:
            caller = sys._getframe(2)  # between them is the call of a Kernel
            self._note(caller.f_globals["__name__"], caller.f_code.co_name, k, way)

    def _note(self, module: str, caller: str, k: int, way: tuple[float, float, float]) -> None:
        """A point was found in a direction, and stored as row k."""
        direction, shift = np.array(way, float), self._shift()
        kind, count = self._kind(module, caller, int(k))
        reach = float(direction @ (self._d.ccd_vertex[k, :3] + shift))
        self._low = max(self._low, self._to_surface(-reach))
        faces, nearest = np.empty((0, 3), np.int64), -1
        rows = np.arange(count)
        if kind is SearchKind.REFINE:
            if caller != "overlap":
                self._moved(count, shift)
        elif kind is SearchKind.POLYTOPE and caller != "_complete":
            faces, nearest = self._polytope()
        elif kind is SearchKind.PORTAL:
            self._portal(int(k))
        elif count <= 4:
            self._simplex(count)
        self._add(kind, direction, rows, int(k), faces, nearest)

    def _kind(self, module: str, caller: str, k: int) -> tuple[SearchKind, int]:
        """Kind of the search, and its number of vertices."""
        if module == epa.__name__:
            return SearchKind.POLYTOPE, k + 1
        if module == portal.__name__:
            self._size = max(self._size, k + 1) if k > 1 else k + 1
            return SearchKind.PORTAL, self._size
        if caller == "_turn":
            return SearchKind.TURN, 4
        if caller == "overlap" or np.any(self._shift()):
            return SearchKind.REFINE, k + 1
        return SearchKind.WALK, k + 1

    # ---- the answer so far

    def _skins(self) -> tuple[float, float]:
        """Inflation of the shapes in the search [m]: half a margin; negative for cores."""
        m, d = self._m, self._d
        first = float(d.ccd_skin[0]) - float(core_radius(m, d, d.hit_geom1))
        return first, float(d.ccd_skin[1]) - float(core_radius(m, d, d.hit_geom2))

    def _to_surface(self, dressed: float) -> float:
        """The distance of the surfaces, from that of the shapes as they are dressed."""
        return dressed + sum(self._skins())

    def _shift(self) -> Numbers:
        """Offset of geom2 during a search (3,) [m]."""
        return np.array(self._d.ccd_shift)

    def _made(self, rows: Integers, weights: tuple[float, ...] | Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The weighted sum of vertices, and of the points that they are made of."""
        total = np.asarray(weights, float) @ self._d.ccd_vertex[rows]
        return total[:3], total[3:6], total[6:9]

    def _simplex(self, count: int) -> None:
        """The point of the simplex that is nearest to the origin."""
        rows = np.arange(count)
        corners = [tuple(float(x) for x in self._d.ccd_vertex[r, :3]) for r in rows]
        weights, inside = _weights(corners)
        if inside is not None:
            self._take(_Answer(0.0, np.full(3, np.nan), *self._made(rows, inside)[1:]))
            return
        v, p1, p2 = self._made(rows, weights)
        length = float(np.linalg.norm(v))
        self._take(_Answer(length, -v / length if length > 0 else np.full(3, np.nan), p1, p2))

    def _moved(self, count: int, shift: Numbers) -> None:
        """The nearest point while geom2 is moved: it tells a direction, and how far the shapes overlap along it."""
        rows = np.arange(count)
        weights, inside = _weights([tuple(float(x) for x in self._d.ccd_vertex[r, :3]) for r in rows])
        if inside is not None:
            return
        v, p1, _ = self._made(rows, weights)
        length = float(np.linalg.norm(v))
        if length > 0:
            normal = -v / length
            dist = length - float(normal @ shift)
            self._answer = _Answer(dist, normal, p1, p1 + dist * normal)

    def _polytope(self) -> tuple[Integers, int]:
        """Faces of the polytope, and the one nearest to the origin: its distance bounds the depth from below."""
        d = self._d
        there = np.flatnonzero(d.ccd_place[: d.ccd_nface] != _REMOVED)
        faces = np.array(d.ccd_face[there], np.int64)
        if len(there) == 0:
            return faces, -1
        nearest = int(np.argmin(d.ccd_foot[there, 3]))
        foot, depth = np.array(d.ccd_foot[there[nearest], :3]), float(np.sqrt(d.ccd_foot[there[nearest], 3]))
        a, b, c = (tuple(d.ccd_vertex[r, :3] - foot) for r in faces[nearest])
        _, p1, p2 = self._made(faces[nearest], plane_weights(a, b, c))
        self._high = min(self._high, self._to_surface(-depth))
        self._answer = _Answer(-depth, foot / depth if depth > 0 else np.full(3, np.nan), p1, p2)
        return faces, nearest

    def _portal(self, k: int) -> None:
        """The nearest point of the portal, which is no bound: the boundary may be nearer elsewhere."""
        if k < 3:
            return
        rows = np.array([1, 2, 3])
        v, p1, p2 = self._made(rows, triangle_weights(*(tuple(self._d.ccd_vertex[r, :3]) for r in rows)))
        length = float(np.linalg.norm(v))
        if length > 0:
            self._answer = _Answer(-length, v / length, p1, p2)

    def _take(self, answer: _Answer) -> None:
        """An answer that bounds the distance from above."""
        high = self._to_surface(answer.dist)
        if high <= self._high or self._answer is None:
            self._answer = answer
        self._high = min(self._high, high)

    def _add(self, kind: SearchKind, direction: Numbers, rows: Integers, newest: int, faces: Integers, nearest: int) -> None:
        d, origin = self._d, np.array(self._d.geom_xpos[self._d.hit_geom1])
        table = np.array(d.ccd_vertex[rows]) + np.concatenate([self._shift(), np.zeros(3), -self._shift()])
        normal = point1 = point2 = np.full(3, np.nan)
        foot = np.zeros(3)
        if self._answer is not None:
            foot = self._answer.point1 - self._answer.point2
            skin1, skin2 = self._skins()
            normal, point1, point2 = self._answer.normal, origin + self._answer.point1, origin + self._answer.point2
            if np.isfinite(normal).all():
                point1, point2 = point1 - skin1 * normal, point2 + skin2 * normal
        number = sum(step.kind is kind for step in self.steps)
        self.steps.append(CollisionStep(
            kind, number, self._low, self._high, normal, point1, point2, foot, direction, table[:, :3],
            origin + table[:, 3:6], origin + table[:, 6:9], newest, faces, nearest, np.empty((0, 3)),
        ))  # fmt: skip


def _weights(corners: list[tuple[float, ...]]) -> tuple[tuple[float, ...], Numbers | None]:
    """Weights of the point of a simplex nearest to the origin; and, if it holds the origin, those of the origin."""
    if len(corners) == 1:
        return (1.0,), None
    if len(corners) == 2:
        return segment_weights(*corners), None
    if len(corners) == 3:
        return triangle_weights(*corners), None
    weights, inside = tetrahedron_weights(*corners)
    if not inside:
        return weights, None
    a, b, c, e = np.array(corners)
    sides = np.array([b - a, c - a, e - a]).T
    size = float(np.abs(sides).max())
    if abs(np.linalg.det(sides)) < _FLAT * size**3:
        return (*triangle_weights(*corners[:3]), 0.0), None
    x, y, z = np.linalg.solve(sides, -a)
    return weights, np.array([1.0 - x - y - z, x, y, z])
