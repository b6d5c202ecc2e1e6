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
number). What is left of the teeth in slopes would still raise products of a slope with itself; the products of the last
systems are therefore those of slopes from different clouds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit import loss
from tumble.app.study.fit.prediction import Predictor

Array = NDArray[np.float64]

_SHARE = 1e-3  # of an unknown's range, by which it is moved at least
_WIDEST = 0.05  # the same, at most
_DEVIATIONS = 2.0  # by which unknowns are moved, each with the others as they are
_STATE = 0.3  # of its measured deviation, by which a beginning is moved at first
_NEAR = 0.05  # the same, at least
_STEPS = 20
_GAIN = 3e-3  # least relative gain of a step
_LONGEST = 0.3  # of the range, in a step
_TRIES = 5
_WAYS = (1.0, 0.3, 0.1, 0.0)  # of the change of a beginning
_CLOUDS = 4  # of the last system
_WIDENED = 4  # times that clouds may be
_AGREED = 0.8  # share of the squares of slopes that two clouds have in common
_WIDER = 2.0


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


class Plane(Struct, frozen=True):
    """Residuals in a cloud, r + of_p dp + of_x dx: r (w, m), of_p (w, m, n), of_x (w, m, f)."""

    r: Array
    of_p: Array
    of_x: Array


class Widths(Struct, frozen=True):
    """How far a cloud reaches: in unknowns (n,), and of each window in its beginning (w, f)."""

    p: Array
    x: Array


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

    def solve(self, shares: Array, stopped: Callable[[], bool] = lambda: False, *, move: bool = True) -> Solution:
        """The least cost near `shares`, in the ranges; move: False for the information there alone."""
        p = np.clip(shares, 0, 1)
        x = np.zeros((len(self._predictor.windows), self._free.size))
        widths = Widths(np.full(len(p), _SHARE), np.full(x.shape, _STATE))
        if move:
            p, x, widths = self._descended(p, x, widths, stopped)
        for count in (*[2] * _WIDENED, _CLOUDS):
            system = _System([self._plane(p, x, widths) for _ in range(count)], x, self._kind)
            widths = system.wider(widths)
            if move:
                dp, dx = system.settled(p)
                p = np.clip(p + dp, 0, 1)
                x, _ = self._begun(p, x, dx)
        return Solution(p, self._states(x), float(self._costs(p, x).sum()), system.parts, system.scores)

    def _descended(self, p: Array, x: Array, widths: Widths, stopped: Callable[[], bool]) -> tuple[Array, Array, Widths]:
        """Levenberg's and Marquardt's steps, as long as they lower the cost."""
        costs, damping = self._costs(p, x), 1e-3
        for _ in range(_STEPS):
            if stopped():
                break
            system = _System([self._plane(p, x, widths)], x, self._kind)
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
        return p, x, widths

    def _begun(self, p: Array, x: Array, dx: Array) -> tuple[Array, Array]:
        """Of each window the beginning on the way to x + dx that costs least (w, f), and its cost (w,)."""
        ways = np.array([x + share * dx for share in _WAYS])
        costs = np.array([self._costs(p, way) for way in ways])
        best, every = costs.argmin(axis=0), np.arange(len(x))
        return ways[best, every], costs[best, every]

    def _costs(self, p: Array, x: Array) -> Array:
        """Costs (w,)."""
        return np.asarray(loss.cost(self._kind, self.residuals(p, x)).sum(axis=1) + 0.5 * np.sum(x**2, axis=1))

    def _states(self, x: Array) -> Array | None:
        if not self._free.size:
            return None
        states = np.zeros((len(x), self._size))
        states[:, self._free] = x * self._state_deviations
        return states

    def _plane(self, p: Array, x: Array, widths: Widths) -> Plane:
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
        return Plane(
            of[0],
            np.moveaxis(of[1 : n + 1] / widths.p[:, None, None], 0, 2),
            np.moveaxis(of[n + 1 :], 0, 2) / widths.x[:, None],
        )


