"""Least squares with bounds: against scipy's, and what it refuses."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy import optimize

from tumble.mujoco import minimize

TIMES = np.linspace(0, 4, 40)
TRUE = np.array([1.5, 0.4, 3.0])
LOWER, UPPER = np.array([0.0, 0.0, 2.0]), np.array([1.2, 2.0, 5.0])


def decay(x: np.ndarray) -> np.ndarray:
    """A damped oscillation less the measured one, of parameters in the columns of (3, k)."""
    size, damping, frequency = (row[None, :] for row in np.atleast_2d(x.T).T)
    at = TIMES[:, None]
    measured = TRUE[0] * np.exp(-TRUE[1] * at) * np.cos(TRUE[2] * at)
    return size * np.exp(-damping * at) * np.cos(frequency * at) - measured


def quiet(**more: object) -> dict[str, object]:
    return {"verbose": minimize.Verbosity.SILENT, **more}


@pytest.mark.parametrize("bounds", [None, [LOWER, UPPER]])
def test_the_minimum_is_that_of_scipy(bounds: list[np.ndarray] | None) -> None:
    start = np.array([0.8, 0.7, 2.6])
    x, trace = minimize.least_squares(start, decay, bounds=bounds, **quiet())
    limits = (-np.inf, np.inf) if bounds is None else (LOWER, UPPER)
    expected = optimize.least_squares(lambda x: decay(x[:, None])[:, 0], start, bounds=limits, xtol=1e-12, ftol=1e-12, gtol=1e-12)
    assert x == pytest.approx(expected.x, abs=1e-6)
    assert trace[-1].objective == pytest.approx(expected.cost, abs=1e-12)
    assert [log.objective for log in trace] == sorted((log.objective for log in trace), reverse=True)
    assert (x[0] == UPPER[0]) == (bounds is not None)


def test_differences_keep_within_the_upper_bound() -> None:
    asked = []

    def residual(x: np.ndarray) -> np.ndarray:
        asked.append(x.copy())
        return x - 3.0

    x, _ = minimize.least_squares(np.array([1.0, 2.0]), residual, bounds=[np.zeros(2), np.array([1.0, 2.0])], **quiet())
    assert x.tolist() == [1.0, 2.0]
    assert max(points.max(axis=1)[0] for points in asked) <= 1.0
    jac, evaluations = minimize.jacobian_fd(decay, TRUE[:, None], decay(TRUE[:, None]), 1e-6, 5)
    assert (jac.shape, evaluations) == ((40, 3), 8)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"bounds": [LOWER]}, "bounds are 2 arrays"),
        ({"bounds": [LOWER[:2], UPPER]}, "bounds need 3 numbers each, as x0; they have 2 and 3"),
        ({"bounds": [LOWER, np.full(3, np.inf)]}, "finite"),
        ({"bounds": [UPPER, LOWER]}, "every lower bound is below"),
        ({"mu_min": 0.0}, "0 < mu_min"),
        ({"residual": lambda x: x * np.nan}, "the residual at x0 is not finite"),
        ({"verbose": 7}, "7 is not a valid Verbosity"),
    ],
)
def test_what_is_not_valid_is_refused_with_what_is(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        minimize.least_squares(**{"x0": np.ones(3), "residual": decay, "verbose": 0, **wrong})


def test_least_squares_stops_before_nan_residual() -> None:
    out = io.StringIO()

    def residual(x: np.ndarray) -> np.ndarray:
        return np.where(x > 1.5, np.nan, x - 2.0)

    x, _ = minimize.least_squares(np.array([0.0]), residual, verbose=minimize.Verbosity.FINAL, output=out)
    assert 1.0 < x[0] <= 1.5
    assert out.getvalue().startswith("Terminated after")
