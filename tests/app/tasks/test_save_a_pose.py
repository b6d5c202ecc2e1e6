"""The task: pose a figure, and save the pose as a keyframe in its file. In at most four steps, the drag included."""

from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics

FIGURE = Path(__file__).parents[3] / "resources" / "models" / "figure.xml"
MOST_STEPS = 4
pytestmark = pytest.mark.pumped


def drag_body(window, body, up):
    """Ctrl+right drag of a body [pixels]: one gesture."""
    view, shown = window.viewport, window.viewport.view()
    x, y, _ = shown.project(window.session.snapshot.xpos[body], view.width(), view.height())[0]
    right, none = Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
    for kind, lifted, moved, held in (
        (QEvent.Type.MouseButtonPress, 0.0, right, right),
        (QEvent.Type.MouseMove, up, none, right),
        (QEvent.Type.MouseButtonRelease, up, right, none),
    ):
        at = QPointF(x, y - lifted)
        event = QMouseEvent(kind, at, view.mapToGlobal(at), moved, held, Qt.KeyboardModifier.ControlModifier)
        QApplication.sendEvent(view, event)


def write_pose(window, qtbot, pump, body, line):
    """Drag a body up, keep the pose, and save it to the file, in whose patch there is a line that begins so."""

    def click_save():
        view = window.panels.keyframes.writing.view
        qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
        assert any(text.startswith(line) for text in view.text.toPlainText().splitlines())
        QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not view.isVisible())

    steps = [
        lambda: drag_body(window, body, 60.0),
        lambda: QTest.keyClick(window, "K", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier),
        lambda: QTest.mouseClick(window.panels.keyframes.write, Qt.MouseButton.LeftButton),
        click_save,
    ]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
        pump.obey()
        window.session.look()


def test_a_pose_goes_into_the_file_and_comes_back(window, qtbot, pump, tmp_path):
    session, path = window.session, tmp_path / "bounce.xml"
    text = (MODELS / "bounce.xml").read_text()
    path.write_text(text)
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    start = np.array(session.snapshot.qpos)
    write_pose(window, qtbot, pump, 1, '+    <key name="pose"')
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


def test_a_limb_of_a_figure_is_dragged_and_its_pose_goes_into_the_file(window, qtbot, pump, tmp_path):
    session, path = window.session, tmp_path / "figure.xml"
    path.write_text(FIGURE.read_text())
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    start = np.array(session.snapshot.qpos)
    hand = session.model.body("forearm_left").id
    write_pose(window, qtbot, pump, hand, "+")
    posed = np.array(session.snapshot.qpos)
    np.testing.assert_array_equal(posed[:7], start[:7])  # the root stays where it is
    assert np.count_nonzero(np.abs(posed[7:] - start[7:]) > 0.05) >= 2  # the joints of the arm
    model = physics.MjModel.from_xml_path(str(path))
    np.testing.assert_allclose(model.key_qpos[-1], posed, rtol=0, atol=1e-15)
