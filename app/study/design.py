"""Points of a sweep: the values of its parameters, on a grid or filling their ranges. The same for the same seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats
from scipy.stats import qmc

from tumble.app.study.attribute_path import Value
from tumble.app.study.study_file import MOST_RUNS, Study, StudyError, StudyParameter


class Design(Struct, frozen=True):
    """points: the values of all parameters, point by point; base: of a sensitivity study, the points of one sample, else 0."""

    points: list[tuple[Value, ...]]
    base: int = 0


def value_at(parameter: StudyParameter, share: float) -> Value:
    """The value below which a share of the parameter's distribution lies, 0 to 1."""
    if parameter.values:
        return parameter.values[min(int(share * len(parameter.values)), len(parameter.values) - 1)]
    if parameter.mean is not None:
        low, high = (
            -math.inf if parameter.low is None else (parameter.low - parameter.mean) / (parameter.deviation or 1.0),
            math.inf if parameter.high is None else (parameter.high - parameter.mean) / (parameter.deviation or 1.0),
        )
        inside = min(max(share, 1e-9), 1 - 1e-9)
        return float(stats.truncnorm.ppf(inside, low, high, parameter.mean, parameter.deviation or 1.0))
    low, high = float(parameter.low or 0.0), float(parameter.high or 0.0)
    return low * (high / low) ** share if parameter.log else low + (high - low) * share


def design(study: Study) -> Design:
    """All points of a study that are known before it begins; those of a search are not. Raises StudyError for too many."""
    parameters, method, runs = list(study.parameters.values()), study.sweep.method, study.sweep.runs
    if method == "minimize":
        return Design([])
    if method == "grid":
        axes = [_axis(parameter) for parameter in parameters]
        if math.prod(map(len, axes)) > MOST_RUNS:
            raise StudyError(f"the grid has {math.prod(map(len, axes))} points; at most {MOST_RUNS} are run: give fewer points")
        return Design(list(product(*axes)))
    if method == "sensitivity":
        return _saltelli(study, parameters)
    return Design(_points(parameters, _shares(method, len(parameters), runs, study.seed)))


def _axis(parameter: StudyParameter) -> Sequence[Value]:
    if parameter.values:
        return parameter.values
    inset = 0.02 if parameter.mean is not None else 0.0  # a normal distribution has no end
    return [value_at(parameter, share) for share in np.linspace(inset, 1 - inset, parameter.points).tolist()]


def _shares(method: str, dimensions: int, runs: int, seed: int) -> NDArray[np.float64]:
    """Points in the unit cube (runs, dimensions)."""
    if method == "random":
        return np.random.default_rng(seed).random((runs, dimensions))
    if method == "latin-hypercube":
        return np.asarray(qmc.LatinHypercube(dimensions, rng=seed).random(runs))
    engine = qmc.Sobol(dimensions, rng=seed)
    return np.asarray(engine.random_base2(max(0, math.ceil(math.log2(runs)))))[:runs]


def _points(parameters: Sequence[StudyParameter], shares: NDArray[np.float64]) -> list[tuple[Value, ...]]:
    return [tuple(value_at(p, s) for p, s in zip(parameters, row, strict=True)) for row in shares.tolist()]


def _saltelli(study: Study, parameters: Sequence[StudyParameter]) -> Design:
    """Two samples A and B of a power of two points, then for each parameter A with that parameter from B.

    Source: Saltelli et al., Variance based sensitivity analysis of model output, 2010.
    """
    count = len(parameters)
    base = study.sample
    shares = np.asarray(qmc.Sobol(2 * count, rng=study.seed).random(base))
    a, b = shares[:, :count], shares[:, count:]
    mixed = [np.where(np.arange(count) == k, b, a) for k in range(count)]
    return Design(_points(parameters, np.concatenate([a, b, *mixed])), base)
