"""The account of energy: what falls, what damps, and how the rest shrinks with the step."""

import numpy as np
import pytest
from pytest import approx

from tumble import physics
from tumble.physics.observe.energy_account import INTEGRATOR, EnergyAccount, pair_sides
from tumble.physics.query.balance.terms import Origin as O

PENDULUM = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody>
  <body><joint name="top" axis="0 1 0" damping="{damping}"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/>
    <body pos="0 0 -.5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".03"/></body></body>
  </worldbody></mujoco>"""
BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="3 3 .1" friction=".5"/>
  <body pos="0 0 .1"><freejoint/><geom name="ball" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def account_of(m, d, seconds, dofs=()):
    account = EnergyAccount(m, d, dofs)
    for _ in range(round(seconds / m.opt.timestep)):
        account.before(m, d)
        physics.mj_step(m, d)
        account.after(m, d)
    return account.series(m, d)


def pendulum(h=0.002, integrator="Euler", damping=0.0):
    m = physics.MjModel.from_xml_string(PENDULUM.format(h=h, integrator=integrator, damping=damping))
    d = physics.MjData(m)
    d.qpos[:] = 1.0, 0.5
    return m, d


def total(series, origin):
    return series.work[:, series.origin == origin].sum()


@pytest.mark.parametrize(("integrator", "order"), [("Euler", 1), ("implicit", 1), ("implicitfast", 1), ("RK4", 2)])
def test_rest_falls_with_the_order_of_the_sums(integrator, order):
    rests = []
    for h in (0.004, 0.002):
        series = account_of(*pendulum(h, integrator, 0.1), 1.0)
        rests.append(abs(series.rest.sum()))
        assert rests[-1] < 0.05 * (series.energy.max() - series.energy.min())
    assert rests[0] / rests[1] == approx(2**order, rel=0.15)


def test_energy_of_an_undamped_pendulum_changes_by_the_rest_alone():
    series = account_of(*pendulum(), 1.0)
    assert series.work.sum() == approx(0, abs=1e-12)
    assert series.rest.sum() == approx(series.energy[-1] - series.energy[0], abs=1e-12)


def test_damper_takes_what_the_pendulum_loses():
    series = account_of(*pendulum(0.0005, "RK4", 0.3), 1.0)
    assert total(series, O.JOINT_DAMPER) == approx(series.energy[-1] - series.energy[0], rel=1e-4)
    assert (series.work[:, series.origin == O.JOINT_DAMPER] <= 0).all()


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_implicit_damping_is_an_origin_of_its_own(integrator):
    m = physics.MjModel.from_xml_string(
        f"""<mujoco><option timestep=".05" gravity="0 0 0" integrator="{integrator}"/><worldbody><body>
        <joint type="slide" damping="8"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""
    )
    d = physics.MjData(m)
    d.qvel[0] = 2.0
    series = account_of(m, d, 1.0)
    assert series.rest == approx(np.zeros(20), abs=1e-12)
    # the damper by itself would brake with the speed of the step's start
    assert total(series, INTEGRATOR) == approx(-2.0 - total(series, O.JOINT_DAMPER), rel=1e-5)
    assert total(series, INTEGRATOR) > 0.2


def test_friction_takes_the_energy_of_a_sliding_box():
    m = physics.MjModel.from_xml_string(BALL)
    d = physics.MjData(m)
    physics.mj_step(m, d, 500)
    d.qvel[0] = 1.0
    kinetic = 0.5 * m.body_mass[1]
    series = account_of(m, d, 1.0)
    assert total(series, O.CONTACT) == approx(-kinetic, rel=0.02)  # the rest: the box tilts on its soft contacts
    codes = series.ident[series.origin == O.CONTACT]
    assert {pair_sides(m, code) for code in codes} == {(m.geom("floor").id, m.geom("ball").id)}


def test_account_leaves_the_simulation_as_it_is():
    m, d = pendulum(damping=0.1)
    other = physics.MjData(m)
    other.qpos[:] = d.qpos
    account_of(m, d, 0.3)
    physics.mj_step(m, other, round(0.3 / m.opt.timestep))
    assert (d.qpos == other.qpos).all()
    assert (d.qvel == other.qvel).all()


def test_forces_on_chosen_dofs_are_kept_step_by_step():
    m, d = pendulum(damping=0.2)
    series = account_of(m, d, 0.1, (0, 1))
    assert series.force.shape == (50, len(series.origin), 2)
    assert series.force[:, series.origin < INTEGRATOR].sum(axis=1) == approx(np.zeros((50, 2)), abs=1e-9)
    assert series.time == approx(0.002 * np.arange(51))
