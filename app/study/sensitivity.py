"""Sobol's indices: the shares of a measure's variance that are due to each parameter.

first: the share that goes if the parameter alone were known; total: the share that stays if all others were known, so that what
acts only together with others counts too. Both lie between 0 and 1 but for the error of the sample.
Source: Saltelli et al., Variance based sensitivity analysis of model output, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.stats import bootstrap

from tumble.app.study.design import design
from tumble.app.study.study_file import Study
from tumble.app.study.trial import DONE, RunRow

_RESAMPLED = 200  # times, for the intervals
_LEVEL = 0.95


class Sensitivity(Struct, frozen=True):
    """Indices of one measure by parameter (n,), and the ends of their 95 % intervals (n, 2); used: points of the sample."""

    measure: str
    first: NDArray[np.float64]
    total: NDArray[np.float64]
    first_range: NDArray[np.float64]
    total_range: NDArray[np.float64]
    used: int


def sensitivities(rows: Sequence[RunRow], study: Study) -> list[Sensitivity]:
    """The indices of each measure, from all runs of a sensitivity study; where one failed, its point is left out."""
    base, count = design(study).base, len(study.parameters)
    values = np.full((len(study.measures), (count + 2) * base), np.nan)
    for row in rows:
        if row.status == DONE and row.repetition == 0:
            values[:, row.run // study.repetitions] = row.measures
    result = []
    for name, every in zip(study.measures, values.reshape(len(study.measures), count + 2, base), strict=True):
        a, b, mixed = every[0], every[1], every[2:]
        good = np.isfinite(every).all(axis=0)
        result.append(_indices(name, a[good], b[good], mixed[:, good]))
    return result


def _indices(name: str, a: NDArray[np.float64], b: NDArray[np.float64], mixed: NDArray[np.float64]) -> Sensitivity:
    """Of the outputs of both samples (n,) and of the mixed ones (parameters, n)."""
    count = len(mixed)
    first, total = np.full(count, np.nan), np.full(count, np.nan)
    first_range, total_range = np.full((count, 2), np.nan), np.full((count, 2), np.nan)
    if len(a) > 1 and np.concatenate([a, b]).var() > 0:
        for k, both in enumerate(mixed):
            first[k], first_range[k] = _estimate(_first, a, b, both)
            total[k], total_range[k] = _estimate(_total, a, b, both)
    return Sensitivity(name, first, total, first_range, total_range, len(a))


def _first(a: NDArray[np.float64], b: NDArray[np.float64], both: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return np.asarray((b * (both - a)).mean(axis) / np.concatenate([a, b], axis).var(axis))


def _total(a: NDArray[np.float64], b: NDArray[np.float64], both: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return np.asarray(0.5 * ((a - both) ** 2).mean(axis) / np.concatenate([a, b], axis).var(axis))


def _estimate(index: object, *samples: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    middle = np.concatenate(samples[:2]).mean()  # an index does not depend on it, its error does
    centred = [sample - middle for sample in samples]
    ends = bootstrap(
        centred, index, paired=True, n_resamples=_RESAMPLED, confidence_level=_LEVEL, method="percentile", rng=0
    ).confidence_interval  # fmt: skip
    return float(index(*centred)), np.array([ends.low, ends.high])  # type: ignore[operator]
