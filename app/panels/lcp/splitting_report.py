"""The splittings of one moment, compared, and what they are in words. No Qt here."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.describe.constraint_rows import ConstraintKeys, constraint_keys
from tumble.app.describe.numbers import TIMES, moment, short
from tumble.app.widgets.cell_image import Image, Numbers, bytes_of, pyramid
from tumble.physics import ContactModel, Splitting, fork, mjtCone
from tumble.physics.observe.complementarity.problem import RowBound, natural_map, row_states
from tumble.physics.observe.complementarity.splittings import (
    MOST_EXACT,
    MOST_SAMPLED,
    MOST_SWEEPS,
    SEARCH_SWEEPS,
    SplittingTrial,
    Theorem,
    best_relaxation,
    compare,
    tried_relaxation,
)
from tumble.physics.observe.complementarity.sweep_map import SweepRule, splitting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tumble.physics import MjData, MjModel

MOST_DOFS = 4000  # of a model that is copied for this: a sweep's record has a number for each
NAMES = {
    Splitting.JACOBI: "Jacobi", Splitting.GAUSS_SEIDEL: "Gauss-Seidel", Splitting.SOR: "SOR", Splitting.CONJUGATE: "conjugate",
}  # fmt: skip
STATE_WORDS = {
    RowBound.FREE: "between its bounds", RowBound.FIXED: "at a fixed bound", RowBound.SLIDING: "sliding friction",
    RowBound.VOID: "nothing moves it",
}  # fmt: skip
OMEGA, RHO, ABOUT = "\N{GREEK SMALL LETTER OMEGA}", "\N{GREEK SMALL LETTER RHO}", "\N{ALMOST EQUAL TO} "


class SplittingReport(Struct, frozen=True, eq=False):
    """All splittings of a step. model, data: the copy that was solved; rows: the elements of the rows.

    hard: whether the model has hard contacts; sweep: its splitting; tolerance: of the natural map [m/s or rad/s]; discs: whether
    friction has discs rather than boxes; seconds: that it took.
    """

    model: MjModel
    data: MjData
    time: float
    outcomes: tuple[SplittingTrial, ...]
    rows: ConstraintKeys
    hard: bool
    sweep: SweepRule
    tolerance: float
    discs: bool
    seconds: float

    def place(self, method: Splitting, *, block: bool) -> int:
        """Place of a splitting among the outcomes; 0 where there is none."""
        return next((k for k, o in enumerate(self.outcomes) if (o.sweep.method, o.sweep.block) == (method, block)), 0)


def too_large(model: MjModel) -> str:
    """Why a model is not copied for this, "" where it is."""
    return f"It has {model.nv} dofs: splittings are compared up to {MOST_DOFS}" if model.nv > MOST_DOFS else ""


def analyse(model: MjModel, data: MjData, wanted: Callable[[], None] = lambda: None) -> SplittingReport:
    """Compare the splittings on a copy. Raises ModelError."""
    began, own = perf_counter(), model.tumble
    hard = int(own.contact_model) == ContactModel.LCP
    sweep = SweepRule(Splitting(int(own.lcp_method)), bool(own.lcp_block), float(own.lcp_omega))
    time, tolerance, discs = float(data.time), float(own.lcp_tolerance), int(model.opt.cone) == int(mjtCone.mjCONE_ELLIPTIC)
    outcomes = tuple(compare(model, data, wanted))
    rows = constraint_keys(data)
    return SplittingReport(model, data, time, outcomes, rows, hard, sweep, tolerance, discs, perf_counter() - began)


def found_relaxation(report: SplittingReport, *, block: bool, wanted: Callable[[], None]) -> tuple[float, str]:
    """The best relaxation of SOR at a report's state, and in words what is known of it. Raises LinAlgError, ModelError."""
    solved = min((trial.problem for trial in report.outcomes), key=lambda problem: problem.residual)
    if len(solved) <= MOST_EXACT:
        omega, radius = best_relaxation(solved, block=block, wanted=wanted)
        return omega, f"a sweep leaves {rate(radius)} of an error here"
    omega, left = tried_relaxation(*fork(report.model, report.data), block=block, wanted=wanted)
    return omega, f"least is left after {SEARCH_SWEEPS} sweeps, {short(left, 0.0, 3)} m/s"


# ---- words


def name_of(sweep: SweepRule) -> str:
    """Name of a splitting."""
    return f"{NAMES[sweep.method]}{f' 3{TIMES}3' if sweep.block else ''}"


def omega_text(outcome: SplittingTrial) -> str:
    """Relaxation of a splitting."""
    if outcome.sweep.method is Splitting.SOR:
        return short(outcome.sweep.omega, figures=3)
    return "auto" if outcome.sweep.method is Splitting.JACOBI else "1" if outcome.sweep.method is not Splitting.CONJUGATE else ""


