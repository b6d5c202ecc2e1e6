"""Recorded solves: the probe that reads them, their curves and numbers, and settings for solving a step again."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import ArrayLike, NDArray

from tumble.app.describe.numbers import moment, none_yet
from tumble.app.editing.option_table import CONES, SOLVERS
from tumble.physics import ContactModel, mjtCone, mjtTimer, read_record
from tumble.physics.observe.sample import iteration_limit

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel, Record, Solved, SolveSettings, Trace


Array = NDArray[np.float64]

RECORD_INTERVAL = 0.2  # wall time between two records read while time runs [s]


class SolveReading(Struct):
    """The step that a snapshot is of. serial: identifies the step; time [s]; qacc (nv,); record: of its solve.

    limit: most iterations that the solver could have taken; dof_treeid (nv,): the tree of each dof.
    """

    serial: tuple[int, int] = (-1, -1)
    time: float = 0.0
    qacc: Array | None = None
    record: Record | None = None
    limit: int = 0
    dof_treeid: NDArray[np.int32] | None = None


class ShownSolve(Struct):
    """Newest reading in a snapshot; fresh: True if it is of the snapshot's own step."""

    reading: SolveReading = field(default_factory=SolveReading)
    fresh: bool = False


class SolverProbe:
    """Reads the record of the last solve a few times a second, each time while `eager`."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.eager = True
        self.taken = 0  # moments so far
        self._now = now
        self._read_at = -RECORD_INTERVAL
        self._last = SolveReading()
        self._model: weakref.ref[MjModel] | None = None  # one that was closed is not kept while the panel is out of sight

    def room(self, model: MjModel, data: MjData) -> ShownSolve:
        return ShownSolve()

    def take(self, model: MjModel, data: MjData, into: ShownSolve) -> None:
        self.taken += 1
        if self._model is None or self._model() is not model:
            self._model, self._last = weakref.ref(model), SolveReading()
        serial = (int(data.timer_number[mjtTimer.mjTIMER_FORWARD]), int(data.resets))
        now = self._now()
        if serial != self._last.serial and (self.eager or now - self._read_at >= RECORD_INTERVAL):
            self._read_at = now
            record = read_record(model, data)
            if len(record) or not int(data.nefc):  # else it was solved before records were requested
                self._last = SolveReading(
                    serial, float(data.time), data.qacc.copy(), record, limit_of(model), model.dof_treeid.copy()
                )
        into.reading, into.fresh = self._last, serial == self._last.serial


def limit_of(model: MjModel) -> int:
    """Most iterations that the solver may take."""
    return int(iteration_limit(model))


# Relative to the largest number of a curve: below it, differences of costs are rounding.
ROUNDING = float(np.finfo(np.float64).eps)
# More curves are hard to distinguish; the islands with most rows are drawn.
MOST_ISLANDS = 24
# Solves of one step in addition to its own: as many as there are dashes.
MOST_SOLVES = 4


class Quantity(Struct, frozen=True):
    """A quantity to plot over the iterations. first: the iterate it begins at, for the start has no step."""

    name: str
    axis: str
    tip: str
    first: int = 0


QUANTITIES = {
    "cost": Quantity("Cost above the best", "cost \N{MINUS SIGN} best", "Primal cost minus the lowest that any solve reached"),
    "gradient": Quantity("Gradient", "gradient", "Scaled norm of the cost's gradient: the same measure for every solver"),
    "residual": Quantity("Solver's residual", "residual", "What the solver's own stopping test uses", 1),
    "improvement": Quantity("Improvement", "improvement", "Scaled improvement of each iteration", 1),
    "slope": Quantity("Line-search slope", "slope", "Slope that the line search left; PGS and LCP have no line search", 1),
}


class Curve(Struct, frozen=True):
    """One island's curve: dof, its first; iteration (n,); value (n,), above zero, for a log axis."""

    dof: int
    iteration: Array
    value: Array


def largest(record: Record) -> list[Trace]:
    """The islands to draw: all, or those with most rows, in the order of the islands."""
    chosen = sorted(record, key=lambda trace: -len(trace.rows))[:MOST_ISLANDS]
    return sorted(chosen, key=lambda trace: trace.island)


