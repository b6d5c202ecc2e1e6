"""Robust least squares of the unknowns, and of the states in which windows begin.

Unknowns p are shared by all windows, the corrections x_w of a beginning belong to one. With residuals r_w(p, x_w) in deviations,
weights of the robust loss, and x_w itself as residuals in deviations of the measured state, a step solves

    [ A    B ] [ dp ]     [ g_p ]      A = sum of P_w' W P_w,  B_w = P_w' W X_w,  C_w = X_w' W X_w + 1
    [ B'   C ] [ dx ] = - [ g_x ]

whose C is a block for each window, so that dx is eliminated window by window (Schur complement S = A - sum B_w C_w^-1 B_w'):
a thousand windows cost no more simulations than one, since all move their own beginnings at once. S is the information on p
with the beginnings unknown, and the residual of a window's row of the eliminated system is its score, from which uncertainty.py
takes intervals.

A contact begins at a step of the simulation, so that residuals are sawteeth in every unknown, of the height of damping times
speed times step. The slope of a tooth says nothing of the slope of the whole; counted as information, it makes intervals many
times too narrow, and a descent ends between two teeth. So residuals and slopes are those of a plane through a cloud of
simulations, as wide as the estimate is uncertain: the points of a design are the rows of an orthogonal matrix and their
negatives, so that each simulation informs every slope (of k slopes, 2 k simulations, and the error of each falls with their
number). Clouds are widened until two of them agree about slopes. Along directions that they go on to disagree about, the slopes
may be nothing but noise, which counts as information, too: there the cost itself is followed some way, and says whether it rises.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit import loss
from tumble.app.study.fit.normal_equations import SHARE, STATE, CloudPlane, System, Widths
from tumble.app.study.fit.prediction import Predictor

Array = NDArray[np.float64]

_STEPS = 20
_GAIN = 3e-3  # least relative gain of a step
_TRIES = 5
_WAYS = (1.0, 0.3, 0.1, 0.0)  # of the change of a beginning
_CLOUDS = 4  # of the last system
_WIDENED = 3  # times that clouds may be
_RISE = 300.0  # times the mean square of residuals, by which the cost should rise
_FAR = 0.25  # of the ranges, how far from the estimate at most
_FOLLOWED = 3  # steps of beginnings there
_BETTER = 2  # times that a better estimate is taken, if the cost falls there
_NOTHING = 0.25  # information that is none: a deviation of twice the range
_FLAT = 0.1  # of the rise that the information claims, below which it is wrong


class Solution(Struct, frozen=True):
    """An estimate: shares (n,), corrections of beginnings (w, 2 nv) or None, its cost.

    parts: (w, n, n) of each window, whose sum is the information S; scores (w, n), whose sum is about zero at the least cost.
    """

    shares: Array
    states: Array | None
    cost: float
    parts: Array
    scores: Array

    @property
    def information(self) -> Array:
        """S (n, n)."""
        total = self.parts.sum(axis=0)
        return np.asarray((total + total.T) / 2)


class Descent(Struct, frozen=True):
    """The end of a descent: shares (n,), beginnings x (w, f) in deviations, the same as states (w, 2 nv) or None, its cost."""

    shares: Array
    x: Array
    states: Array | None
    cost: float


class LeastSquares:
    """Residuals of a predictor, and their least squares."""

    def __init__(self, predictor: Predictor, deviations: Array, kind: str, states: Array, pool: Executor, seed: int = 0) -> None:
        """deviations (o,) of the outputs; states: (2 nv,) of the beginnings' corrections, 0: they are as measured."""
        self._predictor, self._deviations, self._kind, self._pool = predictor, deviations, kind, pool
        self._free = np.flatnonzero(states > 0)
        self._state_deviations = states[self._free]
        self._size = len(states)
        self._rng = np.random.default_rng(seed)

    def residuals(self, shares: Array, x: Array) -> Array:
        """(w, m) in deviations, 0 where nothing was measured; x: (w, f) corrections of beginnings in deviations."""
        difference = self._predictor.predict(shares, self._states(x)).difference / self._deviations
        difference[:, 0] = 0.0  # a window begins there
        return np.nan_to_num(difference).reshape(len(difference), -1)

    def descend(self, shares: Array, stopped: Callable[[], bool] = lambda: False) -> Descent:
        """A low cost near `shares`, in the ranges, by the steps of Levenberg and Marquardt."""
        p = np.clip(shares, 0, 1)
        x = np.zeros((len(self._predictor.windows), self._free.size))
        widths = Widths(np.full(len(p), SHARE), np.full(x.shape, STATE))
        costs, damping = self._costs(p, x), 1e-3
        for _ in range(_STEPS):
            if stopped():
                break
            system = System([self._plane(p, x, widths)], x, self._kind)
            widths = system.widths()
            before = costs.sum()
            for _ in range(_TRIES):
                dp, dx = system.step(damping, p)
                moved = np.clip(p + dp, 0, 1)
                tried, after = self._begun(moved, x, dx)
                if after.sum() < costs.sum():
                    p, x, costs = moved, tried, after
                    break
                damping *= 10
            damping = max(damping / 5, 1e-9)
            if before - costs.sum() < _GAIN * before:
                break
        return self._end(p, x, costs)

    def beginnings(self, shares: Array) -> Array | None:
        """Corrections of the states in which windows begin (w, 2 nv), with these values of the unknowns."""
        x = np.zeros((len(self._predictor.windows), self._free.size))
        widths = Widths(np.full(len(shares), SHARE), np.full(x.shape, STATE))
        for _ in range(_FOLLOWED if self._free.size else 0):
            system = System([self._plane(shares, x, widths)], x, self._kind)
            x, _ = self._begun(shares, x, system.following(np.zeros(len(shares))))
            widths = Widths(widths.p, system.widths().x)
        return self._states(x)

    def settle(self, descent: Descent, stopped: Callable[[], bool] = lambda: False) -> Solution:
        """The estimate around the end of a descent, and what the data tell about it."""
        for _ in range(_BETTER):
            descent, system = self.level(descent, stopped)
            left, better = self._verified(system, descent)
            if better is None or stopped():
                break
            descent = better
        else:
            descent, system = self.level(descent, stopped)
        return Solution(descent.shares, descent.states, descent.cost, left @ system.information @ left, system.scores @ left)

    def level(
        self, descent: Descent, stopped: Callable[[], bool] = lambda: False, *, move: bool = True
    ) -> tuple[Descent, System]:
        """Steps with clouds that widen until they agree, and the last system; move: False to stay."""
        p, x = descent.shares, descent.x
        widths = Widths(np.full(len(p), SHARE), np.full(x.shape, STATE))
        for count in (1, *[2] * _WIDENED, _CLOUDS):
            system = System([self._plane(p, x, widths) for _ in range(count)], x, self._kind)
            widths = system.widths() if count == 1 else system.wider(widths)
            if move and count > 1 and not stopped():
                dp, dx = system.settled(p, self._misfit(descent.cost))
                moved = np.clip(p + dp, 0, 1)
                descent = self._end(moved, *self._begun(moved, x, dx))
                p, x = descent.shares, descent.x
        return descent, system

    def _end(self, p: Array, x: Array, costs: Array) -> Descent:
        return Descent(p, x, self._states(x), float(costs.sum()))

    def _verified(self, system: System, end: Descent) -> tuple[Array, Descent | None]:
        """F (n, n), which takes directions out of slopes along which the cost does not rise; a better estimate on the way."""
        left, better, misfit = np.eye(len(end.shares)), None, self._misfit(end.cost)
        for direction, information in system.doubts():
            reach = min(np.sqrt(2 * _RISE * misfit / information), _FAR)
            far = self._along(system, end, reach * direction)
            moved = float(np.sum((far.shares - end.shares) ** 2))
            share = 2 * (far.cost - end.cost) / (information * max(moved, 1e-12))
            if far.cost < min(end.cost - _FLAT * _RISE * misfit, np.inf if better is None else better.cost):
                better = far
            if share < _FLAT:
                left -= (1 - np.sqrt(max(share, _NOTHING / information))) * np.outer(direction, direction)
        return left, better

    def _along(self, system: System, end: Descent, dp: Array) -> Descent:
        """At dp from an end, or -dp if that is more inside of the ranges; what is across of dp, and beginnings, follow."""
        p = end.shares
        far = max((np.clip(p + dp, 0, 1), np.clip(p - dp, 0, 1)), key=lambda other: float(np.linalg.norm(other - p)))
        x, costs = self._begun(far, end.x, system.following(far - p))
        least, widths = self._end(far, x, costs), system.widths()
        for _ in range(_FOLLOWED):
            again = System([self._plane(far, x, widths)], x, self._kind)
            step = again.across(dp / np.linalg.norm(dp))
            far = np.clip(far + step, 0, 1)
            x, costs = self._begun(far, x, again.following(step))
            least = min(least, self._end(far, x, costs), key=lambda one: one.cost)
        return least

    def _begun(self, p: Array, x: Array, dx: Array) -> tuple[Array, Array]:
        """Of each window the beginning on the way to x + dx that costs least (w, f), and its cost (w,)."""
        ways = np.array([x + share * dx for share in _WAYS])
        costs = np.array([self._costs(p, way) for way in ways])
        best, every = costs.argmin(axis=0), np.arange(len(x))
        return ways[best, every], costs[best, every]

    def _costs(self, p: Array, x: Array) -> Array:
        """Costs (w,)."""
        return np.asarray(loss.cost(self._kind, self.residuals(p, x)).sum(axis=1) + 0.5 * np.sum(x**2, axis=1))

    def _misfit(self, cost: float) -> float:
        """Mean square of the residuals in deviations, at least 1."""
        return max(1.0, 2 * cost / max(self._predictor.compared, 1))

    def _states(self, x: Array) -> Array | None:
        if not self._free.size:
            return None
        states = np.zeros((len(x), self._size))
        states[:, self._free] = x * self._state_deviations
        return states

    def _plane(self, p: Array, x: Array, widths: Widths) -> CloudPlane:
        """Through a cloud of simulations around unknowns and beginnings."""
        n = len(p)
        k = n + x.shape[1]
        turned = np.linalg.qr(self._rng.standard_normal((k, k)))[0] * np.sqrt(k)
        design = np.concatenate([turned, -turned])
        moved = np.clip(p + design[:, :n] * widths.p, 0, 1)
        design[:, :n] = (moved - p) / widths.p

        def residuals(j: int) -> Array:
            return self.residuals(moved[j], x + design[j, n:] * widths.x)

        every = np.stack(list(self._pool.map(residuals, range(len(design)))))
        plane = np.linalg.pinv(np.column_stack([np.ones(len(design)), design]))
        of = np.tensordot(plane, every, 1)  # (1 + k, w, m)
        return CloudPlane(
            of[0],
            np.moveaxis(of[1 : n + 1] / widths.p[:, None, None], 0, 2),
            np.moveaxis(of[n + 1 :], 0, 2) / widths.x[:, None],
        )
