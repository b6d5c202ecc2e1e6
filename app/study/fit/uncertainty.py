"""Uncertainty of the unknowns: deviations, intervals, and what the data do not determine, in words.

Residuals of a window are not independent, and a model is never quite right. So the covariance is that of the estimates with one
cluster left out (windows, or whole records where there are enough), a jackknife. With the information S, and the part S_c and the
score s_c of a cluster, the estimate without it differs by (S - S_c)^-1 s_c. That does not believe in the noise that was assumed,
and knows which clusters alone tell an unknown: of a toss, the windows with an impact. As few clusters tell it, as little is their
scatter known: Student's t widens the intervals, with Satterthwaite's degrees of freedom, (sum of v_c)^2 / sum of v_c^2 of the
variances v_c that S_c alone would give the unknown (Bell and McCaffrey, 2002). Where there are hardly any clusters, the
residuals' own variance has to do: S^-1 times their mean square.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats

from tumble.app.study.fit.least_squares import Solution
from tumble.app.study.fit.unknowns import Unknown

Array = NDArray[np.float64]

CONFIDENCE = 0.95
_FEWEST = 8  # clusters more than unknowns, from which on their scatter is believed
_UNDETERMINED = 0.25  # of the range: a direction with a greater deviation is not determined by the data
_ELSEWHERE = 0.1  # of the range: as far from the estimate, an end of another search is another answer
_POWER = 0.15  # by which the logarithms of two may differ along a direction of constant ratio or product
_PART = 0.3  # of the greatest component of a direction, from which on an unknown belongs to it
_WEAK = 1e-12  # of the greatest information: below, there is none


class Estimate(Struct, frozen=True):
    """An unknown: its value, deviation and 95 % interval; determined: by the data; limit: low or high, if it is there.

    restarts: from least to greatest value that other starts of the local search ended in, of about equal cost.
    """

    name: str
    value: float
    deviation: float
    low: float
    high: float
    determined: bool
    limit: str = ""
    restarts: tuple[float, float] | None = None


class Uncertainty(Struct, frozen=True):
    """Covariance (n, n) of the shares; freedom (n,): degrees of it, for intervals; by: what it rests on, in words."""

    covariance: Array
    freedom: Array
    by: str

    @property
    def reach(self) -> Array:
        """Half widths of intervals in deviations (n,)."""
        return np.asarray(stats.t.ppf(0.5 + CONFIDENCE / 2, self.freedom))


def uncertainty(solution: Solution, records: Sequence[int], rows: int) -> Uncertainty:
    """records: the number of each window's record; rows: numbers that were compared."""
    unknowns, windows = len(solution.shares), len(solution.scores)
    inverse = _inverse(solution.information)
    for by, groups in (("records", np.asarray(records)), ("windows", np.arange(windows))):
        names, index = np.unique(groups, return_inverse=True)
        count = len(names)
        if count >= unknowns + _FEWEST:
            scores, parts = np.zeros((count, unknowns)), np.zeros((count, unknowns, unknowns))
            np.add.at(scores, index, solution.scores)
            np.add.at(parts, index, solution.parts)
            freedom = np.clip(_satterthwaite(parts, inverse), 1.0, count - unknowns)
            return Uncertainty(_jackknife(scores, parts), freedom, f"the scatter over {count} {by}")
    free = max(rows - unknowns, 1)
    return Uncertainty(inverse * 2 * solution.cost / free, np.full(unknowns, float(free)), f"the scatter of {rows} numbers")


def _jackknife(scores: Array, parts: Array) -> Array:
    """Covariance (n, n) by the estimates without each of the clusters (c), from their scores (c, n) and parts (c, n, n) of S."""
    scores = scores - scores.mean(axis=0)  # zero but for unknowns at their limits
    whole, count = parts.sum(axis=0), len(scores)
    changes = np.array([_inverse(whole - part) @ score for part, score in zip(parts, scores, strict=True)])
    return np.asarray((count - 1) / count * changes.T @ changes)


def _satterthwaite(parts: Array, inverse: Array) -> Array:
    """Degrees of freedom (n,) of the variances of unknowns, from the parts (c, n, n) of the information and its inverse."""
    variances = np.maximum(np.einsum("ki,cij,jk->ck", inverse, parts, inverse), 1e-300)
    largest = variances.max(axis=0)
    shares = variances / largest
    return np.asarray(shares.sum(axis=0) ** 2 / (shares**2).sum(axis=0))


