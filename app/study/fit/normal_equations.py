"""Normal equations of a fit, from planes through clouds of simulations, with the beginnings of windows eliminated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit import loss

Array = NDArray[np.float64]

SHARE = 1e-3  # of the range of an unknown, by which a cloud reaches at least
WIDEST = 0.05  # the same, at most
STATE = 0.3  # of its measured deviation, by which a cloud reaches in a beginning at most
LONGEST = 0.3  # of the range, in a step
_DEVIATIONS = 2.0  # of an unknown with the others as they are, by which a cloud reaches
_NEAR = 0.05  # the same, at least
_AGREED = 0.8  # share of the squares of slopes that two clouds have in common
_WIDER = 2.0  # times, of a cloud whose slopes do not agree
_LEAST_BEND = 0.1  # ratio of the curvature of a loss and its weight
_DOUBTFUL = 0.3  # such a share of the information on a direction, below which the cost itself is asked


class CloudPlane(Struct, frozen=True):
    """Residuals in a cloud, r + of_p dp + of_x dx: r (w, m), of_p (w, m, n), of_x (w, m, f)."""

    r: Array
    of_p: Array
    of_x: Array


class Widths(Struct, frozen=True):
    """Reach of a cloud: in unknowns (n,), and of each window in its beginning (w, f)."""

    p: Array
    x: Array


class System:
    """The normal equations with beginnings eliminated.

    parts (w, n, n) and scores (w, n): of each window, by the weights of the loss, as steps need them; information (w, n, n): the
    parts by the curvature of the loss, which says how far the least cost moves. With a robust loss it is less.
    """

    def __init__(self, planes: Sequence[CloudPlane], x: Array, kind: str) -> None:
        """x (w, f); with several planes, what they do not agree about is no information."""
        r = np.mean([plane.r for plane in planes], axis=0)
        weights = loss.weight(kind, r)
        slopes = np.array([np.concatenate([plane.of_p, plane.of_x], axis=2) for plane in planes])
        n, mean = planes[0].of_p.shape[2], slopes.mean(axis=0)
        self._agreement = _agreement(slopes, weights)
        products, gradient = _products(mean, weights), np.einsum("wmi,wm->wi", mean, weights * r)
        a, b, c = products[:, :n, :n], products[:, :n, n:], products[:, n:, n:] + np.eye(x.shape[1])
        self._back = np.linalg.solve(c, b.transpose(0, 2, 1))  # C^-1 B'
        self._rest = np.linalg.solve(c, (gradient[:, n:] + x)[..., None])[..., 0]  # C^-1 g_x
        self._diagonals = np.einsum("wii->i", a), np.einsum("wii->wi", c)
        self.parts = a - b @ self._back
        self.scores = gradient[:, :n] - np.einsum("wij,wj->wi", b, self._rest)
        self.information = self.parts * _bend(loss.curvature(kind, r), weights, mean[..., :n])
        own = np.mean([_products(one, weights) for one in slopes], axis=0)
        self._common = (len(planes) * products - own) / max(len(planes) - 1, 1)  # of slopes of different planes

    def doubts(self) -> list[tuple[Array, float]]:
        """Directions (n,) of the unknowns, with their information, of which little is what several planes agree about."""
        n = self.parts.shape[1]
        across = np.concatenate([np.tile(np.eye(n), (len(self._back), 1, 1)), -self._back], axis=1)
        turned = across.transpose(0, 2, 1)
        agreed = (turned @ self._common @ across + self._back.transpose(0, 2, 1) @ self._back).sum(axis=0)
        values, vectors = np.linalg.eigh(self.parts.sum(axis=0))
        return [(v, float(e)) for v, e in zip(vectors.T, values, strict=True) if v @ agreed @ v < _DOUBTFUL * e]

    def widths(self) -> Widths:
        """Of the next cloud."""
        p, x = (_DEVIATIONS / np.sqrt(np.maximum(diagonal, 1e-12)) for diagonal in self._diagonals)
        return Widths(np.clip(p, SHARE, WIDEST), np.clip(x / _DEVIATIONS, _NEAR, STATE))

    def wider(self, widths: Widths) -> Widths:
        """The widths, wider where clouds disagree about slopes."""
        n = len(widths.p)
        common, own = self._agreement
        p, x = common[:, :n].sum(axis=0) < _AGREED * own[:, :n].sum(axis=0), common[:, n:] < _AGREED * own[:, n:]
        return Widths(np.minimum(np.where(p, _WIDER, 1.0) * widths.p, WIDEST), np.where(x, _WIDER, 1.0) * widths.x)

    def step(self, damping: float, p: Array) -> tuple[Array, Array]:
        """Changes of unknowns and of beginnings, damped; an unknown at its limit that would leave it stays."""
        free, s, gradient = self._reduced(p)
        dp = np.zeros(len(p))
        scale = np.abs(np.diag(s))
        damped = s + np.diag(damping * scale + 1e-9 * scale.sum() + 1e-12)
        dp[free] = -np.linalg.solve(damped, gradient)
        dp *= min(1.0, LONGEST / max(float(np.abs(dp).max(initial=0.0)), 1e-300))
        return dp, self.following(dp)

    def following(self, dp: Array) -> Array:
        """Changes of beginnings (w, f) that go with changes of unknowns."""
        return -(self._rest + self._back @ dp)

    def across(self, direction: Array) -> Array:
        """Changes of unknowns (n,), not along a direction."""
        basis = np.linalg.svd(direction[None])[2][1:].T
        s = basis.T @ self.parts.sum(axis=0) @ basis
        step = -basis @ np.linalg.lstsq(s, basis.T @ self.scores.sum(axis=0), rcond=1e-9)[0]
        return np.asarray(step * min(1.0, LONGEST / max(float(np.abs(step).max(initial=0.0)), 1e-300)))

    def settled(self, p: Array, misfit: float) -> tuple[Array, Array]:
        """The same, not damped, in directions of which the data tell more than LONGEST of the ranges; misfit of residuals."""
        free, s, gradient = self._reduced(p)
        dp = np.zeros(len(p))
        values, vectors = np.linalg.eigh(s)
        known = values > misfit * LONGEST**-2
        dp[free] = -(vectors[:, known] / values[known]) @ (vectors[:, known].T @ gradient)
        dp *= min(1.0, LONGEST / max(float(np.abs(dp).max(initial=0.0)), 1e-300))
        return dp, self.following(dp)

    def _reduced(self, p: Array) -> tuple[NDArray[np.bool_], Array, Array]:
        """Mask (n,) of the unknowns that may move; S and the gradient for them."""
        gradient = self.scores.sum(axis=0)
        free = ~(((p <= 0) & (gradient > 0)) | ((p >= 1) & (gradient < 0)))
        s = self.parts.sum(axis=0)
        return free, ((s + s.T) / 2)[np.ix_(free, free)], gradient[free]


def _agreement(slopes: Array, weights: Array) -> tuple[Array, Array]:
    """Products of the slopes (c, w, m, k) of the first and the last of clouds (w, k), and the mean of their squares."""
    first, last = slopes[0], slopes[-1]
    common = np.einsum("wm,wmk->wk", weights, first * last)
    return common, np.einsum("wm,wmk->wk", weights, first**2 + last**2) / 2


def _bend(curvatures: Array, weights: Array, slopes: Array) -> float:
    """Ratio of sums of squares of slopes (w, m, n), with curvatures and with weights (w, m): mean over the unknowns.

    One number for all: the curvature of single residuals may be negative, and with it that of a window.
    """
    squares = slopes**2
    curved, weighted = (np.einsum("wm,wmk->k", factors, squares) for factors in (curvatures, weights))
    known = weighted > 0
    return max(float(np.mean(curved[known] / weighted[known])), _LEAST_BEND) if known.any() else 1.0


def _products(slopes: Array, weights: Array) -> Array:
    """(w, k, k) of slopes (w, m, k)."""
    return np.asarray((slopes * weights[..., None]).transpose(0, 2, 1) @ slopes)
