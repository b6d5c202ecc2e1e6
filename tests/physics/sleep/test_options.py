"""The flag switched on and off, static bodies, integrators, and the inverse dynamics of who sleeps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.physics.sleep.scenes import Twins, arm, box, run, scene
from tumble import physics

AWAKE = -1 - physics.mjMINAWAKE
SLEEP = physics.mjtEnableBit.mjENBL_SLEEP


def switch(on: bool) -> Callable[[Any, Any], None]:
    def change(m: Any, _: Any) -> None:
        m.opt.enableflags = int(SLEEP) if on else 0

    return change


def test_disabling_sleep_wakes_all_and_enabling_restarts_count() -> None:
    twins = Twins(scene(box(z=0.102) + box(x=1, z=0.102) + arm("j", 3)))
    twins.step(200)
    assert twins.d.ntree_awake == 0
    twins.both(switch(False))
    twins.step(2)
    assert list(twins.d.tree_asleep) == [AWAKE] * 3
    assert twins.d.ncon == 8
    twins.both(switch(True))
    twins.step(5)
    assert twins.d.tree_asleep[2] == AWAKE + 5
    twins.both(switch(False))
    twins.step(3)
    assert twins.d.tree_asleep[2] == AWAKE + 5


@pytest.mark.parametrize("steps", [0, 1])
def test_the_flag_may_be_switched_on_at_any_time(steps: int) -> None:
    """Before the first step too, when static bodies have no pose yet; the reference does not allow that."""
    table = '<body name="table" pos="0 0 .4"><geom type="box" size=".5 .5 .1"/><site pos="1 0 0"/></body>'
    m, d = run(scene(table + box(z=0.602), sleep="disable"), steps)
    m.opt.enableflags |= SLEEP
    physics.mj_step(m, d, 200)
    np.testing.assert_array_equal(d.geom_xpos[1], [0, 0, 0.4])
    np.testing.assert_array_equal(d.site_xpos[0], [1, 0, 0.4])
    assert d.qpos[2] == pytest.approx(0.6, abs=1e-3)
    assert d.ntree_awake == 0


def test_static_bodies_are_computed_once() -> None:
    """As in the reference: what is moved in the model is seen after a reset."""
    shelf = '<body name="q" pos="3 3 3"><geom size=".1"/><body pos="1 0 0"><geom size=".1"/></body></body>'
    twins = Twins(scene(box() + shelf))
    twins.step(2)
    twins.both(lambda m, d: m.body_pos.__setitem__((2, 0), 5))
    twins.step(2)
    np.testing.assert_array_equal(twins.d.xpos[2:], [[3, 3, 3], [4, 3, 3]])
    np.testing.assert_array_equal(twins.d.geom_xpos[2:], twins.rd.geom_xpos[2:])
    physics.mj_resetData(twins.m, twins.d)
    physics.mj_step(twins.m, twins.d)
    np.testing.assert_array_equal(twins.d.geom_xpos[2:], [[5, 3, 3], [6, 3, 3]])


def test_what_is_fixed_to_a_mocap_body_is_computed_always() -> None:
    hand = '<body mocap="true" pos="0 0 3"><geom size=".1"/><body pos="1 0 0"><geom size=".1"/></body></body>'
    twins = Twins(scene(hand + box()))
    twins.step(3)
    np.testing.assert_array_equal(twins.d.body_awake, [-1, 1, 1, 1])
    twins.both(lambda m, d: d.mocap_pos.__setitem__((0, 2), 4))
    twins.step(1)
    np.testing.assert_array_equal(twins.d.geom_xpos[1:3], [[0, 0, 4], [1, 0, 4]])


def test_runge_kutta_is_refused() -> None:
    """Trees would wake within a step; which of them, when the position is only a trial?"""
    m, d = run(scene(box()), 1)
    m.opt.integrator = physics.mjtIntegrator.mjINT_RK4
    for call in (physics.mj_step, physics.mj_step2):
        with pytest.raises(physics.ModelError, match="RK4 does not go with the flag sleep"):
            call(m, d)
    with pytest.raises(physics.ModelError, match="does not go with the flag sleep"):
        physics.mj_RungeKutta(m, d, 4)
    m.opt.enableflags = 0
    physics.mj_step(m, d)


def test_halves_of_a_step_put_to_sleep_too() -> None:
    m, d = run(scene(box(z=0.102)), 0)
    for _ in range(150):
        physics.mj_step1(m, d)
        physics.mj_step2(m, d)
    whole = run(scene(box(z=0.102)), 150)[1]
    np.testing.assert_array_equal(d.qpos, whole.qpos)
    assert list(d.tree_asleep) == [0] == list(whole.tree_asleep)
    other = run(scene(box(z=0.102)), 0)[1]
    for _ in range(150):
        physics.mj_forward(m, other)
        physics.mj_Euler(m, other)
    assert list(other.tree_asleep) == [0]


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_implicit_integrators_put_to_sleep_as_the_reference_does(integrator: str) -> None:
    twins = Twins(scene(arm("j", 3) + box(z=0.102) + box(x=1, z=0.101), option=f'integrator="{integrator}"'))
    twins.step(200)
    assert list(twins.d.tree_awake) == [0, 0, 0]
    m, d = run(scene(box(z=0.102), option=f'integrator="{integrator}"'), 0)
    for _ in range(150):
        physics.mj_forward(m, d)
        physics.mj_implicit(m, d)
    assert list(d.tree_asleep) == [0]


def test_inverse_of_sleeping_trees_is_unconstrained() -> None:
    """Forward and inverse agree: qacc of a sleeper is what it would do without contacts, which are not looked for."""
    m, d = run(scene(box() + arm("j", 3) + box(x=1, z=0.102, sleep="never")), 200)
    assert list(d.tree_awake) == [0, 0, 1]
    physics.mj_forward(m, d)
    acceleration = d.qacc.copy()
    np.testing.assert_array_equal(d.qacc[:6], d.qacc_smooth[:6])
    physics.mj_inverse(m, d)
    np.testing.assert_allclose(d.qfrc_inverse, 0, 0, 1e-6)
    np.testing.assert_array_equal(d.qacc, acceleration)
    assert list(d.tree_awake) == [0, 0, 1]


def test_capacities_grow_in_the_step_in_which_many_wake() -> None:
    """The step is done again; who woke in the first attempt stays awake."""
    bodies = "".join(box(x=0.3 * k, z=0.1, size=0.1) for k in range(10)) + box(x=0.1, y=2, z=0.1)
    m, d = run(scene(bodies, option='sleep_tolerance="1e-3"'), 60)
    assert d.ntree_awake == 0
    small = physics.MjData(m)
    small.qpos = d.qpos
    fresh = physics.MjData(m)
    physics.mj_copyData(fresh, m, d)
    fresh.qpos[2:70:7] -= 0.001
    small.qpos = fresh.qpos
    physics.mj_forward(m, fresh)
    physics.mj_forward(m, small)
    assert list(fresh.tree_awake) == [1] * 10 + [0]
    np.testing.assert_allclose(fresh.qacc[:60], small.qacc[:60], 0, 1e-9)


def test_parts_of_the_pipeline_wake_as_the_whole_does() -> None:
    """As in the reference mj_kinematics wakes who was touched; collisions then find whom that one touches."""
    m, d = run(scene(box() + box(y=0.3, z=0.08, size=0.08) + arm("j", 3), option='sleep_tolerance="1e-3"'), 60)
    assert d.ntree_awake == 0
    d.qpos[1] += 0.13
    physics.mj_kinematics(m, d)
    assert list(d.tree_awake) == [1, 0, 0]
    physics.mj_fwdKinematics(m, d)
    physics.mj_makeM(m, d)
    physics.mj_collision(m, d)
    assert list(d.tree_awake) == [1, 1, 0]
    assert d.ncon > 8


def test_a_frozen_step_in_which_others_sleep_is_solved_again() -> None:
    """With the same sleepers: the same rows, and the same answer."""
    m, d = run(scene(box() + box(x=1, z=0.102), option='sleep_tolerance="1e-3"'), 60)
    d.qvel[6] = 0.5
    physics.mj_forward(m, d)
    assert list(d.tree_awake) == [0, 1]
    solved = physics.solve_again(m, d)
    assert len(solved.efc_force) == d.nefc == 16
    np.testing.assert_allclose(solved.qacc, d.qacc, 1e-6, 1e-6)


def test_tree_asleep_is_the_state() -> None:
    """Who writes it wakes a tree; the lists follow in the next step."""
    m, d = run(scene(box() + box(x=1, z=0.09, size=0.09), option='sleep_tolerance="1e-3"'), 60)
    assert d.ntree_awake == 0
    d.tree_asleep[1] = AWAKE
    physics.mj_forward(m, d)
    assert list(d.tree_awake) == [0, 1]
    assert d.ncon == 4


MEASURED = (
    box(z=0.102, name="rest") + box(x=1, z=3, name="fall")
    + arm("hinge", 3, more='range="0 90"')
    + '<body pos="3 3 1"><joint name="ball" type="ball" damping="1"/><geom size=".1" pos="0 0 -.2"/></body>'
    + '<body name="scale" pos="-2 0 .1"><geom type="box" size=".2 .2 .05"/><site name="scale"/></body>' + box(x=-2, z=0.252)
)  # fmt: skip
SENSORS = """
<tendon><fixed name="t" limited="true" range="0 1"><joint joint="hinge" coef="1"/></fixed></tendon>
<sensor>
  <touch site="rest"/><velocimeter site="rest"/><gyro site="rest"/><accelerometer site="rest"/>
  <force site="rest"/><torque site="rest"/><force site="scale"/><torque site="scale"/><touch site="scale"/>
  <accelerometer site="fall"/><velocimeter site="fall"/><force site="fall"/>
  <framepos objtype="body" objname="rest"/><framequat objtype="site" objname="rest"/>
  <framepos objtype="body" objname="rest" reftype="body" refname="fall"/>
  <framelinvel objtype="body" objname="fall" reftype="body" refname="rest"/>
  <framelinacc objtype="body" objname="rest"/><frameangacc objtype="body" objname="fall"/>
  <jointpos joint="hinge"/><jointvel joint="hinge"/><ballquat joint="ball"/><ballangvel joint="ball"/>
  <jointlimitpos joint="hinge"/><jointlimitvel joint="hinge"/><jointlimitfrc joint="hinge"/>
  <tendonpos tendon="t"/><tendonvel tendon="t"/>
  <subtreecom body="rest"/><subtreelinvel body="world"/><subtreecom body="world"/>
  <clock/><e_potential/><e_kinetic/>
