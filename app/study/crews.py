"""Carrying a study out: on threads here, or on a Dask cluster; what is done already is not done again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.optimize import differential_evolution

from tumble.app.study.attribute_path import Value
from tumble.app.study.design import design, value_at
from tumble.app.study.objective import Objective
from tumble.app.study.results import Results
from tumble.app.study.trial import DONE, Plan, RunRow, Trial

if TYPE_CHECKING:
    from distributed import Client, as_completed
    from numpy.typing import NDArray

WRITTEN_EVERY = 0.3  # s between two writes of results: what a killed run loses at most
CHUNK = 20  # runs that a worker of a cluster gets at once
AHEAD = 4  # chunks that wait for each thread of a cluster

Runs = Sequence[tuple[int, tuple[Value, ...]]]


class Crew(Protocol):
    """Workers that do runs."""

    def rows(self, runs: Runs, stopped: Callable[[], bool]) -> Iterator[RunRow | None]:
        """The rows of runs, as they end; fewer where `stopped`. None: no run has ended for a while."""


class Threads:
    """Threads of this process; each does one run at a time, in compiled code without Python's lock."""

    def __init__(self, plan: Plan, count: int, compiled: Callable[[int, int], None] = lambda done, total: None) -> None:
        """compiled: called with the variants that are compiled beforehand, and all. Raises StudyError, LoadError."""
        self._trial, self._count = Trial(plan, compiled), count

    def rows(self, runs: Runs, stopped: Callable[[], bool]) -> Iterator[RunRow | None]:
        """As Crew.rows."""
        pending: set[Future[RunRow | None]] = set()
        left = iter(runs)
        with ThreadPoolExecutor(self._count, "tumble-study") as threads:
            while True:
                while len(pending) < 2 * self._count and not stopped() and (run := next(left, None)) is not None:
                    pending.add(threads.submit(self._trial.row, *run, stopped))
                if not pending:
                    return
                done, pending = wait(pending, WRITTEN_EVERY, FIRST_COMPLETED)
                if not done:
                    yield None
                yield from (row for future in done if (row := future.result()) is not None)


class Cluster:
    """Workers of a Dask cluster. Where one is lost, another does its runs, with the same results."""

    def __init__(self, plan: Plan, client: Client) -> None:
        self._client, self._plan = client, client.scatter(plan, broadcast=True)

    def rows(self, runs: Runs, stopped: Callable[[], bool]) -> Iterator[RunRow]:
        """As Crew.rows."""
        from distributed import as_completed

        chunks = iter([runs[at : at + CHUNK] for at in range(0, len(runs), CHUNK)])
        most = AHEAD * max(1, sum(self._client.nthreads().values()))
        running = as_completed()
        for _ in range(most):
            self._submit(chunks, running)
        for future in running:
            rows = future.result()
            if stopped():
                self._client.cancel(list(running.futures))
                return
            self._submit(chunks, running)
            yield from rows

    def _submit(self, chunks: Iterator[Runs], running: as_completed) -> None:
        chunk = next(chunks, None)
        if chunk is not None:
            running.add(self._client.submit(rows_of, self._plan, chunk, pure=False))


_TRIALS: dict[str, Trial] = {}


def rows_of(plan: Plan, runs: Runs) -> list[RunRow]:
    """The rows of runs, on a worker of a cluster."""
    key = plan.digest
    if key not in _TRIALS:
        _TRIALS.clear()
        _TRIALS[key] = Trial(plan)
    return [row for run, values in runs if (row := _TRIALS[key].row(run, values)) is not None]


def carry_out(
    plan: Plan,
    crew: Crew,
    results: Results,
    stopped: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    restart: bool = False,
) -> bool:
    """Do all runs of a study that its results do not have yet; False where `stopped` came before the end.

    progress: called with the runs done and all. Raises StudyError, FileError; what was done is kept.
    """
    known = results.begin(plan, restart=restart)
    if plan.study.sweep.method == "minimize":
        return _search(plan, crew, results, stopped, progress)
    runs = [
        (k * plan.study.repetitions + r, point)
        for k, point in enumerate(design(plan.study).points)
        for r in range(plan.study.repetitions)
    ]
    left = [(run, values) for run, values in runs if run not in known]
    done = len(runs) - len(left)
    progress(done, len(runs))
    for rows in _in_time(crew.rows(left, stopped)):
        results.add(rows)
        done += len(rows)
        progress(done, len(runs))
    return done == len(runs)


def _in_time(rows: Iterator[RunRow | None]) -> Iterator[list[RunRow]]:
    """Rows in lists: the first at once, then about every WRITTEN_EVERY seconds."""
    batch: list[RunRow] = []
    begun = -math.inf
    for row in rows:
        if row is not None:
            batch.append(row)
        if batch and monotonic() - begun > WRITTEN_EVERY:
            yield batch
            batch, begun = [], monotonic()
    if batch:
        yield batch


class _SearchEnded(Exception):
    """A search was ended."""


def _search(
    plan: Plan, crew: Crew, results: Results, stopped: Callable[[], bool], progress: Callable[[int, int], None]
) -> bool:
    """Differential evolution for the least of the objective; runs that the results have are not done again."""
    study, parameters = plan.study, list(plan.study.parameters.values())
    objective = Objective(study)
    known = {row.run: row for row in results.rows()}
    size = study.population
    generations = max(1, study.sweep.runs // size - 1)
    total, count = study.total, 0

    def costs(shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Costs (size,) of points (parameters, size) in the unit cube."""
        nonlocal count
        points = [tuple(value_at(p, s) for p, s in zip(parameters, column, strict=True)) for column in shares.T.tolist()]
        runs = [(count + k, points[k // study.repetitions]) for k in range(len(points) * study.repetitions)]
        left = [run for run in runs if run[0] not in known or known[run[0]].values != run[1]]
        for rows in _in_time(crew.rows(left, stopped)):
            results.add(rows)
            known.update((row.run, row) for row in rows)
            progress(min(total, len(known)), total)
        if stopped():
            raise _SearchEnded
        rows = [known[run] for run, _ in runs]
        count += len(runs)
        cost = [objective.cost(row) if row.status == DONE else math.inf for row in rows]
        return np.mean(np.reshape(cost, (-1, study.repetitions)), axis=1)

    try:
        differential_evolution(
            costs, [(0.0, 1.0)] * len(parameters), maxiter=generations, popsize=-(-size // len(parameters)), rng=study.seed,
            polish=False, updating="deferred", vectorized=True, init="sobol", tol=0,
        )  # fmt: skip
    except _SearchEnded:
        return False
    return True
