"""Small functions of vectors, quaternions and poses: each gives what the reference's gives."""

import inspect
import re

import mujoco
import numpy as np
import pytest

from tumble import physics
from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.query.rotations import mjd_quatIntegrate, mjd_subQuat, mju_quatIntegrate, mju_subQuat

RANDOM = np.random.default_rng(7)


def unit(size):
    v = RANDOM.normal(size=size)
    return v / np.linalg.norm(v)


def rotation():
    mat = np.empty(9)
    mujoco.mju_quat2Mat(mat, unit(4))
    return mat


def number():
    return float(RANDOM.normal())


SEQUENCES = ("xyz", "XYZ", "zyx", "xYz", "ZxZ", "yXY")
# By the name of an argument, a value for it; the arguments' names are the reference's.
VALUES = {
    **dict.fromkeys(("quat", "quat1", "quat2", "qa", "qb"), lambda: unit(4)),
    **dict.fromkeys(("angle", "scl", "val", "x"), number),
    **dict.fromkeys(("euler", "a", "b", "vel", "newpos", "oldpos"), lambda: RANDOM.normal(size=3)), "axis": lambda: unit(3),
    "seq": lambda: str(RANDOM.choice(SEQUENCES)), "rotnew2old": rotation, "flg_force": lambda: 1, "dt": lambda: 0.3,
    "scale": lambda: 0.7, "min": lambda: -0.2, "max": lambda: 0.3,
}  # fmt: skip
SHAPES = {
    "mju_transpose": {"res": (4, 3), "mat": (3, 4)}, "mju_mulMatMat": {"res": (3, 2), "mat1": (3, 4), "mat2": (4, 2)},
    "mju_mulMatMatT": {"res": (3, 2), "mat1": (3, 4), "mat2": (2, 4)}, "mju_eye": {"mat": (3, 3)},
    "mju_mulMatTMat": {"res": (4, 2), "mat1": (3, 4), "mat2": (3, 2)}, "mju_symmetrize": {"res": (3, 3), "mat": (3, 3)},
    "mju_mulMatVec": {"res": (3,), "mat": (3, 4), "vec": (4,)}, "mju_mulMatTVec": {"res": (4,), "mat": (3, 4), "vec": (3,)},
    "mju_mulVecMatVec": {"vec1": (4,), "mat": (4, 4), "vec2": (4,)}, "mju_mulMatVec3": {"mat": (9,)},
    "mju_mulMatTVec3": {"mat": (9,)}, "mju_transformSpatial": {"vec": (6,), "res": (6,)},
    "mju_quat2Mat": {"res": (9,)}, "mju_mat2Quat": {"mat": "rotation"},
    "mju_min": {"a": "number", "b": "number"}, "mju_max": {"a": "number", "b": "number"},
}  # fmt: skip
NAMES = [n for n in dir(physics) if n.startswith("mju_") and getattr(physics, n).__module__.endswith((".vectors", ".rotations"))]
PYRAMIDS = ("mju_encodePyramid", "mju_decodePyramid")  # the reference's Python binding leaves out the last tangent
ITERATED = ("mju_mat2Rot",)  # equal to a tolerance: test_numbers.py


def arguments(name):
    """Random arguments for a function of that name, by its own parameters."""
    values = []
    for p in inspect.signature(getattr(physics, name)).parameters:
        shape = SHAPES.get(name, {}).get(p)
        three = not re.search(r"(?<!Rot)(4|mulQuat|mulQuatAxis|axisAngle2Quat|negQuat|derivQuat)", name)
        if shape == "rotation":
            values.append(rotation())
        elif shape == "number":
            values.append(number())
        elif shape is not None:
            values.append(RANDOM.normal(size=shape))
        elif VALUES.get(p) is not None:
            values.append(VALUES[p]())
        elif p == "quatres":
            values.append(unit(4))
        else:
            values.append(RANDOM.normal(size=3 if three else 4))
    return values


@pytest.mark.parametrize("name", [n for n in NAMES if n not in PYRAMIDS + ITERATED])
def test_a_function_gives_what_the_references_gives(name):
    for _ in range(20):
        ours = arguments(name)
        theirs = [a.copy() if isinstance(a, np.ndarray) else a for a in ours]
        result, expected = getattr(physics, name)(*ours), getattr(mujoco, name)(*theirs)
        assert type(result) is type(expected)
        if expected is not None:
            assert result == pytest.approx(expected, rel=1e-13, abs=1e-14)
        for mine, other in zip(ours, theirs, strict=True):
            if isinstance(mine, str):
                continue
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("angle", [1e-9, 0.5, 3.1, np.pi - 1e-9, np.pi])
def test_a_rotation_survives_its_matrix_however_far_it_turns(angle):
    for axis in [*np.eye(3), unit(3)]:
        quat, mat, back, turned = np.empty(4), np.empty(9), np.empty(4), np.empty(9)
        physics.mju_axisAngle2Quat(quat, axis, angle)
        physics.mju_quat2Mat(mat, quat)
        physics.mju_mat2Quat(back, mat)
        physics.mju_quat2Mat(turned, back)
        np.testing.assert_allclose(turned, mat, atol=1e-15)


