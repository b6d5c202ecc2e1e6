"""Islands and sleep in numbers and words, without a window."""

import numpy as np
import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.describe import islands
from tumble.app.panels.islands.readings import Cause, IslandsProbe, find, text
from tumble.render.scene.island_colours import FREE, colours, leaders

NOBODY = np.zeros((0, 2), np.int64)


def i4(*values):
    return np.array(values, np.int32)


@pytest.fixture(scope="module")
def boxes():
    return physics.MjModel.from_xml_path(str(MODELS / "boxes.xml"))


def test_leader_is_the_lowest_tree_of_island_or_sleep_cycle():
    island, asleep = i4(1, -1, 0, 1, -1, -1, -1), i4(-11, 4, -5, -1, 6, -11, 1)
    np.testing.assert_array_equal(leaders(island, asleep), [0, 1, 2, 0, 1, -1, 1])
    assert len(leaders(i4(), i4())) == 0
    order = np.random.default_rng(3).permutation(1000)
    asleep = np.empty(1000, np.int32)
    asleep[order] = np.roll(order, -1)  # one long cycle
    assert not leaders(np.full(1000, -1, np.int32), asleep).any()


def test_island_colour_survives_renumbering_and_dims_asleep():
    awake = np.array([False])
    before, after = leaders(i4(0, 1, 1), i4(-11, -11, -11)), leaders(i4(-1, 0, 0), i4(-11, -11, -11))
    np.testing.assert_array_equal(colours(before[1:2], awake), colours(after[2:3], awake))
    bright, dark = colours(np.arange(12), np.zeros(12, bool)), colours(np.arange(12), np.ones(12, bool))
    assert np.all(dark.sum(axis=1) < 0.7 * bright.sum(axis=1))
    assert np.all((bright >= 0) & (bright <= 1))
    np.testing.assert_allclose(colours(np.array([-1]), awake)[0], FREE)
    apart = np.linalg.norm(bright[:, None] - bright[None], axis=2) + np.eye(12)
    assert apart.min() > 0.1  # the first dozen can be told apart


def test_groups_count_trees_dofs_rows_iterations_and_time():
    island, asleep = i4(1, -1, 0, 1, -1, -1), i4(-11, 4, -5, -1, 1, -11)
    lead = leaders(island, asleep)
    g = islands.groups(lead, island, asleep, i4(6, 6, 1, 2, 3, 6), i4(12, 40), i4(3), np.array([2e-6, 5e-5]))
    np.testing.assert_array_equal(g.leader, [0, 1, 2, -1])  # the free tree last
    np.testing.assert_array_equal(g.trees, [2, 2, 1, 1])
    np.testing.assert_array_equal(g.dofs, [8, 9, 1, 6])
    np.testing.assert_array_equal(g.rows, [40, 0, 12, 0])
    np.testing.assert_array_equal(g.iterations, [islands.UNKNOWN, 0, 3, 0])
    np.testing.assert_array_equal(g.seconds, [5e-5, 0, 2e-6, 0])
    np.testing.assert_array_equal(g.asleep, [False, True, False, False])
    np.testing.assert_array_equal(islands.together(lead, np.array([3])), [0, 3])
    np.testing.assert_array_equal(islands.together(lead, np.array([5])), [5])


def test_speed_is_fastest_dof_and_bar_centres_on_tolerance():
    np.testing.assert_allclose(islands.speeds(np.array([0.1, -2.0, 3.0]), np.array([1.0, 0.5, 0.1]), i4(0, 2)), [1.0, 0.3])
    assert islands.bar(1e-4, 1e-4) == pytest.approx(0.5)
    assert islands.bar(0.0, 1e-4) == 0.0
    assert islands.bar(1e-7, 1e-4) < islands.bar(1e-5, 1e-4) < 0.5 < islands.bar(1e-3, 1e-4) < islands.bar(1.0, 1e-4) == 1.0
    assert islands.bar(float("nan"), 1e-4) == 1.0


