"""A quadratic program with bounds, under MuJoCo's name.

Newton's method on the dimensions that no bound holds, with the steps projected into the bounds. Source: Tassa, Mansard and
Todorov 2014, Control-limited differential dynamic programming, section III.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ModelError
from tumble.physics.query.check import Array, flat_output, output, vector
from tumble.physics.query.matrix.cholesky import square

_STEPS = 100  # more than any problem takes that has a solution
_ENOUGH = 1e-16  # square of the gradient over the free dimensions below which they are solved
_DECREASE = 0.1  # part of the decrease that the slope promises, with which a step is taken
_SHORTER = 0.6  # factor by which a step that is not is made shorter
_SHORTEST = 1e-22
_EXTRA = 7  # numbers a dimension that R has besides the factor, as the reference asks for


class _Problem:
    """Minimize x' H x / 2 + g' x between two bounds."""

    def __init__(self, H: Array, g: Array, lower: Array, upper: Array) -> None:
        self.H, self.g, self.lower, self.upper = H, g, lower, upper

    def cost(self, x: Array) -> float:
        return float(x @ (0.5 * self.H @ x + self.g))

    def clip(self, x: Array) -> Array:
        return np.clip(x, self.lower, self.upper)

    def free(self, x: Array, gradient: Array) -> NDArray[np.bool_]:
        """The dimensions that are not at a bound to which the cost falls."""
        return ~(((x <= self.lower) & (gradient > 0)) | ((x >= self.upper) & (gradient < 0)))

    def moved(self, x: Array, gradient: Array, step: Array) -> Array | None:
        """x after as much of a step as makes the cost fall enough; None if none does."""
        length, before = 1.0, self.cost(x)
        while length > _SHORTEST:
            new = self.clip(x + length * step)
            promised = float(gradient @ (x - new))
            if promised <= 0.0 or before - self.cost(new) >= _DECREASE * promised:
                return new if promised > 0.0 else None
            length *= _SHORTER
        return None


def mju_boxQP(
    res: Array, R: Array, index: NDArray[np.int32] | None, H: Any, g: Any, lower: Any | None, upper: Any | None
) -> int:
    """Write to res (n,) the x that minimizes x' H x / 2 + g' x, lower <= x <= upper; returns how many dimensions are free, or -1.

    res holds the x to start from. H: (n, n), positive definite, of which the lower triangle is read. g, lower, upper: (n,);
    None: no bound. R: n (n + 7) numbers, of which the first nfree * nfree get the Cholesky factor of H over the free
    dimensions, its lower triangle by rows; index: (n,) int32 or None, gets their numbers. -1: H is not positive definite.
    Raises ModelError where a lower bound is not below the upper one.
    """
    problem = _checked(res, R, index, H, g, lower, upper)
    x = problem.clip(res)
    free = np.zeros(len(x), bool)
    factor: NDArray[Any] = np.zeros((0, 0))
    for step in range(_STEPS):
        gradient = problem.H @ x + problem.g
        now = problem.free(x, gradient)
        if step == 0 or (now != free).any():
            free = now
            try:
                factor = np.linalg.cholesky(problem.H[np.ix_(free, free)])
            except np.linalg.LinAlgError:
                return -1
        if gradient[free] @ gradient[free] < _ENOUGH:
            break
        newton = np.zeros(len(x))
        newton[free] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[free]))
        new = problem.moved(x, gradient, newton)
        if new is None:
            break
        x = new
    return _written(res, R, index, x, free, factor)


def _checked(res: Array, R: Array, index: NDArray[np.int32] | None, H: Any, g: Any, lower: Any, upper: Any) -> _Problem:
    full = square(H, "H")
    n = len(full)
    res = output(res, "res", (n,), "(n,)")
    flat_output(R, "R", n * (n + _EXTRA))
    if index is not None:
        index = output(index, "index", (n,), "(n,)", np.int32)
    low = np.full(n, -math.inf) if lower is None else vector(lower, "lower", n, "n")
    high = np.full(n, math.inf) if upper is None else vector(upper, "upper", n, "n")
    if not (low < high).all():
        raise ModelError("every lower bound must be below its upper bound")
    return _Problem(np.tril(full) + np.tril(full, -1).T, vector(g, "g", n, "n"), low, high)


def _written(
    res: Array, R: Array, index: NDArray[np.int32] | None, x: Array, free: NDArray[np.bool_], factor: NDArray[Any]
) -> int:
    """Write the results; returns the number of free dimensions."""
    res[...] = x
    count = int(free.sum())
    below = np.tril_indices(count)
    R.reshape(-1)[: count * count].reshape(count, count)[below] = factor[below]
    if index is not None:
        index[:count] = np.flatnonzero(free)
    return count
