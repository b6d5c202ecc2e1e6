"""Nonlinear least squares with bounds: residuals that are simulations, whose derivatives are finite differences.

Gauss-Newton with a regularizer mu and bounds as those of a quadratic program. A step solves

    minimize g' dx + dx' (H + mu I) dx / 2,    lower - x <= dx <= upper - x

with g and H the gradient and the Gauss-Newton Hessian of the norm of the residual. Where the objective does not fall, mu grows;
where it falls as the quadratic model says, mu shrinks, in the end to nothing. Sources: Nocedal and Wright 2006, Numerical
optimization, ch. 10; for the schedule of mu Tassa, Erez and Todorov 2012, Synthesis and stabilization of complex behaviors, II.F.
"""

from __future__ import annotations

import abc
import enum
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TextIO

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics import mju_boxQP

Array = NDArray[np.float64]
Residual = Callable[[Array], Array]
EPS = float(np.sqrt(np.finfo(np.float64).eps))  # a perturbation that is good for both truncation and rounding
GOOD, POOR = 0.75, 0.25  # shares of the expected reduction above which mu shrinks, and below which it grows
MATCH = 1e-5  # relative difference up to which two derivatives are the same


class Verbosity(enum.Enum):
    """Verbosity: nothing, how it ended, a line for each iteration; FULLITER keeps the matrices of each, too."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Termination(enum.Enum):
    """Why a minimization ended."""

    FACTORIZATION_FAILED = 1
    NO_IMPROVEMENT = 2
    MAX_ITER = 3
    DX_TOL = 4
    G_TOL = 5


Status = Termination  # as it is called here; the engine has a class of this name
_WORDS = {
    Status.FACTORIZATION_FAILED: "the Hessian could not be factorized.",
    Status.NO_IMPROVEMENT: "no step reduces the objective.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


class IterLog(Struct):
    """An iteration: where it began, (n, 1), the objective there, by how much it was reduced, and the regularizer mu.

    With Verbosity.FULLITER also residual (m, 1), jacobian (m, n) and grad (n, 1) there, and step (n, 1), None of the last.
    """

    candidate: Array
    objective: float
    reduction: float
    regularizer: float
    residual: Array | None = None
    jacobian: Array | None = None
    grad: Array | None = None
    step: Array | None = None


class Norm(abc.ABC):
    """Norm of a residual: a function with gradient and Hessian."""

    @abc.abstractmethod
    def value(self, r: Array) -> float:
        """The norm of a residual (m, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        """The gradient (n, 1) and the Hessian (n, n) at a residual (m, 1), projected by proj (m, n): proj' g and proj' H proj.

        The norm projects, since it knows what is zero in a Hessian of m by m.
        """


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: Array) -> float:
        """Half the sum of squares of a residual (m, 1)."""
        return 0.5 * float((r * r).sum())

    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        """proj' r and proj' proj."""
        return proj.T @ r, proj.T @ proj


QUADRATIC = Quadratic()


class _Regularizer:
    """mu, which grows and shrinks the faster the longer it does so."""

    def __init__(self, least: float, most: float, factor: float) -> None:
        if not 0 < least <= most or not factor > 1:
            raise ValueError("valid are 0 < mu_min <= mu_max and mu_factor > 1")
        self.value, self._pace = 0.0, 1.0
        self._least, self.most, self._factor = least, most, factor

    def grow(self) -> bool:
        """More; False where it is at its limit."""
        self._pace = max(self._factor, self._pace * self._factor)
        if self.value >= self.most:
            return False
        self.value = min(self.most, max(self._least, self.value * self._pace))
        return True

    def shrink(self) -> None:
        """Less, at last nothing."""
        self._pace = min(1 / self._factor, self._pace / self._factor)
        self.value = self.value * self._pace if self.value * self._pace >= self._least else 0.0


class _Fit:
    """The functions that are called, how often, and for how long."""

    def __init__(self, residual: Residual, jacobian: Callable[[Array, Array], Array] | None, norm: Norm, eps: float) -> None:
        self._residual, self._jacobian, self.norm, self._eps = residual, jacobian, norm, eps
        self.residuals = self.jacobians = 0
        self.residual_time = self.jacobian_time = 0.0
        self.bounds: list[Array] | None = None

    def residual(self, x: Array) -> Array:
        """The residuals (m, k) of k points (n, k)."""
        begun = perf_counter()
        r = self._residual(x)
        self.residual_time += perf_counter() - begun
        self.residuals += x.shape[1]
        return r

    def jacobian(self, x: Array, r: Array) -> Array:
        """The Jacobian (m, n) at a point."""
        if self._jacobian is None:
            return jacobian_fd(self.residual, x, r, self._eps, 0, self.bounds)[0]
        begun = perf_counter()
        found = self._jacobian(x, r)
        self.jacobian_time += perf_counter() - begun
        self.jacobians += 1
        return found

    def check(self, x: Array, output: TextIO | None) -> None:
        """Compare the user's derivatives with finite differences. Raises ValueError."""
        r = self.residual(x)
        if self._jacobian is not None:
            check_jacobian(self.residual, x, r, self.jacobian(x, r), self._eps, 0, self.bounds, output)
        if not isinstance(self.norm, Quadratic):
            check_norm(r, self.norm, self._eps, output)