</sensor>
"""


def test_sensors_match_reference_while_trees_sleep() -> None:
    """A box falls while all else comes to rest, and on it goes where the others stay."""
    twins = Twins(scene(MEASURED, SENSORS))
    seen = set()
    for _ in range(150):
        twins.step(follow=True)
        seen.add(int(twins.d.ntree_awake))
        np.testing.assert_allclose(twins.d.sensordata, twins.rd.sensordata, 1e-4, 1e-3)
    assert {5, 1} <= seen


CONTACTS = """
<sensor>
  <contact data="found force"/><contact geom1="rest" data="found force"/><contact geom1="floor" data="found force"/>
  <contact geom1="floor" geom2="rest" data="found force"/><contact subtree1="world" data="found force" num="3"/>
  <contact geom1="rest" body2="fall" data="found"/><contact site="rest" data="found"/><contact body1="fall" data="found force"/>
</sensor>
"""


def test_contact_sensors_freeze_for_sleeping_trees() -> None:
    """A box at rest and one that falls on the floor beside it, against the reference and in what is known."""
    twins = Twins(scene(box(z=0.102, name="rest", more='name="rest"') + box(x=1, z=1.1, name="fall"), CONTACTS))
    asleep = None
    for _ in range(220):
        twins.step(follow=True)
        np.testing.assert_allclose(twins.d.sensordata, twins.rd.sensordata, 1e-4, 1e-3)
        if twins.d.ntree_awake == 1 and twins.d.ncon == 0:
            asleep = twins.d.sensordata.copy()
    assert asleep is not None
    assert asleep[0] == asleep[8] == asleep[16] == 0  # none is seen: neither by nobody in particular, nor by the floor, the world
    assert asleep[4] == asleep[12] == 4  # what the sleeper told last
    assert asleep[5] > 0
