"""The islands dock in the real window: boxes fall, touch, sleep and are woken; their colours in the view."""

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt

from tests.app.conftest import MODELS, open_panel
from tests.app.mouse import Mouse, on_screen
from tests.app.panels.moments import live, pixel, stepped
from tumble.app.describe.islands import RK4, SLEEP
from tumble.app.editing.edits import EditPlace
from tumble.app.panels.islands.readings import Cause
from tumble.app.simulation.commands import WakeTrees
from tumble.render.scene.island_colours import colours

pytestmark = pytest.mark.pumped
BOXES, ARM = MODELS / "boxes.xml", MODELS / "arm.xml"
LOW, HIGH, APART, WATCH = range(4)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size():
    return (1100, 700)


def opened(window, qtbot, path=BOXES):
    panel = open_panel(qtbot, window, "islands", path, paused=True)
    qtbot.waitUntil(lambda: panel.table.rows.reading is not None)
    return panel


def states(panel):
    rows = panel.table.rows
    return [rows.index(row, 1).data() for row in range(rows.rowCount())]


def chips(panel):
    return [panel.chips.chips.index(row, 0).data() for row in range(panel.chips.chips.rowCount())]


def click_chip(panel, qtbot, row):
    where = panel.chips.visualRect(panel.chips.chips.index(row, 0)).center()
    qtbot.mouseClick(panel.chips.viewport(), LEFT, pos=where)


def click_tree(panel, qtbot, row, keys=Qt.KeyboardModifier.NoModifier):
    where = panel.table.visualRect(panel.table.rows.index(row, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), LEFT, keys, pos=where)


def asleep(window, qtbot):
    panel = opened(window, qtbot)
    stepped(window, qtbot, 400)
    assert states(panel) == ["asleep", "asleep", "asleep", "never sleeps"]
    return panel


def test_boxes_fall_touch_rest_and_sleep(window, qtbot):
    panel = opened(window, qtbot)
    assert panel.switch.isChecked()
    assert chips(panel) == ["4 trees free\n19 dofs, no constraint"]
    stepped(window, qtbot, 2)
    click_tree(panel, qtbot, HIGH)
    qtbot.mouseClick(panel.settle, LEFT)
    stepped(window, qtbot, 1)
    height = window.session.snapshot.xpos[2, 2]
    assert states(panel)[HIGH] == "asleep"
    assert height > 0.34
    stepped(window, qtbot, 2)
    assert window.session.snapshot.xpos[2, 2] == height
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.snapshot.time == 0.0)
    click_tree(panel, qtbot, HIGH, Qt.KeyboardModifier.ControlModifier)
    while window.session.snapshot.ncon < 12:
        stepped(window, qtbot, 5)
    both = next(text for text in chips(panel) if text.startswith("low +1\n12 dofs"))  # the two that touch are one island
    assert int(both.split(" · ")[1].split()[0]) == live(window).island_nefc[0] > 0
    assert "1 tree free\n1 dof, no constraint" in chips(panel)
    stepped(window, qtbot, 400)
    assert chips(panel) == ["low +1\n12 dofs, asleep", "apart\n6 dofs, asleep", "1 tree free\n1 dof, no constraint"]
    assert panel.title.text() == "1 of 4 trees awake"


