"""A fork goes on from the present state with other settings, and neither simulation knows of the other."""

import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tests.physics.observe.test_again import SENSING, stepped, whole
from tumble import physics
from tumble.physics import ContactModel, MjData, MjModel
from tumble.physics.errors import ModelError

PGS, CG = physics.mjtSolver.mjSOL_PGS, physics.mjtSolver.mjSOL_CG
BOX = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="3 3 1" solimp="0.9 0.95 0.001"/>
<body pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>"""


def on(m, d, count):
    for k in range(count):
        d.ctrl[:] = 0.1 * np.sin(0.03 * k)
        physics.mj_step(m, d)


@pytest.mark.parametrize(
    "xml", [scene(*ALL), scene(*ALL, cone="elliptic", jacobian="dense"), SENSING], ids=["sparse", "dense", "sensing"]
)
def test_unchanged_fork_takes_identical_steps(xml):
    m, d = stepped(xml, 20, recording=False)
    other, data = physics.fork(m, d)
    on(m, d, 60)
    on(other, data, 60)
    for name in ("time", "qpos", "qvel", "act", "xpos", "sensordata", "qfrc_constraint"):
        np.testing.assert_array_equal(getattr(data, name), getattr(d, name), name)


def test_fork_of_recorded_data_does_not_record():
    m, d = stepped(scene(*ALL), 20)
    other, data = physics.fork(m, d)
    on(m, d, 20)
    on(other, data, 20)
    np.testing.assert_array_equal(data.qpos, d.qpos)
    assert physics.is_recording(d)
    assert not physics.is_recording(data)


def test_stepping_a_fork_does_not_change_its_source():
    m, d = stepped(scene(*ALL), 20, recording=False)
    before = whole(m), whole(d)
    soft = {"solref": (0.05, 1), "solimp": (0.8, 0.9, 0.01, 0.5, 2)}
    others = {"contact_model": ContactModel.LCP}, {"solver": CG, "warmstart": False}
    for settings in ({"solver": PGS, "cone": 1, "timestep": 0.001, "integrator": 1}, soft, *others):
        other, data = physics.fork(m, d, **settings)
        on(other, data, 5)
        assert data.time > d.time
    assert (whole(m), whole(d)) == before


def test_later_changes_of_the_model_do_not_reach_the_fork():
    m, d = stepped(BOX, 500, recording=False)
    other, data = physics.fork(m, d)
    m.geom_solref[:] = 0.2, 1.0
    m.opt.gravity[:] = 0, 0, -5
    on(m, d, 200)
    on(other, data, 200)
    assert data.qpos[2] > d.qpos[2] + 1e-3
    assert other.opt.gravity[2] == -9.81


def test_softer_fork_sinks_as_an_equally_soft_model():
    m, d = stepped(BOX, 10, recording=False)
    other, data = physics.fork(m, d, solref=(0.1, 1), solimp=(0.5, 0.5, 0.001, 0.5, 2))
    on(other, data, 2000)
    model = MjModel.from_xml_string(BOX)
    model.geom_solref[:] = 0.1, 1
    model.geom_solimp[:] = 0.5, 0.5, 0.001, 0.5, 2
    same = MjData(model)
    on(model, same, 2000)
    assert data.qpos[2] == pytest.approx(same.qpos[2], rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"speed": 2}, "not a setting of a fork; valid are"),
        ({"solver": 7}, "valid are 0 PGS, 1 CG, 2 Newton"),
        ({"cone": 2}, "valid are 0 pyramidal, 1 elliptic"),
        ({"integrator": 4}, "valid are 0 Euler, 1 RK4, 2 implicit, 3 implicitfast"),
        ({"timestep": 0.0}, "above 0"),
        ({"timestep": float("nan")}, "above 0"),
        ({"solref": (0.02,)}, "solref is 2 finite numbers, not '0.02'"),
        ({"solimp": (0.9, 0.95, 0.001, 0.5, float("inf"))}, "solimp is 5 finite numbers"),
    ],
)
def test_what_is_not_valid_is_told_with_what_is(settings, words):
    m, d = stepped(BOX, 1, recording=False)
    with pytest.raises(ModelError, match=words):
        physics.fork(m, d, **settings)


@pytest.mark.parametrize("settings", [{"integrator": 4}, {"timestep": 0.0}, {"solref": (0.02,)}, {"solimp": (1,)}, {"mass": 1}])
def test_variant_of_fork_refuses_what_fork_refuses(settings):
    m, d = stepped(BOX, 1, recording=False)
    with pytest.raises(ModelError) as refused:
        physics.fork(m, d, **settings)
    with pytest.raises(ModelError) as looked:
        physics.variant_of_fork(m, **settings)
    assert str(looked.value) == str(refused.value)


def test_variant_of_fork_has_options_and_changes_no_model():
    m, _ = stepped(BOX, 1, recording=False)
    before = m.geom_solref.copy(), m.opt.timestep, m.opt.cone
    variant = physics.variant_of_fork(m, timestep=0.001, cone=physics.mjtCone.mjCONE_ELLIPTIC, solref=(0.5, 1))
    assert (variant.opt.timestep, variant.opt.cone) == (0.001, physics.mjtCone.mjCONE_ELLIPTIC)
    assert np.array_equal(m.geom_solref, before[0])
    assert (m.opt.timestep, m.opt.cone) == before[1:]
    assert np.shares_memory(variant.geom_solref, m.geom_solref)


def test_textures_are_shared_and_all_else_is_not():
    m = MjModel.from_xml_string("""<mujoco><asset><texture name="t" type="2d" builtin="flat" width="64" height="64"/>
    <material name="paint" texture="t"/></asset><worldbody><body><freejoint/><geom size="1" material="paint"/></body>
    </worldbody></mujoco>""")
    other, data = physics.fork(m, MjData(m))
    assert np.shares_memory(other.tex_data, m.tex_data)
    assert not np.shares_memory(other.geom_size, m.geom_size)
    assert other.geom(0).id == 0
    on(other, data, 3)
