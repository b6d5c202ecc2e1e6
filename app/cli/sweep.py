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
from tumble.app.cli.answer import say, show, tell
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
from tumble.app.study import results as tables
    """All that is needed to carry a study out. Raises StudyError, LoadError."""
    return Plan.of(study, load_compiled(model_file(study, path), options).bundle, path.parent)


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