def _inverse(information: Array) -> Array:
    """Inverse of S; a direction without information has a deviation far beyond the ranges."""
    values, vectors = np.linalg.eigh((information + information.T) / 2)
    floor = max(float(values[-1]), 1.0) * _WEAK
    return np.asarray((vectors / np.maximum(values, floor)) @ vectors.T)


def estimates(table: Sequence[Unknown], solution: Solution, found: Uncertainty, ends: Sequence[Array] = ()) -> list[Estimate]:
    """The unknowns with their intervals; ends: shares in which other local searches ended."""
    result = []
    lost = {k for parts, _ in _undetermined_directions(solution, found) for k in parts.tolist()}
    for k, unknown in enumerate(table):
        share = float(solution.shares[k])
        shares = float(np.sqrt(max(found.covariance[k, k], 0.0)))
        determined = k not in lost and shares * found.reach[k] < 2 * _UNDETERMINED
        reach = float(found.reach[k]) * shares
        low, high = unknown.value(max(share - reach, -5.0)), unknown.value(min(share + reach, 6.0))
        limit = "low" if share <= 1e-6 else "high" if share >= 1 - 1e-6 else ""
        values = [unknown.value(float(end[k])) for end in ends]
        spread = (min(values), max(values)) if values else None
        result.append(
            Estimate(unknown.name, unknown.value(share), unknown.deviation(share, shares), low, high, determined, limit, spread)
        )
    return result


def undetermined(
    table: Sequence[Unknown], solution: Solution, found: Uncertainty, ends: Sequence[Array] = ()
) -> list[str]:
    """Sentences on what the data do not determine: directions in which the unknowns may move far at hardly any cost.

    ends: shares in which other local searches ended, at about the same cost.
    """
    directions = _undetermined_directions(solution, found)
    sentences = [_sentence([table[k] for k in parts.tolist()], weights) for parts, weights in directions]
    for k, unknown in enumerate(table):
        if solution.shares[k] <= 1e-6 or solution.shares[k] >= 1 - 1e-6:
            end = "low" if solution.shares[k] <= 1e-6 else "high"
            sentences.append(f"{unknown.name} is at its {end} limit: the data may want it beyond.")
        away = [float(other[k]) for other in ends if abs(other[k] - solution.shares[k]) > _ELSEWHERE]
        if away and not any(k in parts for parts, _ in directions):
            value = f"{unknown.name} = {unknown.value(away[0]):.4g}"
            sentences.append(f"Another start of the search ended about as well with {value}.")
    return sentences


def _undetermined_directions(solution: Solution, found: Uncertainty) -> list[tuple[NDArray[np.int64], Array]]:
    """Directions with a great deviation: which unknowns belong to each, and their components.

    Along them, the scores of all clusters vanish, and with them the scatter: the information alone says how far they reach.
    """
    information = (solution.information + solution.information.T) / 2
    values, vectors = np.linalg.eigh(information)
    scale = _scale(solution, found, information)
    directions = []
    for value, vector in zip(values, vectors.T, strict=True):
        deviation = scale / np.sqrt(max(float(value), 1e-300))
        if deviation * float(found.reach @ vector**2) < 2 * _UNDETERMINED:
            break
        parts = np.flatnonzero(np.abs(vector) > _PART * np.abs(vector).max())
        directions.append((parts, vector[parts]))
    return directions


def _scale(solution: Solution, found: Uncertainty, information: Array) -> float:
    """Ratio of the deviations found to those of the information alone, in directions that the data tell."""
    values, vectors = np.linalg.eigh(information)
    strong = values > values[-1] * 1e-6
    ratios = [float(v @ found.covariance @ v * e) for e, v in zip(values[strong], vectors.T[strong], strict=True)]
    return float(np.sqrt(np.median(ratios))) if ratios else 1.0


def _sentence(parts: Sequence[Unknown], weights: Array) -> str:
    names = [one.name for one in parts]
    if len(parts) == 1:
        return f"The data do not determine {names[0]}."
    several = f"{', '.join(names[:-1])} and {names[-1]}"
    if len(parts) > 2:
        return f"The data do not tell {several} apart."
    together = weights[0] * weights[1] > 0
    powers = [weight * math.log(one.high / one.low) if one.log else math.nan for one, weight in zip(parts, weights, strict=True)]
    if abs(abs(powers[0] / powers[1]) - 1) < _POWER:
        kept = "their ratio" if together else "their product"
    else:
        kept = "how one goes with the other"
    way = "both may rise" if together else "one may rise as the other falls"
    return f"The data do not tell {several} apart, only {kept}: {way}."
