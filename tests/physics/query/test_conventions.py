"""How functions are called, as the reference's stored signatures say: lists are read, None is allowed where it is there, and an
array of the wrong shape is a TypeError before anything is written."""

import json
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed
from tests.physics.scenes import SMOOTH_SCENE
from tumble import physics

FUNCTIONS = json.loads((Path(__file__).parents[3] / "packaging/reference_api.json").read_text(encoding="utf-8"))["functions"]
SCENE = SMOOTH_SCENE.replace("</worldbody>", """
  <geom type="plane" size="9 9 1" contype="1" conaffinity="1"/>
  <body pos="0 3 0.09"><freejoint/><geom size="0.1" contype="1" conaffinity="1"/></body></worldbody>""")  # fmt: skip

# By an argument's name its shape, or its value; where a function means something else by it, the second table goes first.
SHAPES = {
    "jacp": (3, "nv"), "jacr": (3, "nv"), "jacPoint": (3, "nv"), "jacAxis": (3, "nv"), "point": (3,), "axis": (3,), "force": (3,),
    "torque": (3,), "qfrc_target": ("nv",), "res": ("nv",), "vec": ("nv",), "vec1": ("nv",), "vec2": ("nv",), "y": (2, "nv"),
    "x": (2, "nv"), "sqrtInvD": ("nv",), "M": ("nM",), "dst": ("nv", "nv"), "qpos": ("nq",), "qvel": ("nv",), "qpos1": ("nq",),
    "qpos2": ("nq",), "fromto": (6,),
}  # fmt: skip
OWN = {
    "mj_angmomMat": {"mat": (3, "nv")}, "mj_ray": {"vec": (3,)}, "mj_objectVelocity": {"res": (6,)},
    "mj_objectAcceleration": {"res": (6,)}, "mj_mulJacVec": {"res": ("nefc",)}, "mj_mulJacTVec": {"vec": ("nefc",)},
    "mj_rne": {"result": ("nv",)}, "mj_constraintUpdate": {"jar": ("nefc",), "cost": (1,)}, "mj_contactForce": {"result": (6,)},
    "mju_mulVecMatVec": {"mat": ("nv", "nv")},
    "mju_cholSolve": {"mat": ("nv", "nv")}, "mju_cholUpdate": {"mat": ("nv", "nv"), "x": ("nv",)},
    "mju_mulMatVec": {"mat": ("nv", "nv")}, "mju_mulMatTVec": {"mat": ("nv", "nv")},
}  # fmt: skip
VALUES = {
    "body": 1, "geom": 0, "site": 0, "objtype": 5, "objid": 1, "flg_local": 0, "dt": 0.1, "flg_static": 1, "bodyexclude": -1,
    "geom1": 1, "geom2": 2, "distmax": 10.0, "flg_acc": 0, "flg_coneHessian": 0, "sameframe": 0, "id": 0, "scl": 0.5,
    "geomtype": 6, "flg_plus": 1, "len": 0.4, "vel": 0.1, "acc0": 3.0, "ctrl": 0.3, "act": 0.2, "geomgroup": None, "geomid": None,
}  # fmt: skip
ELSEWHERE = {"mj_rayMesh", "mj_rayHfield"}  # test_rays.py: they need such a geom
ANY_SHAPE = {"mju_zero", "mju_fill", "mju_normalize", "mju_sum", "mju_L1", "mju_norm", "mju_isZero", "mju_insertionSort"}


@pytest.fixture(scope="module")
def scene():
    m, d = posed(SCENE)
    assert d.ncon > 0
    return m, d


def shape_of(name, argument, kind):
    """The shape that the signature gives, or else the tables."""
    fixed = re.search(r"\[(\d+)\]", kind)
    return (int(fixed[1]),) if fixed else OWN.get(name, {}).get(argument, SHAPES.get(argument))


def is_array(kind):
    return "float64[" in kind


def known(name):
    """Whether the tables know all arguments of a function."""
    rows = FUNCTIONS[name]["arguments"]
    arrays = [row for row in rows if is_array(row[1])]
    others = [row[0] for row in rows if row not in arrays]
    return arrays and all(shape_of(name, *row[:2]) for row in arrays) and {*others} <= {"m", "d", *VALUES}


NAMES = [name for name in FUNCTIONS if hasattr(physics, name) and name not in ANY_SHAPE | ELSEWHERE and known(name)]


def arguments(name, scene):
    m, d = scene
    sizes, random, values = {"nv": m.nv, "nq": m.nq, "nM": m.nM, "nefc": d.nefc}, np.random.default_rng(1), []
    for argument, kind, *_ in FUNCTIONS[name]["arguments"]:
        if is_array(kind):
            shape = tuple(sizes.get(n, n) for n in shape_of(name, argument, kind))
            values.append(random.uniform(0.1, 1, shape) + (5 * np.eye(len(np.empty(shape)), shape[-1]) if len(shape) == 2 else 0))
        else:
            values.append({"m": m, "d": d}.get(argument, VALUES.get(argument)))
    return values


