"""Forces of the medium: what physics says of them, and both models against the reference."""

import math

import mujoco
import numpy as np
import pytest

from tests.physics.dynamics.derivative_scenes import dense
from tests.physics.reference import load, posed, twins
from tumble.physics.dynamics.derivative.fluid import fluid_derivative
from tumble.physics.run.stepping import mj_forward, mj_step

# Geoms of every type as ellipsoids, on several bodies of one tree, and bodies that are boxes of their inertia.
MIXED = """<mujoco><option density="2.3" viscosity="0.7" wind="1 -1 2"/>
<asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 1 1"/></asset>
<default><geom contype="0" conaffinity="0" fluidshape="ellipsoid" fluidcoef=".4 .2 1.7 1.3 .8"/></default>
<worldbody><geom type="plane" size="0 0 1"/>
<body pos="1 2 3"><freejoint/><geom type="ellipsoid" size=".1 .2 .35"/>
 <geom type="capsule" size=".1 .3" pos=".1 .2 .3" euler="10 20 30"/>
 <body><joint type="ball"/><geom type="box" size=".1 .1 .02" fluidshape="none"/>
  <body><joint/><joint type="slide"/><geom type="cylinder" size=".1 .3"/></body></body></body>
<body pos="3 2 3"><freejoint/><geom type="mesh" mesh="tetra"/></body>
<body pos="3 2 3"><freejoint/><geom type="box" mesh="tetra" fluidcoef="1"/></body>
<body pos="3 2 3"><freejoint/><geom size=".2"/></body>
<body pos="3 2 3"><freejoint/><geom size=".2" fluidshape="none"/></body>
<body pos="6 2 3"><freejoint/><geom size=".2" fluidshape="none"/><geom type="box" size=".1 .2 .3" pos="0 0 .3"/></body>
</worldbody></mujoco>"""


def put_random_state(rng, rm, rd, d):
    """The same random position and velocity in the reference's data and in ours."""
    rd.qpos[:], rd.qvel[:] = rng.normal(size=rm.nq), rng.normal(size=rm.nv)
    d.qpos, d.qvel = rd.qpos, rd.qvel


def free(geom, option, coef=".5 .25 1.5 1 1", pose=""):
    """A free body of one geom, and its data."""
    return load(
        f'<mujoco><option {option}><flag energy="enable"/></option><worldbody><body pos="0 0 9" {pose}><freejoint/>'
        f'<geom {geom} fluidshape="ellipsoid" fluidcoef="{coef}"/></body></worldbody></mujoco>'
    )


def test_both_models_agree_with_the_reference_in_random_states():
    rm, rd, m, d = twins(MIXED)
    rng = np.random.default_rng(0)
    for _ in range(20):
        put_random_state(rng, rm, rd, d)
        mujoco.mj_forward(rm, rd)
        mj_forward(m, d)
        scale = np.abs(rd.qfrc_fluid).max()
        np.testing.assert_allclose(d.qfrc_fluid, rd.qfrc_fluid, rtol=1e-11, atol=1e-13 * scale)
        np.testing.assert_allclose(d.qfrc_passive, rd.qfrc_passive, rtol=1e-11, atol=1e-13 * scale)


def test_the_medium_never_drives_what_moves_in_it():
    xml = MIXED.replace('wind="1 -1 2"', "")
    m, d = load(xml)
    rng = np.random.default_rng(3)
    for _ in range(30):
        d.qpos, d.qvel = rng.normal(size=m.nq), rng.normal(size=m.nv)
        mj_forward(m, d)
        assert d.qfrc_fluid @ d.qvel < 0.0


def test_lift_and_added_mass_do_no_work_and_drag_does_it_all():
    m, d = free('type="ellipsoid" size=".1 .2 .3"', 'density="300"', "0 0 0 1.3 .7")
    rng = np.random.default_rng(4)
    for _ in range(10):
        d.qpos, d.qvel = rng.normal(size=7), rng.normal(size=6)
        mj_forward(m, d)
        assert np.linalg.norm(d.qfrc_fluid) > 0.1
        assert abs(d.qfrc_fluid @ d.qvel) < 1e-12 * np.linalg.norm(d.qfrc_fluid) * np.linalg.norm(d.qvel)


def test_added_mass_turns_an_ellipsoid_broadside_to_the_flow():
    m, d = free('type="ellipsoid" size=".1 .2 .3"', 'density="300" gravity="0 0 0"', "0 0 0 0 0")
    mass = 300 * m.geom_fluid[0, 6:9]
    d.qvel[:3] = 1.0, 0.0, 2.0
    mj_forward(m, d)
    # Munk's moment, (M v) x v; the momentum of the medium does not turn, so that there is no force
    np.testing.assert_allclose(d.qfrc_fluid, (0, 0, 0, 0, (mass[2] - mass[0]) * 1.0 * 2.0, 0), rtol=1e-12, atol=1e-12)