class _Point(Struct):
    """A point (n, 1), its residual (m, 1) and its objective."""

    x: Array
    r: Array
    y: float


def least_squares(
    x0: Array,
    residual: Residual,
    bounds: Sequence[Array] | None = None,
    jacobian: Callable[[Array, Array], Array] | None = None,
    norm: Norm = QUADRATIC,
    eps: float = EPS,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
) -> tuple[Array, list[IterLog]]:
    """Minimize the norm of a residual from x0, n numbers, within bounds (lower, upper), of n finite numbers each.

    residual: of points in the columns of (n, k), their residuals (m, k). jacobian: of a point (n, 1) and its residual (m, 1),
    (m, n); None: finite differences with perturbations eps. norm: see Norm. mu_min, mu_max, mu_factor: of the regularizer. xtol,
    gtol: lengths of a step, and of the gradient where no bound is in its way, below which it ends. output: gets what is printed;
    None: the standard output. iter_callback: is given the iterations after each. check_derivatives: compare jacobian and norm
    with differences first. Returns x, shaped as x0, and the iterations. Raises ValueError where an argument is not valid.
    """
    say = _printer(Verbosity(verbose), output)
    full = Verbosity(verbose) is Verbosity.FULLITER
    problem = _Fit(residual, jacobian, norm, eps)
    problem.bounds = _checked(bounds, np.size(x0))
    begun = perf_counter()
    x = np.array(x0, np.float64).reshape(-1, 1)
    x = x if problem.bounds is None else np.clip(x, *problem.bounds)
    if check_derivatives:
        problem.check(x, output)
    mu = _Regularizer(mu_min, mu_max, mu_factor)
    now = _at(problem, x)
    if not np.isfinite(now.y):
        raise ValueError("the residual at x0 is not finite")
    trace: list[IterLog] = []
    ended: Status | None = None
    while ended is None:
        jac = grad = step = None
        before, after = now, None
        if len(trace) >= max_iter:
            ended = Status.MAX_ITER
        else:
            jac = problem.jacobian(now.x, now.r)
            grad, hess = norm.grad_hess(now.r, jac)
            size = float(np.linalg.norm(grad[_free(now.x, grad, problem.bounds)]))
            if size == 0:
                say(Verbosity.FINAL, "Zero gradient norm: exact minimum found?")
            ended = Status.G_TOL if size < gtol else None
            if ended is None:
                after, ended, ratio = _step(problem, now, grad, hess, mu, xtol)
        if after is not None:
            now, step = after, after.x - before.x
            size = float(np.linalg.norm(step))
            say(Verbosity.ITER, f"iter: {len(trace):<4} y: {before.y:<10.4g} log10mu: {_log10(mu.value):>4}  "
                f"ratio: {ratio:<7.2g} dx: {size:<7.2g}  reduction: {before.y - now.y:<7.2g}")  # fmt: skip
        matrices = (before.r, jac, grad, step) if full else ()
        trace.append(IterLog(before.x, before.y, before.y - now.y, mu.value, *matrices))
        if after is not None:
            _adapt(mu, ratio)
        if iter_callback is not None:
            iter_callback(trace)
    if trace[-1].candidate is not now.x:  # it ended by a step
        trace.append(IterLog(now.x, now.y, 0.0, mu.value, *((now.r,) if full else ())))
    _report(say, problem, ended, len(trace) - 1, now.y, perf_counter() - begun)
    return now.x.reshape(np.shape(x0)), trace


def _at(problem: _Fit, x: Array) -> _Point:
    r = problem.residual(x)
    return _Point(x, r, float(problem.norm.value(r)))


def _step(
    problem: _Fit, now: _Point, grad: Array, hess: Array, mu: _Regularizer, xtol: float
) -> tuple[_Point | None, Status | None, float]:
    """The next point, or None and why there is none; and which share of the expected reduction it has."""
    n = len(now.x)
    lower, upper = (None, None) if problem.bounds is None else ((bound - now.x).ravel() for bound in problem.bounds)
    dx, work = np.zeros(n), np.zeros(n * (n + 7))
    while True:
        dx[:] = 0.0
        if mju_boxQP(dx, work, None, hess + mu.value * np.eye(n), grad.ravel(), lower, upper) < 0:
            if not mu.grow():
                return None, Status.FACTORIZATION_FAILED, 0.0
            continue
        x = now.x + dx[:, None]
        after = _at(problem, x if problem.bounds is None else np.clip(x, *problem.bounds))
        ended = Status.DX_TOL if np.linalg.norm(dx) < xtol else None
        if after.y < now.y:  # not so where it is not a number
            expected = -float(dx @ (grad.ravel() + 0.5 * hess @ dx))
            return after, ended, (now.y - after.y) / expected if expected > 0 else 0.0
        if ended is not None:
            return None, ended, 0.0
        if not mu.grow():
            return None, Status.NO_IMPROVEMENT, 0.0


def _adapt(mu: _Regularizer, ratio: float) -> None:
    if ratio > GOOD:
        mu.shrink()
    elif ratio < POOR:
        mu.grow()


