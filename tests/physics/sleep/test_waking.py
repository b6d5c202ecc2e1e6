"""What wakes sleeping trees, one scene of everything, each way of waking on its own: against the reference, and what follows."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load
from tests.physics.sleep.scenes import Twins, arm, box, scene
from tumble import physics

# Trees: 0 a, 1 b, 2 and 3 a stack, 4 a lift that never sleeps, 5 and 6 arms, 7 an arm that never sleeps.
BODIES = (
    # of different sizes: where edges lie on edges, rounding decides how many contacts there are
    box(name="a") + box(y=1, z=0.09, name="b", size=0.09) + box(y=2, z=0.11, name="c", size=0.11)
    + box(y=2, z=0.28, name="d", size=0.06)
    + """<body name="lift" pos="0 4 1" sleep="never"><joint name="lift" type="slide" axis="0 0 1" damping="1"/>
         <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
         <body name="hand" mocap="true" pos="5 5 1"><geom size=".1"/></body>"""
    + arm("j1", 6, more='range="-120 120"') + arm("j2", 7) + arm("j3", 8, "never")
)  # fmt: skip
REST = """
<tendon>
  <fixed name="t13" range="-3 .1"><joint joint="j1" coef="1"/><joint joint="j3" coef="1"/></fixed>
  <fixed name="t12" range="-3 1"><joint joint="j1" coef="1"/><joint joint="j2" coef="1"/></fixed>
  <fixed name="t1"><joint joint="j1" coef="1"/></fixed>
  <fixed name="t3"><joint joint="j3" coef="1"/></fixed>
</tendon>
<equality>
  <connect name="a to lift" body1="a" body2="lift" anchor="0 0 0" active="false"/>
  <weld name="a to b" body1="a" body2="b" active="false"/>
  <connect name="a to world" body1="a" anchor="0 0 0" active="false"/>
  <joint name="j1 to j2" joint1="j1" joint2="j2" active="false"/>
  <joint name="j1 to j3" joint1="j1" joint2="j3" active="false"/>
  <joint name="j1 alone" joint1="j1" active="false"/>
  <weld name="c to d" body1="c" body2="d" active="false"/>
  <weld name="sites" site1="a" site2="b" active="false"/>
</equality>
"""
NEVER = {4, 7}
OWN = """
  <tendon name="tendons" tendon1="t1" tendon2="t3" active="false"/>
  <weld name="a to hand" body1="a" body2="hand" active="false"/>