def predicted_text(outcome: SplittingTrial) -> str:
    """Share of an error that a sweep should leave."""
    verdict = outcome.verdict
    if verdict is None or math.isnan(verdict.radius) or outcome.sweep.method is Splitting.CONJUGATE:
        return short(math.nan)
    return f"{ABOUT if verdict.sampled else ''}{rate(verdict.radius)}"


def rate(value: float) -> str:
    """A contraction with enough digits to tell slow from slower."""
    if math.isnan(value):
        return short(value)
    return f"{value:.4f}" if value > 0.99 else f"{value:.3f}" if value > 0.1 else short(value, 1e-9, 2)


def sweeps_text(outcome: SplittingTrial) -> str:
    """Sweeps that it took."""
    return str(outcome.sweeps) if outcome.converged else f"> {outcome.sweeps}"


def theorem_text(outcome: SplittingTrial) -> str:
    """The theorem's condition in a few words."""
    condition = None if outcome.verdict is None else outcome.verdict.theorem
    if condition is None:
        return _of_many(outcome)
    if outcome.sweep.method is Splitting.JACOBI and not condition.holds:
        return f"for {OMEGA} < {short(2 / condition.largest, figures=3)}"
    if not condition.holds:
        return "fails"
    return "holds" if condition.definite else "holds, A singular"


def _of_many(outcome: SplittingTrial) -> str:
    """The condition where A is too large for all eigenvalues: of Gauss-Seidel and SOR it follows from the relaxation alone."""
    if outcome.sweep.method is not Splitting.JACOBI:
        return "holds" if outcome.sweep.omega < 2.0 else "fails"
    limit = math.nan if outcome.verdict is None else outcome.verdict.limit
    return "not checked" if math.isnan(limit) else f"for {OMEGA} < {ABOUT}{short(limit, figures=2)}"


def explained(outcome: SplittingTrial, report: SplittingReport) -> str:
    """Theorem, prediction and measurement of a splitting in words."""
    return " ".join(part for part in (_of_theorem(outcome), _of_prediction(outcome), _of_run(outcome, report)) if part)


def _of_theorem(outcome: SplittingTrial) -> str:
    verdict, count = outcome.verdict, len(outcome.problem)
    if verdict is None or verdict.theorem is None:
        why = f"All eigenvalues are computed up to {MOST_EXACT} rows, here are {count}"
        sampled = verdict is not None and verdict.sampled
        return f"{why}: the largest is from power iteration, about and from below." if sampled else f"{why}."
    condition = verdict.theorem
    if outcome.sweep.method is Splitting.JACOBI:
        words = _of_jacobi(condition)
    elif condition.holds:
        least = short(condition.margin, figures=3)
        words = f"B \N{MINUS SIGN} C is positive definite (least eigenvalue {least} of D): the theorem's condition holds."
    else:
        words = f"It cannot be relied on: B \N{MINUS SIGN} C is not positive definite, {OMEGA} must be below 2."
    if not condition.definite:
        words += f" A is singular, rank {condition.rank} of {condition.size}: velocities converge, impulses are not unique."
    return words if condition.fixed else f"{words} The theorem is of bounds that stand; those of friction move with the normal."


def _of_jacobi(condition: Theorem) -> str:
    largest = f"the largest eigenvalue of D\u207b\u00b9A is {short(condition.largest, figures=4)}"
    if condition.holds:
        return f"Whole steps satisfy the theorem: {largest}, below 2."
    within = short(2 / condition.largest, figures=3)
    return (
        f"Whole steps need not converge: 2D \N{MINUS SIGN} A is not positive definite, {largest}, not below 2. "
        f"{OMEGA} < {within} would; the engine chooses {OMEGA} in each sweep so that the cost falls."
    )


def _of_prediction(outcome: SplittingTrial) -> str:
    verdict = outcome.verdict
    if verdict is None or math.isnan(verdict.radius):
        return ""
    if outcome.sweep.method is Splitting.CONJUGATE:
        return f"Its sweeps alone would leave {rate(verdict.radius)} of an error; conjugate steps follow no such law."
    if outcome.sweep.method is Splitting.JACOBI:
        best = short(verdict.best, figures=3)
        return f"With the best fixed {OMEGA}, {best}, a sweep would leave {rate(verdict.radius)} of an error."
    return f"A sweep should leave {rate(verdict.radius)} of an error in the end."


