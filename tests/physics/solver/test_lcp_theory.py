"""What is proved about the splittings, on problems that are given by their matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from tests.physics.solver.lcp_problems import FREE, matrix_problem, solve_matrix
from tumble.physics.state.own import Splitting

JACOBI, GAUSS_SEIDEL, SOR = Splitting.JACOBI, Splitting.GAUSS_SEIDEL, Splitting.SOR
STRONG = np.full((3, 3), 0.9) + 0.1 * np.eye(3)  # positive definite (0.1, 0.1, 2.8), but 2 D - A is not: 2 - 2.8 < 0


def random_problem(seed: int, n: int = 7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return root @ root.T + 0.5 * np.eye(n), rng.normal(size=n)


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of LCP(a, b) as the projection it is: minimize |G' x + G^-1 b| over x >= 0, a = G G'."""
    root = np.linalg.cholesky(a)
    return nnls(root.T, -np.linalg.solve(root, b), maxiter=1000)[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("omega", [0.1, 0.5, 1.0, 1.5, 1.9])
def test_sor_converges_for_every_omega_between_0_and_2(seed: int, omega: float) -> None:
    a, b = random_problem(seed)
    m, d = matrix_problem(a, b)
    assert solve_matrix(m, d, SOR, omega, sweeps=20000) <= 1e-12
    # the natural map bounds the error by the condition of A: below 1e3 here
    np.testing.assert_allclose(d.lcp_impulse, exact(a, b), 0, 1e-9)
    np.testing.assert_allclose(d.lcp_velocity, a @ d.lcp_impulse + b, 0, 1e-12)


@pytest.mark.parametrize("omega", [2.0, 2.2])
def test_sor_does_not_converge_beyond(omega: float) -> None:
    """The condition is sharp: at 2 the linear iteration keeps its error, beyond it grows."""
    a, b = random_problem(0)
    m, d = matrix_problem(a, b, FREE)
    solve_matrix(m, d, SOR, omega, sweeps=200)
    assert d.solver.gradient[199] > 0.1 * d.solver.gradient[0]


def test_jacobi_need_not_converge_where_gauss_seidel_does() -> None:
    b = np.array([-1.0, -1.1, -0.9])
    m, d = matrix_problem(STRONG, b, FREE)
    solve_matrix(m, d, JACOBI, sweeps=100)
    # the error grows by the spectral radius of 1 - A, 1.8, every sweep
    assert d.solver.gradient[60] / d.solver.gradient[50] == pytest.approx(1.8**10, rel=1e-6)
    assert solve_matrix(m, d, GAUSS_SEIDEL) <= 1e-12
    np.testing.assert_allclose(STRONG @ d.lcp_impulse, -b, 0, 1e-11)


def test_projected_jacobi_cycles_there() -> None:
    """Bounds keep the impulses from growing; they do not make them settle."""
    b = np.array([-1.0, -1.0, -1.0])
    m, d = matrix_problem(STRONG, b)
    assert solve_matrix(m, d, JACOBI, sweeps=200) > 0.1
    assert solve_matrix(m, d, GAUSS_SEIDEL) <= 1e-12
    np.testing.assert_allclose(d.lcp_impulse, 1 / 2.8, 0, 1e-10)


def test_jacobi_converges_where_its_condition_holds() -> None:
    """2 D - A positive definite: a diagonally dominant matrix."""
    rng = np.random.default_rng(3)
    a = rng.uniform(-0.1, 0.1, (7, 7))
    a, b = 0.5 * (a + a.T) + np.eye(7), rng.normal(size=7)
    m, d = matrix_problem(a, b)
    assert solve_matrix(m, d, JACOBI) <= 1e-12
    np.testing.assert_allclose(d.lcp_impulse, exact(a, b), 0, 1e-11)


def test_what_diverges_leaves_the_best_it_had() -> None:
    m, d = matrix_problem(STRONG, np.array([-1.0, -1.1, -0.9]), FREE)
    solve_matrix(m, d, JACOBI, sweeps=2000)  # far beyond the largest number
    assert not np.isfinite(d.solver.gradient[:200]).all() or d.solver.gradient[199] > 1e10
    assert not d.lcp_impulse.any()  # nothing was better than no impulse
    np.testing.assert_allclose(d.lcp_velocity, d.lcp_b)


def test_gauss_seidel_is_the_textbook_iteration() -> None:
    a, b = random_problem(5)
    m, d = matrix_problem(a, b)
    x = np.zeros(7)
    for _ in range(8):
        for i in range(7):
            x[i] = max(0.0, x[i] - (a[i] @ x + b[i]) / a[i, i])
    solve_matrix(m, d, GAUSS_SEIDEL, sweeps=8)
    np.testing.assert_allclose(d.lcp_impulse, x, 0, 1e-13)
    natural = np.abs(np.diag(a) * (x - np.maximum(0, x - (a @ x + b) / np.diag(a)))).max()
    assert d.solver.gradient[7] == pytest.approx(natural, rel=1e-9)