</equality>"""


@pytest.fixture(scope="module")
def settled() -> Twins:
    twins = Twins(scene(BODIES, REST))
    twins.step(400)
    assert set(np.flatnonzero(twins.d.tree_awake)) == NEVER
    return twins


def start(settled: Twins) -> Twins:
    """Copies of the settled data."""
    twins = object.__new__(Twins)
    twins.m, twins.rm = settled.m, settled.rm
    twins.d, twins.rd = physics.MjData(settled.m), mujoco.MjData(settled.rm)
    physics.mj_copyData(twins.d, settled.m, settled.d)
    mujoco.mj_copyData(twins.rd, settled.rm, settled.rd)
    return twins


def put(field: str, index: int, value: float) -> Callable[[Any, Any], None]:
    def change(_: Any, d: Any) -> None:
        getattr(d, field).reshape(-1)[index] = value

    return change


def shift(index: int, by: float) -> Callable[[Any, Any], None]:
    def change(_: Any, d: Any) -> None:
        d.qpos[index] += by

    return change


def turn(factor: float) -> Callable[[Any, Any], None]:
    """The same orientation of box a, or the same again, told by another quaternion."""

    def change(_: Any, d: Any) -> None:
        d.qpos[3:7] *= factor

    return change


def joint(name: str, value: float) -> Callable[[Any, Any], None]:
    def change(m: Any, d: Any) -> None:
        d.qpos[m.jnt_qposadr[m.joint(name).id]] = value

    return change


def together(*changes: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    def change(m: Any, d: Any) -> None:
        for part in changes:
            part(m, d)

    return change


def activate(name: str) -> Callable[[Any, Any], None]:
    def change(m: Any, d: Any) -> None:
        d.eq_active[m.equality(name).id] = 1

    return change


TINY = 5e-324  # the smallest number that is not zero
TOUCHED = [
    ("nothing", lambda m, d: None, set()),
    ("a velocity", put("qvel", 0, TINY), {0}),
    ("a negative zero as velocity", put("qvel", 13, -0.0), {2, 3}),
    ("a joint force", put("qfrc_applied", 8, 0.1), {1}),
    ("a negative zero as joint force", put("qfrc_applied", 18, -0.0), {2, 3}),
    ("a force", put("xfrc_applied", 6 * 2 + 1, 0.1), {1}),
    ("a negative zero as torque", put("xfrc_applied", 6 * 4 + 5, -0.0), {2, 3}),
    ("a force on the world", put("xfrc_applied", 0, 1.0), set()),
    ("a force on a mocap body", put("xfrc_applied", 6 * 6, 1.0), set()),
    ("a position", shift(0, 1e-6), {0}),
    ("a position by little", shift(2, 1e-16), {0}),
    ("a joint's angle", joint("j1", 0.05), {5}),
    ("the opposite quaternion", turn(-1.0), {0}),
    ("a longer quaternion", turn(2.0), set()),
    ("a contact", shift(1, 1.801), {0, 2, 3}),
    ("a contact with two", shift(1, 0.815), {0, 1}),
    ("no contact", shift(1, 0.5), {0}),
    ("a tendon that is slack", joint("j3", 0.05), set()),
    ("a tendon at its upper limit", joint("j3", 0.2), {5}),
    ("a tendon at its lower limit", joint("j3", -3.2), {5}),
    ("a tendon of two that were touched", together(joint("j1", 0.8), joint("j2", 0.8)), {5, 6}),
    ("a tendon whose other end was touched", joint("j2", 1.2), {5, 6}),
    ("an equality with the world", activate("a to world"), set()),
    ("an equality of a joint with a constant", activate("j1 alone"), set()),
    ("an equality within a sleeping island", activate("c to d"), set()),
]


@pytest.mark.parametrize(("change", "woken"), [row[1:] for row in TOUCHED], ids=[row[0] for row in TOUCHED])
def test_who_wakes_is_who_wakes_in_the_reference(settled: Twins, change: Any, woken: set[int]) -> None:
    """At once in mj_forward, and in the steps that follow all fields are the reference's."""
    twins = start(settled)
    twins.both(change)
    physics.mj_forward(twins.m, twins.d)
    mujoco.mj_forward(twins.rm, twins.rd)
    twins.agree()
    assert set(np.flatnonzero(twins.d.tree_awake)) == woken | NEVER
    for t in woken:
        assert twins.d.tree_asleep[t] == -1 - physics.mjMINAWAKE
    np.testing.assert_allclose(twins.d.qacc, twins.rd.qacc, 1e-5, 1e-4)
    twins.step(5)


COUPLED = [("a to lift", {0}), ("a to b", {0, 1}), ("sites", {0, 1}), ("j1 to j2", {5, 6}), ("j1 to j3", {5})]


@pytest.mark.parametrize(("name", "woken"), COUPLED, ids=[row[0] for row in COUPLED])
def test_equality_activation_wakes_trees_with_contacts_at_once(settled: Twins, name: str, woken: set[int]) -> None:
    """The reference finds the contacts of those woken in the next step: its box falls for one step, ours rests."""
    twins = start(settled)
    twins.both(activate(name))
    twins.step(check=False)
    assert set(np.flatnonzero(twins.d.tree_awake)) == woken | NEVER
    np.testing.assert_array_equal(twins.d.tree_awake, twins.rd.tree_awake)
    assert (twins.d.ne, twins.d.nisland) == (twins.rd.ne, twins.rd.nisland)
    free = [t for t in woken if t < 4]
    assert twins.d.ncon == 4 * len(free)
    assert twins.rd.ncon == 0


def test_waking_step_equals_a_step_without_sleep(settled: Twins) -> None:
    """Contact detection twice: also with the ground and with each other those are in contact who slept until now."""
    m, d = settled.m, physics.MjData(settled.m)
    physics.mj_copyData(d, m, settled.d)
    awake = physics.MjData(m)
    for data in (d, awake):
        data.qpos, data.qvel, data.qacc_warmstart = settled.d.qpos, 0.0, 0.0
        data.qpos[1] += 1.801
        physics.mj_forward(m, data)
    assert set(np.flatnonzero(d.tree_awake)) == {0, 2, 3} | NEVER
    assert awake.ntree_awake == m.ntree
    stack = np.isin(m.dof_treeid, [0, 2, 3])
    np.testing.assert_allclose(d.qacc[stack], awake.qacc[stack], 0, 1e-9)


