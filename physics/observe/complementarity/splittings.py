"""Every splitting of one problem: what the theorem says of it, how fast its sweeps should converge, and how fast they do.

    outcomes = compare(*fork(m, d))
    for outcome in outcomes: print(outcome.sweep, outcome.verdict.radius, outcome.contraction)

The theorem: with A positive definite, lambda <- LCP(B, C lambda + b) converges from any start if B - C = 2 B - A is positive
definite (its symmetric part). For Jacobi that is 2 D/omega - A, so omega below 2 over the largest eigenvalue of
D^-1 A; for Gauss-Seidel 2 B - A has the symmetric part D, so it always holds; for SOR it is (2/omega - 1) D, so omega < 2.
It is of bounds that do not move; those of contact friction do.
Source: seed document on contact as a linear complementarity problem (tazz).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.observe.complementarity.problem import LcpProblem, Numbers, RowBound, read_problem, row_states
from tumble.physics.observe.complementarity.sweep_map import (
    Complex,
    SweepRule,
    eigenvalues,
    power_largest,
    power_radius,
    splitting,
)
from tumble.physics.observe.record import read_record, start_recording, stop_recording
from tumble.physics.run.stepping import mj_forward
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEnableBit
from tumble.physics.state.model import Model
from tumble.physics.state.own import ContactModel, Splitting

MOST_EXACT = 300  # rows up to which all eigenvalues are computed: 0.2 s for a splitting
MOST_SAMPLED = 1500  # ... up to which the largest is, by power iteration
MOST_SWEEPS = 400  # of each splitting in a comparison
SEARCH_SWEEPS = 150  # of each relaxation that is tried
MOST_RECORD = 2**27  # bytes of the record of a comparison's solve
RANGE = (0.05, 1.95)  # relaxations of SOR among which the best is searched
_RANK = 1e-12  # of the largest eigenvalue of A: below it A is singular


class Theorem(Struct, frozen=True):
    """The condition for convergence with fixed bounds. rank: of A; size: its rows; holds: whether B - C is positive definite.

    margin: least eigenvalue of D^-1/2 (B - C) D^-1/2, above 0 where it holds; largest: that of D^-1/2 A D^-1/2, with D as in
    the splitting; fixed: whether no bound moves.
    """

    rank: int
    size: int
    holds: bool
    margin: float
    largest: float
    fixed: bool

    @property
    def definite(self) -> bool:
        """True if A is positive definite."""
        return self.rank == self.size


class Verdict(Struct, frozen=True, eq=False):
    """Prediction for a splitting. theorem: None where A is too large; eigenvalues (k,): of a sweep, None if not known.

    radius: what a sweep leaves of an error in the end, nan where unknown, of Jacobi with its best fixed relaxation; sampled: it
    is from power iteration, about and from below; limit: below it relaxations of Jacobi and SOR converge, else nan; best:
    Jacobi's best fixed one, else nan; contradiction [m/s or rad/s]: as of `contradiction`.
    """

    theorem: Theorem | None
    eigenvalues: Complex | None
    radius: float
    sampled: bool = False
    limit: float = math.nan
    best: float = math.nan
    contradiction: float = 0.0


class SplittingTrial(Struct, frozen=True, eq=False):
    """A splitting tried on a step. problem: with the impulses that it ended with; residual (k,): natural map from the start on.

    contraction: by which the natural map falls in a sweep, in the end; nan after too few sweeps; converged: within tolerance.
    """

    sweep: SweepRule
    problem: LcpProblem
    residual: Numbers
    contraction: float
    converged: bool
    verdict: Verdict | None = None

    @property
    def sweeps(self) -> int:
        """Sweeps that it took."""
        return len(self.residual) - 1


def sweeps_of(omega: float) -> tuple[SweepRule, ...]:
    """All splittings, by row and by block; omega: relaxation of SOR."""
    return tuple(
        SweepRule(method, block, omega if method is Splitting.SOR else 1.0) for method in Splitting for block in (False, True)
    )


# ---- the theorem and the spectrum


def theorem(problem: LcpProblem, A: Numbers, sweep: SweepRule) -> Theorem:
    """Check its condition on A, without the rows that no impulse moves. Raises LinAlgError."""
    moves = np.flatnonzero(problem.diag >= mjMINVAL)
    grid = np.ix_(moves, moves)
    B, own, scale = (
        splitting(problem, A, sweep)[grid],
        splitting(problem, A, SweepRule(Splitting.JACOBI, sweep.block))[grid],
        1.0 / np.sqrt(problem.diag[moves]),
    )
    whole, part, D = (scale[:, None] * matrix * scale for matrix in (A[grid], B + B.T - A[grid], own))
    sizes = np.linalg.eigvalsh(whole)
    rank = int((sizes > len(sizes) * _RANK * sizes[-1]).sum()) if len(sizes) else 0
    least = float(np.linalg.eigvalsh(part)[0]) if len(sizes) else 0.0
    return Theorem(rank, len(moves), least > _RANK * max(1, len(moves)), least, _largest(whole, D), not problem.has_friction)


def _largest(A: Numbers, D: Numbers) -> float:
    """Largest eigenvalue of D^-1 A; D: positive semidefinite, with the range of its blocks of A."""
    if not len(A):
        return 0.0
    sizes, axes = np.linalg.eigh(D)
    there = sizes > len(D) * _RANK * sizes[-1]
    half = axes[:, there] / np.sqrt(sizes[there])
    return float(np.linalg.eigvalsh(half.T @ A @ half)[-1])


def examine(problem: LcpProblem, A: Numbers, sweep: SweepRule) -> Verdict:
    """Predict the sweeps of a splitting near the problem's impulses. Raises LinAlgError."""
    if len(problem) > MOST_SAMPLED:
        return Verdict(None, None, math.nan)
    plain = SweepRule(Splitting.GAUSS_SEIDEL, sweep.block) if sweep.method is Splitting.CONJUGATE else sweep
    if len(problem) > MOST_EXACT:
        if plain.method is Splitting.JACOBI:  # the best relaxation would need the least eigenvalue, too
            return Verdict(None, None, math.nan, sampled=True, limit=2.0 / power_largest(problem, A, plain))
        return Verdict(None, None, power_radius(problem, A, plain), sampled=True)
    condition, values = theorem(problem, A, plain), eigenvalues(problem, A, plain)
    left = contradiction(problem)
    if plain.method is not Splitting.JACOBI:
        limit = 2.0 if plain.method is Splitting.SOR else math.nan
        return Verdict(condition, values, _radius(values), limit=limit, contradiction=left)
    limit = jacobi_limit(values)
    best = jacobi_best(values, limit)
    return Verdict(condition, values, _radius(1.0 - best * (1.0 - values)), limit=limit, best=best, contradiction=left)


