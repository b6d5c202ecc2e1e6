"""Tasks of users, each in few steps: compare solvers, see why it slips, keep a pose, return to what was left."""

import math

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import MODELS, open_and_wait
from tests.app.mouse import Mouse, on_screen
from tests.app.panels.timeline.bounce import arrived, bounced, place, words
from tests.app.tasks.steps import choose, click, click_row
from tumble import physics

pytestmark = pytest.mark.pumped


def test_three_solvers_are_compared_in_this_state(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "heap.xml")
    pump.run(0.5)
    window.viewport.setFocus()

    QTest.keyClick(window, Qt.Key.Key_Space)
    choose(window, "Window", "Solver")
    pump.obey()
    qtbot.wait(20)
    page = window.panels.solver.convergence
    click(page.three)
    pump.obey()
    table = page.table
    qtbot.waitUntil(lambda: table.topLevelItemCount() == 4)
    rows = [[table.topLevelItem(k).text(column) for column in range(5)] for k in range(4)]
    assert [row[0].split()[0] for row in rows] == ["this", "Newton", "CG", "PGS"]
    costs = [float(row[2]) for row in rows]
    assert costs[1:] == pytest.approx([costs[0]] * 3, rel=1e-3)  # one problem, one minimum
    assert int(rows[3][1]) > int(rows[1][1])  # PGS takes more iterations than Newton


def test_it_is_told_why_a_sledge_slips_and_a_brick_creeps(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "incline.xml")
    window.session.set_paused(False)
    pump.run(0.15)

    def row_of(name):
        panel = window.panels.contacts
        moments = panel.contacts.moments
        names = [str(moments.data(moments.index(row, 0))) for row in range(moments.rowCount())]
        return next(row for row, pair in enumerate(names) if name in pair)

    def table():
        pump.run(0.05)
        return window.panels.contacts.contacts

    choose(window, "Window", "Contacts")
    click_row(table(), row_of("ice"))
    why = window.panels.contacts.why
    assert why.isVisible()
    assert "It slips: friction is at its limit" in why.text()
    assert f"20.0° need tan 20.0° = {math.tan(math.radians(20)):.3f}, ice has 0.2" in why.text()

    # The other block sticks, and the words give the speed at which soft friction lets it creep: that which is measured.
    pump.run(0.5)
    click_row(table(), row_of("clay"))
    state, k = window.panels.contacts._state, window.panels.contacts._index
    assert "It sticks" in why.text()
    assert "impratio 100 in place of 10" in why.text()
    law = float(why.text().partition("R / B = ")[2].split()[0])
    assert law == pytest.approx(1e3 * state.creep[k], rel=0.02)


def test_a_pose_goes_into_the_file_and_comes_back(window, qtbot, pump, tmp_path):
    session, path = window.session, tmp_path / "bounce.xml"
    text = (MODELS / "bounce.xml").read_text()
    path.write_text(text)
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    start = np.array(session.snapshot.qpos)

    def click_save():
        view = window.panels.keyframes.writing.view
        qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
        assert any(text.startswith('+    <key name="pose"') for text in view.text.toPlainText().splitlines())
        QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not view.isVisible())

    at, ctrl = on_screen(window.viewport, window.session.snapshot.xpos[1]), Qt.KeyboardModifier.ControlModifier
    for step in (
        lambda: Mouse(window.viewport).drag([at, at - QPointF(0, 60)], Qt.MouseButton.RightButton, ctrl),
        lambda: QTest.keyClick(window, "K", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier),
        lambda: QTest.mouseClick(window.panels.keyframes.write, Qt.MouseButton.LeftButton),
        click_save,
    ):
        step()
        pump.obey()
        window.session.look()
    posed = np.array(session.snapshot.qpos)
    assert posed[2] > start[2] + 0.05
    panel = window.panels.keyframes
    assert panel.isVisible()
    assert [panel.list.item(row).text() for row in range(2)] == ["push", "pose"]
    assert panel.keyframes.waiting == 0
    assert not panel.write.isEnabled()
    written = path.read_text()
    added = [line for line in written.splitlines() if line not in text.splitlines()]
    assert len(added) == 1
    assert written == text.replace("  </keyframe>", added[0] + "\n  </keyframe>")  # every other byte stays
    model = physics.MjModel.from_xml_path(str(path))
    np.testing.assert_allclose(model.key_qpos[1], posed, rtol=0, atol=1e-15)
    assert "qvel" not in added[0]  # it is as at the start

    # Pictures come by themselves; a double click goes back to the pose, from wherever the simulation is.
    qtbot.waitUntil(lambda: panel.gallery.drawn == 2)
    session.step(200)
    pump.obey()
    panel.list.setCurrentRow(1)
    item = panel.list.visualItemRect(panel.list.item(1)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=item)
    QTest.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=item)
    pump.obey()
    session.look()
    np.testing.assert_array_equal(session.snapshot.qpos, posed)

    # The toolbar lists it too.
    keys = window.toolbar.keys
    assert [keys.itemText(row) for row in range(keys.count())] == ["push", "pose"]
    for row, expected in ((0, session.model.key_qpos[0]), (1, posed)):
        keys.activated.emit(row)
        pump.obey()
        session.look()
        np.testing.assert_array_equal(session.snapshot.qpos, expected)

    # A name is typed, another keyframe removed: both change the file once that is wanted.
    panel.keyframes.rename(panel.keyframes.all[1], "start & <go>")
    panel.keyframes.remove(panel.keyframes.all[0])
    assert panel.keyframes.waiting == 2
    window.actions_by_name["undo"].trigger()
    assert [key.name for key in panel.keyframes.all] == ["push", "start & <go>"]
    window.actions_by_name["redo"].trigger()
    assert panel.keyframes.waiting == 2
    panel.writing.ask()
    view = panel.writing.view
    qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.isVisible())
    model = physics.MjModel.from_xml_path(str(path))
    assert model.nkey == 1
    assert model.key(0).name == "start & <go>"
    assert panel.keyframes.waiting == 0


