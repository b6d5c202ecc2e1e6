"""Numbers, words, muscles and eigenvalues: by their definitions, and as the reference gives them."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tumble import physics
from tumble.physics.errors import ModelError

RANDOM = np.random.default_rng(5)
MUSCLE = np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])


@pytest.mark.parametrize("base", [2, 3, 10])
def test_halton_numbers_are_the_mirrored_digits(base):
    for index in range(60):
        digits = [int(d) for d in np.base_repr(index, base)]
        value = sum(digit * base ** -(k + 1.0) for k, digit in enumerate(reversed(digits)))
        assert physics.mju_Halton(index, base) == pytest.approx(value, abs=1e-15)
        assert physics.mju_Halton(index, base) == pytest.approx(mujoco.mju_Halton(index, base), abs=1e-15)
    with pytest.raises(ModelError, match="base"):
        physics.mju_Halton(3, 1)


# What is the reference's number, or word, for these arguments.
SAME = {
    "mju_sigmoid": [(x,) for x in (-1.0, 0.0, 0.2, 0.5, 0.93, 1.0, 2.0)],
    "mju_springDamper": [  # where cosh has no number, and where the motion has none
        (1, 1, 1, 5000, 1), (1, 0.5, 3, 4000, 20), (1, 2, -3, 0, 300), (1, 2, -3, -5, 100),
        (1, 1, 1, -5000, 1), (1, 1, -1e6, 1, 10),
    ],
    "mju_isBad": [(x,) for x in (0.0, 1e10, 1.0000001e10, -1e11, math.nan, math.inf)],
    "mju_isZero": [(vec,) for vec in (np.zeros(3), np.array([0, -0.0, 1e-300]), np.zeros(0), np.array([math.nan]))],
    "mju_type2Str": [(kind,) for kind in (*range(26), 50, 100, 101, 102)],
    "mju_writeNumBytes": [(n,) for n in (0, 1, 1023, 1024, 1536, 10**6, 2**20, 5 * 2**20, 2**20 + 1024, 2**30, 2**40, 2**30 + 1)],
    "mj_version": [()], "mj_versionString": [()],
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_numbers_and_words_are_the_references(name):
    for given in SAME[name]:
        ours, expected = getattr(physics, name)(*given), getattr(mujoco, name)(*given)
        assert ours == (pytest.approx(expected, rel=1e-11, abs=1e-14) if isinstance(expected, float) else expected)


def test_words_and_kinds_stand_for_each_other_and_no_number_moves():
    for (kind,) in SAME["mju_type2Str"]:
        word = physics.mju_type2Str(kind)
        assert word is None or physics.mju_str2Type(word) == kind
    assert physics.mju_str2Type("nothing") == physics.mju_str2Type(b"\xff") == 0
    for given in ((1, 0, 0, 0, np.inf), (1, 1, 1, np.nan, 1), (1, 1, 1e308, 1e308, 1)):
        assert np.isnan(physics.mju_springDamper(*given))
    for end in (0.0, 1.0):  # the sigmoid is flat there
        assert abs(physics.mju_sigmoid(end + 1e-3) - physics.mju_sigmoid(end - 1e-3)) < 2e-8


@pytest.mark.parametrize(("kp", "kv"), [(1, 0.1), (1, 2), (1, 5), (0, 0), (-1, 0), (0, 1), (-1, -2), (40, 0.3)])
def test_a_spring_damper_moves_as_its_equation_says(kp, kv):
    x, v, dt, n = 1.0, 0.5, 0.3, 3000
    for _ in range(n):  # the midpoint rule, of second order
        half = v + 0.5 * dt / n * (-kp * x - kv * v)
        x, v = x + dt / n * half, v + dt / n * (-kp * (x + 0.5 * dt / n * v) - kv * half)
    actual = physics.mju_springDamper(1.0, 0.5, kp, kv, dt)
    assert actual == pytest.approx(x, rel=1e-6)
    assert actual == pytest.approx(mujoco.mju_springDamper(1.0, 0.5, kp, kv, dt), rel=1e-12)


def test_muscles_give_what_the_references_give():
    for _ in range(200):
        length, velocity, act, ctrl = RANDOM.uniform(-0.5, 2, 4)
        prm = np.where(RANDOM.random(9) < 0.2, MUSCLE * RANDOM.uniform(0.9, 1.1, 9), MUSCLE)
        span, acc0 = np.sort(RANDOM.uniform(0, 2, 2)), RANDOM.uniform(0, 20)
        times = np.array([0.01, 0.04, RANDOM.choice([0.0, 0.5])])
        given = [
            (module.mju_muscleGain(length, velocity, span, acc0, prm), module.mju_muscleBias(length, span, acc0, prm),
             module.mju_muscleDynamics(ctrl, act, times)) for module in (physics, mujoco)
        ]  # fmt: skip
        np.testing.assert_allclose(*given, rtol=1e-11, atol=1e-12)


def test_eig3_diagonalizes_and_matches_reference():
    matrices = [np.eye(3), np.zeros((3, 3)), np.diag([1.0, 2, 3]), np.diag([3.0, 1, 2]), np.ones((3, 3))]
    matrices += [half + half.T for half in RANDOM.normal(size=(20, 3, 3))]
    for mat in matrices:
        ours, theirs = [(np.empty(3), np.empty(9), np.empty(4)) for _ in range(2)]
        assert physics.mju_eig3(*ours, mat.ravel()) == mujoco.mju_eig3(*theirs, mat.ravel())
        values, vectors = ours[0], ours[1].reshape(3, 3)
        assert (np.diff(values) <= 1e-12).all()
        assert np.linalg.det(vectors) == pytest.approx(1.0)
        spread = 2e-6 * np.linalg.norm(mat)  # turns of less than sqrt(2e-12) rad are left out, as in the reference
        np.testing.assert_allclose(mat @ vectors, vectors * values, atol=spread)
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)


def test_the_closest_rotation_is_the_orthogonal_factor():
    for _ in range(20):
        mat, ours = RANDOM.normal(size=9), np.array([1.0, 0, 0, 0])
        theirs, turned = ours.copy(), np.empty(9)
        physics.mju_mat2Rot(ours, mat)
        mujoco.mju_mat2Rot(theirs, mat)
        u, _, vt = np.linalg.svd(mat.reshape(3, 3))
        physics.mju_quat2Mat(turned, ours)
        np.testing.assert_allclose(turned.reshape(3, 3), u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt, atol=1e-6)
        np.testing.assert_allclose(ours, theirs, atol=1e-7)  # where it converges slowly, rounding shifts the last turn


def test_normal_numbers_have_their_mean_and_deviation():
    second = np.zeros(1)
    values = []
    for _ in range(2000):
        values += [physics.mju_standardNormal(second), second[0]]
    assert abs(np.mean(values)) < 4 / math.sqrt(len(values))  # four standard errors
    assert np.std(values) == pytest.approx(1.0, abs=4 / math.sqrt(2 * len(values)))
    assert isinstance(physics.mju_standardNormal(None), float)


def test_conversions_copy_with_the_precision_asked_for():
    wide, narrow = np.zeros(2), np.zeros(2, np.float32)
    physics.mju_n2f(narrow, [0.1, 2.0])
    assert narrow.tolist() == np.array([0.1, 2.0], np.float32).tolist()
    for convert in (physics.mju_f2n, physics.mju_d2n, physics.mju_n2d):
        wide[:] = 0
        convert(wide, narrow)
        assert wide.tolist() == narrow.tolist()
        with pytest.raises(TypeError, match="as vec has"):
            convert(wide, [1.0])


def test_lists_are_sorted_in_place():
    numbers, whole = np.array([3.0, 1.0, 2.0]), np.array([3, -1, 2], np.int32)
    physics.mju_insertionSort(numbers)
    physics.mju_insertionSortInt(whole)
    assert (numbers.tolist(), whole.tolist()) == ([1.0, 2.0, 3.0], [-1, 2, 3])


def test_every_warning_has_words_with_its_detail():
    texts = [physics.mju_warningText(kind, 73) for kind in range(physics.mjtWarning.mjNWARNING)]
    assert all("73" in text for text in texts)
    assert len(set(texts)) == len(texts)
    assert physics.mju_warningText(99, 0) == "unknown warning 99"


def test_the_log_is_a_file_in_the_present_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    physics.mju_writeLog("WARNING", "first")
    physics.mju_writeLog("ERROR", "second")
    text = Path("MUJOCO_LOG.TXT").read_text(encoding="utf-8")
    assert text.index("WARNING: first") < text.index("ERROR: second")


def test_bytes_name_what_their_text_names() -> None:
    m = physics.MjModel.from_xml_string('<mujoco><worldbody><body name="arm"><geom size=".1"/></body></worldbody></mujoco>')
    assert physics.mju_str2Type(b"body") == physics.mju_str2Type("body") == physics.mjtObj.mjOBJ_BODY
    assert physics.mj_name2id(m, physics.mjtObj.mjOBJ_BODY, b"arm") == 1
    assert physics.mj_name2id(m, physics.mjtObj.mjOBJ_BODY, b"\xff") == -1
