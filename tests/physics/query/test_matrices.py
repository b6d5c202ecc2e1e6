"""Band, dense and sparse matrices and quadratic programs: axioms first, then what the reference gives."""

import mujoco
import numpy as np
import pytest

from tumble import physics
from tumble.physics.errors import ModelError, ShapeError

RANDOM = np.random.default_rng(11)
BANDS = [(6, 2, 2), (7, 3, 0), (5, 1, 1), (4, 4, 0), (5, 0, 5), (6, 1, 0)]  # ntotal, nband, ndense


def banded(ntotal, nband, ndense):
    """A positive definite matrix of that pattern."""
    i, j = np.indices((ntotal, ntotal))
    inside = (abs(i - j) < nband) | (np.maximum(i, j) >= ntotal - ndense)
    lower = np.tril(np.where(inside, RANDOM.normal(size=(ntotal, ntotal)), 0.0))
    return lower + lower.T + 3 * ntotal * np.eye(ntotal)


def stored(mat, shape):
    ntotal, nband, ndense = shape
    band = np.full((ntotal - ndense) * nband + ndense * ntotal, np.nan)
    physics.mju_dense2Band(band, mat, *shape)
    return band


def spd(n):
    half = RANDOM.normal(size=(n, n))
    return half @ half.T + n * np.eye(n)


@pytest.mark.parametrize("shape", BANDS)
def test_a_band_matrix_comes_back_from_its_dense_form(shape):
    mat = banded(*shape)
    back = np.empty_like(mat)
    physics.mju_band2Dense(back, stored(mat, shape), *shape, 1)
    np.testing.assert_array_equal(back, mat)
    physics.mju_band2Dense(back, stored(mat, shape), *shape, 0)
    np.testing.assert_array_equal(back, np.tril(mat))
    diagonal = [physics.mju_bandDiag(i, *shape) for i in range(shape[0])]
    np.testing.assert_array_equal(stored(mat, shape)[diagonal], np.diag(mat))
    assert diagonal == [mujoco.mju_bandDiag(i, *shape) for i in range(shape[0])]


@pytest.mark.parametrize("shape", BANDS)
def test_a_band_factor_multiplies_back_and_solves(shape):
    mat, band, vec = banded(*shape), stored(banded(*shape), shape), RANDOM.normal(size=shape[0])
    band = stored(mat, shape)
    product, solved, full = np.empty(shape[0]), np.empty(shape[0]), np.empty_like(mat)
    physics.mju_bandMulMatVec(product, band, vec, *shape, 1, 1)
    np.testing.assert_allclose(product, mat @ vec, rtol=1e-13)
    least = physics.mju_cholFactorBand(band, *shape, 0.1, 0.2)
    shifted = mat + np.diag(0.1 + 0.2 * np.diag(mat))
    physics.mju_band2Dense(full, band, *shape, 0)
    np.testing.assert_allclose(full @ full.T, shifted, atol=1e-12)
    assert least == pytest.approx(np.diag(full).min() ** 2, rel=1e-14)
    physics.mju_cholSolveBand(solved, band, vec, *shape)
    np.testing.assert_allclose(shifted @ solved, vec, atol=1e-12)


@pytest.mark.parametrize("shape", BANDS)
def test_band_functions_give_what_the_references_give(shape):
    mat, vec = banded(*shape), RANDOM.normal(size=shape[0])
    ours, theirs = stored(mat, shape), np.zeros_like(stored(mat, shape))  # the reference leaves what has no meaning
    mujoco.mju_dense2Band(theirs, mat, *shape)
    np.testing.assert_array_equal(ours, theirs)
    for symmetric in (0, 1):
        results = [np.empty(shape[0]) for _ in range(2)]
        physics.mju_bandMulMatVec(results[0], ours, vec, *shape, 1, symmetric)
        mujoco.mju_bandMulMatVec(results[1], theirs, vec, *shape, 1, symmetric)
        np.testing.assert_allclose(*results, rtol=1e-13)
    least = [module.mju_cholFactorBand(band, *shape, 0.3, 0.0) for module, band in ((physics, ours), (mujoco, theirs))]
    assert least[0] == pytest.approx(least[1], rel=1e-13)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_several_vectors_are_columns():
    shape, vectors, product = (6, 2, 2), RANDOM.normal(size=(6, 3)), np.empty((6, 3))
    mat = banded(*shape)
    physics.mju_bandMulMatVec(product, stored(mat, shape), vectors, *shape, 3, 1)
    np.testing.assert_allclose(product, mat @ vectors, rtol=1e-12, atol=1e-12)


def test_a_band_matrix_that_is_not_definite_has_no_factor():
    mat = banded(5, 2, 0)
    mat[2, 2] = -1.0
    assert physics.mju_cholFactorBand(stored(mat, (5, 2, 0)), 5, 2, 0, 0.0, 0.0) == 0.0


def test_cholesky_factor_multiplies_back_and_keeps_upper_part():
    mat, vec, solved = spd(6), RANDOM.normal(size=6), np.empty(6)
    factor, theirs = mat.copy(), mat.copy()
    assert physics.mju_cholFactor(factor, 0.0) == mujoco.mju_cholFactor(theirs, 0.0) == 6
    np.testing.assert_allclose(factor, theirs, rtol=1e-13)
    lower = np.tril(factor)
    np.testing.assert_allclose(lower @ lower.T, mat, rtol=1e-12)
    np.testing.assert_array_equal(np.triu(factor, 1), np.triu(mat, 1))
    physics.mju_cholSolve(solved, factor, vec)
    np.testing.assert_allclose(mat @ solved, vec, rtol=1e-10, atol=1e-12)


