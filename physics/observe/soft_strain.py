"""Strain and energy of each element of a flex.

Strain. The squared lengths of an element's edges give the Gram matrices G of its edge vectors now, and G0 at qpos0. A vector of
the element is stretched by the root of the eigenvalues of G0^-1 G: its principal stretches. The strain reported is the stretch
less one that is farthest from zero: positive where it is pulled, negative where it is pressed.

Energy. The elastic force of an element is the gradient of 1/4 sum S_ab e_a e_b, where e is the elongation of squared lengths,
L^2 - L0^2, and S its stiffness flex_stiffness; that of bending at an edge is 1/2 sum B_ij x_i x_j over the four vertices of
its two triangles, less what a curved shape at rest adds; a spring along an edge stores k (L - L0)^2 / 2. What an edge stores
is divided among the elements that have it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.state.model import Model

_TETRAHEDRON, _TRIANGLE = 3, 2
_FLAT = 1e-12  # determinant of a shape at rest, relative to its size, below which it has no inside


class SoftState(Struct, frozen=True):
    """Of each element of a flex: strain (n,) [1]; energy (n,) [J], None of one that is interpolated between nodes."""

    strain: Floats
    energy: Floats | None


class SoftShape:
    """One flex, ready to be looked at again and again. Numbers of its elasticity are those of when it was made."""

    def __init__(self, m: Model, flex: int) -> None:
        self.mesh = FlexMesh(m, flex)
        mesh = self.mesh
        self._place = _pair_of(mesh)
        self._gram0 = self._gram(mesh.length0**2)
        self._stiffness = symmetric(np.asarray(m.flex_stiffness).reshape(-1, 21)[mesh.element_span], mesh.sides.shape[1])
        self._bending = np.asarray(m.flex_bending).reshape(-1, 17)[mesh.edge_span, :16].reshape(-1, 4, 4)
        flap = np.asarray(m.flex_edgeflap)[mesh.edge_span].astype(np.int64)
        self._bent = np.flatnonzero((flap >= 0).all(axis=1) & self._bending.any(axis=(1, 2)))
        self._four = np.concatenate([mesh.edges, flap], axis=1)[self._bent]
        self._spring = float(m.flex_edgestiffness[flex])
        self._interpolated = bool(m.flex_interp[flex])

    def state(self, points: Floats) -> SoftState:
        """The elements where the flex's vertices are (nv, 3) [m]."""
        length = self.mesh.lengths(points)
        return SoftState(self._strain(length), None if self._interpolated else self._energy(points, length))

    def _gram(self, square: Floats) -> Floats:
        """(n, dim, dim) products of the edge vectors from each element's first vertex, of squared lengths of all edges."""
        dim, square = self.mesh.dim, square[self.mesh.sides]
        made = np.empty((len(square), dim, dim))
        of = self._place
        rows = np.arange(len(square))
        for i in range(dim):
            for j in range(dim):
                to_i, to_j = square[rows, of[:, 0, i + 1]], square[rows, of[:, 0, j + 1]]
                apart = square[rows, of[:, i + 1, j + 1]] if i != j else 0.0
                made[:, i, j] = 0.5 * (to_i + to_j - apart)
        return made

    def _strain(self, length: Floats) -> Floats:
        gram, rest = self._gram(length**2), self._gram0
        if self.mesh.dim == _TETRAHEDRON:
            squares = _eigenvalues(rest, gram)
        elif self.mesh.dim == _TRIANGLE:
            det0, det = np.linalg.det(rest), np.linalg.det(gram)
            safe = np.where(np.abs(det0) > _FLAT * rest[:, 0, 0] * rest[:, 1, 1], det0, np.inf)
            trace = rest[:, 1, 1] * gram[:, 0, 0] + rest[:, 0, 0] * gram[:, 1, 1] - 2 * rest[:, 0, 1] * gram[:, 0, 1]
            half = 0.5 * trace / safe
            root = np.sqrt(np.maximum(half * half - det / safe, 0.0))
            squares = np.stack([half - root, half + root], axis=1)
            squares[~np.isfinite(safe)] = 1.0
        else:
            squares = gram[:, :, 0] / np.maximum(rest[:, :, 0], 1e-300)
        strain = np.sqrt(np.maximum(squares, 0.0)) - 1.0
        farthest = np.argmax(np.abs(strain), axis=1)
        return np.asarray(strain[np.arange(len(strain)), farthest])

    def _energy(self, points: Floats, length: Floats) -> Floats:
        mesh = self.mesh
        longer = (length**2 - mesh.length0**2)[mesh.sides]
        energy = 0.25 * np.einsum("ni,nij,nj->n", longer, self._stiffness, longer)
        edge = 0.5 * self._spring * (length - mesh.length0) ** 2
        if len(self._bent):
            corners = points[self._four]
            edge[self._bent] += 0.5 * np.einsum("nij,nik,njk->n", self._bending[self._bent], corners, corners)
        return np.asarray(energy + (edge / mesh.shared)[mesh.sides].sum(axis=1))