@pytest.fixture(scope="module")
def own() -> tuple[physics.MjModel, physics.MjData]:
    """With couplings at which the reference gives up."""
    m, d = load(scene(BODIES, REST.replace("</equality>", OWN)))
    physics.mj_step(m, d, 400)
    assert set(np.flatnonzero(d.tree_awake)) == NEVER
    return m, d


def after(own: tuple[physics.MjModel, physics.MjData], *changes: Callable[[Any, Any], None]) -> set[int]:
    """Who is awake after some changes, a step after each."""
    m, d = own[0], physics.MjData(own[0])
    physics.mj_copyData(d, m, own[1])
    for change in changes:
        change(m, d)
        physics.mj_step(m, d)
    return set(np.flatnonzero(d.tree_awake)) - NEVER


def hand(y: float, z: float) -> Callable[[Any, Any], None]:
    def change(_: Any, d: Any) -> None:
        d.mocap_pos[0] = 0, y, z

    return change


def test_an_equality_of_tendons_wakes(own: Any) -> None:
    assert after(own, activate("tendons")) == {5}


def test_a_mocap_body_wakes_what_it_is_moved_against(own: Any) -> None:
    assert after(own, hand(0.15, 0.1)) == {0}
    assert after(own, hand(2, 0.42)) == {2, 3}
    assert after(own, hand(3, 3)) == set()


def test_moving_mocap_body_wakes_the_tree_welded_to_it(own: Any) -> None:
    assert after(own, activate("a to hand")) == set()
    assert after(own, activate("a to hand"), hand(5, 1.1)) == {0}


def test_an_arm_on_a_mocap_body_wakes_when_it_is_carried() -> None:
    xml = scene('<body mocap="true" pos="0 0 1"><geom size=".1"/><body pos="0 0 -.2"><joint axis="0 1 0" damping="1"/>'
                '<geom size=".05" pos="0 0 -.2"/></body></body>')  # fmt: skip
    twins = Twins(xml)
    twins.step(50)
    assert not twins.d.ntree_awake
    twins.both(lambda m, d: d.mocap_pos.__setitem__((0, 0), 0.1))
    twins.step(3)
    assert twins.d.ntree_awake == 1


def test_masks_that_changed_wake_nobody(settled: Twins) -> None:
    """As in the reference: what sleeps is not looked at until something touches it."""
    twins = start(settled)
    masks = settled.m.geom_contype.copy()
    twins.both(lambda m, d: m.geom_contype.__setitem__(slice(None), 0))
    twins.both(lambda m, d: m.geom_conaffinity.__setitem__(slice(None), 0))
    twins.both(shift(1, 1.801))
    twins.step(2)
    assert set(np.flatnonzero(twins.d.tree_awake)) == {0} | NEVER
    twins.both(lambda m, d: m.geom_contype.__setitem__(slice(None), masks))
    twins.both(lambda m, d: m.geom_conaffinity.__setitem__(slice(None), masks))


def test_a_contact_within_the_gap_wakes_too() -> None:
    near = 'margin=".1" gap=".1"'
    twins = Twins(scene(box(more=near) + box(x=1, z=0.08, sleep="never", more=near, size=0.08)))
    twins.step(200)
    assert list(twins.d.tree_awake) == [0, 1]
    twins.both(shift(7, -0.75))
    twins.step(3)
    assert list(twins.d.tree_awake) == [1, 1]


def test_in_a_large_scene_only_who_is_touched_wakes() -> None:
    """So many geoms that pairs are swept, not listed; there too only those that stir are looked at."""
    bodies = "".join(box(x=0.5 * (k % 8), y=0.5 * (k // 8), size=0.1 - 0.0005 * k, z=0.1 - 0.0005 * k) for k in range(40))
    twins = Twins(scene(bodies, option='sleep_tolerance="1e-3"'))
    twins.step(60, follow=True)
    assert twins.d.ntree_awake == 0
    twins.both(shift(7 * 9, 0.31))
    twins.step(5, follow=True)
    assert list(np.flatnonzero(twins.d.tree_awake)) == [9, 10]