def test_a_factor_of_a_singular_matrix_has_a_rank():
    mat = spd(5)
    mat[2], mat[:, 2] = 0.0, 0.0
    ours, theirs = mat.copy(), mat.copy()
    assert physics.mju_cholFactor(ours, 1e-8) == mujoco.mju_cholFactor(theirs, 1e-8) == 4
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("plus", [0, 1])
def test_an_updated_factor_is_that_of_the_updated_matrix(plus):
    mat, x = spd(6), 0.3 * RANDOM.normal(size=6)
    ours = np.linalg.cholesky(mat)
    theirs = ours.copy()
    assert physics.mju_cholUpdate(ours, x.copy(), plus) == mujoco.mju_cholUpdate(theirs, x.copy(), plus) == 6
    np.testing.assert_allclose(ours @ ours.T, mat + (1 if plus else -1) * np.outer(x, x), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-13)


def bounds(n):
    return np.sort(RANDOM.normal(size=(2, n)), axis=0) + np.array([[-0.01], [0.01]])


@pytest.mark.parametrize("given", [(True, True), (True, False), (False, True), (False, False)])
def test_box_qp_satisfies_kkt_and_matches_reference(given):
    for n in (1, 3, 8):
        H, g, (lower, upper) = spd(n), 4 * n * RANDOM.normal(size=n), bounds(n)
        low, high = lower if given[0] else None, upper if given[1] else None
        ours, theirs = [(np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)) for _ in range(2)]
        free = physics.mju_boxQP(*ours, H, g, low, high)
        assert free == mujoco.mju_boxQP(*theirs, H, g, low, high)
        x, gradient = ours[0], H @ ours[0] + g
        at_low, at_high = given[0] & (x <= lower), given[1] & (x >= upper)
        assert not given[0] or (x >= lower).all()
        assert not given[1] or (x <= upper).all()
        assert (gradient[at_low] > 0).all()  # the cost falls beyond each bound that holds, and nowhere else
        assert (gradient[at_high] < 0).all()
        np.testing.assert_allclose(gradient[~at_low & ~at_high], 0, atol=1e-7)
        np.testing.assert_allclose(x, theirs[0], atol=1e-9)
        np.testing.assert_array_equal(ours[2][:free], theirs[2][:free])
        factors = [np.tril(R.ravel()[: free * free].reshape(free, free)) for _, R, _ in (ours, theirs)]
        np.testing.assert_allclose(*factors, atol=1e-10)


def test_a_box_qp_needs_a_definite_matrix_and_bounds_in_order():
    res, R = np.zeros(2), np.zeros((2, 9))
    assert physics.mju_boxQP(res, R, None, -np.eye(2), np.ones(2), None, None) == -1
    with pytest.raises(ModelError, match="below its upper"):
        physics.mju_boxQP(res, R, None, np.eye(2), np.ones(2), np.ones(2), np.ones(2))
    with pytest.raises(ShapeError, match="R should be a contiguous float64 array"):
        physics.mju_boxQP(res, np.zeros((2, 2)), None, np.eye(2), np.ones(2), None, None)


def sparse(module, mat, room):
    result = np.zeros(room), np.zeros(len(mat), np.int32), np.zeros(len(mat), np.int32), np.zeros(room, np.int32)
    return module.mju_dense2sparse(result[0], mat, *result[1:]), result


@pytest.mark.parametrize("draw", range(5))
def test_a_matrix_comes_back_from_its_sparse_form(draw):
    RANDOM.random(draw)  # another matrix each
    mat = np.where(RANDOM.random((5, 4)) < 0.4, RANDOM.normal(size=(5, 4)), 0.0)
    mat[2] = 0.0
    back = np.full((5, 4), np.nan)
    status, csr = sparse(physics, mat, np.count_nonzero(mat))
    physics.mju_sparse2dense(back, *csr)
    np.testing.assert_array_equal(back, mat)
    assert status == 0
    for room in (np.count_nonzero(mat), np.count_nonzero(mat) + 2, 3, 0):
        (ours, mine), (theirs, other) = sparse(physics, mat, room), sparse(mujoco, mat, room)
        assert ours == theirs
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_addresses_out_of_the_arrays_are_refused():
    with pytest.raises(ShapeError, match="lead out of mat"):
        physics.mju_sparse2dense(np.zeros((2, 2)), np.zeros(2), [2, 2], [0, 2], [0, 1])
    with pytest.raises(ShapeError, match="columns from 0 to 2"):
        physics.mju_sparse2dense(np.zeros((1, 2)), np.zeros(2), [2], [0], [0, 2])


@pytest.mark.parametrize("weighted", [False, True])
def test_a_weighted_square(weighted):
    mat, weight = RANDOM.normal(size=(4, 3)), RANDOM.normal(size=4) if weighted else None
    ours, theirs = np.empty((3, 3)), np.empty((3, 3))
    physics.mju_sqrMatTD(ours, mat, weight)
    mujoco.mju_sqrMatTD(theirs, mat, weight)
    np.testing.assert_allclose(ours, mat.T @ (np.eye(4) if weight is None else np.diag(weight)) @ mat, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-13)


def test_matrices_are_printed_as_the_reference_prints_them(capfd):
    mat = np.array([[1.0, -2.5, 0.0], [0.0, 3.25, 1e3]])
    _, csr = sparse(physics, mat, np.count_nonzero(mat))
    for module in (mujoco, physics):
        module.mju_printMat(mat)
        module.mju_printMatSparse(*csr)
    lines = [line.split() for line in capfd.readouterr().out.splitlines() if line]
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