def _pair_of(mesh: FlexMesh) -> NDArray[np.int64]:
    """(n, dim + 1, dim + 1) which of an element's edges joins two of its vertices; 0 for a vertex and itself."""
    width = mesh.dim + 1
    made = np.zeros((len(mesh.elements), width, width), np.int64)
    ends = mesh.edges[mesh.sides]
    for side in range(mesh.sides.shape[1]):
        first = np.argmax(mesh.elements == ends[:, side, :1], axis=1)
        second = np.argmax(mesh.elements == ends[:, side, 1:], axis=1)
        rows = np.arange(len(made))
        made[rows, first, second] = made[rows, second, first] = side
    return made


def _eigenvalues(rest: Floats, gram: Floats) -> Floats:
    """(n, 3) eigenvalues of rest^-1 gram, which are those of a symmetric matrix; 1 where the shape at rest has no inside."""
    size = np.einsum("nii->n", rest) / 3.0
    whole = np.linalg.det(rest) > _FLAT * size**3
    inverse = np.linalg.inv(np.linalg.cholesky(np.where(whole[:, None, None], rest, np.eye(3))))
    found = np.linalg.eigvalsh(inverse @ gram @ inverse.transpose(0, 2, 1))
    return np.where(whole[:, None], found, 1.0)


def flex_bodies(m: Model, flex: int) -> NDArray[np.int32]:
    """The bodies that move a flex, each once: those of its nodes where it is interpolated between some, else of its vertices."""
    if m.flex_interp[flex]:
        first = int(m.flex_nodeadr[flex])
        return np.unique(np.asarray(m.flex_nodebodyid)[first : first + int(m.flex_nodenum[flex])])
    first = int(m.flex_vertadr[flex])
    return np.unique(np.asarray(m.flex_vertbodyid)[first : first + int(m.flex_vertnum[flex])])


def flex_of_body(m: Model, body: int) -> int:
    """The first flex that a body moves; -1: none, the world moves none."""
    return next((flex for flex in range(int(m.nflex)) if body > 0 and body in flex_bodies(m, flex)), -1)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class FlexMesh:
    """Numbers of vertices and edges are counted from the flex's first.

    dim; elements (n, dim + 1): vertices of each; sides (n, dim (dim + 1) / 2): edges of each; edges (ne, 2): vertices of
    each; shared (ne,): how many elements have an edge; length0 (ne,) [m].
    """

    def __init__(self, m: Model, flex: int) -> None:
        self.flex, self.dim = flex, int(m.flex_dim[flex])
        self.vertices = _span(m, "vert", flex)
        self.edge_span, self.element_span = _span(m, "edge", flex), _span(m, "elem", flex)
        count = self.element_span.stop - self.element_span.start
        width, sides = self.dim + 1, self.dim * (self.dim + 1) // 2
        first, first_side = int(m.flex_elemdataadr[flex]), int(m.flex_elemedgeadr[flex])
        self.elements = np.asarray(m.flex_elem)[first : first + width * count].reshape(-1, width).astype(np.int64)
        self.sides = np.asarray(m.flex_elemedge)[first_side : first_side + sides * count].reshape(-1, sides).astype(np.int64)
        self.edges = np.asarray(m.flex_edge)[self.edge_span].astype(np.int64)
        self.length0 = np.array(np.asarray(m.flexedge_length0)[self.edge_span], float)
        self.shared = np.maximum(np.bincount(self.sides.ravel(), minlength=len(self.edges)), 1)

    def lengths(self, points: Floats) -> Floats:
        """(ne,) lengths of the edges [m], of the flex's vertices (nv, 3) [m]."""
        ends = points[self.edges]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))


def _span(m: Model, what: str, flex: int) -> slice:
    first = int(getattr(m, f"flex_{what}adr")[flex])
    return slice(first, first + int(getattr(m, f"flex_{what}num")[flex]))


def symmetric(packed: Floats, size: int) -> Floats:
    """(n, size, size) symmetric matrices of their upper triangles, row by row, which begin each row (n, k)."""
    rows, columns = np.triu_indices(size)
    made = np.zeros((len(packed), size, size))
    made[:, rows, columns] = made[:, columns, rows] = packed[:, : len(rows)]
    return made


ELEMENT, BEND, EDGE = "element", "bend", "edge"


class StepLimit(Struct, frozen=True):
    """The stiffest part of a flex.

    kind: ELEMENT, BEND (an edge between two triangles) or EDGE; index, vertices: counted from the flex's first; frequency
    [Hz]: no vibration of the flex is faster; step: the largest that is stable for that [s].
    """

    kind: str
    index: int
    vertices: tuple[int, ...]
    frequency: float
    step: float


