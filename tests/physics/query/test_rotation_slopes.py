"""Derivatives of functions of rotations: finite differences, and the reference."""

import mujoco
import numpy as np
import pytest

from tumble.physics.errors import ShapeError
from tumble.physics.query.rotation_slopes import mjd_quatIntegrate, mjd_subQuat
from tumble.physics.query.rotations import mju_quatIntegrate, mju_subQuat

ANGLES = (0.0, 1e-9, 1e-4, 0.009, 0.011, 0.7, 2.0, 3.1)  # on both sides of where the series ends


def rotated(q, w):
    out = np.array(q, float)
    mju_quatIntegrate(out, w, 1.0)
    return out


def difference(a, b):
    out = np.zeros(3)
    mju_subQuat(out, a, b)
    return out


def pair(angle, seed=0):
    """Two orientations that are an angle apart."""
    rng = np.random.default_rng(seed)
    qb = rng.normal(size=4)
    qb /= np.linalg.norm(qb)
    axis = rng.normal(size=3)
    return rotated(qb, angle * axis / np.linalg.norm(axis)), qb


def slope(function, eps=1e-6):
    return np.array([(function(eps * e) - function(-eps * e)) / (2 * eps) for e in np.eye(3)]).T


@pytest.mark.parametrize("angle", ANGLES)
def test_finite_differences_confirm_the_derivatives_of_the_difference(angle):
    qa, qb = pair(angle)
    Da, Db = np.zeros((3, 3)), np.zeros(9)
    mjd_subQuat(qa, qb, Da, Db)
    np.testing.assert_allclose(Da, slope(lambda w: difference(rotated(qa, w), qb)), atol=1e-8)
    np.testing.assert_allclose(Db.reshape(3, 3), slope(lambda w: difference(qa, rotated(qb, w))), atol=1e-8)


@pytest.mark.parametrize("angle", ANGLES)
def test_finite_differences_confirm_the_derivatives_of_the_rotation(angle):
    q, _ = pair(1.0)
    vel, scale = angle * np.array([0.6, 0.0, -0.8]) / 0.3, 0.3
    Dquat, Dvel, Dscale = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale)
    end = rotated(q, scale * vel)
    np.testing.assert_allclose(Dquat, slope(lambda w: difference(rotated(rotated(q, w), scale * vel), end)), atol=1e-8)
    np.testing.assert_allclose(scale * Dvel, slope(lambda w: difference(rotated(q, scale * (vel + w)), end)), atol=1e-8)
    np.testing.assert_allclose(Dscale, vel, atol=1e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_both_agree_with_the_reference(angle):
    qa, qb = pair(angle, 1)
    ours, theirs = [np.zeros((3, 3)) for _ in range(2)], [np.zeros((3, 3)) for _ in range(2)]
    mjd_subQuat(qa, qb, *ours)
    mujoco.mjd_subQuat(qa, qb, *theirs)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    ours, theirs = ([np.zeros(9), np.zeros(9), np.zeros(3)] for _ in range(2))
    mjd_quatIntegrate((angle, 0.5 * angle, 0.0), 0.7, *ours)
    mujoco.mjd_quatIntegrate(np.array([angle, 0.5 * angle, 0.0]), 0.7, *theirs)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_each_may_be_left_out_and_what_does_not_fit_is_refused():
    qa, qb = pair(1.0)
    mjd_subQuat(qa, qb, None, None)
    mjd_quatIntegrate((1, 2, 3), 1.0, None, None, None)
    with pytest.raises(ShapeError, match="Da should be a contiguous float64 array of 9 numbers"):
        mjd_subQuat(qa, qb, np.zeros(4), None)
    with pytest.raises(ShapeError, match="Dscale"):
        mjd_quatIntegrate((1, 2, 3), 1.0, None, None, np.zeros(4))
    with pytest.raises(ShapeError, match="qa"):
        mjd_subQuat((1, 0, 0), qb, None, None)