def test_who_touched_whom_is_told_in_the_order_of_what_is_sure():
    before, now = i4(1, 0, -11, 3), i4(-11, -11, -11, 3)
    alone, none = i4(0, 0, -1, -1), np.zeros(4, bool)
    assert find(before, before, NOBODY, none, alone, True) == {}
    touched = find(before, now, np.array([[2, 1]]), none, alone, True)
    assert touched == {0: (Cause.CONTACT, 2), 1: (Cause.CONTACT, 2)}  # who slept together woke for one reason
    pushed = np.array([True, False, False, False])
    assert find(before, now, np.array([[2, 1]]), pushed, alone, True)[1] == (Cause.FORCE, -1)
    assert find(before, now, np.array([[-8, 1]]), none, alone, True)[0] == (Cause.MOCAP, 7)
    assert find(before, now, np.array([[0, 1]]), none, alone, True)[0] == (Cause.HAND, -1)
    assert find(before, now, NOBODY, none, i4(0, 0, 0, -1), True)[0] == (Cause.TIE, 2)
    assert find(before, now, NOBODY, none, alone, False)[0] == (Cause.SWITCH, -1)


def fallen(model):
    data = physics.MjData(model)
    physics.mj_step(model, data, 400)
    assert list(data.tree_asleep) == [1, 0, 2, -11]
    return data


def test_the_probe_tells_what_woke_a_sleeping_stack(boxes):
    data, probe = fallen(boxes), IslandsProbe()
    reading = probe.room(boxes, data)

    def woken(steps=1):
        probe.take(boxes, data, reading)
        physics.mj_step(boxes, data, steps)
        probe.take(boxes, data, reading)
        return [text(boxes, reading.wakings, t) for t in range(3)]

    islands.wake(boxes, data, [1])
    low, high, apart = woken()
    assert "by the user" in low
    assert "by the user" in high
    assert apart == ""
    physics.mj_step(boxes, data, 100)
    data.xfrc_applied[2] = [0, 0, 1.0, 0, 0, 0]
    assert "by a force" in woken()[0]
    data.xfrc_applied[:] = 0
    physics.mj_step(boxes, data, 100)
    probe.take(boxes, data, reading)
    data.qpos[14:17] = 0.0, 0.0, 0.498  # the box apart is put on top of the others
    assert "contact with apart" in woken(5)[0]
    physics.mj_resetData(boxes, data)
    assert woken()[0] == ""  # a reset forgets


@pytest.mark.parametrize(
    ("asleep", "policy", "sleeping", "text"),
    [(-7, 4, True, "awake, -7"), (-1, 4, True, "ready"), (-7, 4, False, "awake"), (-7, islands.NEVER[1], True, "never sleeps"),
     (0, 4, True, "asleep")],
)  # fmt: skip
def test_state_of_a_tree_in_words(asleep, policy, sleeping, text):
    assert islands.state_text(asleep, policy, sleeping) == text


def test_reasons_why_trees_stay_awake():
    assert "4 of 10" in islands.explain(-7, 4, True, 1)
    assert "2 others" in islands.explain(5, 4, True, 3)
    assert "RK4" in islands.refusal(islands.RK4, hard=False)
    assert islands.refusal(islands.RK4, hard=True) == ""
    assert "flag island" in islands.remark(True, False, 1e-4)


def test_settled_trees_sleep_next_step_unless_never_allowed(boxes):
    data = physics.MjData(boxes)
    physics.mj_step(boxes, data, 2)
    islands.settle(boxes, data, range(4))
    height = data.qpos[2::7][:2].copy()
    physics.mj_step(boxes, data, 2)
    assert np.all(data.tree_asleep[:3] >= 0)  # in the air, as the user wanted
    assert data.tree_asleep[3] == islands.WIDE_AWAKE
    np.testing.assert_array_equal(data.qpos[2::7][:2], height)