LEFT = Qt.MouseButton.LeftButton


def state(window):
    snapshot = window.session.snapshot
    return np.concatenate([snapshot.qpos, snapshot.qvel, snapshot.ctrl]).tobytes()


def test_what_was_left_by_going_on_is_returned_to_as_it_was(window, qtbot, pump, tmp_path):
    panel = bounced(window, qtbot, pump)
    history = window.session.history
    end, before, told = history.end, state(window), [e.step for e in history.events]
    assert panel.branches.isHidden()

    QTest.mouseClick(panel.view.canvas, LEFT, pos=place(panel, 0.3))
    fork = arrived(panel, qtbot)
    QTest.mouseClick(panel.controls.go_on, LEFT)
    pump.run(0.1)
    window.session.set_paused(True)
    arrived(panel, qtbot)
    other, length = state(window), history.end
    assert fork < length < end
    assert history.course == f"Branch 2, from {fork * history.timestep:.2f} s"
    assert [(b.name, b.fork, b.end) for b in history.branches] == [("Branch 1", fork, end)]
    assert max(e.step for e in history.events) <= length
    panel._draw()
    bar = panel.branches.bars[0]
    assert bar.isVisible()
    assert bar.x() == pytest.approx(panel.view.x_of(fork * history.timestep), abs=1.0)
    assert bar.x() + bar.width() == pytest.approx(panel.view.x_of(end * history.timestep), abs=2.0)

    QTest.mouseClick(bar, LEFT, pos=QPoint(30, 8))
    assert arrived(panel, qtbot) == end
    assert state(window) == before
    assert [e.step for e in history.events] == told
    qtbot.waitUntil(lambda: words(panel) == "Live, paused")
    assert history.course == "Branch 1"
    assert [b.name for b in history.branches] == [f"Branch 2, from {fork * history.timestep:.2f} s"]

    replay, told_of = tmp_path / "one", []
    window.replays.saved.connect(lambda path, seconds: told_of.append(path))
    window.replays.save(replay, window.view_state())
    pump.obey()
    qtbot.waitUntil(lambda: bool(told_of))
    bar_of_status = window.statusBar()
    assert "of Branch 1; not in it: Branch 2, from" in bar_of_status.currentMessage()

    # The other one gets a name in its bar, is returned to by the key, and is dropped, which the user has asked for.
    panel._draw()
    QTest.keyClick(panel.branches.bars[1], Qt.Key.Key_F2)
    QTest.keyClicks(panel.branches.name, "soft start")
    QTest.keyClick(panel.branches.name, Qt.Key.Key_Return)
    assert [b.name for b in history.branches] == ["soft start"]
    window.actions_by_name["return_branch"].trigger()
    assert arrived(panel, qtbot) == length
    assert state(window) == other
    messages = []
    window.session.status.connect(messages.append)
    panel._draw()
    QTest.keyClick(panel.branches.bars[0], Qt.Key.Key_Delete)
    arrived(panel, qtbot)
    assert history.branches == []
    assert messages == []

    # One that has to make room is named.
    window.session.history.go(fork)
    arrived(panel, qtbot)
    history.go_on()
    window.session.set_paused(True)
    arrived(panel, qtbot)
    assert "soft start is kept" in messages[0]
    pump.simulation.limit_history(1000)
    pump.run(0.1)
    window.session.step(200)
    arrived(panel, qtbot)
    assert [text for text in messages if "soft start was dropped: the memory for the history is full" in text]


def test_panels_drop_data_of_the_branch_that_is_left(window, qtbot, pump):
    panel = bounced(window, qtbot, pump)
    history, panels = window.session.history, window.panels
    history.go(history.end // 2)
    arrived(panel, qtbot)
    panels.dock("signals").bring()
    panels.signals.add("energy[0]")
    history.go_on()
    for key in ("signals", "contact_events", "solver"):
        panels.dock(key).bring()
        qtbot.waitUntil(panels.dock(key).isVisible)
        pump.run(0.2)
    window.session.set_paused(True)
    arrived(panel, qtbot)
    assert panels.signals.traces.now.count > 0
    assert panels.contact_events.lanes.time > 0
    history.return_to_last()
    arrived(panel, qtbot)
    assert panels.signals.traces.before is None
    assert panels.signals.traces.now.count == 0
    assert panels.contact_events.lanes.time == 0
    assert len(panels.contact_events.lanes) == 0
    assert panels.solver.history.now.count == 0