def step_limit(m: Model, flex: int) -> StepLimit | None:
    """Limit of a flex's time step; None if it is rigid, without stiffness, or interpolated between nodes."""
    if m.flex_rigid[flex] or m.flex_interp[flex]:
        return None
    mesh = FlexMesh(m, flex)
    weight = _inverse_masses(m, mesh)
    stiffest = _elements(m, mesh, weight), _bends(m, mesh, weight), _springs(m, mesh, weight)
    found = [part for part in stiffest if part is not None]
    if not found:
        return None
    _, kind, index, vertices, damping = max(found)
    square = sum(part[0] for part in found)  # no body vibrates faster than by the sum of what its kinds of parts do alone
    return StepLimit(kind, index, vertices, math.sqrt(square) / (2 * math.pi), largest_step(square, damping))


def largest_step(square: float, damping: float) -> float:
    """The largest stable step [s] of a vibration. square: of its angular frequency [1/s^2]; damping: Rayleigh's [s]."""
    return math.sqrt(damping * damping + 4.0 / square) - damping


_Part = tuple[float, str, int, tuple[int, ...], float]


def _inverse_masses(m: Model, mesh: FlexMesh) -> Floats:
    """(nv,) inverse masses [1/kg] that vertices have along the directions in which they move; 0 of those that are held."""
    body = np.asarray(m.flex_vertbodyid)[mesh.vertices].astype(np.int64)
    mean, dofs = np.asarray(m.body_invweight0)[body, 0], np.asarray(m.body_dofnum)[body]
    # The constant is the mean over three directions: a vertex that moves along one has three times as much there.
    return np.asarray(np.where((dofs > 0) & (dofs < 3), 3.0 / np.maximum(dofs, 1), 1.0) * mean)


def _elements(m: Model, mesh: FlexMesh, weight: Floats) -> _Part | None:
    stiffness = symmetric(np.asarray(m.flex_stiffness).reshape(-1, 21)[mesh.element_span], mesh.sides.shape[1])
    if not stiffness.any():
        return None
    points = _at_rest(m, mesh)
    share = np.bincount(mesh.elements.ravel(), minlength=len(weight))
    ends = mesh.edges[mesh.sides]
    along = points[ends[:, :, 0]] - points[ends[:, :, 1]]
    # Of e_a = |x_0 - x_1|^2 the gradients are 2 along at the first end and -2 along at the second.
    gradient = np.zeros((*mesh.sides.shape, mesh.dim + 1, 3))
    for end, sign in ((0, 2.0), (1, -2.0)):
        here = ends[:, :, end, None] == mesh.elements[:, None, :]
        gradient += sign * here[:, :, :, None] * along[:, :, None, :]
    inverse = (weight * share)[mesh.elements]
    product = np.einsum("navk,nv,nbvk->nab", gradient, inverse, gradient)
    values = np.linalg.eigvals(0.5 * stiffness @ product).real.max(axis=1)
    return _largest(values, ELEMENT, mesh.elements, float(m.flex_damping[mesh.flex]))


def _bends(m: Model, mesh: FlexMesh, weight: Floats) -> _Part | None:
    bending = np.asarray(m.flex_bending).reshape(-1, 17)[mesh.edge_span, :16].reshape(-1, 4, 4)
    flap = np.asarray(m.flex_edgeflap)[mesh.edge_span].astype(np.int64)
    bent = np.flatnonzero((flap >= 0).all(axis=1) & bending.any(axis=(1, 2)))
    if not len(bent):
        return None
    four = np.concatenate([mesh.edges, flap], axis=1)[bent]
    share = np.bincount(four.ravel(), minlength=len(weight))
    values = np.zeros(len(bending))
    values[bent] = np.linalg.eigvals((weight * share)[four][:, :, None] * bending[bent]).real.max(axis=1)
    vertices = np.zeros((len(bending), 4), np.int64)
    vertices[bent] = four
    return _largest(values, BEND, vertices, float(m.flex_damping[mesh.flex]))


def _springs(m: Model, mesh: FlexMesh, weight: Floats) -> _Part | None:
    stiffness, damper = float(m.flex_edgestiffness[mesh.flex]), float(m.flex_edgedamping[mesh.flex])
    if stiffness <= 0:
        return None
    share = np.bincount(mesh.edges.ravel(), minlength=len(weight))
    values = stiffness * (weight * share)[mesh.edges].sum(axis=1)
    return _largest(values, EDGE, mesh.edges, damper / stiffness)


def _largest(values: Floats, kind: str, vertices: np.ndarray, damping: float) -> _Part | None:
    index = int(np.argmax(values)) if len(values) else -1
    if index < 0 or not values[index] > 0:
        return None
    return float(values[index]), kind, index, tuple(int(v) for v in vertices[index]), damping


def _at_rest(m: Model, mesh: FlexMesh) -> Floats:
    """(nv, 3) the vertices at qpos0 [m], anywhere: in the frame of the box around them."""
    return np.asarray(m.flex_vert0)[mesh.vertices] * (2.0 * np.asarray(m.flex_size)[mesh.flex])