def test_most_functions_are_known_to_the_tables():
    assert len(NAMES) > 60


@pytest.mark.parametrize("name", NAMES)
def test_wrong_array_shapes_raise_before_anything_is_written(name, scene):
    call, rows = getattr(physics, name), FUNCTIONS[name]["arguments"]
    call(*arguments(name, scene))
    for k, (argument, kind, *_) in enumerate(rows):
        if not is_array(kind):
            continue
        values = arguments(name, scene)
        if "None" in kind:
            call(*[*values[:k], None, *values[k + 1 :]])
        if not kind.startswith("out"):
            call(*[*values[:k], values[k].tolist(), *values[k + 1 :]])
        short = values[k][..., :-1].copy()
        before = [a.copy() if isinstance(a, np.ndarray) else a for a in values]
        with pytest.raises(TypeError):
            call(*[*values[:k], short, *values[k + 1 :]])
        for other in range(len(rows)):
            if other != k and is_array(rows[other][1]):
                np.testing.assert_array_equal(values[other], before[other], err_msg=f"{argument}: too late for {rows[other][0]}")


BOX_ON_PLANE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def resting_box(module):
    return posed(BOX_ON_PLANE, module)


def calls(module, m, d):
    """By the argument's name: a call that writes it, or reads it, and an array that fits."""
    return {
        "jacp": (lambda x: module.mj_jacBody(m, d, x, None, 1), np.ones((3, 6))),
        "qpos": (lambda x: module.mj_integratePos(m, x, np.ones(6), 0.1), np.ones(7)),
        "result": (lambda x: module.mj_contactForce(m, d, 0, x), np.ones(6)),
        "state": (lambda x: module.mj_getState(m, d, x, 2), np.ones(7)),
        "mat": (lambda x: module.mju_cholFactor(x, 0.0), np.eye(3)),
        "res": (lambda x: module.mju_addTo(x, np.ones(5)), np.ones(5)),
        "the quaternion": (lambda x: module.mju_negQuat(np.ones(4), x), np.ones(4)),
        "point": (lambda x: module.mj_jac(m, d, np.ones((3, 6)), None, x, 1), np.ones(3)),
    }


def read_only(array):
    array.flags.writeable = False
    return array


SPOILED = {
    "column": lambda a: a.reshape(-1, 1),
    "longer": lambda a: np.concatenate([a, a[:1]]),
    "float32": lambda a: a.astype(np.float32),
    "list": lambda a: a.tolist(),
    "text": lambda a: "abc",
    "read-only": read_only,
    "by columns": lambda a: np.asfortranarray(np.arange(a.size, dtype=float).reshape(a.shape)),
    "with gaps": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
}


@pytest.mark.parametrize("how", SPOILED)
def test_arrays_are_refused_where_the_reference_refuses_them(how):
    for (name, (ours, array)), (theirs, _) in zip(
        calls(physics, *resting_box(physics)).items(), calls(mujoco, *resting_box(mujoco)).values(), strict=True
    ):
        try:
            theirs(SPOILED[how](array.copy()))
        except TypeError:
            with pytest.raises(TypeError, match=name):
                ours(SPOILED[how](array.copy()))
        else:
            ours(SPOILED[how](array.copy()))


def test_a_column_is_written_as_a_vector_is():
    m, d = resting_box(physics)
    column, line = np.zeros((6, 1)), np.zeros(6)
    physics.mj_contactForce(m, d, 0, column)
    physics.mj_contactForce(m, d, 0, line)
    assert line[0] > 0
    assert column[:, 0].tolist() == line.tolist()


def test_what_is_wrong_with_an_array_is_said():
    m, d = resting_box(physics)
    with pytest.raises(TypeError, match=r"jacp should be a float64 array of shape \(3, nv\); it is \(3, 5\) of float64$"):
        physics.mj_jacBody(m, d, np.zeros((3, 5)), None, 1)
    with pytest.raises(TypeError, match=r"jacp should be a C-contiguous float64 .* not C-contiguous$"):
        physics.mj_jacBody(m, d, np.zeros((6, 3)).T, None, 1)
    with pytest.raises(TypeError, match=r"of float64, read-only$"):
        physics.mju_zero3(read_only(np.zeros(3)))
    with pytest.raises(TypeError, match="point should be numbers: "):
        physics.mj_jac(m, d, np.zeros((3, 6)), None, "abc", 1)
