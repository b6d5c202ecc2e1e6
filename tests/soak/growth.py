"""How fast something grows, and by what it does, from noisy numbers: a few that are far off decide nothing."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST = 4  # samples from which growth can be told, or what each action adds
_ROUNDS = 8  # of reweighting
_HUBER = 1.5  # deviations, in units of the usual one, from which a sample counts less


def slope(times: Sequence[float], values: Sequence[float]) -> float:
    """Growth a unit of time: the median of the slopes between all pairs of samples (Theil and Sen); 0 for fewer than two."""
    t, v = np.asarray(times, float), np.asarray(values, float)
    i, j = np.triu_indices(len(t), 1)
    apart = t[j] > t[i]
    if not apart.any():
        return 0.0
    return float(np.median((v[j] - v[i])[apart] / (t[j] - t[i])[apart]))


class Growth(Struct, frozen=True):
    """first, last: by the line through the samples; total: between them; rate: a unit of time. none: too few samples."""

    first: float
    last: float
    rate: float
    samples: int

    @property
    def total(self) -> float:
        return self.last - self.first


def growth(times: Sequence[float], values: Sequence[float]) -> Growth | None:
    """Of one resource; None where the samples are too few."""
    if len(times) < LEAST:
        return None
    t, v = np.asarray(times, float), np.asarray(values, float)
    rate = slope(t.tolist(), v.tolist())
    start = float(np.median(v - rate * t))
    return Growth(start + rate * float(t[0]), start + rate * float(t[-1]), rate, len(t))


class Share(Struct, frozen=True):
    """What one kind of action adds each time, and by how many standard errors that differs from nothing."""

    action: str
    times: int
    each: float
    certain: float

    @property
    def total(self) -> float:
        return self.times * self.each


def shares(counts: Sequence[Counter[str]], values: Sequence[float]) -> list[Share]:
    """Who has added what, the one that has added most first.

    counts: how often each action was done before each sample, since the one before it; values: the samples. The differences of
    successive samples are explained by the counts: least squares, in which samples far from the rest count less (Huber), and
    with a weak wish for small numbers, without which actions that are always done together could be given any. With fewer than
    LEAST samples an action nothing is said.
    """
    names = sorted(set().union(*counts[1:]))
    change = np.diff(np.asarray(values, float))
    if not names or len(change) < LEAST * len(names):
        return []
    done = np.array([[count[name] for name in names] for count in counts[1:]], float)
    weight = np.ones(len(change))
    wish = 0.1 * np.eye(len(names))
    each, spread = np.zeros(len(names)), 1.0
    inverse = wish
    for _ in range(_ROUNDS):
        inverse = np.linalg.inv(done.T @ (weight[:, None] * done) + wish)
        each = inverse @ (done.T @ (weight * change))
        off = change - done @ each
        spread = max(1.4826 * float(np.median(np.abs(off))), 1e-12)
        weight = np.minimum(1.0, _HUBER * spread / np.maximum(np.abs(off), 1e-12))
    error = spread * np.sqrt(np.diag(inverse))
    found = [
        Share(name, int(done[:, k].sum()), float(each[k]), float(each[k] / error[k])) for k, name in enumerate(names)
    ]
    return sorted(found, key=lambda share: -share.total)
