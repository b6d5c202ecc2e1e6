"""A sweep of a splitting as a linear map, and its spectrum: how much of an error one sweep leaves.

A = B + C, and a sweep finds x' with B x' = B x - w(x) = -C x - b, row by row or block by block (physics/solver/lcp/sweep.py):

    Jacobi         B = D/omega         Gauss-Seidel   B = L + D         SOR   B = L + D/omega

where D is the diagonal of A, or its blocks. Near a solution bounds that hold keep holding, so that the sweep is linear in the
other rows: those that are free, and friction that slides, which follows its normal impulse. An error e becomes G e with
G = B^-1 (B - A) of these rows, and shrinks in each sweep by the spectral radius of G in the end. Where A is singular (redundant
contacts), eigenvalues of exactly 1 belong to impulses that move nothing, which are never wrong: they are left out.

The rows of friction, with s the direction in which it slides, in lengths of the coefficients, are
    box    x_t' = +-mu x_n'
    disc   s' = x_n' y/|y|,  y = s - (omega/c) mu w:    ds' = y/|y| dx_n' + x_n/|y| (1 - yy'/|y|^2) dy
Source: R. W. Cottle, J.-S. Pang, R. E. Stone, The linear complementarity problem, section 5.3.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.observe.complementarity.problem import LcpProblem, Numbers, RowBound, curvature, discs, row_states
from tumble.physics.solver.lcp.rows import BLOCK
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.own import Splitting

Complex = NDArray[np.complex128]


class SweepRule(Struct, frozen=True):
    """A splitting. omega: relaxation, of Jacobi and SOR; block: whether D has the 3x3 blocks of contacts."""

    method: Splitting
    block: bool
    omega: float = 1.0


class SweepMap(Struct, frozen=True, eq=False):
    """B x' = N x + constant, for the k rows that move. rows (k,): their numbers; after: B (k, k); before: N (k, k)."""

    rows: NDArray[np.int64]
    after: Numbers
    before: Numbers


def units(problem: LcpProblem, *, block: bool) -> NDArray[np.int64]:
    """Number of the unit of each row (n,): rows that are updated together, in the order in which they are."""
    begins = np.ones(len(problem), bool)
    for disc in discs(problem):
        begins[disc.start + 1 : disc.stop] = False
    if block:
        for r in np.flatnonzero(problem.size == BLOCK):
            begins[r + 1 : r + BLOCK] = False
    return np.cumsum(begins) - 1


def splitting(problem: LcpProblem, A: Numbers, sweep: SweepRule) -> Numbers:
    """B (n, n) of A = B + C, without regard to bounds."""
    unit = units(problem, block=sweep.block)
    blocks = np.zeros(len(problem), bool)
    if sweep.block:
        for r in np.flatnonzero(problem.size == BLOCK):
            blocks[r : r + BLOCK] = True
    own = (unit[:, None] == unit) & (blocks[:, None] | np.eye(len(problem), dtype=bool))
    B = np.where(own, A, 0.0) / sweep.omega
    for disc in discs(problem):
        if not blocks[disc.start]:  # a step down the gradient, by the largest curvature
            mu = np.where(problem.high[disc] > 0.0, problem.high[disc], 1.0)  # without friction the row is fixed
            rows = np.arange(disc.start, disc.stop)
            B[rows, rows] = curvature(problem, disc) / (sweep.omega * mu * mu)
    return B if sweep.method is Splitting.JACOBI else B + np.where(unit[:, None] > unit, A, 0.0)


def sweep_map(problem: LcpProblem, A: Numbers, sweep: SweepRule) -> SweepMap:
    """The sweep about the problem's impulses, with bounds that hold them as they do."""
    B = splitting(problem, A, sweep)
    N = B - A
    state = row_states(problem)
    for r in np.flatnonzero((state == RowBound.SLIDING) & (problem.base >= 0)):
        base = int(problem.base[r])
        B[r], N[r] = 0.0, 0.0
        B[r, r], B[r, base] = 1.0, -math.copysign(problem.high[r], problem.impulse[r])
    for disc in discs(problem):
        if (state[disc] == RowBound.SLIDING).any():
            _slide(problem, A, sweep, disc, B, N)
    rows = np.flatnonzero((state == RowBound.FREE) | (state == RowBound.SLIDING))
    grid = np.ix_(rows, rows)
    return SweepMap(rows, B[grid], N[grid])


