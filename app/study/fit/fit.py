"""A fit: the unknowns of a study that make its model move as was measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import keyframes
from tumble.app.replay.bundle import Bundle
from tumble.app.study.fit import loss
from tumble.app.study.fit.fit_section import FitSection, section
from tumble.app.study.fit.global_search import search
from tumble.app.study.fit.least_squares import Descent, LeastSquares, Solution
from tumble.app.study.fit.pieces import Piece, PieceLayout, check_units, pieces, start_state
from tumble.app.study.fit.prediction import Predicted, Predictor
from tumble.app.study.fit.records import MeasuredRecord, files_of, read
from tumble.app.study.fit.uncertainty import Estimate, Uncertainty, estimates, uncertainty, undetermined
from tumble.app.study.fit.unknowns import Unknowns
from tumble.app.study.study_file import Study, StudyError
from tumble.app.study.variants import Variants

Array = NDArray[np.float64]

_ALIKE = 1.02  # times the least cost, up to which another end of the local search counts
_SPREAD = 0.1  # of the ranges, by which restarts differ
_LEAST = 1e-9  # deviation of a signal


class FitJob(Struct, frozen=True):
    """A study with its model and its measured records."""

    study: Study
    fit: FitSection
    bundle: Bundle
    records: list[MeasuredRecord]
    held_out: list[MeasuredRecord]

    @classmethod
    def of(
        cls, study: Study, bundle: Bundle, folder: Path, name: str, data: Sequence[str] = (), held: Sequence[str] = ()
    ) -> FitJob:
        """folder: of the study; name: of its file; data, held: files instead of those that the study names.

        A file that is held out is not fitted, even if a pattern of the data means it, too. Raises StudyError.
        """
        fit = section(study.fit, study.parameters, name)
        here = Path()
        out = files_of(held, here) if held else files_of(fit.hold_out, folder)
        used = files_of(data, here) if data else files_of(fit.data, folder)
        names = {path.resolve() for path in out}
        used = [path for path in used if path.resolve() not in names]
        if not used:
            raise StudyError(f"{name}: a fit needs measured data: fit.data, or --data FILES")
        return cls(study, fit, bundle, [read(path, fit) for path in used], [read(path, fit) for path in out])


class Score(Struct, frozen=True):
    """Root mean square differences of each signal, before and after, over windows and over whole records; by name."""

    before: dict[str, float]
    after: dict[str, float]


class FitResult(Struct, frozen=True):
    """Result of a fit.

    undetermined: sentences on what the data do not determine; scores: by "fitted", "held out", each over windows; deviations of
    the signals; shown: predictions over whole records, first of those held out, by name.
    """

    estimates: list[Estimate]
    undetermined: list[str]
    uncertainty: Uncertainty
    solution: Solution
    scores: dict[str, Score]
    deviations: dict[str, float]
    shown: dict[str, tuple[Predicted, Predicted]]
    inertias: dict[str, dict[str, list[float]]]
    texts: dict[str, bytes]
    whole: bool


class ModelFit:
    """Carries a fit out."""

    def __init__(self, job: FitJob) -> None:
        """Raises StudyError, LoadError."""
        self.job = job
        variants = Variants(job.bundle, job.study.parameters)
        model = variants.base
        physics.prepare(model)
        self.unknowns = Unknowns(job.study.parameters, job.fit, variants)
        self.layout = PieceLayout.of(model, job.fit)
        check_units([*job.records, *job.held_out], self.layout, model)
        self._base = start_state(model, _key(job.study, variants))
        self._states = np.repeat([job.fit.position, job.fit.velocity], model.nv)
        self.predictor = self.predictor_of(job.records, job.fit)

    def run(
        self, progress: Callable[[int, int], None] = lambda done, of: None, stopped: Callable[[], bool] = lambda: False
    ) -> FitResult:
        """Search, globally and then locally; of a search that is stopped, the best so far."""
        fit = self.job.fit
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            shares, ends = np.clip(self.unknowns.start, 0, 1), list[Descent]()
            if fit.search != "local" and fit.evaluations:
                shares = self._global(shares, pool, progress, stopped)
            if fit.search == "global":
                self._deviations = self._estimated(shares)
                squares = self._squares(pool)
                end, system = squares.level(squares.descend(shares, lambda: True), move=False)
                solution = Solution(end.shares, end.states, end.cost, system.information, system.scores)
            else:
                descent, ends = self._local(shares, pool, stopped)
                solution = self._squares(pool).settle(descent, stopped)
        known = uncertainty(solution, [piece.record for piece in self.predictor.windows], self.predictor.compared)
        return FitResult(
            estimates(self.unknowns.table, solution, known, [end.shares for end in ends]),
            undetermined(self.unknowns.table, solution, known, [end.shares for end in ends]),
            known, solution, self._scores(solution), dict(zip(self.layout.outputs, self._deviations.tolist(), strict=True)),
            self._shown(solution),
            {
                body: {key: value.tolist() for key, value in words.items()}
                for body, words in self.unknowns.inertias(solution.shares).items()
            },
            self.unknowns.text(solution.shares),
            not stopped(),
        )  # fmt: skip

    # ---- searches

    def predictor_of(self, records: Sequence[MeasuredRecord], fit: FitSection) -> Predictor:
        """Predicts the windows of records into which these options cut them."""
        return Predictor(self.unknowns, self.layout, records, pieces(records, fit), fit, self._base)

    def _estimated(self, shares: Array, states: Array | None = None, predictor: Predictor | None = None) -> Array:
        """Deviations (o,) of the signals: as given, else of the differences that these values, and beginnings, leave."""
        given = np.array([self.job.fit.columns()[name].deviation for name in self.layout.outputs])
        difference = (predictor or self.predictor).predict(shares, states).difference
        found = np.maximum(np.nan_to_num(loss.spread(difference[:, 1:])), _LEAST)
        for four in self.layout.quaternions:  # one orientation, one noise
            found[list(four)] = np.sqrt(np.mean(found[list(four)] ** 2))
        return np.where(given > 0, given, found)

    def _global(
        self, shares: Array, pool: Executor, progress: Callable[[int, int], None], stopped: Callable[[], bool]
    ) -> Array:
        """Two searches, the second with the deviations that the first one left."""
        evaluations, seed = self.job.fit.evaluations, self.job.fit.seed
        half = max(1, evaluations // 2)
        for k in range(2):
            deviations = self._estimated(shares)

            def cost(u: Array, deviations: Array = deviations) -> float:
                difference = self.predictor.predict(u).difference[:, 1:] / deviations
                return loss.by_window(difference)

            def done(count: int, k: int = k) -> None:
                progress(min(evaluations, k * half + count), evaluations)

            shares = search(cost, shares, half, seed + k, pool, done, stopped, 0.2 if k == 0 else 0.07)
        return shares

    def _local(self, shares: Array, pool: Executor, stopped: Callable[[], bool]) -> tuple[Descent, list[Descent]]:
        """The least of descents from here and from other places, and the ends of about the same cost, itself included."""
        self._deviations = self._estimated(shares)
        squares = self._squares(pool)
        descent, _ = squares.level(squares.descend(shares, stopped), stopped)
        self._deviations = self._estimated(descent.shares, descent.states)
        ends = [self._squares(pool).descend(descent.shares, stopped)]
        rng = np.random.default_rng(self.job.fit.seed)
        for _ in range(self.job.fit.restarts):
            if stopped():
                break
            start = np.clip(ends[0].shares + _SPREAD * rng.standard_normal(len(shares)), 0.02, 0.98)
            ends.append(self._squares(pool).descend(start, stopped))
        best = min(ends, key=lambda end: end.cost)
        return best, [end for end in ends if end.cost <= _ALIKE * best.cost]

    def _squares(self, pool: Executor) -> LeastSquares:
        return LeastSquares(self.predictor, self._deviations, self.job.fit.loss, self._states, pool)

    # ---- results

    def predicted(self, predictor: Predictor, shares: Array) -> Predicted:
        """Windows from their measured beginnings, or from those that the rows of [fit] lead tell, before the rest is seen."""
        lead = self.job.fit.lead
        if not lead:
            return predictor.predict(shares)
        first = []
        for one in predictor.windows:
            time = predictor.records[one.record].time
            last = int(np.searchsorted(time, time[one.first] + lead, side="right")) - 1
            first.append(Piece(one.record, one.first, min(one.last, last)))
        seen = Predictor(self.unknowns, self.layout, predictor.records, first, self.job.fit, self._base)
        states = None
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for _ in range(2):  # the second with the deviations that the first leaves
                deviations = self._estimated(shares, states, seen)
                states = LeastSquares(seen, deviations, self.job.fit.loss, self._states, pool).beginnings(shares)
        return predictor.predict(shares, states)

    def _scores(self, solution: Solution) -> dict[str, Score]:
        scores = {"fitted": self._score(self.predictor, solution)}
        if self.job.held_out:
            scores["held out"] = self._score(self.predictor_of(self.job.held_out, self.job.fit), solution)
        return scores

    def _score(self, predictor: Predictor, solution: Solution) -> Score:
        """Differences with the values of the file, or where a search begins, and with those found, from measured states."""
        before, after = (self.predicted(predictor, shares).difference[:, 1:] for shares in (self.unknowns.start, solution.shares))
        names = list(self.layout.outputs)
        return Score(*({name: _rms(part[..., k]) for k, name in enumerate(names)} for part in (before, after)))

    def _shown(self, solution: Solution) -> dict[str, tuple[Predicted, Predicted]]:
        """Records over their windows: with the start's values, and with those found."""
        shown = {}
        for records in (self.job.held_out, self.job.records):
            for record in records[:3]:
                predictor = self.predictor_of([record], self.job.fit)
                shown[record.name] = self.predicted(predictor, self.unknowns.start), self.predicted(predictor, solution.shares)
        return shown


def _rms(difference: Array) -> float:
    valid = difference[np.isfinite(difference)]
    return float(np.sqrt(np.mean(valid**2))) if valid.size else float("nan")


def _key(study: Study, variants: Variants) -> int:
    """The number of the keyframe that fills what is not measured; -1 for none. Raises StudyError."""
    names, key = keyframes(variants.base), study.keyframe
    if not key:
        return -1
    if key not in names and not (key.isdecimal() and int(key) < len(names)):
        raise StudyError(f"keyframe: there is no {key!r}; there are {', '.join(names) or 'none'}")
    return names.index(key) if key in names else int(key)
