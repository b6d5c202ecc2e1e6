"""A search over the whole ranges: CMA-ES, which needs no derivatives and gets over the steps that contacts make in a cost."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SIGMA = 0.2  # of the ranges, at the beginning
_OUTSIDE = 10.0  # cost of the squared distance from the ranges


def search(
    cost: Callable[[Array], float], start: Array, evaluations: int, seed: int, pool: Executor,
    progress: Callable[[int], None] = lambda done: None, stopped: Callable[[], bool] = lambda: False, sigma: float = _SIGMA,
) -> Array:  # fmt: skip
    """The shares (n,) of least cost that a search comes by, the mean of its last generation or its best, whichever costs less."""
    with warnings.catch_warnings():  # of its plots, which nobody asks for
        warnings.filterwarnings("ignore", "Could not import matplotlib", UserWarning)
        from cma import CMAEvolutionStrategy  # which takes a second to import

    if len(start) == 1:  # for which CMA-ES is not made: what is added costs nothing
        start = np.append(start, 0.5)
        return search(lambda u: cost(u[:1]), start, evaluations, seed, pool, progress, stopped, sigma)[:1]

    def outside(u: Array) -> float:
        inside = np.clip(u, 0, 1)
        return cost(inside) + _OUTSIDE * float(np.sum((u - inside) ** 2))

    strategy = CMAEvolutionStrategy(start, sigma, {"seed": seed + 1, "verbose": -9, "maxfevals": evaluations})
    while not strategy.stop() and not stopped():
        points = strategy.ask()
        strategy.tell(points, list(pool.map(outside, points)))
        progress(int(strategy.countevals))
    if strategy.best.x is None:
        return start
    chosen = min((np.asarray(strategy.result.xfavorite), np.asarray(strategy.best.x)), key=outside)
    return np.clip(chosen, 0, 1)