class _System:
    """The normal equations with beginnings eliminated."""

    def __init__(self, planes: Sequence[Plane], x: Array, kind: str) -> None:
        """x (w, f); planes: with several, products are of slopes of different ones."""
        r = np.mean([plane.r for plane in planes], axis=0)
        weights = loss.weight(kind, r)
        slopes = np.array([np.concatenate([plane.of_p, plane.of_x], axis=2) for plane in planes])
        mean = slopes.mean(axis=0)
        products = (mean * weights[..., None]).transpose(0, 2, 1) @ mean
        gradient = np.einsum("wmi,wm,wm->wi", mean, weights, r)
        n = planes[0].of_p.shape[2]
        a, b, c = products[:, :n, :n], products[:, :n, n:], products[:, n:, n:] + np.eye(x.shape[1])
        self._agreement = _agreement(slopes, weights)
        self._back = np.linalg.solve(c, b.transpose(0, 2, 1))  # C^-1 B'
        self._rest = np.linalg.solve(c, (gradient[:, n:] + x)[..., None])[..., 0]  # C^-1 g_x
        self._diagonals = np.einsum("wii->i", a), np.einsum("wii->wi", c)
        self.parts = a - b @ self._back
        self.scores = gradient[:, :n] - np.einsum("wij,wj->wi", b, self._rest)

    def widths(self) -> Widths:
        """Of the next cloud."""
        p, x = (_DEVIATIONS / np.sqrt(np.maximum(diagonal, 1e-12)) for diagonal in self._diagonals)
        return Widths(np.clip(p, _SHARE, _WIDEST), np.clip(x / _DEVIATIONS, _NEAR, _STATE))

    def wider(self, widths: Widths) -> Widths:
        """The widths, wider where clouds disagree about slopes."""
        n = len(widths.p)
        common, own = self._agreement
        p, x = common[:, :n].sum(axis=0) < _AGREED * own[:, :n].sum(axis=0), common[:, n:] < _AGREED * own[:, n:]
        return Widths(np.minimum(np.where(p, _WIDER, 1.0) * widths.p, _WIDEST), np.where(x, _WIDER, 1.0) * widths.x)

    def step(self, damping: float, p: Array) -> tuple[Array, Array]:
        """Changes of unknowns and of beginnings, damped; an unknown at its limit that would leave it stays."""
        free, s, gradient = self._reduced(p)
        dp = np.zeros(len(p))
        scale = np.abs(np.diag(s))
        damped = s + np.diag(damping * scale + 1e-9 * scale.sum() + 1e-12)
        dp[free] = -np.linalg.solve(damped, gradient)
        dp *= min(1.0, _LONGEST / max(float(np.abs(dp).max(initial=0.0)), 1e-300))
        return dp, -(self._rest + self._back @ dp)

    def settled(self, p: Array) -> tuple[Array, Array]:
        """The same, not damped, in directions of which the data tell more than _LONGEST of the ranges."""
        free, s, gradient = self._reduced(p)
        dp = np.zeros(len(p))
        values, vectors = np.linalg.eigh(s)
        known = values > _LONGEST**-2
        dp[free] = -(vectors[:, known] / values[known]) @ (vectors[:, known].T @ gradient)
        return dp, -(self._rest + self._back @ dp)

    def _reduced(self, p: Array) -> tuple[NDArray[np.bool_], Array, Array]:
        """Which unknowns may move; S and the gradient for them."""
        gradient = self.scores.sum(axis=0)
        free = ~(((p <= 0) & (gradient > 0)) | ((p >= 1) & (gradient < 0)))
        s = self.parts.sum(axis=0)
        return free, ((s + s.T) / 2)[np.ix_(free, free)], gradient[free]


def _agreement(slopes: Array, weights: Array) -> tuple[Array, Array]:
    """Products of the slopes (c, w, m, k) of the first and the last of clouds (w, k), and the mean of their squares."""
    first, last = slopes[0], slopes[-1]
    common = np.einsum("wm,wmk->wk", weights, first * last)
    return common, np.einsum("wm,wmk->wk", weights, first**2 + last**2) / 2