def best_costs(records: Sequence[Record]) -> dict[int, float]:
    """The lowest cost of each island over solves of one step; -1: of a solve that takes all islands as one problem."""
    best: dict[int, float] = {}
    for record in records:
        for trace in record:
            lowest = float(np.min(trace.cost))
            best[trace.island] = min(best.get(trace.island, math.inf), lowest)
    if any(len(record) > 1 for record in records):
        together = sum(lowest for island, lowest in best.items() if island >= 0)
        best[-1] = min(best.get(-1, math.inf), together)
    return best


def curves(record: Record, quantity: str, best: dict[int, float]) -> list[Curve]:
    """Curves of a record; best: as from `best_costs`. Numbers of zero and below are drawn at rounding's size."""
    first = QUANTITIES[quantity].first
    result = [_curve(trace, quantity, best.get(trace.island, 0.0), first, 0) for trace in largest(record)]
    if quantity == "gradient":  # after the solver's iterates, as the scrubber counts them
        result += [_curve(trace.noslip, quantity, 0.0, 0, len(trace)) for trace in largest(record) if trace.noslip]
    return [curve for curve in result if len(curve.value)]


def _curve(trace: Trace, quantity: str, best: float, first: int, offset: int) -> Curve:
    values = np.asarray(getattr(trace, quantity), np.float64)
    scale = float(np.max(np.abs(values), initial=0.0))
    values = values - best if quantity == "cost" else np.abs(values)
    values = np.maximum(values, max(ROUNDING * scale, 1e-300))
    iteration = (trace.iteration[first:] + offset).astype(np.float64)
    return Curve(int(np.min(trace.dofs)), iteration, values[first:])


def places(iteration: ArrayLike, compressed: bool) -> Array:
    """Positions of iterations on their axis: linear, or log10(1 + iteration), which spreads the start."""
    return np.log10(1.0 + np.asarray(iteration, np.float64)) if compressed else np.asarray(iteration, np.float64)


# ---- numbers


class Outcome(Struct, frozen=True):
    """Result of a solve. iterations: of the island with most; cost: of all islands; gradient: the largest;
    difference: largest |qacc - that of the step itself| [m/s^2 or rad/s^2]; seconds: of the solver, nan if unknown."""

    iterations: int
    cost: float
    gradient: float
    difference: float
    seconds: float


def outcome(record: Record, difference: float = 0.0, seconds: float = math.nan) -> Outcome | None:
    """The numbers of a solve; None: no constraint was solved."""
    if len(record) == 0:
        return None
    iterations = max(int(trace.iteration[-1]) for trace in record)
    return Outcome(iterations, float(record.cost[-1]), float(record.gradient[-1]), difference, seconds)


def outcome_again(solved: Solved, qacc: Array) -> Outcome | None:
    """The numbers of a step solved again; qacc (nv,): that of the step itself."""
    difference = float(np.max(np.abs(solved.qacc - qacc), initial=0.0))
    return outcome(solved.record, difference, solved.seconds)


# ---- settings


def settings(solver: str, cone: str, tolerance: str, iterations: int, warmstart: bool) -> SolveSettings:
    """Settings of another solve from the user's choice; an empty tolerance and 0 iterations: as in the model.

    Raises ValueError with a message for the user where the tolerance is no number of 0 or more.
    """
    result: SolveSettings = {**SOLVERS[solver], **CONES[cone]}
    hard = result["contact_model"] == ContactModel.LCP
    if tolerance.strip():
        try:
            value = float(tolerance)
        except ValueError:
            raise ValueError(f"The tolerance {tolerance.strip()!r} is not a number, as 1e-10 is") from None
        if not (0 <= value < math.inf):
            raise ValueError(f"The tolerance must be 0 or more, not {value:g}")
        if hard:
            result["lcp_tolerance"] = value
        else:
            result["tolerance"] = value
    if iterations > 0:
        if hard:
            result["lcp_sweeps"] = iterations
        else:
            result["iterations"] = iterations
    if not warmstart:
        result["warmstart"] = False
    return result