def test_dense_medium_at_rest_adds_no_buoyancy_or_added_mass():
    m, d = free('size=".1" mass="1"', 'density="5000" viscosity="3"')
    mj_forward(m, d)  # the model has no state of the medium: neither buoyancy nor a share in the acceleration
    assert d.qacc[2] == pytest.approx(-9.81, rel=1e-12)
    assert not d.qfrc_fluid.any()


def test_magnus_pushes_a_spinning_ball_across_its_way():
    m, d = free('size=".1"', 'density="1.2" gravity="0 0 0"', "0 0 0 1 .8")
    d.qvel[:] = 3, 0, 0, 0, 0, 5
    mj_forward(m, d)
    volume = 4 / 3 * math.pi * 0.1**3
    added = 1.2 * m.geom_fluid[0, 6] * 3 * 5  # (M v) x w points the other way
    np.testing.assert_allclose(d.qfrc_fluid[:3], (0, 0.8 * 1.2 * volume * 5 * 3 - added, 0), rtol=1e-12, atol=1e-15)


def test_kutta_lift_acts_on_oblique_plates_only():
    m, d = free('type="ellipsoid" size=".2 .2 .002"', 'density="1.2" gravity="0 0 0"', "0 0 0 1 0")
    for angle, lifted in ((0.0, False), (math.pi / 2, False), (0.3, True)):
        d.qvel[:3] = math.cos(angle), 0, -math.sin(angle)
        mj_forward(m, d)
        along, across = d.qfrc_fluid[:3] @ d.qvel[:3], d.qfrc_fluid[2] * math.cos(angle) + d.qfrc_fluid[0] * math.sin(angle)
        assert abs(along) < 1e-14
        assert (across > 0.01) if lifted else abs(across) < 1e-10


def test_fluid_forces_scale_as_fourth_power_of_length():
    forces = []
    for scale in (1.0, 1e-3):
        size = " ".join(str(scale * s) for s in (0.1, 0.2, 0.02))
        m, d = free(f'type="ellipsoid" size="{size}" mass="1"', 'density="1.2"')
        d.qvel[:3] = 0.3 * scale, 0.4 * scale, 0.5 * scale
        mj_forward(m, d)
        forces.append(d.qfrc_fluid[:3] / scale**4)
    np.testing.assert_allclose(*forces, rtol=1e-9)


def test_the_medium_acts_on_no_tree_that_sleeps():
    m, d = load("""<mujoco><option density="1000" wind="1 0 0"><flag sleep="enable"/></option><worldbody>
    <body sleep="init"><freejoint/><geom size=".1" fluidshape="ellipsoid"/></body>
    <body pos="3 0 0"><freejoint/><geom size=".1" fluidshape="ellipsoid"/></body></worldbody></mujoco>""")
    mj_step(m, d)
    assert d.tree_asleep[0] >= 0
    before = d.qfrc_fluid.copy()
    m.opt.density *= 2.0
    mj_step(m, d)
    assert d.tree_asleep[0] >= 0
    assert d.qfrc_fluid[:6].tolist() == before[:6].tolist()
    assert d.qfrc_fluid[6] > 1.9 * before[6]


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("flag", ["", 'damper="disable"', 'spring="disable" damper="disable"'])
def test_a_step_has_the_references_derivative_and_velocity(integrator, flag):
    xml = MIXED.replace('wind="1 -1 2"/>', f'wind="1 -1 2" integrator="{integrator}"><flag {flag}/></option>')
    rm, rd, m, d = twins(xml)
    rng = np.random.default_rng(2)
    for _ in range(5):
        put_random_state(rng, rm, rd, d)
        mujoco.mj_step(rm, rd)
        mj_step(m, d)
        np.testing.assert_allclose(d.qDeriv, rd.qDeriv, rtol=1e-10, atol=1e-12 * np.abs(rd.qDeriv).max())
        np.testing.assert_allclose(d.qvel, rd.qvel, rtol=1e-10, atol=1e-12)


def test_at_rest_in_still_air_only_viscosity_is_left():
    m, d = posed(MIXED.replace('wind="1 -1 2"', ""))
    d.qDeriv = 0.0
    fluid_derivative(m, d)
    ball = m.body_dofadr[m.geom_bodyid[7]]
    slope = dense(m, d.qDeriv)[ball : ball + 6, ball : ball + 6]
    radius, viscosity = 0.2, 0.7
    slide, turn = 6 * np.pi * viscosity * radius, 8 * np.pi * viscosity * radius**3
    np.testing.assert_allclose(slope, -np.diag([slide] * 3 + [turn] * 3), atol=1e-12)