def contradiction(problem: LcpProblem) -> float:
    """Largest part of a free row's velocity that no impulse on free rows can remove [m/s or rad/s]: 0 where A is regular.

    With redundant contacts, free rows may want different velocities of what moves together. Impulses then grow, in each sweep by
    as much, until a bound takes a row out: the sweeps converge slowly whatever the spectrum is, or, without bounds, never.
    """
    free = np.flatnonzero(row_states(problem) == RowBound.FREE)
    if not len(free):
        return 0.0
    root = np.sqrt(problem.diag[free])
    basis, sizes, _ = np.linalg.svd(problem.half[free] / root[:, None], full_matrices=False)
    basis = basis[:, sizes > len(free) * _RANK * sizes[0]]
    speed = problem.velocity[free] / root
    return float(np.abs(root * (speed - basis @ (basis.T @ speed))).max())


def _radius(values: Complex) -> float:
    return float(np.abs(values).max(initial=0.0))


def jacobi_limit(values: Complex) -> float:
    """The relaxation below which Jacobi contracts: |1 - omega (1 - value)| < 1 for each eigenvalue of a whole step; 0: none."""
    change = 1.0 - values[np.abs(1.0 - values) > 0.0]
    limits = 2.0 * change.real / np.abs(change) ** 2
    return float(max(0.0, limits.min(initial=math.inf)))


def jacobi_best(values: Complex, limit: float) -> float:
    """The fixed relaxation, at most 1, with which an error falls fastest; the radius is convex in it."""
    change, low, high = 1.0 - values, 0.0, min(1.0, limit)
    for _ in range(60):
        first, second = low + (high - low) / 3.0, high - (high - low) / 3.0
        if _radius(1.0 - first * change) <= _radius(1.0 - second * change):
            high = second
        else:
            low = first
    return high


def best_relaxation(problem: LcpProblem, *, block: bool, wanted: Callable[[], None] = lambda: None) -> tuple[float, float]:
    """Relaxation of SOR whose sweeps leave least of an error, to 0.01, and that share: of up to MOST_EXACT rows.

    A grid, then ever finer ones about the best: the radius may have several lows. wanted: called between the parts, raises when
    the search is no longer wanted. Raises LinAlgError.
    """
    A, known = problem.matrix(), dict[float, float]()
    low, high, step = *RANGE, 0.2
    while step >= 0.01:
        for omega in np.round(np.arange(low, high + 1e-9, step), 3).tolist():
            if omega not in known:
                wanted()
                known[omega] = _radius(eigenvalues(problem, A, SweepRule(Splitting.SOR, block, omega)))
        best = min(known, key=lambda omega: known[omega])
        low, high, step = max(RANGE[0], best - step), min(RANGE[1], best + step), step / 4.0
    return best, known[best]