def _free(x: Array, grad: Array, bounds: list[Array] | None) -> NDArray[np.bool_]:
    """The dimensions in which no bound is in the way of the descent."""
    if bounds is None:
        return np.ones(x.shape, bool)
    return ~(((x <= bounds[0]) & (grad > 0)) | ((x >= bounds[1]) & (grad < 0)))


def _checked(bounds: Sequence[Array] | None, n: int) -> list[Array] | None:
    """Bounds as columns. Raises ValueError."""
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError(f"bounds are 2 arrays, lower and upper; here are {len(bounds)}")
    lower, upper = (np.asarray(bound, np.float64) for bound in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError(f"bounds need {n} numbers each, as x0; they have {lower.size} and {upper.size}")
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise ValueError("bounds are finite numbers")
    if not (lower < upper).all():
        raise ValueError("every lower bound is below its upper bound")
    return [lower.reshape(-1, 1), upper.reshape(-1, 1)]


def _log10(value: float) -> str:
    return f"{np.log10(value):.1f}" if value > 0 else "-inf"


def _printer(verbose: Verbosity, output: TextIO | None) -> Callable[[Verbosity, str], None]:
    def say(least: Verbosity, text: str) -> None:
        if verbose.value >= least.value:
            _print(text, output)

    return say


def _print(text: str, output: TextIO | None) -> None:
    (sys.stdout if output is None else output).write(f"{text}\n")


def _report(say: Callable[[Verbosity, str], None], problem: _Fit, ended: Status, count: int, y: float, time: float) -> None:
    evals = f"Residual evals: {problem.residuals}"
    share = 100 / max(time, 1e-9)
    times = f"residual {share * problem.residual_time:.1f}%"
    if problem.jacobians:
        evals += f", Jacobian evals: {problem.jacobians}"
        times += f" Jacobian {share * problem.jacobian_time:.1f}%"
    say(Verbosity.FINAL, f"Terminated after {count} iterations: {_WORDS[ended]} y: {y:.4g}, {evals}")
    say(Verbosity.FINAL, f"total time {1e3 * time:.1f}ms of which {times}")


def jacobian_fd(
    residual: Residual, x: Array, r: Array, eps: float, n_res: int, bounds: Sequence[Array] | None = None
) -> tuple[Array, int]:
    """The Jacobian (m, n) of a residual at x, (n, 1), where it is r, (m, 1), by one-sided differences of eps; and n_res + n.

    Away from an upper bound that is nearer than eps. The n points are one call of the residual.
    """
    x = np.asarray(x, np.float64).reshape(-1, 1)
    each = np.full(len(x), float(eps))
    if bounds is not None:
        each[(x + eps > np.asarray(bounds[1]).reshape(-1, 1)).ravel()] *= -1
    moved = x + np.diag(each)
    return (residual(moved) - np.reshape(r, (-1, 1))) / each, n_res + len(x)


def check_jacobian(
    residual: Residual,
    x: Array,
    r: Array,
    jac: Array,
    eps: float,
    n_res: int,
    bounds: Sequence[Array] | None = None,
    output: TextIO | None = None,
    name: str | None = "Jacobian",
) -> int:
    """Compare a Jacobian (m, n) with finite differences, and print that it matches; the number of residuals so far.

    Arguments as those of jacobian_fd. Raises ValueError where it does not match.
    """
    found, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    _match(np.asarray(jac), found, str(name), output)
    return n_res


def check_norm(r: Array, norm: Norm, eps: float, output: TextIO | None = None) -> None:
    """Compare gradient and Hessian of a norm at a residual (m, 1) with finite differences, and print that they match.

    Raises ValueError where they do not, or where the Hessian is not symmetric or not positive definite.
    """
    every = np.eye(np.size(r))
    grad, hess = norm.grad_hess(r, every)

    def values(points: Array) -> Array:
        return np.array([[norm.value(point[:, None]) for point in points.T]], np.float64)

    def gradients(points: Array) -> Array:
        return np.hstack([norm.grad_hess(point[:, None], every)[0] for point in points.T])

    check_jacobian(values, r, values(r), grad.T, eps, 0, None, output, "norm gradient")
    if not np.allclose(hess, hess.T, rtol=MATCH, atol=MATCH * float(np.abs(hess).max())):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    if np.linalg.eigvalsh(hess).min() <= 0:
        raise ValueError("User-provided norm Hessian is not positive definite.")
    check_jacobian(gradients, r, grad, hess, eps, 0, None, output, "norm Hessian")


def _match(given: Array, found: Array, name: str, output: TextIO | None) -> None:
    scale = 1 + max(float(np.abs(matrix).max(initial=0.0)) for matrix in (given, found))
    if given.shape != found.shape:
        raise ValueError(f"User-provided {name} does not match: its shape is {given.shape}, that of differences {found.shape}.")
    if not np.abs(given - found).max(initial=0.0) <= MATCH * scale:
        raise ValueError(f"User-provided {name} does not match finite-differences to a relative tolerance of {MATCH:g}.")
    _print(f"User-provided {name} matches finite-differences.", output)