def test_a_sleeping_cycle_is_woken_and_kept_awake(window, qtbot):
    panel = asleep(window, qtbot)
    click_tree(panel, qtbot, HIGH)
    assert window.session.selection == 2
    qtbot.mouseClick(panel.wake, LEFT)
    qtbot.waitUntil(lambda: states(panel)[:3] == ["awake, \N{MINUS SIGN}11"] * 2 + ["asleep"])
    np.testing.assert_array_equal(live(window).tree_asleep, [-11, -11, 2, -11])
    stepped(window, qtbot, 4)
    assert states(panel)[:2] == ["awake, \N{MINUS SIGN}7"] * 2
    assert "by the user" in panel.detail.text()
    stepped(window, qtbot, 10)
    assert states(panel)[:2] == ["asleep"] * 2
    click_chip(panel, qtbot, 0)
    assert list(panel.table.selected()) == [LOW, HIGH]
    assert panel.table.rows.rowCount() == 2  # the trees of the chip alone
    qtbot.mouseClick(panel.keep, LEFT)
    stepped(window, qtbot, 60)
    assert list(live(window).tree_asleep[:2]) == [-11, -11]
    assert panel.keep.isChecked()
    qtbot.mouseClick(panel.settle, LEFT)
    assert "low never sleeps" in panel.message.text()
    qtbot.keyClick(window.viewport, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stepped(window, qtbot, 60)
    assert list(live(window).tree_asleep[:2]) == [1, 0]
    qtbot.mouseClick(panel.everyone, LEFT)
    assert panel.table.rows.rowCount() == 4


def test_sleep_switch_is_undoable_and_refused_with_rk4(window, qtbot):
    panel = asleep(window, qtbot)
    model = window.session.model
    qtbot.mouseClick(panel.switch, LEFT, pos=QPointF(8, 8).toPoint())
    stepped(window, qtbot, 1)
    assert not model.opt.enableflags & SLEEP
    assert states(panel)[:3] == ["awake"] * 3
    assert panel.table.rows.reading.wakings.cause[LOW] == Cause.SWITCH
    assert "Switched on" in panel.note.text()
    qtbot.keyClick(window.viewport, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stepped(window, qtbot, 12)
    assert panel.switch.isChecked()
    assert states(panel)[:3] == ["asleep"] * 3
    window.actions_by_name["redo"].trigger()
    window.edits.set(EditPlace("opt.integrator"), (float(RK4),), "integrator")
    stepped(window, qtbot, 1)
    qtbot.mouseClick(panel.switch, LEFT, pos=QPointF(8, 8).toPoint())
    assert "RK4" in panel.message.text()
    assert not panel.switch.isChecked()
    stepped(window, qtbot, 1)
    assert not model.opt.enableflags & SLEEP


def test_view_and_table_select_each_other(window, qtbot):
    panel = asleep(window, qtbot)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    Mouse(window.viewport).double_click(at(window, 3))
    assert window.session.selection == 3
    assert list(panel.table.selected()) == [APART]
    assert panel.chips.chips.chosen == APART
    click_chip(panel, qtbot, 0)
    assert window.session.selection == 1
    Mouse(window.viewport).double_click(at(window, 4))  # of no island listed: everybody is listed again
    assert list(panel.table.selected()) == [WATCH]
    assert panel.table.rows.rowCount() == 4
    window.session.select(0)
    assert len(panel.table.selected()) == 0
    assert not panel.wake.isEnabled()


def at(window, body):
    return on_screen(window.viewport, window.session.snapshot.xipos[body])


def test_key_n_paints_islands_darker_asleep_and_back(window, qtbot):
    panel = asleep(window, qtbot)
    of = lambda body: pixel(window, window.session.snapshot.xipos[body])  # noqa: E731
    plain = of(1)
    assert np.ptp(plain) < 0.05  # white
    qtbot.keyClick(window.viewport, Qt.Key.Key_N)
    assert panel.colours.isChecked()
    dark = of(1)
    want = colours(np.array([LOW]), np.array([True]))[0]
    assert np.argmax(dark) == np.argmax(want)
    assert np.argmin(dark) == np.argmin(want)
    assert np.ptp(of(4)) < 0.1  # free: grey
    np.testing.assert_allclose(of(2) / of(2).max(), dark / dark.max(), atol=0.12)  # one island, one colour
    assert np.abs(of(3) / of(3).max() - dark / dark.max()).max() > 0.2
    click_tree(panel, qtbot, LOW)
    window.session.select(0)  # the glow of the selected body would be seen
    panel.session.send(WakeTrees((LOW,)))
    qtbot.waitUntil(lambda: window.session.snapshot.frame.tree_asleep[0] < 0)
    assert of(1).sum() > 1.3 * dark.sum()
    qtbot.keyClick(window.viewport, Qt.Key.Key_N)
    np.testing.assert_allclose(of(1), plain, atol=0.02)


@pytest.mark.parametrize("first", [None, BOXES])
def test_other_models_and_none(window, qtbot, first):
    panel = window.panels.islands
    panel.dock.bring()
    if first is None:
        assert panel.note.text() == "No model is open."
        assert not panel.wake.isEnabled()
    else:
        opened(window, qtbot, first)
        click_chip(panel, qtbot, 0)
    opened(window, qtbot, ARM)
    stepped(window, qtbot, 3)
    assert panel.table.rows.rowCount() == window.session.model.ntree == 1
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.snapshot.time == 0.0)
    stepped(window, qtbot, 3)


def test_a_thousand_trees_are_painted_as_far_as_they_are_seen(window, qtbot, tmp_path):
    balls = "".join(f'<body pos="{0.3 * (k % 32)} {0.3 * (k // 32)} 1"><freejoint/><geom size=".1"/></body>' for k in range(1000))
    path = tmp_path / "many.xml"
    path.write_text(
        f'<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>{balls}</worldbody></mujoco>', "utf-8"
    )
    panel = opened(window, qtbot, path)
    stepped(window, qtbot, 12)  # nobody moves: each falls asleep alone
    assert panel.chips.chips.rowCount() == panel.table.rows.rowCount() == 1000
    assert states(panel)[999] == "asleep"
    window.session.select(1000)
    assert list(panel.table.selected()) == [999]
    assert panel.table.visualRect(panel.table.rows.index(999, 0)).intersects(panel.table.viewport().rect())
    click_chip(panel, qtbot, 0)
    assert panel.table.rows.rowCount() == 1
