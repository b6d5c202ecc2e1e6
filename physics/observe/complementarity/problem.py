"""A copy of the linear complementarity problem of a step, with its solution so far, and how far each row is from being solved.

    mj_forward(m, d)                 # with hard contacts
    problem = read_problem(m, d)
    problem.matrix()                 # A (n, n)
    natural_map(problem).max()       # d.lcp_residual

The engine never forms A: it keeps X with A = X X' (physics/solver/lcp/rows.py).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[Any]

ROUNDING = 1e-9  # of a bound, by which an impulse at it may differ


class RowBound(IntEnum):
    """States of a row between its bounds."""

    FREE = 0  # the impulse is between its bounds: the row's velocity is zero
    FIXED = 1  # at a bound that does not move: an open contact, dry friction that slips
    SLIDING = 2  # at the bound that the normal impulse gives: friction that slides
    VOID = 3  # no impulse moves it


class LcpProblem(Struct, frozen=True, eq=False):
    """n rows. half: X (n, nv), without columns where A is not wanted; diag (n,): of A.

    b, velocity (n,): w without impulses, and with them [m/s or rad/s]; impulse (n,) [N s or N m s]; low, high (n,): its bounds,
    of contact friction the coefficient; base (n,): row of the normal that bounds it, -1 for none; size, disc (n,): rows of the
    block, and of the disc, that begins there; residual: natural map of all.
    """

    half: Numbers
    diag: Numbers
    b: Numbers
    velocity: Numbers
    impulse: Numbers
    low: Numbers
    high: Numbers
    base: Integers
    size: Integers
    disc: Integers
    residual: float

    def __len__(self) -> int:
        return len(self.diag)

    def matrix(self) -> Numbers:
        """A (n, n) [1/kg, 1/(kg m) or 1/(kg m^2)]: velocities of all rows from an impulse on each."""
        return self.half @ self.half.T

    @property
    def has_friction(self) -> bool:
        """True if bounds move with a normal impulse."""
        return bool((self.base >= 0).any())


@checked
def read_problem(m: Model, d: Data, *, with_matrix: bool = True) -> LcpProblem:
    """The problem of the last mj_forward or step with hard contacts; without rows where there were no constraints."""
    n = int(d.nlcp)
    names = ("diag", "b", "velocity", "impulse", "low", "high", "base", "size", "disc")
    rows: dict[str, Any] = {name: np.array(getattr(d, f"lcp_{name}")[:n]) for name in names}
    half = _half(m, d, n) if with_matrix else np.zeros((n, 0))
    return LcpProblem(half=half, residual=float(d.lcp_residual) if n else 0.0, **rows)


def _half(m: Model, d: Data, n: int) -> Numbers:
    half = np.zeros((n, int(m.nv)))
    counts, start = np.asarray(d.lcp_rownnz)[:n], np.asarray(d.lcp_rowadr)[:n]
    row = np.repeat(np.arange(n), counts)
    entry = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(start, counts)
    half[row, np.asarray(d.lcp_colind)[entry]] = np.asarray(d.lcp_half)[entry]
    return half


def curvature(problem: LcpProblem, disc: slice) -> float:
    """The trace of the block of A of a disc, in lengths of the coefficients: at least the largest curvature over the disc."""
    return float((problem.high[disc] ** 2 * problem.diag[disc]).sum())


def discs(problem: LcpProblem) -> list[slice]:
    """The rows of each disc."""
    return [slice(int(r), int(r + problem.disc[r])) for r in np.flatnonzero(problem.disc)]


def bounds(problem: LcpProblem) -> tuple[Numbers, Numbers]:
    """Least and most impulse of each row (n,) at the present normal impulses; a disc's row has those of the disc alone."""
    low, high = problem.low.copy(), problem.high.copy()
    friction = problem.base >= 0
    high[friction] *= problem.impulse[problem.base[friction]]
    low[friction] = -high[friction]
    return low, high


def natural_map(problem: LcpProblem) -> Numbers:
    """Distance of each row from being solved (n,) [m/s or rad/s]: |lambda - P(lambda - w / D)| D, with P onto its bounds.

    Between its bounds that is |w|; at one the part of w that the bound does not excuse. As physics/solver/lcp/sweep.py.
    """
    moves = problem.diag >= mjMINVAL
    low, high = bounds(problem)
    scale = np.where(moves, problem.diag, 1.0)
    target = np.where(moves, np.clip(problem.impulse - problem.velocity / scale, low, high), 0.0)
    error = np.abs(problem.impulse - target) * problem.diag
    for disc in discs(problem):
        error[disc] = _disc_error(problem, disc)
    return error


def _disc_error(problem: LcpProblem, disc: slice) -> Numbers:
    mu, x, most = problem.high[disc], problem.impulse[disc], curvature(problem, disc)
    radius = problem.impulse[problem.base[disc.start]]
    moves = (mu > 0.0) & (problem.diag[disc] >= mjMINVAL) & (most >= mjMINVAL * mu * mu)
    scale = np.where(moves, mu, 1.0)
    aim = np.where(moves, x / scale - scale * problem.velocity[disc] / max(most, mjMINVAL), 0.0)
    length = float(np.linalg.norm(aim))
    if length > radius:
        aim *= radius / length
    return np.asarray(np.where(mu > 0.0, np.abs(x / scale - aim) * most / scale, 0.0))


def row_states(problem: LcpProblem) -> Integers:
    """RowBound of each row (n,) at the present impulses."""
    low, high = bounds(problem)
    x, friction = problem.impulse, problem.base >= 0
    at = (x <= low + _slack(low)) | (x >= high - _slack(high))
    held = at & (~friction | (high <= 0.0))
    state = np.where(held, RowBound.FIXED, np.where(at, RowBound.SLIDING, RowBound.FREE))
    for disc in discs(problem):
        mu, radius = problem.high[disc], problem.impulse[problem.base[disc.start]]
        turns = mu > 0.0
        filled = np.linalg.norm(x[disc][turns] / mu[turns]) >= (1.0 - ROUNDING) * radius
        state[disc] = np.where(turns & (radius > 0.0), RowBound.SLIDING if filled else RowBound.FREE, RowBound.FIXED)
    state[problem.diag < mjMINVAL] = RowBound.VOID
    return state


def _slack(bound: Numbers) -> Numbers:
    return np.where(np.isfinite(bound), ROUNDING * np.abs(bound), 0.0)