def _of_run(outcome: SplittingTrial, report: SplittingReport) -> str:
    measured = "" if math.isnan(outcome.contraction) else f"{rate(outcome.contraction)}, and "
    if outcome.converged:
        count = "1 sweep" if outcome.sweeps == 1 else f"{outcome.sweeps} sweeps"
        return f"Measured: {measured}{count} to {report.tolerance:g}."
    left = short(outcome.problem.residual, 0.0, 3)
    if outcome.sweeps < MOST_SWEEPS:
        return f"It stands still after {outcome.sweeps} sweeps with {left} m/s left: there may be no solution."
    verdict = outcome.verdict
    if verdict is not None and verdict.contradiction > 0.5 * outcome.problem.residual:
        return (
            f"{left} m/s are left after {outcome.sweeps} sweeps: redundant rows want different velocities of what moves as one, "
            "and their impulses grow by as much in each sweep, until friction slides or a contact opens. "
            "If neither does, there is no solution."
        )
    return f"Measured: {measured}{left} m/s are left after {outcome.sweeps} sweeps."


def summary(report: SplittingReport) -> str:
    """The problem in a line."""
    at = moment(report.time)
    if not report.outcomes:
        return f"{at}: no constraint acts"
    problem = report.outcomes[0].problem
    contacts = int((report.rows.place == 0)[report.rows.sides[:, 0] != -1].sum()) if len(report.rows.place) else 0
    friction = "no friction" if not problem.has_friction else "friction discs" if report.discs else "friction boxes"
    parts = [f"{len(problem)} rows", f"{contacts} contact{'' if contacts == 1 else 's'}", friction]
    condition = report.outcomes[0].verdict.theorem if report.outcomes[0].verdict is not None else None
    if condition is not None:
        parts.insert(1, f"A of rank {condition.rank}")
    if not report.hard:
        parts.append("contacts are soft now: this is the hard problem of the same state")
    return f"{at}: {', '.join(parts)}"


# ---- pictures


class RowBars(Struct, frozen=True, eq=False):
    """Natural map of rows. row (k,): their numbers; value (k,) [m/s or rad/s]; state (k,): RowBound; left: rows without a bar."""

    row: NDArray[np.int64]
    value: Numbers
    state: NDArray[np.int64]
    left: int


MOST_BARS = 600  # rows whose natural map is drawn: of more, those with the largest


def row_bars(outcome: SplittingTrial) -> RowBars:
    """The natural map that a splitting ended with, row by row."""
    error, state = natural_map(outcome.problem), row_states(outcome.problem)
    rows = np.sort(np.argsort(-error, kind="stable")[:MOST_BARS])
    return RowBars(rows, error[rows], state[rows], len(error) - len(rows))


def rows_of_pair(rows: ConstraintKeys, pair: tuple[int, int] | None) -> NDArray[np.bool_]:
    """Mask (n,) of the rows of a pair's contacts."""
    if pair is None:
        return np.zeros(len(rows.kind), bool)
    return np.asarray((rows.sides == pair).all(axis=1) | (rows.sides == pair[::-1]).all(axis=1))


class SplittingMatrix(Struct, frozen=True):
    """A matrix of a splitting: its label and meaning."""

    label: str
    tip: str


PARTS = (
    SplittingMatrix("A", "A = J N\u207b\u00b9 J': velocities of all rows from an impulse on each"),
    SplittingMatrix("B", "What a sweep solves for: D, or L + D, each with its relaxation"),
    SplittingMatrix("C = A \N{MINUS SIGN} B", "What a sweep takes from the impulses before it"),
    SplittingMatrix("Blocks", "A within each contact alone: normal, tangents, torsion and rolling"),
)


class SplittingPicture(Struct, frozen=True, eq=False):
    """A matrix of a splitting as cells. values (n, n); marks: where contacts and other elements begin, unless they are many."""

    kind: object
    values: Numbers
    levels: tuple[Image, ...]
    marks: tuple[list[int], list[int]]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]


MOST_MARKS = 40


def picture(outcome: SplittingTrial, rows: ConstraintKeys, part: int) -> SplittingPicture | None:
    """A matrix of a splitting, to be made in the background; None where there are too many rows."""
    problem = outcome.problem
    if not 0 < len(problem) <= MOST_SAMPLED:
        return None
    begins = np.flatnonzero(rows.place[1:] == 0) + 1
    A = problem.matrix()
    if part == 3:
        unit = np.searchsorted(begins, np.arange(len(problem)), side="right")
        values = np.where(unit[:, None] == unit, A, 0.0)
    else:
        B = splitting(problem, A, outcome.sweep)
        values = (A, B, A - B)[part]
    marks = begins.tolist() if len(begins) <= MOST_MARKS else []
    return SplittingPicture((part, len(problem)), values, pyramid(bytes_of(values)), (marks, marks))


def size_text(shown: SplittingPicture) -> str:
    """Rows and columns."""
    return f"{shown.shape[0]} {TIMES} {shown.shape[1]}"
