"""Trees that begin asleep, and how resets, keyframes, copies and states treat sleep."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load
from tests.physics.sleep.scenes import Twins, arm, box, run, scene
from tumble import physics

AWAKE = -1 - physics.mjMINAWAKE
FALLING = box(z=1, sleep="init") + box(x=1, z=0.102) + box(x=2, z=2, sleep="init")
PILE = box(sleep="init") + box(z=0.25, sleep="init", size=0.08) + box(x=2, z=0.102)


def test_sleep_init_trees_stay_asleep_until_touched() -> None:
    """In the air, too: fields as in the reference from the first moment."""
    twins = Twins(scene(FALLING))
    twins.agree()
    assert list(twins.d.tree_asleep) == [0, AWAKE + 1, 2]
    np.testing.assert_allclose(twins.d.xpos, twins.rd.xpos)
    np.testing.assert_allclose(twins.d.qfrc_bias, twins.rd.qfrc_bias)
    np.testing.assert_allclose(twins.d.M, twins.rd.M)
    twins.step(30)
    assert list(twins.d.qpos[[2, 16]]) == [1, 2]
    twins.both(lambda m, d: d.xfrc_applied.__setitem__((1, 2), -0.0))
    twins.step(20)
    assert twins.d.qpos[2] < 1
    assert twins.d.qpos[16] == 2


def test_init_trees_that_touch_are_one_island() -> None:
    twins = Twins(scene(PILE))
    twins.agree()
    assert list(twins.d.tree_asleep) == [1, 0, AWAKE + 1]
    twins.both(lambda m, d: d.qvel.__setitem__(0, 0.1))
    twins.step(3)
    assert list(twins.d.tree_awake) == [1, 1, 1]


@pytest.mark.parametrize("flag", ['contact="disable"', 'constraint="disable"'])
def test_init_without_contacts(flag: str) -> None:
    twins = Twins(scene(PILE, flag=flag))
    twins.agree()
    assert list(twins.d.tree_asleep) == [0, 1, AWAKE + 1]


def test_init_does_not_need_the_flag_island() -> None:
    """The reference cannot tell who belongs together then."""
    xml = scene(PILE, flag='island="disable"')
    with pytest.raises(ValueError, match="could be slept"):
        mujoco.MjModel.from_xml_string(xml)
    _, d = run(xml, 1)
    assert list(d.tree_asleep[:2]) == [1, 0]


PARTLY = [
    (box(sleep="init") + box(z=0.28), "1 trees .* only 0 .*id=1"),
    (box() + box(z=0.28, sleep="init") + box(x=1, sleep="init"), "2 trees .* only 1 .*id=2"),
    (box(sleep="allowed") + box(z=0.28, sleep="init"), "1 trees .* only 0 .*id=2"),
    (box(sleep="never") + box(z=0.28, sleep="init"), "1 trees .* only 0 .*id=2"),
    (arm("j", 0, "init") + arm("k", 1), "1 trees .* only 0 .*id=1"),
]


@pytest.mark.parametrize(("bodies", "message"), PARTLY)
def test_an_island_that_is_only_partly_marked_is_an_error(bodies: str, message: str) -> None:
    """At the body, and with the reference's numbers."""
    rest = '<equality><joint joint1="j" joint2="k"/></equality>' if 'name="j"' in bodies else ""
    xml = scene(bodies, rest)
    with pytest.raises(ValueError, match=f"(?s)marked as sleep='init'.*{message.split(' .*')[1].split(' ')[-1]}"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError, match=f"(?s){message}"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(physics.MjcfError, match=rf"^model.xml:\d+:\d+: <body> {message}"):
        physics.MjModel.from_xml_string(xml)


def test_the_error_comes_when_the_flag_does() -> None:
    """A model whose flag is off loads; with the flag on there are no data of it, and a reset fails and leaves all awake."""
    m, d = load(scene(PARTLY[0][0], sleep="disable"))
    assert list(d.tree_asleep) == [AWAKE, AWAKE]
    m.opt.enableflags |= physics.mjtEnableBit.mjENBL_SLEEP
    with pytest.raises(physics.ModelError, match="only 0 could be slept"):
        physics.MjData(m)
    with pytest.raises(physics.ModelError, match="only 0 could be slept"):
        physics.mj_resetData(m, d)
    assert list(d.tree_asleep) == [AWAKE, AWAKE]
    assert d.ncon == d.nefc == 0
    physics.mj_step(m, d, 300)
    assert d.ntree_awake == 0


def test_keyframes_wake_what_they_move() -> None:
    keys = (f'<key qpos="0 0 1 1 0 0 0 1 0 .102 1 0 0 0 2 0 {z} 1 0 0 0"/>' for z in (1.5, 2))
    twins = Twins(scene(FALLING, f"<keyframe>{''.join(keys)}</keyframe>"))
    for k, awake in ((0, [0, 1, 1]), (1, [0, 1, 0])):
        physics.mj_resetDataKeyframe(twins.m, twins.d, k)
        mujoco.mj_resetDataKeyframe(twins.rm, twins.rd, k)
        twins.agree()
        twins.step(3)
        assert list(twins.d.tree_awake) == awake


def test_reset_after_sleep_is_the_beginning() -> None:
    twins = Twins(scene(FALLING))
    first = twins.d.qpos.copy(), twins.d.tree_asleep.copy()
    twins.both(lambda m, d: d.qvel.__setitem__(0, 1))
    twins.step(200)
    physics.mj_resetData(twins.m, twins.d)
    mujoco.mj_resetData(twins.rm, twins.rd)
    twins.agree()
    np.testing.assert_array_equal(twins.d.qpos, first[0])
    np.testing.assert_array_equal(twins.d.tree_asleep, first[1])


def resting() -> tuple[physics.MjModel, physics.MjData]:
    """A pile that sleeps and a box that moves."""
    m, d = run(scene(box() + box(z=0.25, size=0.08) + box(x=1, z=3), option='sleep_tolerance="1e-3"'), 100)
    assert list(d.tree_awake) == [0, 0, 1]
    return m, d


def test_a_copy_sleeps_and_wakes_like_the_original() -> None:
    """The only way to keep a simulation in which somebody sleeps."""
    m, d = resting()
    target = physics.MjData(m)
    physics.mj_copyData(target, m, d)
    for twin in (target, copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        np.testing.assert_array_equal(twin.tree_asleep, d.tree_asleep)
        assert (twin.nv_awake, twin.nbody_awake) == (d.nv_awake, d.nbody_awake)
    for data in (d, target):
        physics.mj_step(m, data, 30)
        data.qvel[0] = 0.1
        physics.mj_step(m, data, 3)
        assert data.ntree_awake == 3
        physics.mj_step(m, data, 60)
        assert data.ntree_awake == 1
    np.testing.assert_array_equal(d.qpos, target.qpos)
    np.testing.assert_array_equal(d.tree_asleep, target.tree_asleep)


def test_a_state_put_back_wakes_whom_it_moves() -> None:
    """As in the reference: the same state leaves all asleep; in other data it finds all awake."""
    m, d = resting()
    spec = physics.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(physics.mj_stateSize(m, spec))
    physics.mj_getState(m, d, state, spec)
    physics.mj_setState(m, d, state, spec)
    physics.mj_forward(m, d)
    assert list(d.tree_awake) == [0, 0, 1]
    fresh = physics.MjData(m)
    physics.mj_setState(m, fresh, state, spec)
    physics.mj_forward(m, fresh)
    assert fresh.ntree_awake == 3
    physics.mj_copyState(m, physics.MjData(m), d, spec)
    physics.mj_forward(m, d)
    assert d.ntree_awake == 3


def test_set_const_wakes_all() -> None:
    m, d = resting()
    mass = m.body_subtreemass[0]
    weights = m.body_invweight0.copy()
    physics.mj_setConst(m, d)
    np.testing.assert_allclose(m.body_invweight0, weights)
    assert m.body_subtreemass[0] == mass
    assert d.ntree_awake == 3
    physics.mj_step(m, d)