def test_degenerate_vectors_and_quaternions():
    for name, value in (("mju_normalize", np.zeros(5)), ("mju_normalize3", np.zeros(3)), ("mju_normalize4", np.zeros(4))):
        theirs = value.copy()
        assert getattr(physics, name)(value) == getattr(mujoco, name)(theirs)
        np.testing.assert_array_equal(value, theirs)
    for vec in ((0, 0, 0), (0, 0, 2), (0, 0, -2)):
        ours, theirs = np.empty(4), np.empty(4)
        physics.mju_quatZ2Vec(ours, vec)
        mujoco.mju_quatZ2Vec(theirs, np.array(vec, float))
        np.testing.assert_allclose(ours, theirs, atol=1e-15)
    assert [physics.mju_round(x) for x in (0.5, -0.5, 2.4, -2.6)] == [mujoco.mju_round(x) for x in (0.5, -0.5, 2.4, -2.6)]


@pytest.mark.parametrize("angle", [np.inf, -np.inf, np.nan])
def test_a_rotation_by_no_number_is_none(angle):
    """As in the reference; Python's sine raises ValueError for infinity."""
    axis, jacobian = np.array([0.0, 0.6, 0.8]), np.zeros(9)
    for library in (physics, mujoco):
        result, turned, sums = np.zeros(4), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(4)
        library.mju_axisAngle2Quat(result, axis, angle)
        library.mju_quatIntegrate(turned, axis, angle)
        library.mju_euler2Quat(sums, np.array([angle, 0.0, 0.0]), "xyz")
        assert all(np.isnan(quat).all() for quat in (result, turned, sums))
    with np.errstate(invalid="ignore"):
        physics.mjd_quatIntegrate(axis, angle, jacobian, None, None)
    assert np.isnan(jacobian).all()


def test_a_pyramids_edges_make_the_force():
    force, mu = np.array([3.0, 0.4, -0.5, 0.02]), np.array([0.8, 0.7, 0.05])
    edges, back = np.empty(6), np.empty(4)
    physics.mju_encodePyramid(edges, force, mu)
    assert edges.sum() == pytest.approx(3.0)
    for k in range(3):  # an edge pushes along normal + mu tangent or normal - mu tangent
        assert mu[k] * (edges[2 * k] - edges[2 * k + 1]) == pytest.approx(force[k + 1])
    physics.mju_decodePyramid(back, edges, mu)
    np.testing.assert_allclose(back, force, rtol=1e-14)


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
def test_subquat_derivatives_match_finite_differences(angle):
    qa, qb = pair(angle)
    Da, Db = np.zeros((3, 3)), np.zeros(9)
    mjd_subQuat(qa, qb, Da, Db)
    np.testing.assert_allclose(Da, slope(lambda w: difference(rotated(qa, w), qb)), atol=1e-8)
    np.testing.assert_allclose(Db.reshape(3, 3), slope(lambda w: difference(qa, rotated(qb, w))), atol=1e-8)


@pytest.mark.parametrize("angle", ANGLES)
def test_quat_integrate_derivatives_match_finite_differences(angle):
    q, _ = pair(1.0)
    vel, scale = angle * np.array([0.6, 0.0, -0.8]) / 0.3, 0.3
    Dquat, Dvel, Dscale = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale)
    end = rotated(q, scale * vel)
    np.testing.assert_allclose(Dquat, slope(lambda w: difference(rotated(rotated(q, w), scale * vel), end)), atol=1e-8)
    np.testing.assert_allclose(scale * Dvel, slope(lambda w: difference(rotated(q, scale * (vel + w)), end)), atol=1e-8)
    np.testing.assert_allclose(Dscale, vel, atol=1e-12)


def test_each_may_be_left_out():
    mjd_subQuat(*pair(1.0), None, None)
    mjd_quatIntegrate((1, 2, 3), 1.0, None, None, None)


@pytest.mark.parametrize(("error", "says", "call"), [
    (ShapeError, r"res should be a float64 array of shape \(4,\)", lambda: physics.mju_mulQuat(np.empty(3), *pair(1.0))),
    (ShapeError, "the quaternion should be 4 numbers", lambda: physics.mju_negQuat(np.empty(4), (1, 0, 0))),
    (ModelError, r"seq\[0\] is 'a', should be one of", lambda: physics.mju_euler2Quat(np.empty(4), (0, 0, 0), "abc")),
    (ShapeError, "Da should be a contiguous float64 array of 9 numbers", lambda: mjd_subQuat(*pair(1.0), np.zeros(4), None)),
    (ShapeError, "Dscale", lambda: mjd_quatIntegrate((1, 2, 3), 1.0, None, None, np.zeros(4))),
    (ShapeError, "qa", lambda: mjd_subQuat((1, 0, 0), (1, 0, 0, 0), None, None)),
])  # fmt: skip
def test_what_does_not_fit_is_refused(error, says, call):
    with pytest.raises(error, match=says):
        call()


class Guarded(np.ndarray):
    """An array that cannot be written by an index, as those of programs that keep track of what is written."""

    def __setitem__(self, index, value):
        raise AssertionError("written through its class")


@pytest.mark.parametrize("engine", [physics, mujoco])
def test_results_go_to_the_memory_of_a_subclass(engine):
    """In both engines a function writes the numbers; the array keeps its class, whose own ways to be written are not asked."""
    out, many = np.zeros(3).view(Guarded), np.zeros(9).view(Guarded)
    engine.mju_rotVecQuat(out, [1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 0.0])
    engine.mju_quat2Mat(many, [0.0, 1.0, 0.0, 0.0])
    assert out.tolist() == [1, -2, -3]
    assert np.asarray(many).tolist() == [1, 0, 0, 0, -1, 0, 0, 0, -1]
    assert type(out) is type(many) is Guarded
