"""The real window under X with OpenGL: files are dropped, bodies dragged, sliders moved."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QMouseEvent
from PyQt6.QtWidgets import QApplication

from tests.app.conftest import MODELS, drop, open_and_wait, picture
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import RECENT, Settings
from tumble.app.describe.numbers import rate_text
from tumble.app.library.examples import EXAMPLES
from tumble.app.session.loader import file_digest
from tumble.app.shell.main_window import MainWindow
from tumble.render.camera import CameraKind

ARM, BALL, SPIN, BROKEN = (MODELS / f"{name}.xml" for name in ("arm", "ball", "spin", "broken"))


def _time(window):
    return window.session.snapshot.time


def _mouse(window, kind, where, button, ctrl=False):
    view = window.viewport
    modifiers = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    moved = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    event = QMouseEvent(kind, where, view.mapToGlobal(where), moved, held, modifiers)
    QApplication.sendEvent(view, event)


def _on_screen(window, point):
    view = window.viewport.view()
    x, y, _ = view.project(point, window.viewport.width(), window.viewport.height())[0]
    return QPointF(x, y)


def _loaded(window, qtbot, path):
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)


def test_three_dropped_models_come_to_life_one_after_the_other(window, qtbot):
    for path in (EXAMPLES[2].path, SPIN, ARM):
        open_and_wait(qtbot, window.session, path, lambda path=path: drop(window, path))
        assert window.session.path == path
        assert window.windowTitle().startswith(path.name)
        before = _time(window)
        qtbot.waitUntil(lambda before=before: _time(window) > before + 0.1)
        assert len(window.panels.control.rows) == window.session.model.nu


def test_the_picture_shows_the_model(window, qtbot):
    _loaded(window, qtbot, BALL)
    window.session.set_paused(True)
    image = picture(window.viewport)
    assert image.width() == round(window.viewport.width() * window.viewport.devicePixelRatioF())
    at = _on_screen(window, window.session.snapshot.xpos[1]) * window.viewport.devicePixelRatioF()
    colour = image.pixelColor(at.toPoint())
    assert colour.red() > 1.5 * colour.green()  # the box is red, its highlight white


def test_a_running_body_follows_the_mouse(window, qtbot):
    _loaded(window, qtbot, BALL)
    session = window.session
    start = session.snapshot.xpos[1].copy()
    centre = _on_screen(window, start)
    _mouse(window, QEvent.Type.MouseButtonDblClick, centre, Qt.MouseButton.LeftButton)
    assert session.selection == 1
    _mouse(window, QEvent.Type.MouseButtonPress, centre, Qt.MouseButton.RightButton, ctrl=True)
    for step in range(1, 11):
        _mouse(window, QEvent.Type.MouseMove, centre + QPointF(10.0 * step, 0), Qt.MouseButton.RightButton, ctrl=True)
    grip = session.grip
    # Seen along +y, the picture's right is +x; the spring brings the point held under the mouse.
    assert grip.target[0] > start[0] + 0.1
    qtbot.waitUntil(lambda: abs(session.snapshot.xpos[1, 0] - start[0] - 0.9 * (grip.target[0] - start[0])) < 0.2)
    _mouse(window, QEvent.Type.MouseButtonRelease, centre, Qt.MouseButton.RightButton, ctrl=True)
    assert session.grip is None


def test_a_paused_free_body_and_a_mocap_body_move_with_the_mouse(window, qtbot):
    _loaded(window, qtbot, BALL)
    session, view = window.session, window.viewport
    session.set_paused(True)
    view.set_camera(replace(view.camera, distance=3.0 * view.camera.distance))  # both are in sight
    for body in (1, 2):
        start = session.snapshot.xpos[body].copy()
        time = _time(window)
        centre = _on_screen(window, start)
        session.select(0)
        _mouse(window, QEvent.Type.MouseButtonPress, centre, Qt.MouseButton.RightButton, ctrl=True)  # selects by itself
        assert session.selection == body
        _mouse(window, QEvent.Type.MouseMove, centre - QPointF(0, 60), Qt.MouseButton.RightButton, ctrl=True)
        qtbot.waitUntil(lambda body=body, start=start: session.snapshot.xpos[body, 2] > start[2] + 0.05)
        _mouse(window, QEvent.Type.MouseButtonRelease, centre, Qt.MouseButton.RightButton, ctrl=True)
        assert _time(window) == pytest.approx(time, abs=0.5)
    now = _on_screen(window, session.snapshot.xpos[1])
    assert abs(now.x() - _on_screen(window, np.array([0.0, 0.0, 1.0])).x()) < 2


def test_a_moved_slider_moves_the_joint(window, qtbot):
    _loaded(window, qtbot, ARM)
    row = window.panels.control.rows[0]
    row.slider.setValue(row.slider.maximum())
    assert row.field.value() == pytest.approx(1.5)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] > 1.2)
    qtbot.mouseClick(row.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] < 0.3)
    row.slider.setValue(0)
    qtbot.mouseClick(window.panels.control.clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.field.value() == 0 and row.slider.value() == row.slider.maximum() // 2)


def test_joint_sliders_pose_the_model_while_paused_only(window, qtbot):
    _loaded(window, qtbot, ARM)
    row = window.panels.joints.rows[0]
    assert not row.slider.isEnabled()
    window.session.set_paused(True)
    assert row.slider.isEnabled()
    row.slider.setValue(row.slider.maximum())
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] == pytest.approx(2.0))


def test_a_broken_file_says_where_while_the_old_model_runs_on(window, qtbot):
    _loaded(window, qtbot, SPIN)
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, BROKEN)
    assert f"{BROKEN.name}:3:" in window.viewport.error
    assert "<geom>" in window.viewport.error
    assert window.session.path == SPIN
    before = _time(window)
    qtbot.waitUntil(lambda: _time(window) > before)
    qtbot.waitUntil(lambda: BROKEN.name in window.panels.log.text.toPlainText())
    window.viewport.grabFramebuffer()  # the banner is painted
    qtbot.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.viewport.error == ""


@pytest.mark.parametrize(("name", "says"), [("", "folder"), ("notes.txt", ".txt"), ("missing.xml", "no such file")])
def test_what_is_no_model_says_so(window, qtbot, tmp_path, name, says):
    path = tmp_path / name
    if path.suffix == ".txt":
        path.write_text("hello")
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, path)
    assert says in window.viewport.error


def test_of_several_files_the_first_is_opened_and_the_rest_said(window, qtbot):
    open_and_wait(qtbot, window.session, ARM, lambda: drop(window, ARM, SPIN))
    assert window.session.path == ARM
    qtbot.waitUntil(lambda: "not opened: spin.xml" in window.panels.log.text.toPlainText())


def test_keys_pause_step_reset_and_change_the_speed(window, qtbot):
    _loaded(window, qtbot, ARM)
    session, view = window.session, window.viewport
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert session.paused
    qtbot.waitUntil(lambda: session.is_obeyed)
    before = _time(window)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: _time(window) > before)
    assert _time(window) == pytest.approx(before + 0.002)
    qtbot.keyClick(view, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: _time(window) == 0)
    qtbot.keyClick(view, Qt.Key.Key_Equal)
    assert session.rate == 1.5
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert session.rate == 1.0
    assert window.toolbar.speed.currentText() == rate_text(1)


def test_keys_change_the_panels_and_what_is_drawn(window, qtbot):
    _loaded(window, qtbot, ARM)
    view = window.viewport
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert not window.panels.joints.dock.isVisible()
    assert window.panels.control.dock.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert not window.panels.control.dock.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert window.panels.joints.dock.isVisible()
    for key, name in ((Qt.Key.Key_S, "shadow"), (Qt.Key.Key_C, "contact_point"), (Qt.Key.Key_1, "geom_group_1")):
        before = view.option(name)
        qtbot.keyClick(view, key)
        assert view.option(name) is not before
        assert window.actions_by_name[name].isChecked() is not before
    qtbot.keyClick(view, Qt.Key.Key_F1)
    assert view.show_help
    qtbot.keyClick(view, Qt.Key.Key_F2)
    assert view.show_info
    view.grabFramebuffer()


def test_a_keyframe_is_chosen_in_the_toolbar(window, qtbot):
    _loaded(window, qtbot, ARM)
    window.session.set_paused(True)
    keys = window.toolbar.keys
    assert [keys.itemText(i) for i in range(keys.count())] == ["left", "right"]
    keys.activated.emit(1)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] == -1)
    assert window.panels.control.rows[0].field.value() == -1


def test_the_camera_follows_the_mouse(window, qtbot):
    _loaded(window, qtbot, BALL)
    view = window.viewport
    azimuth = view.camera.azimuth
    _mouse(window, QEvent.Type.MouseButtonPress, QPointF(20, 20), Qt.MouseButton.LeftButton)
    _mouse(window, QEvent.Type.MouseMove, QPointF(20 + view.height() / 2, 20), Qt.MouseButton.LeftButton)
    _mouse(window, QEvent.Type.MouseButtonRelease, QPointF(20, 20), Qt.MouseButton.LeftButton)
    assert abs(view.camera.azimuth - azimuth) == pytest.approx(90)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.camera.azimuth == pytest.approx(azimuth)
    window.session.set_paused(True)
    centre = _on_screen(window, window.session.snapshot.xpos[1])
    _mouse(window, QEvent.Type.MouseButtonDblClick, centre, Qt.MouseButton.RightButton, ctrl=True)
    assert view.camera.kind is CameraKind.TRACKING
    assert view.camera.body == 1
    window.session.read_again({str(BALL): file_digest(str(BALL))})  # a mere look at the file, as after a load
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.camera.kind is CameraKind.FREE


def test_the_state_is_copied_at_full_precision(window, qtbot):
    _loaded(window, qtbot, SPIN)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: window.session.is_obeyed and window.session.snapshot.paused)
    qtbot.keyClick(window.viewport, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    clipboard = QGuiApplication.clipboard()
    text = clipboard.text()
    numbers = [float(word) for word in text.split('qpos="')[1].split('"')[0].split()]
    assert numbers == list(window.session.snapshot.qpos)


def test_a_paused_window_asks_for_nothing(window, qtbot):
    _loaded(window, qtbot, SPIN)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: window.session.is_obeyed and window.session.snapshot.paused)
    qtbot.wait(100)
    time, looks = _time(window), []
    window.session.advanced.connect(lambda: looks.append(1))
    qtbot.wait(150)
    assert not looks
    assert _time(window) == time


def test_opened_files_are_remembered(window, qtbot, tmp_path):
    _loaded(window, qtbot, ARM)
    _loaded(window, qtbot, SPIN)
    window.close()
    assert Settings(tmp_path / "settings.json").get(RECENT) == [str(SPIN), str(ARM)]


def test_closing_ends_every_thread_and_releases_the_graphics(qtbot, tmp_path):
    before = threading.active_count()
    made = MainWindow(Settings(tmp_path / "settings.json"), LogRelay())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    _loaded(made, qtbot, ARM)
    assert threading.active_count() > before
    made.close()
    assert threading.active_count() == before
    assert made.viewport._renderer is None
    assert made.viewport._ctx is None
