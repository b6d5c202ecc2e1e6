"""What a function is given: refused where the reference refuses it, with a TypeError that names the argument."""

import mujoco
import numpy as np
import pytest

from tumble import physics

SCENE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def scene(module):
    m = module.MjModel.from_xml_string(SCENE)
    d = module.MjData(m)
    module.mj_forward(m, d)
    return m, d


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
        calls(physics, *scene(physics)).items(), calls(mujoco, *scene(mujoco)).values(), strict=True
    ):
        try:
            theirs(SPOILED[how](array.copy()))
        except TypeError:
            with pytest.raises(TypeError, match=name):
                ours(SPOILED[how](array.copy()))
        else:
            ours(SPOILED[how](array.copy()))


def test_a_column_is_written_as_a_vector_is():
    m, d = scene(physics)
    column, line = np.zeros((6, 1)), np.zeros(6)
    physics.mj_contactForce(m, d, 0, column)
    physics.mj_contactForce(m, d, 0, line)
    assert line[0] > 0
    assert column[:, 0].tolist() == line.tolist()


def test_what_is_wrong_with_an_array_is_said():
    m, d = scene(physics)
    with pytest.raises(TypeError, match=r"jacp should be a float64 array of shape \(3, nv\); it is \(3, 5\) of float64$"):
        physics.mj_jacBody(m, d, np.zeros((3, 5)), None, 1)
    with pytest.raises(TypeError, match=r"jacp should be a C-contiguous float64 .* not C-contiguous$"):
        physics.mj_jacBody(m, d, np.zeros((6, 3)).T, None, 1)
    with pytest.raises(TypeError, match=r"of float64, read-only$"):
        physics.mju_zero3(read_only(np.zeros(3)))
    with pytest.raises(TypeError, match="point should be numbers: "):
        physics.mj_jac(m, d, np.zeros((3, 6)), None, "abc", 1)
