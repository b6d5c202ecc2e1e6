"""Models and data are copied and pickled whole, and copies live their own lives."""

import copy
import pickle

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics import MjModel, mj_step

SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_continues_as_the_original_does(duplicate):
    m, d = load(SCENE)
    d.grow("maxcon", 100)  # a copy must take over grown capacities too
    mj_step(m, d, 50)
    m2, d2 = duplicate(m), duplicate(d)
    assert type(m2) is MjModel
    before = d.qpos.copy()
    mj_step(m2, d2, 50)
    np.testing.assert_array_equal(d.qpos, before)
    mj_step(m, d, 50)
    for name in ("qpos", "qvel", "efc_force", "contact_dist"):
        np.testing.assert_array_equal(getattr(d2, name), getattr(d, name), err_msg=name)
    m2.body_mass[1] = 99
    assert m.body_mass[1] != 99


TWO_BALLS = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_data_of_a_model_that_never_stepped_serve_its_copies() -> None:
    m = physics.MjModel.from_xml_string(TWO_BALLS)
    d, twin = physics.MjData(m), copy.copy(m)
    for _ in range(3):  # the first step finds which pairs can collide, and keeps them with the model
        physics.mj_step(twin, d)
    physics.mj_step(m, d)
    assert d.time == pytest.approx(4 * m.opt.timestep)


TEXT = "<mujoco><worldbody><body gravcomp='1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("name", ["nq", "nbody", "nM", "ngravcomp", "nstage"])
def test_a_size_is_only_read(name):
    m = physics.MjModel.from_xml_string(TEXT)
    before = getattr(m, name)
    with pytest.raises(AttributeError, match=name):
        setattr(m, name, 7)
    assert getattr(m, name) == before
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert getattr(other, name) == before


SMALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
LARGE = SMALL.replace("</worldbody>", "<body pos='1 0 0'><joint/><geom size='.1'/></body>" * 9 + "</worldbody>")


@pytest.fixture(scope="module")
def pairs():
    small, large = physics.MjModel.from_xml_string(SMALL), physics.MjModel.from_xml_string(LARGE)
    return (small, physics.MjData(large)), (large, physics.MjData(small))


@pytest.mark.parametrize(
    "name",
    ["mj_step", "mj_step1", "mj_step2", "mj_forward", "mj_inverse", "mj_resetData", "mj_Euler", "mj_kinematics", "mj_comPos",
     "mj_makeM", "mj_factorM", "mj_collision", "mj_comVel", "mj_energyPos", "mj_energyVel", "mj_subtreeVel",
     "mj_rnePostConstraint", "mj_passive", "mj_island", "mj_sensorPos"],
)  # fmt: skip
def test_a_stage_refuses_them(pairs, name):
    for m, d in pairs:
        with pytest.raises(physics.ModelError, match="model of other sizes"):
            getattr(physics, name)(m, d)


def test_a_query_refuses_them(pairs):
    for m, d in pairs:
        jacobian, rows = np.zeros((3, m.nv)), np.zeros((1, m.nv))
        for ask in (
            lambda m=m, d=d, j=jacobian: physics.mj_jac(m, d, j, j, np.zeros(3), 1),
            lambda m=m, d=d, j=jacobian: physics.mj_jacSubtreeCom(m, d, j, 1),
            lambda m=m, d=d, r=rows: physics.mj_solveM(m, d, r, r),
            lambda m=m, d=d, r=rows: physics.mj_mulM(m, d, r[0], r[0]),
            lambda m=m, d=d: physics.mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None),
        ):
            with pytest.raises(physics.ModelError, match="model of other sizes"):
                ask()