def tried_relaxation(m: Model, d: Data, *, block: bool, wanted: Callable[[], None] = lambda: None) -> tuple[float, float]:
    """Relaxation of SOR, to 0.1, whose natural map is least after SEARCH_SWEEPS sweeps, and that [m/s or rad/s].

    m, d: a copy, as of `compare`; for more rows than whose eigenvalues are computed. Raises ModelError.
    """
    _prepare(m, SEARCH_SWEEPS)
    m.tumble.lcp_method, m.tumble.lcp_block, m.tumble.lcp_tolerance = Splitting.SOR, int(block), 0.0
    known: dict[float, float] = {}
    for omega in np.round(np.arange(0.5, RANGE[1], 0.1), 2).tolist():
        wanted()
        m.tumble.lcp_omega = omega
        mj_forward(m, d)
        known[omega] = float(d.lcp_residual)
    best = min(known, key=lambda omega: known[omega])
    return best, known[best]


# ---- trying them


def compare(m: Model, d: Data, wanted: Callable[[], None] = lambda: None) -> Iterator[SplittingTrial]:
    """The step from the present state of a copy, solved by each splitting with hard contacts, and what is predicted of each.

    They come one by one, the model's own relaxation of SOR among them; a copy, for its options change. wanted: as in
    `best_relaxation`. Yields nothing where no constraint acts. Raises ModelError where the step cannot be taken.
    """
    omega, tolerance = float(m.tumble.lcp_omega), float(m.tumble.lcp_tolerance)
    _prepare(m, MOST_SWEEPS)
    start_recording(d, MOST_RECORD)
    half: Numbers | None = None
    try:
        for sweep in sweeps_of(omega):
            wanted()
            outcome = _tried(m, d, sweep, tolerance)
            if outcome is None:
                return
            wanted()
            half = outcome.problem.half if half is None else half  # one for all: it does not depend on the splitting
            yield _examined(replace(outcome, problem=replace(outcome.problem, half=half)))
    finally:
        stop_recording(d)


def _prepare(m: Model, sweeps: int) -> None:
    """Hard contacts, with all trees awake."""
    m.tumble.contact_model = ContactModel.LCP
    m.opt.enableflags = int(m.opt.enableflags) & ~int(mjtEnableBit.mjENBL_SLEEP)
    m.tumble.lcp_sweeps = sweeps


def _tried(m: Model, d: Data, sweep: SweepRule, tolerance: float) -> SplittingTrial | None:
    m.tumble.lcp_method, m.tumble.lcp_block = sweep.method, int(sweep.block)
    mj_forward(m, d)
    record, problem = read_record(m, d), read_problem(m, d, with_matrix=int(d.nlcp) <= MOST_SAMPLED)
    if not len(record) or not len(problem):
        return None
    count = 1 + int(d.solver_niter[0])
    trace = record[0]
    residual = np.full(count, np.nan)
    within = trace.iteration < count
    residual[trace.iteration[within][::-1]] = trace.residual[within][::-1]  # the first of each: the last may go back to the best
    return SplittingTrial(sweep, problem, residual, contraction(residual), problem.residual <= tolerance)


def _examined(outcome: SplittingTrial) -> SplittingTrial:
    A = outcome.problem.matrix() if len(outcome.problem) <= MOST_SAMPLED else np.zeros((0, 0))
    try:
        verdict = examine(outcome.problem, A, outcome.sweep)
    except np.linalg.LinAlgError:
        verdict = Verdict(None, None, math.nan)
    return replace(outcome, verdict=verdict)


def contraction(residual: Numbers) -> float:
    """By which numbers fall from one to the next in their last third, before rounding; nan of fewer than four."""
    good = np.flatnonzero(np.isfinite(residual) & (residual > _FLOOR * np.nanmax(residual, initial=0.0)))
    if len(good) < _FEWEST:
        return math.nan
    end = int(good[-1])
    start = int(good[min(len(good) - 2, 2 * len(good) // 3)])
    return float((residual[end] / residual[start]) ** (1.0 / (end - start)))


_FLOOR, _FEWEST = 1e-14, 4
