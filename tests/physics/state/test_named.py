"""Elements are found by name and number, and their views are the memory of the model and data."""

from itertools import count, product

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, mirror_model
from tests.physics.state.kinds import KINDS
from tumble.physics.errors import ModelError
from tumble.physics.query.text import mj_id2name, mj_name2id
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtObj


@pytest.fixture(scope="module")
def both():
    rm, rd = load(KINDS, mujoco)
    rd.qvel[:] = np.arange(rm.nv)
    mujoco.mj_step(rm, rd)
    mujoco.mj_forward(rm, rd)
    m = mirror_model(rm)
    d = Data(m)
    for name in dir(rd):
        value = getattr(rd, name)
        if isinstance(value, np.ndarray) and name in d._arrays and d._arrays[name].size == value.size:
            d._arrays[name][...] = value.reshape(d._arrays[name].shape)
    return m, d, rm, rd


@pytest.mark.parametrize("obj", [o for o in mjtObj if o < mjtObj.mjNOBJECT])
def test_names_and_numbers_agree_with_the_reference(both, obj):
    m, _, rm, _ = both
    for i in range(-1, 8):
        name = mujoco.mj_id2name(rm, int(obj), i)
        assert mj_id2name(m, obj, i) == name
        if name is not None:
            assert mj_name2id(m, obj, name) == i
    assert mj_name2id(m, obj, "nobody") == -1
    assert mj_name2id(m, obj, "") == -1


METHODS = (
    "actuator", "body", "cam", "camera", "eq", "equality", "exclude", "geom", "hfield", "jnt", "joint", "key", "keyframe",
    "light", "mat", "material", "mesh", "numeric", "pair", "sensor", "site", "tendon", "tex", "texture", "tuple",
)  # fmt: skip


def compare(ours, theirs, but=()):
    for attribute in (n for n in dir(theirs) if n[0] != "_" and n not in but):
        value = getattr(theirs, attribute)
        np.testing.assert_array_equal(getattr(ours, attribute), value, err_msg=attribute)
        if attribute not in ("id", "name"):
            assert getattr(ours, attribute).shape == value.shape, attribute
        assert attribute in dir(ours)


OF_DATA = ["body", "cam", "camera", "geom", "jnt", "joint", "light", "sensor", "site", "ten", "tendon"]


@pytest.mark.parametrize(("holder", "method"), [*product(("model",), METHODS), *product(("data",), OF_DATA)])
def test_views_are_those_of_the_reference(both, holder, method):
    m, d, rm, rd = both
    ours, theirs = (m, rm) if holder == "model" else (d, rd)
    for i in count():
        try:
            expected = getattr(theirs, method)(i)
        except IndexError:
            break
        found = getattr(ours, method)(i)
        compare(found, expected, but=("cdof", "cdof_dot"))  # the reference reads these at dofadr, not 6 dofadr
        if expected.name:
            assert getattr(ours, method)(expected.name) == found
    assert i > 0


def test_a_joints_motion_axes_are_those_of_its_dofs(both):
    m, d, _, _ = both
    for i in range(m.njnt):
        start = m.jnt_dofadr[i]
        np.testing.assert_array_equal(d.joint(i).cdof, d.cdof[start : start + len(d.joint(i).qvel)])


def test_an_actuators_moment_is_its_own_row(both):
    m, d, _, rd = both
    for i in range(m.nu):
        ours, theirs = d.actuator(i), rd.actuator(i)
        for name in ("ctrl", "force", "length", "velocity"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        start = rd.moment_rowadr[i]
        np.testing.assert_array_equal(ours.moment, rd.actuator_moment[start : start + rd.moment_rownnz[i]])


def test_views_write_through(both):
    m, d = both[0], Data(both[0])  # its own: others compare what is in the data of all
    body = m.body("hand")
    before = body.mass[0]
    body.mass = 3
    assert m.body_mass[body.id] == 3
    body.mass[0] = before
    assert m.body_mass[body.id] == before
    d.joint("wrist").qpos = [0, 1, 0, 0]
    assert d.qpos[m.jnt_qposadr[m.joint("wrist").id] + 1] == 1
    d.joint("rail").qvel[0] = 5
    assert d.qvel[m.joint("rail").dofadr[0]] == 5


def test_errors_say_what_is_valid(both):
    m, d, _, _ = both
    with pytest.raises(KeyError, match=r"^Invalid name 'leg'. Valid names: \['arm', 'ball', 'ghost', 'hand', 'world'\]$"):
        m.body("leg")
    with pytest.raises(KeyError, match="Valid names: \\['belt', 'rope'\\]"):
        d.tendon("leg")
    with pytest.raises(IndexError, match=r"Invalid index 5\. Valid indices from 0 to 4"):
        m.body(5)
    with pytest.raises(IndexError, match="Invalid index -1"):
        m.body(-1)
    with pytest.raises(ModelError):
        m.joint("leg")
    with pytest.raises(TypeError):
        m.body(1.5)
    with pytest.raises(AttributeError, match="no attribute 'weight'; there are: parentid"):
        _ = m.body("arm").weight
    with pytest.raises(AttributeError, match="no attribute 'weight'"):
        m.body("arm").weight = 2
    assert "mass: array([" in repr(m.body("arm"))
