"""Falling asleep: laws, and every field of sleep step by step as in the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.collision.flex.scenes import FLOOR, grid
from tests.physics.reference import load
from tests.physics.sleep.scenes import Twins, arm, box, dominoes, run, scene
from tumble import physics

AWAKE = -1 - physics.mjMINAWAKE
STATE = ("qpos", "qvel", "qacc", "qacc_warmstart")

BOXES = scene(
    '<body pos="5 0 .3"><geom size=".1"/></body><body mocap="true" pos="5 5 1"><geom size=".1"/>'
    '<body><geom size=".2"/></body></body>'
    + box(z=0.15) + box(x=2, z=0.102) + box(x=2, z=0.28, size=0.07)
    + """<body pos="4 0 1"><joint axis="0 1 0" damping=".5"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.4"/>
         <body pos="0 0 -.4"><joint axis="0 1 0" damping=".5"/><geom size=".06" pos=".2 0 0"/></body></body>"""
    + arm("still", 3)
)  # fmt: skip


@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_every_field_of_sleep_is_the_references_in_every_step(solver: str) -> None:
    twins = Twins(BOXES.replace("timestep", f'solver="{solver}" timestep'))
    twins.agree()
    asleep = []
    for _ in range(700):
        twins.step(follow=True)
        asleep.append(int(twins.m.ntree - twins.d.ntree_awake))
    assert asleep[-1] == 4
    assert len(set(asleep)) > 2  # not all at once


def test_dominoes_fall_identically_with_sleep_until_first_sleeps() -> None:
    """Bit for bit."""
    xml = scene(dominoes(5))
    pair = [physics.MjModel.from_xml_string(text) for text in (xml, xml.replace('sleep="enable"', 'sleep="disable"'))]
    sleepy, wakeful = (physics.MjData(m) for m in pair)
    steps = 0
    while sleepy.ntree_awake == 5 and steps < 400:
        before = {name: getattr(sleepy, name).copy() for name in STATE}
        if steps:
            for name in STATE:
                np.testing.assert_array_equal(before[name], getattr(wakeful, name), err_msg=f"{name} in step {steps}")
        physics.mj_step(pair[0], sleepy)
        physics.mj_step(pair[1], wakeful)
        steps += 1
    assert 10 <= steps < 400
    moving = sleepy.tree_awake[pair[0].dof_treeid] == 1
    np.testing.assert_array_equal(sleepy.qvel[moving], wakeful.qvel[moving])  # who sleeps does not touch the others


def test_falling_asleep_keeps_position_with_zero_velocity() -> None:
    """As the reference: position kept, velocity zero, and all that depends on velocity computed for rest."""
    sensors = '<sensor><velocimeter site="a"/><accelerometer site="a"/></sensor>'
    twins = Twins(scene(box(z=0.102, name="a") + box(x=1, z=1), sensors))
    before = twins.d.qpos.copy()
    while twins.d.ntree_awake == 2:
        twins.take_over()
        before = twins.d.qpos.copy()
        twins.step()
    d, rd = twins.d, twins.rd
    np.testing.assert_array_equal(d.qpos[:7], before[:7])
    np.testing.assert_array_equal(d.xpos[1], d.qpos[:3])
    assert not d.qvel[:6].any()
    assert not d.cvel[1].any()
    assert not d.efc_vel.any()
    assert not d.sensordata[:3].any()
    assert d.qvel[8] < -1
    for name in ("qpos", "qvel", "qacc", "qacc_smooth", "qfrc_constraint", "cvel", "efc_aref", "sensordata", "qacc_warmstart"):
        np.testing.assert_allclose(getattr(d, name), getattr(rd, name), 1e-5, 1e-5, err_msg=name)
    frozen = d.qpos[:7].copy()
    for _ in range(20):
        twins.step()
    np.testing.assert_array_equal(d.qpos[:7], frozen)
    np.testing.assert_allclose(d.qacc, rd.qacc, 1e-5, 1e-5)
    np.testing.assert_allclose(d.sensordata, rd.sensordata, 1e-5, 1e-5)


def test_touching_or_coupled_trees_sleep_in_one_cycle() -> None:
    bodies = box() + box(x=1, z=0.102) + box(x=1, z=0.285, size=0.08) + box(x=1, z=0.43, size=0.06) + arm("j1", 2) + arm("j2", 3)
    twins = Twins(scene(bodies, '<equality><joint joint1="j1" joint2="j2"/></equality>'))
    twins.step(400)
    assert list(twins.d.tree_asleep) == [0, 2, 3, 1, 5, 4]


def test_one_that_moves_keeps_its_island_awake() -> None:
    """A pendulum that swings without end, coupled with one that hardly moves."""
    bodies = arm("j1", 2).replace('damping="1"', "") + arm("j2", 3)
    twins = Twins(scene(bodies, '<equality><joint joint1="j2" joint2="j1" polycoef="0 1e-7 0 0 0"/></equality>'))
    twins.both(lambda m, d: d.qpos.__setitem__(0, 0.5))
    twins.step(100, follow=True)
    assert twins.d.tree_asleep[1] == -1
    assert twins.d.ntree_awake == 2


def test_actuated_tree_sleeps_only_if_allowed_and_ignores_ctrl() -> None:
    motor = '<actuator><motor joint="j"/><general joint="j" dyntype="integrator" gainprm="1"/></actuator>'
    twins = Twins(scene(arm("j", 0), motor))
    twins.step(15)
    assert twins.d.ntree_awake == 1
    twins = Twins(scene(arm("j", 0, "allowed"), motor))
    twins.step(15)
    assert twins.d.ntree_awake == 0
    twins.both(lambda m, d: d.ctrl.__setitem__(slice(None), (3.0, 1.0)))
    twins.step(5)
    for name in ("actuator_force", "act", "act_dot", "qfrc_actuator", "qpos"):
        np.testing.assert_array_equal(getattr(twins.d, name), getattr(twins.rd, name), err_msg=name)
        assert not getattr(twins.d, name).any()
    twins.both(lambda m, d: d.qvel.__setitem__(0, -0.0))
    twins.step(5)
    assert twins.d.qpos[0] > 0
    np.testing.assert_allclose(twins.d.qpos, twins.rd.qpos, 1e-9)
    np.testing.assert_allclose(twins.d.act, twins.rd.act, 1e-9)


def test_tendons_of_three_trees_keep_them_awake() -> None:
    joints = '<joint joint="{}" coef="1"/>'
    rest = "<tendon><fixed>" + "".join(joints.format(n) for n in "abc") + "</fixed></tendon>"
    three = arm("a", 0) + arm("b", 1) + arm("c", 2)
    twins = Twins(scene(three, rest))
    assert list(twins.m.tree_sleep_policy) == [1, 1, 1] == list(twins.rm.tree_sleep_policy)
    for policy in ("allowed", "init"):
        wrong = scene(three.replace('pos="0 2 1" sleep="auto"', f'pos="0 2 1" sleep="{policy}"'), rest)
        with pytest.raises(ValueError, match="spans more than 2 trees"):
            mujoco.MjModel.from_xml_string(wrong)
        with pytest.raises(physics.MjcfError, match="a tendon joins this tree with more than one other"):
            physics.MjModel.from_xml_string(wrong)


def test_constrained_trees_stay_awake_without_islands() -> None:
    """As in the reference: nobody knows who belongs together. Counting goes on where it was."""
    twins = Twins(scene(box(z=1) + box(x=1, z=0.13), flag='island="disable"', option='gravity="0 0 0"'))
    twins.both(lambda m, d: d.qvel.__setitem__(8, -1))
    twins.step(20)
    assert list(twins.d.tree_asleep) == [-5, AWAKE]
    twins = Twins(scene(box(z=1), flag='island="disable"', option='gravity="0 0 0"'))
    twins.step(12)
    assert list(twins.d.tree_asleep) == [0]


def test_an_applied_force_keeps_awake() -> None:
    m, d = run(scene(box()), 0)
    d.xfrc_applied[1, 2] = 1e-3
    physics.mj_step(m, d, 300)
    assert list(d.tree_asleep) == [AWAKE]
    assert np.abs(d.qvel).max() < m.opt.sleep_tolerance
    d.xfrc_applied[1, 2] = 0
    physics.mj_step(m, d, physics.mjMINAWAKE - 1)
    assert list(d.tree_asleep) == [-2]
    physics.mj_step(m, d)
    assert list(d.tree_asleep) == [0]


@pytest.mark.parametrize("tolerance", [0, 0.1, 1])
def test_tolerance(tolerance: float) -> None:
    """Rotations count by a length of the body; a velocity at the tolerance is too much, but none is not, whatever it is."""
    slider = '<body pos="0 0 3"><joint type="slide" axis="1 0 0"/><geom size=".1"/></body>'
    spinner = '<body pos="2 0 3"><joint axis="1 0 0"/><geom size=".1"/></body>'
    bodies = slider + spinner + '<body pos="4 0 3"><freejoint/><geom size=".2"/></body>' + arm("still", 9)
    twins = Twins(scene(bodies, option=f'gravity="0 0 0" sleep_tolerance="{tolerance}"'))
    assert twins.m.dof_length[1] < 0.15
    twins.both(lambda m, d: d.qvel.__setitem__(slice(0, 3), (0.1, 0.3, 0.11)))
    twins.step(15)
    assert list(twins.d.tree_awake) == {0: [1, 1, 1, 0], 0.1: [1, 0, 1, 0], 1: [0, 0, 0, 0]}[tolerance]


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_who_stays_awake_moves_as_if_nobody_slept(solver: str, jacobian: str) -> None:
    """A box slides among others that sleep, and does not touch them: with all of them awake it comes to the same place."""
    bodies = box(y=-1, z=0.102) + box(z=0.102) + box(y=1, z=0.102)
    m, d = run(scene(bodies, option=f'solver="{solver}" jacobian="{jacobian}" sleep_tolerance="1e-3"'), 100)
    assert d.ntree_awake == 0
    awake, e = load(scene(bodies, option=f'solver="{solver}" jacobian="{jacobian}"', sleep="disable"))
    e.qpos, e.qvel = d.qpos, d.qvel
    for data in (d, e):
        data.qvel[6] = 1.0
    physics.mj_step(m, d, 60)
    physics.mj_step(awake, e, 60)
    assert d.tree_awake[1]
    assert d.qpos[7] > 0.04
    np.testing.assert_allclose(d.qpos[7:14], e.qpos[7:14], 0, 1e-6)


def test_hard_contacts_sleep_too() -> None:
    """The model of linear complementarity problems, which the reference does not have."""
    m = physics.MjModel.from_xml_string(scene(box() + box(z=0.3, size=0.08) + box(x=1, z=1)))
    m.tumble.contact_model = physics.ContactModel.LCP
    d = physics.MjData(m)
    physics.mj_step(m, d, 60)
    assert list(d.tree_awake) == [0, 0, 1]
    frozen = d.qpos[:14].copy()
    physics.mj_step(m, d, 20)
    np.testing.assert_array_equal(d.qpos[:14], frozen)
    physics.mj_step(m, d, 150)
    assert d.ntree_awake == 0
    d.qvel[0] = 0.5
    physics.mj_step(m, d, 3)
    assert list(d.tree_awake) == [1, 1, 0]
    assert d.qpos[0] > frozen[0]


_QUIET = 'selfcollide="none"'
PARTS = {
    "cloth": grid("f", 2, "4 4 1", _QUIET, pos="0 0 .2"),
    "nodes": grid("f", 3, "4 4 4", _QUIET, pos="0 0 .2", more='dof="trilinear"'),
    "quadratic": grid("f", 3, "4 4 4", _QUIET, pos="0 0 .2", more='dof="quadratic"'),
}


def soft_scene(part: str, policy: str) -> str:
    sleep = f'sleep="{policy}"' if policy else ""
    bodies = "".join(f'<body name="{name}" pos="{x} 0 -.1" {sleep}><freejoint/><geom size=".1"/>{inside}</body>'
                     for name, x, inside in (("carries", 0, part), ("ball", 1, "")))  # fmt: skip
    return f'<mujoco><option><flag sleep="enable" nativeccd="disable"/></option><worldbody>{FLOOR}{bodies}</worldbody></mujoco>'


@pytest.mark.parametrize("policy", ["", "never", "allowed", "init"])
@pytest.mark.parametrize("part", PARTS)
def test_which_trees_may_sleep_is_as_in_the_reference(part: str, policy: str) -> None:
    """A flex keeps its own trees awake, and no other: not the last one, where vertices between nodes have no body."""
    xml = soft_scene(PARTS[part], policy)
    ours, theirs = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_array_equal(ours.tree_sleep_policy, theirs.tree_sleep_policy)


@pytest.mark.parametrize("policy", ["", "allowed"])
def test_trees_fall_asleep_in_the_same_step(policy: str) -> None:
    xml = soft_scene(PARTS["cloth"], policy)
    m, rm = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    d, rd = physics.MjData(m), mujoco.MjData(rm)
    for _ in range(200):
        physics.mj_step(m, d)
        mujoco.mj_step(rm, rd)
        np.testing.assert_array_equal(d.tree_asleep, rd.tree_asleep)
    assert (d.tree_asleep >= 0).any()