def _slide(problem: LcpProblem, A: Numbers, sweep: SweepRule, disc: slice, B: Numbers, N: Numbers) -> None:
    """B and N of the rows of a disc whose friction slides: see the head of this module."""
    rows = np.flatnonzero(problem.high[disc] > 0.0) + disc.start
    base, mu = int(problem.base[disc.start]), problem.high[rows]
    unit = units(problem, block=sweep.block)
    implicit = sweep.block and int(problem.size[base]) == BLOCK  # solved with its normal until it stands still
    new = A[rows] * (unit < unit[disc.start]) if sweep.method is not Splitting.JACOBI else np.zeros((len(rows), len(problem)))
    if implicit:
        new = new + A[rows] * (unit == unit[disc.start]) / sweep.omega
        scaled = mu[:, None] * A[np.ix_(rows, rows)] * mu / sweep.omega
        step = 1.0 / float(np.linalg.eigvalsh(scaled)[-1])
    else:
        step = sweep.omega / curvature(problem, disc)
    s = problem.impulse[rows] / mu
    aim = s - step * mu * problem.velocity[rows]
    length = max(float(np.linalg.norm(aim)), mjMINVAL)
    along = aim / length
    turn = problem.impulse[base] / length * (np.eye(len(rows)) - np.outer(along, along))
    inverse = np.diag(1.0 / mu)
    B[rows], N[rows] = step * turn @ (mu[:, None] * new), -step * turn @ (mu[:, None] * (A[rows] - new))
    B[np.ix_(rows, rows)] += inverse - (turn @ inverse if implicit else 0.0)
    N[np.ix_(rows, rows)] += 0.0 if implicit else turn @ inverse
    B[rows, base] -= along


def eigenvalues(problem: LcpProblem, A: Numbers, sweep: SweepRule) -> Complex:
    """Eigenvalues of G (k,), largest first, without those of impulses that move nothing. Raises LinAlgError."""
    linear = sweep_map(problem, A, sweep)
    if not len(linear.rows):
        return np.zeros(0, complex)
    matrix = linear.after - linear.before
    sizes = np.linalg.svd(matrix / problem.diag[linear.rows], compute_uv=False)
    null = int((sizes <= _STILL * sizes[0]).sum())
    values = np.asarray(np.linalg.eigvals(np.linalg.solve(linear.after, linear.before)), complex)
    values = values[np.argsort(np.abs(values - 1.0), kind="stable")][null:]
    return values[np.argsort(-np.abs(values), kind="stable")]


_STILL = 1e-7  # of the largest singular value: below it impulses move nothing, but for friction that is just at its bound


def power_radius(problem: LcpProblem, A: Numbers, sweep: SweepRule, turns: int = 100) -> float:
    """About the spectral radius of G, from below: growth of an error in the second half of `turns` sweeps."""
    linear = sweep_map(problem, A, sweep)
    return _growth(linear.after, linear.before, turns, whole=False)


def power_largest(problem: LcpProblem, A: Numbers, sweep: SweepRule, turns: int = 100) -> float:
    """About the largest eigenvalue of D^-1 A, from below; sweep: Jacobi. The relaxations of the theorem are below 2 over it."""
    moves = np.flatnonzero(problem.diag >= mjMINVAL)
    grid = np.ix_(moves, moves)
    return _growth(splitting(problem, A, sweep)[grid], A[grid], turns, whole=True)


def _growth(after: Numbers, before: Numbers, turns: int, *, whole: bool) -> float:
    """Growth of a random vector by after^-1 before in the second half of `turns`; whole: of all parts, those of 1 too."""
    from scipy.linalg import lu_factor, lu_solve  # slow to import

    if not len(after):
        return 0.0
    factor = lu_factor(after)
    error = np.random.default_rng(0).normal(size=len(after))
    if not whole:
        error -= lu_solve(factor, before @ error)  # what moves nothing is taken out
    growth = 0.0
    for turn in range(turns):
        size = float(np.linalg.norm(error))
        if not 0.0 < size < math.inf:
            return 0.0
        error = lu_solve(factor, before @ (error / size))
        if turn >= turns // 2:
            growth += math.log(max(float(np.linalg.norm(error)), 1e-300))
    return math.exp(growth / (turns - turns // 2))
