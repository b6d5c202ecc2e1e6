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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.physics.observe.soft.mesh import FlexMesh, Floats, symmetric
from tumble.physics.state.model import Model

_TETRAHEDRON, _TRIANGLE = 3, 2
_FLAT = 1e-12  # determinant of a shape at rest, relative to its size, below which it has no inside


@dataclass(frozen=True, slots=True)
class SoftState:
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
