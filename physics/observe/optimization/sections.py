"""Sections through the problem of a contact, and the ways of solvers on it.

A section varies two directions of w, or of the force. Of all accelerations that give the contact this w it takes the nearest to
the one that it goes through, in the norm of M; the other forces of a section of the dual stay.
Source: MuJoCo documentation, Computation, Algorithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.observe.optimization.contact_problem import PYRAMIDAL, ContactProblem, Integers, Numbers
from tumble.physics.observe.record import Record
from tumble.physics.observe.residual import ConstraintRows, asked_cost
from tumble.physics.solver.dual.ellipse import AT_TIP

PIECE = 2**16  # numbers of one piece of a section: rows times points
UNMOVED = 1e-9  # share of a direction that a contact which cannot move along it may miss


class SolverPath(Struct, frozen=True, eq=False):
    """Iterates of a solver, n of them from its start on, as a contact sees them.

    qacc (n, k), rows (n, island's rows): accelerations and forces of the island; motion, force: (n, dim) of the contact.
    cost, dual, gradient: (n,) as in Trace.
    """

    solver: str
    qacc: Numbers
    rows: Numbers
    motion: Numbers
    force: Numbers
    cost: Numbers
    dual: Numbers
    gradient: Numbers

    def __len__(self) -> int:
        return len(self.cost)


def solver_path(problem: ContactProblem, record: Record) -> SolverPath:
    """The iterates of the island of a problem; record: of the same step with the same cone, by any solver."""
    trace = next(part for part in record if problem.rows[0] in part.rows)
    qacc, force = trace.qacc[:, _places(trace.dofs, problem.dofs)], trace.force[:, _places(trace.rows, problem.rows)]
    return SolverPath(
        trace.solver, qacc, force, problem.motion(qacc), problem.force(force), trace.cost, trace.dual, trace.gradient
    )


def _places(of: Integers, wanted: Integers) -> Integers:
    order = np.argsort(of)
    return np.asarray(order[np.searchsorted(of, wanted, sorter=order)])


def pgs_update(problem: ContactProblem, before: Numbers, after: Numbers) -> Numbers:
    """The contact's rows (steps + 1, c) as one sweep of PGS updates them; before, after: forces of the island (n,).

    A pyramid's edges follow one another. An elliptic contact is scaled along the ray from the tip of the cone, then the friction
    is optimized in the slice at that normal force, which therefore tells how far the ray went; at the tip there is no ray.
    """
    old, new = before[problem.own], after[problem.own]
    if problem.kind == PYRAMIDAL:
        edges = np.arange(len(old))
        return np.where(edges < np.arange(len(old) + 1)[:, None], new, old)
    if not problem.elliptic or old[0] <= 0 or _at_tip(problem, seen_by_pgs(problem, before, after)):
        return np.stack([old, new])
    return np.stack([old, old * (new[0] / old[0]), new])


def seen_by_pgs(problem: ContactProblem, before: Numbers, after: Numbers) -> Numbers:
    """Forces of the island (n,) when a sweep of PGS comes to the contact: those of the rows before it are new."""
    return np.where(np.arange(len(before)) < problem.own.start, after, before)


def _at_tip(problem: ContactProblem, forces: Numbers) -> bool:
    """True if the update of an elliptic contact leaves the tip of the cone; as physics/solver/dual/ellipse.py decides it."""
    at = problem.own.start
    braking = float(np.linalg.norm(problem.friction * problem.dual_slope(forces)[1:]))
    return bool(forces[at] <= AT_TIP * braking / (problem.A[at, at] + problem.terms.R[at]))


# ---- sections


class Plane(Struct, frozen=True, eq=False):
    """Two directions of a contact, or one without friction: columns of axes (dim, 1 or 2).

    lift (c, 1 or 2): the forces of its rows that add to a unit of force along each; of a pyramid those of the edges concerned.
    moves: False if the bodies cannot move along them.
    """

    axes: Numbers
    lift: Numbers
    response: Numbers
    moves: bool


def plane_of(problem: ContactProblem, axes: Sequence[int] | Numbers) -> Plane:
    """The plane of these directions: numbers of the contact's axes, or columns (dim, count)."""
    columns = np.eye(problem.dim)[:, list(axes)] if not isinstance(axes, np.ndarray) else axes
    used = np.ones(problem.to_force.shape[1], bool)
    if problem.kind == PYRAMIDAL:
        pairs = (columns[1:] != 0).any(axis=1)
        used = np.repeat(pairs, 2) if pairs.any() else used
    lift = np.zeros((len(used), columns.shape[1]))
    lift[used] = np.linalg.pinv(problem.to_force[:, used]) @ columns
    apart = problem.to_motion @ problem.A[problem.own, problem.own] @ problem.to_motion.T
    size = 1.0 / np.sqrt(np.maximum(np.diag(apart), 1e-300))
    inverse = size[:, None] * np.linalg.pinv(apart * size * size[:, None], rcond=1e-10, hermitian=True) * size
    response = inverse @ columns
    return Plane(columns, lift, response, bool(np.abs(apart @ response - columns).max() <= UNMOVED))


def primal_section(problem: ContactProblem, plane: Plane, qacc: Numbers, x: Numbers, y: Numbers) -> Numbers:
    """P (ny, nx) over w at places x (nx,) and y (ny,) along the axes, through an acceleration (k,); y is ignored for one axis.

    Meaningless where the plane does not move.
    """
    away, z, w = qacc - problem.free, problem.J @ qacc - problem.aref, problem.motion(qacc)
    _, steps = _grid(plane, w, x, y)
    slope = (problem.to_motion @ (problem.J[problem.own] @ away)) @ plane.response
    bend = plane.axes.T @ plane.response
    value = 0.5 * away @ problem.inertia @ away + steps @ slope + 0.5 * ((steps @ bend) * steps).sum(axis=-1)
    turn = problem.A[:, problem.own] @ problem.to_motion.T @ plane.response
    return _shaped(value + _costs(problem.terms, z, turn, steps), x, y)


def _costs(terms: ConstraintRows, z: Numbers, turn: Numbers, steps: Numbers) -> Numbers:
    """s at z + turn step of each of the steps, piece by piece."""
    count = max(1, PIECE // max(1, len(z)))
    pieces = [asked_cost(replace(terms, z=z + steps[k : k + count] @ turn.T)) for k in range(0, len(steps), count)]
    return np.concatenate(pieces)


def penalty_section(problem: ContactProblem, plane: Plane, w: Numbers, x: Numbers, y: Numbers) -> Numbers:
    """The contact's penalty alone (ny, nx), through a w (dim,)."""
    return _shaped(problem.penalty(_grid(plane, w, x, y)[0]), x, y)


def zone_section(problem: ContactProblem, plane: Plane, w: Numbers, x: Numbers, y: Numbers) -> Integers:
    """Zones (ny, nx) of a section of the primal or of the penalty."""
    return np.asarray(_shaped(problem.zones(_grid(plane, w, x, y)[0]), x, y))


def dual_section(problem: ContactProblem, plane: Plane, forces: Numbers, x: Numbers, y: Numbers) -> Numbers:
    """D (ny, nx) over the contact's force through forces of the island (n,), also where the force is not allowed."""
    _, steps = _grid(plane, problem.force(forces), x, y)
    inner = problem.A[problem.own, problem.own] + np.diag(problem.terms.R[problem.own])
    slope, bend = problem.dual_slope(forces) @ plane.lift, plane.lift.T @ inner @ plane.lift
    return _shaped(problem.dual(forces) + steps @ slope + 0.5 * ((steps @ bend) * steps).sum(axis=-1), x, y)


def room_section(problem: ContactProblem, plane: Plane, forces: Numbers, x: Numbers, y: Numbers) -> Numbers:
    """Distance of the forces of a section of the dual to the rim of what the constraint allows (ny, nx); below 0: not allowed."""
    _, steps = _grid(plane, problem.force(forces), x, y)
    return _shaped(problem.room(forces[problem.own] + steps @ plane.lift.T), x, y)


def _grid(plane: Plane, base: Numbers, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    """Points (nx ny, dim) of a plane through base (dim,), and the steps (nx ny, axes) that lead to them."""
    places = np.stack([grid.ravel() for grid in np.meshgrid(x, y)], axis=1)[:, : plane.axes.shape[1]]
    steps = places - base @ plane.axes
    return base + steps @ plane.axes.T, steps


def _shaped(values: Any, x: Numbers, y: Numbers) -> Any:
    return values.reshape(len(y), len(x))
