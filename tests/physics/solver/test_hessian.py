"""The Hessian and its factor."""

from __future__ import annotations

import numpy as np
import pytest

from tests.physics.constraint.scenes import wander, zoo
from tests.physics.solver.test_parity import prepared
from tumble.physics.algebra.cholesky import factor_skyline, solve_skyline
from tumble.physics.solver.inverse import inverse_constraint
from tumble.physics.solver.primal.newton import newton


def multiplied(ld: np.ndarray, inv: np.ndarray) -> np.ndarray:
    """L' D L of a factor in the lower triangle."""
    lower = np.tril(ld, -1) + np.eye(len(ld))
    return lower.T @ np.diag(1 / inv) @ lower


@pytest.mark.parametrize("seed", range(5))
def test_factor_and_solution_of_a_skyline_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 17
    root = np.tril(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.2)) + np.diag(rng.uniform(1, 3, n))
    matrix = root.T @ root
    first = np.array([np.flatnonzero(matrix[i])[0] for i in range(n)], np.int32)
    ld, inv, x = matrix.copy(), np.zeros(n), rng.normal(size=n)
    right = x.copy()
    factor_skyline(ld.ravel(), first, inv)
    np.testing.assert_allclose(multiplied(ld, inv), matrix, 0, 1e-12)
    solve_skyline(ld.ravel(), first, inv, x)
    np.testing.assert_allclose(matrix @ x, right, 0, 1e-11)


def test_a_tree_fills_nothing_in() -> None:
    """A chain of three with a branch: rows 2 and 3 hang on row 0 and do not meet."""
    matrix = np.array([[4.0, 1, 1, 1], [1, 4, 0, 0], [1, 0, 4, 0], [1, 0, 0, 4]])
    ld, inv = matrix.copy(), np.zeros(4)
    factor_skyline(ld.ravel(), np.zeros(4, np.int32), inv)
    assert not ld[np.tril(matrix == 0, -1)].any()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_hessian_is_the_slope_of_the_gradient(cone: str) -> None:
    """Central differences at a point with rows in every state; step 1e-6, forces up to 1e3: error 1e-6 of the largest entry."""
    m, d = prepared(zoo(cone), wander(zoo(cone), 3))
    d.qacc_smooth[:] = d.qacc_warmstart[:] = np.random.default_rng(2).normal(size=m.nv) * 10
    m.opt.iterations = 0
    newton(m, d)  # only starts: chooses the point, makes the Hessian there
    states = {0, 1, 2, 3, 4} if cone == "elliptic" else {0, 1, 2, 3}
    assert states <= set(d.efc_state)
    hessian, qacc = multiplied(d.solve_LD.reshape(m.nv, m.nv), d.solve_LDinv), d.qacc.copy()
    mass = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
            mass[i, m.M_colind[a]] = mass[m.M_colind[a], i] = d.M[a]
    for i in range(m.nv):
        forces = []
        for side in (1e-6, -1e-6):
            d.qacc[:] = qacc
            d.qacc[i] += side
            inverse_constraint(m, d)
            forces.append(d.qfrc_constraint.copy())
        slope = mass[i] - (forces[0] - forces[1]) / 2e-6
        np.testing.assert_allclose(hessian[i], slope, 0, 1e-6 * np.abs(hessian).max())
