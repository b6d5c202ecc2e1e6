"""Limit of a soft body's time step: stiffest edge or element, its frequency, and the largest stable explicit step.

A body of lumped masses vibrates no faster than the fastest of its elements does alone, with the share of the masses that it has
(B. M. Irons, G. Treharne, A bound theorem in eigenvalues and its practical applications, 1971). The square of an element's
frequency is the largest eigenvalue of S G' W G / 2, where S is its stiffness, G the gradient of its edges' squared lengths at
rest, and W the inverse masses of its vertices, each times the elements that share the vertex. A spring along an edge has
k times the sum of the inverse masses of its ends, each times the edges that meet there. Where elements stretch and edges bend,
the squares of both bounds add up.

Stepped semi-implicitly with explicit forces, a vibration of angular frequency f with Rayleigh damping b is stable where
(h f)^2 + 2 h b f^2 < 4: up to h = sqrt(b^2 + 4 / f^2) - b. The bound is of a free body at rest: one that is stretched is
stiffer, and implicit integrators go beyond it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tumble.physics.observe.soft.mesh import FlexMesh, Floats, symmetric
from tumble.physics.state.model import Model

ELEMENT, BEND, EDGE = "element", "bend", "edge"


@dataclass(frozen=True, slots=True)
class StepLimit:
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