def label(chosen: SolveSettings, solver: str) -> str:
    """Legend entry of a solve: the solver and its other settings."""
    parts = [solver]
    if "cone" in chosen:
        parts.append("elliptic" if chosen["cone"] == mjtCone.mjCONE_ELLIPTIC else "pyramidal")
    tolerance: Any = chosen.get("tolerance", chosen.get("lcp_tolerance"))
    if tolerance is not None:
        parts.append(f"tol {tolerance:g}")
    most = chosen.get("iterations", chosen.get("lcp_sweeps"))
    if most is not None:
        parts.append(f"\N{LESS-THAN OR EQUAL TO}{most}")
    if "warmstart" in chosen:
        parts.append("cold")
    return ", ".join(parts)


# ---- one step and the solves of it


class Line(Struct, frozen=True):
    """A curve of one solve: 0 is the step's own, the others follow in their order."""

    solve: int
    curve: Curve


class Comparison:
    """A frozen step, and its solves with other settings. Solves are discarded when another step comes."""

    def __init__(self) -> None:
        self.reading = SolveReading()
        self.solves: list[tuple[str, Solved]] = []

    @property
    def record(self) -> Record | None:
        """Record of the step's own solve, if there was a constraint."""
        record = self.reading.record
        return record if record is not None and len(record) else None

    @property
    def names(self) -> list[str]:
        """Names of the solves, the step's own first."""
        own = self.record[0].solver if self.record is not None else ""
        return [f"this step: {own}", *(name for name, _ in self.solves)]

    def show(self, reading: SolveReading) -> bool:
        """Set another reading; returns True if it is of another step."""
        if reading.serial == self.reading.serial:
            return False
        self.reading, self.solves = reading, []
        return True

    def add(self, name: str, solved: Solved) -> None:
        """Add a solve; it replaces one with the same settings, or the oldest if there are too many."""
        others = [(known, old) for known, old in self.solves if known != name]
        self.solves = [*others, (name, solved)][-MOST_SOLVES:]

    def tree(self, curve: Curve) -> int:
        """The lowest tree of a curve's island, which has its colour; -1: of no island of the step's own solve."""
        firsts = {int(np.min(trace.dofs)) for trace in self.record or ()}
        trees = self.reading.dof_treeid
        return int(trees[curve.dof]) if trees is not None and curve.dof in firsts else -1

    @property
    def whole(self) -> bool:
        """True if the step was solved as one problem, so that colours can distinguish solves."""
        return self.record is not None and len(self.record) == 1

    def lines(self, quantity: str) -> list[Line]:
        """All curves of a quantity."""
        if self.record is None:
            return []
        records = [self.record, *(solved.record for _, solved in self.solves)]
        best = best_costs(records)
        return [Line(k, curve) for k, record in enumerate(records) for curve in curves(record, quantity, best)]

    def outcomes(self) -> list[tuple[str, Outcome]]:
        """The numbers of each solve, the step's own first."""
        qacc = self.reading.qacc
        if self.record is None or qacc is None:
            return []
        outcomes = [outcome(self.record), *(outcome_again(solved, qacc) for _, solved in self.solves)]
        return [(name, numbers) for name, numbers in zip(self.names, outcomes, strict=True) if numbers is not None]

    def summary(self, paused: bool) -> str:
        """A line about the step; paused: whether the simulation is."""
        if self.reading.record is None:
            return none_yet("step", paused)
        record = self.record
        if record is None:
            return f"{moment(self.reading.time)}: nothing to solve, no constraint acts"
        steps = max(int(trace.iteration[-1]) for trace in record)
        parts = [moment(self.reading.time), f"{record.nefc} rows", f"{steps} iteration{'s' if steps != 1 else ''}"]
        if record[0].island >= 0:
            shown = f", the largest {MOST_ISLANDS} shown" if len(record) > MOST_ISLANDS else ""
            parts.insert(1, f"{len(record)} island{'s' if len(record) != 1 else ''}{shown}")
        if self.reading.limit and steps >= self.reading.limit:
            parts.append("limit reached")
        if not record.complete:
            parts.append("more iterations than are recorded")
        return "   ".join(parts)
