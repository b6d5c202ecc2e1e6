"""Robust least squares of the unknowns, and of the states in which windows begin.

Unknowns p are shared by all windows, the corrections x_w of a beginning belong to one. With residuals r_w(p, x_w) in deviations,
weights of the robust loss, and x_w itself as residuals in deviations of the measured state, a step solves

    [ A    B ] [ dp ]     [ g_p ]      A = sum of P_w' W P_w,  B_w = P_w' W X_w,  C_w = X_w' W X_w + 1
    [ B'   C ] [ dx ] = - [ g_x ]

whose C is a block for each window, so that dx is eliminated window by window (Schur complement S = A - sum B_w C_w^-1 B_w'):
a thousand windows cost no more simulations than one, since all move their own beginnings at once. S is the information on p
with the beginnings unknown, and the residual of a window's row of the eliminated system is its score, from which uncertainty.py
takes honest intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit import loss
from tumble.app.study.fit.prediction import Predictor

Array = NDArray[np.float64]

_SHARE = 3e-3  # of an unknown's range, by which it is moved for differences: wider than the kinks that contacts make
_STATE = 0.3  # of its deviation, by which a beginning is moved
_STEPS = 20
_GAIN = 1e-5  # least relative gain of a step
_LONGEST = 0.3  # of the range, in a step
_TRIES = 10


class Solution(Struct, frozen=True):
    """An estimate: shares (n,), corrections of beginnings (w, 2 nv) or None, its cost.

    information: S (n, n); scores (w, n): of each window, whose sum is zero at the least cost.
    """

    shares: Array
    states: Array | None
    cost: float
    information: Array
    scores: Array


class LeastSquares:
    """Residuals of a predictor, and their least squares."""

    def __init__(self, predictor: Predictor, deviations: Array, kind: str, states: Array, pool: Executor) -> None:
        """deviations (o,) of the outputs; states: (2 nv,) of the beginnings' corrections, 0: they are as measured."""
        self._predictor, self._deviations, self._kind, self._pool = predictor, deviations, kind, pool
        self._free = np.flatnonzero(states > 0)
        self._state_deviations = states[self._free]
        self._size = len(states)

    def residuals(self, shares: Array, x: Array | None) -> Array:
        """(w, m) in deviations, 0 where nothing was measured; x: (w, free) corrections of beginnings in deviations."""
        difference = self._predictor.predict(shares, self._states(x)).difference / self._deviations
        difference[:, 0] = 0.0  # a window begins there
        return np.nan_to_num(difference).reshape(len(difference), -1)

    def solve(self, shares: Array, stopped: Callable[[], bool] = lambda: False) -> Solution:
        """The least cost near `shares`, in the ranges."""
        p = np.clip(shares, 0, 1)
        x = np.zeros((len(self._predictor.windows), self._free.size)) if self._free.size else None
        r, damping = self.residuals(p, x), 1e-3
        cost = self._cost(r, x)
        for _ in range(_STEPS):
            if stopped():
                break
            system = self._system(p, x, r)
            better = None
            for _ in range(_TRIES):
                dp, dx = system.step(damping, p)
                trial = np.clip(p + dp, 0, 1), None if x is None or dx is None else x + dx
                moved = self.residuals(*trial)
                after = self._cost(moved, trial[1])
                if after < cost:
                    better = trial, moved, after
                    break
                damping *= 10
            if better is None:
                break
            gain = cost - better[2]
            (p, x), r, cost = better
            damping = max(damping / 5, 1e-9)
            if gain < _GAIN * cost:
                break
        system = self._system(p, x, r)
        return Solution(p, self._states(x), cost, system.information, system.scores)

    def _cost(self, r: Array, x: Array | None) -> float:
        return float(loss.cost(self._kind, r).sum() + (0.0 if x is None else 0.5 * np.sum(x**2)))

    def _states(self, x: Array | None) -> Array | None:
        if x is None:
            return None
        states = np.zeros((len(x), self._size))
        states[:, self._free] = x * self._state_deviations
        return states

    def _system(self, p: Array, x: Array | None, r: Array) -> _System:
        """The equations of a step, by differences."""

        def moved(k: int) -> Array:
            low, high = p.copy(), p.copy()
            low[k], high[k] = max(p[k] - _SHARE, 0), min(p[k] + _SHARE, 1)
            return (self.residuals(high, x) - self.residuals(low, x)) / (high[k] - low[k])

        def begun(k: int) -> Array:
            assert x is not None
            low, high = x.copy(), x.copy()
            low[:, k] -= _STATE
            high[:, k] += _STATE
            return (self.residuals(p, high) - self.residuals(p, low)) / (2 * _STATE)

        of_p = np.stack(list(self._pool.map(moved, range(len(p)))), axis=2)
        of_x = np.stack(list(self._pool.map(begun, range(self._free.size))), axis=2) if x is not None else None
        return _System(of_p, of_x, x, r, loss.weight(self._kind, r))


class _System:
    """The normal equations with beginnings eliminated."""

    def __init__(self, of_p: Array, of_x: Array | None, x: Array | None, r: Array, weights: Array) -> None:
        """of_p (w, m, n), of_x (w, m, f): Jacobians; x (w, f); r, weights (w, m)."""
        weighted = of_p * weights[..., None]
        a = np.einsum("wmi,wmj->wij", weighted, of_p)
        self.scores = np.einsum("wmi,wm->wi", weighted, r)
        self._eliminated = None
        if of_x is not None and x is not None:
            b = np.einsum("wmi,wmj->wij", weighted, of_x)
            c = np.einsum("wmi,wmj,wm->wij", of_x, of_x, weights) + np.eye(x.shape[1])
            g = np.einsum("wmi,wm->wi", of_x * weights[..., None], r) + x
            back = np.linalg.solve(c, b.transpose(0, 2, 1))  # C^-1 B'
            rest = np.linalg.solve(c, g[..., None])[..., 0]  # C^-1 g_x
            a = a - b @ back
            self.scores = self.scores - np.einsum("wij,wj->wi", b, rest)
            self._eliminated = back, rest
        self.information = np.asarray(a.sum(axis=0))

    def step(self, damping: float, p: Array) -> tuple[Array, Array | None]:
        """Changes of unknowns and of beginnings; an unknown at its limit that would leave it stays."""
        gradient = self.scores.sum(axis=0)
        free = ~(((p <= 0) & (gradient > 0)) | ((p >= 1) & (gradient < 0)))
        dp = np.zeros(len(p))
        if free.any():
            s = self.information[np.ix_(free, free)]
            dp[free] = -np.linalg.solve(s + damping * np.diag(np.diag(s) + 1e-9 * np.trace(s) + 1e-12), gradient[free])
        dp *= min(1.0, _LONGEST / max(float(np.abs(dp).max(initial=0.0)), 1e-300))
        if self._eliminated is None:
            return dp, None
        back, rest = self._eliminated
        return dp, -(rest + back @ dp)
