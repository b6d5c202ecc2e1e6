"""`tumble sweep`: the runs of a study, here or on a cluster, into a table of results."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tumble.app.base.files import FileError
from tumble.app.base.settings import Settings
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
    count,
    load_compiled,
    parser_for,
    progress_of,
    stoppable,
    table,
)
from tumble.app.cli.output import say, show, tell
from tumble.app.replay.bundle import Bundle
from tumble.app.simulation.controller_file import Trust
from tumble.app.study import results as tables
from tumble.app.study.crews import Cluster, Crew, Threads, carry_out
from tumble.app.study.model_file import model_file
from tumble.app.study.objective import Objective
from tumble.app.study.results import Results
from tumble.app.study.sensitivity import Sensitivity, sensitivities
from tumble.app.study.study_file import Study, StudyError, load
from tumble.app.study.trial import DONE, Plan, RunRow, UntrustedError


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "sweep",
        "Run a model with many values of its parameters, as a study file says, and write what is measured to a table\n"
        "(SQLite), a row a run. Runs that the table has are not done again: a sweep that was stopped goes on.",
        "sweep slope.toml --csv slope.csv",
    )
    grammar.add_argument("study", type=Path, help="study file (*.toml)")
    grammar.add_argument("-o", "--output", type=Path, metavar="FILE", help="the table (default: the study's name, *.sqlite)")
    grammar.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV, too, at the end")
    grammar.add_argument("--threads", type=count, metavar="N", help="runs at once (default: the cores of this machine)")
    grammar.add_argument("--scheduler", metavar="URL", help="run on the Dask cluster of a scheduler, as tcp://host:8786")
    grammar.add_argument("--trust", action="store_true", help="run the study's controller, a Python program that may do anything")
    grammar.add_argument("--restart", action="store_true", help="start over, without the runs that the table has")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Sweep; the exit code."""
    try:
        return _swept(options)
    except StudyError as error:
        raise InputError(str(error)) from error


def _swept(options: argparse.Namespace) -> int:
    study = load(options.study)
    plan = plan_of(study, options.study, options)
    results = Results(options.output or options.study.with_suffix(tables.SUFFIX), study)
    with _crew(plan, options) as crew, progress_of("Sweeping", options) as progress, stoppable() as stop:
        whole = carry_out(plan, crew, results, stop, progress.update, restart=options.restart)
    rows = results.rows()
    failed = [row for row in rows if row.status != DONE]
    if options.csv is not None:
        results.write_csv(options.csv)
    for line in summary(study, rows):
        show(line, options)
    indices = sensitivities(rows, study) if study.sweep.method == "sensitivity" and whole else []
    for line in _sensitivity_lines(indices, study):
        show(line, options)
    best = _best(study, rows)
    if best is not None:
        show(f"best: run {best.run}, {', '.join(_pairs(study, best))}", options)
    done = f"{len(rows)} runs in {results.path}" + (f", {len(failed)} failed" if failed else "")
    say(done if whole else f"stopped: {done}; the same command goes on", options)
    tell(options, results=results.path, runs=len(rows), failed=len(failed), csv=options.csv, best=_best_facts(study, best),
         sensitivity=[_index_facts(index, study) for index in indices])  # fmt: skip
    return STOPPED if not whole else PROBLEMS if failed else FINE


def plan_of(study: Study, path: Path, options: argparse.Namespace) -> Plan:
    """All that is needed to carry a study out. Raises StudyError, LoadError, InputError for a controller without trust."""
    trust = Trust(Settings())
    try:
        return Plan.of(study, bundle_of(study, path, options), path.parent, lambda source: options.trust or source in trust)
    except UntrustedError as error:
        raise InputError(f"{error}: read it, and run it by --trust") from error


def bundle_of(study: Study, path: Path, options: argparse.Namespace) -> Bundle:
    """The files of a study's model. Raises LoadError."""
    return load_compiled(model_file(study, path), options).bundle


@contextmanager
def _crew(plan: Plan, options: argparse.Namespace) -> Iterator[Crew]:
    """Threads here, or the cluster of a scheduler. Raises InputError, FileError."""
    if options.scheduler is None:
        yield Threads(plan, options.threads or os.cpu_count() or 1)
        return
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--scheduler needs Dask: pip install distributed") from None
    try:
        client = Client(options.scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise FileError(f"--scheduler {options.scheduler}: no scheduler answers there: {error}") from error
    with client:
        yield Cluster(plan, client)


def summary(study: Study, rows: list[RunRow]) -> list[str]:
    """Lines of a table: of each measure the least, median and greatest, and how often it is no number."""
    lines = []
    arrays = tables.columns(rows, study)
    for name in study.measures:
        values = arrays[name][np.isfinite(arrays[name])]
        numbers = [f"{f(values):.6g}" if values.size else "-" for f in (np.min, np.median, np.max)]
        lines.append([name, *numbers, str(arrays[name].size - values.size)])
    return table(["measure", "least", "median", "greatest", "none"], lines) if lines else []


def _sensitivity_lines(indices: list[Sensitivity], study: Study) -> list[str]:
    """Lines of a table: of each measure and parameter the indices, with their intervals."""
    rows = [
        [index.measure, name, *_interval(index.first[k], index.first_range[k]), *_interval(index.total[k], index.total_range[k])]
        for index in indices
        for k, name in enumerate(study.parameters)
    ]
    return table(["measure", "parameter", "first", "95 %", "total", "95 %"], rows) if rows else []


def _interval(value: float, ends: np.ndarray) -> tuple[str, str]:
    return f"{value:.3f}", f"{ends[0]:.3f} to {ends[1]:.3f}"


def _best(study: Study, rows: list[RunRow]) -> RunRow | None:
    """The run with the least or greatest objective."""
    if not study.sweep.objective:
        return None
    objective = Objective(study)
    done = [row for row in rows if row.status == DONE and math.isfinite(objective.cost(row))]
    return min(done, key=objective.cost, default=None)


def _pairs(study: Study, row: RunRow) -> list[str]:
    values = [value if isinstance(value, str) else f"{value:.6g}" for value in (*row.values, *row.measures)]
    return [f"{name} = {value}" for name, value in zip((*study.parameters, *study.measures), values, strict=True)]


def _best_facts(study: Study, row: RunRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"run": row.run, **dict(zip((*study.parameters, *study.measures), (*row.values, *row.measures), strict=True))}


def _index_facts(index: Sensitivity, study: Study) -> dict[str, Any]:
    names = list(study.parameters)
    first, total = (dict(zip(names, numbers.tolist(), strict=True)) for numbers in (index.first, index.total))
    return {"measure": index.measure, "first": first, "total": total, "points": index.used}
