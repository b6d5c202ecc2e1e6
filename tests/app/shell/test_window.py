"""The real window under X with OpenGL: files are dropped, bodies dragged, sliders moved, what is drawn beyond the default."""

import threading

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import QPointF, Qt

from tests.app.conftest import MODELS, drop, open_and_wait, picture
from tests.app.mouse import Mouse, on_screen
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import RECENT, Settings
from tumble.app.describe.numbers import rate_text
from tumble.app.library.examples import EXAMPLES
from tumble.app.session.loader import file_digest
from tumble.app.shell.main_window import MainWindow
from tumble.app.shell.view_flags import ViewFlags, beyond_default
from tumble.render.camera import CameraKind
from tumble.render.options import LabelMode, RenderOptions

ARM, BALL, SPIN, BROKEN = (MODELS / f"{name}.xml" for name in ("arm", "ball", "spin", "broken"))
LEFT, RIGHT, CTRL = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.ControlModifier


def _time(window):
    return window.session.snapshot.time


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


def test_the_picture_shows_the_model_as_the_camera_is_turned(window, qtbot):
    _loaded(window, qtbot, BALL)
    window.session.set_paused(True)
    image = picture(window.viewport)
    assert image.width() == round(window.viewport.width() * window.viewport.devicePixelRatioF())
    at = on_screen(window.viewport, window.session.snapshot.xpos[1]) * window.viewport.devicePixelRatioF()
    colour = image.pixelColor(at.toPoint())
    assert colour.red() > 1.5 * colour.green()  # the box is red, its highlight white
    view = window.viewport
    azimuth = view.camera.azimuth
    Mouse(window.viewport).press(QPointF(20, 20), LEFT)
    Mouse(window.viewport).move(QPointF(20 + view.height() / 2, 20), LEFT)
    Mouse(window.viewport).release(QPointF(20, 20), LEFT)
    assert abs(view.camera.azimuth - azimuth) == pytest.approx(90)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert view.camera.azimuth == pytest.approx(azimuth)
    centre = on_screen(window.viewport, window.session.snapshot.xpos[1])
    Mouse(window.viewport).double_click(centre, RIGHT, CTRL)
    assert view.camera.kind is CameraKind.TRACKING
    assert view.camera.body == 1
    window.session.read_again({str(BALL): file_digest(str(BALL))})  # a mere look at the file, as after a load
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.camera.kind is CameraKind.FREE


def test_a_running_body_follows_the_mouse(window, qtbot):
    _loaded(window, qtbot, BALL)
    session = window.session
    start = session.snapshot.xpos[1].copy()
    centre = on_screen(window.viewport, start)
    Mouse(window.viewport).double_click(centre, LEFT)
    assert session.selection == 1
    Mouse(window.viewport).press(centre, RIGHT, CTRL)
    for step in range(1, 11):
        Mouse(window.viewport).move(centre + QPointF(10.0 * step, 0), RIGHT, CTRL)
    grip = session.grip
    # Seen along +y, the picture's right is +x; the spring brings the point held under the mouse.
    assert grip.target[0] > start[0] + 0.1
    qtbot.waitUntil(lambda: abs(session.snapshot.xpos[1, 0] - start[0] - 0.9 * (grip.target[0] - start[0])) < 0.2)
    Mouse(window.viewport).release(centre, RIGHT, CTRL)
    assert session.grip is None


def test_a_paused_free_body_and_a_mocap_body_move_with_the_mouse(window, qtbot):
    _loaded(window, qtbot, BALL)
    session, view = window.session, window.viewport
    session.set_paused(True)
    view.set_camera(replace(view.camera, distance=3.0 * view.camera.distance))  # both are in sight
    for body in (1, 2):
        start = session.snapshot.xpos[body].copy()
        time = _time(window)
        centre = on_screen(window.viewport, start)
        session.select(0)
        Mouse(window.viewport).press(centre, RIGHT, CTRL)  # selects by itself
        assert session.selection == body
        Mouse(window.viewport).move(centre - QPointF(0, 60), RIGHT, CTRL)
        qtbot.waitUntil(lambda body=body, start=start: session.snapshot.xpos[body, 2] > start[2] + 0.05)
        Mouse(window.viewport).release(centre, RIGHT, CTRL)
        assert _time(window) == pytest.approx(time, abs=0.5)
    now = on_screen(window.viewport, session.snapshot.xpos[1])
    assert abs(now.x() - on_screen(window.viewport, np.array([0.0, 0.0, 1.0])).x()) < 2


def test_sliders_and_keyframes_move_the_joint(window, qtbot):
    _loaded(window, qtbot, ARM)
    row = window.panels.control.rows[0]
    row.slider.setValue(row.slider.maximum())
    assert row.field.value() == pytest.approx(1.5)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] > 1.2)
    qtbot.mouseClick(row.back, LEFT)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] < 0.3)
    row.slider.setValue(0)
    qtbot.mouseClick(window.panels.control.clear, LEFT)
    qtbot.waitUntil(lambda: row.field.value() == 0 and row.slider.value() == row.slider.maximum() // 2)
    row = window.panels.joints.rows[0]
    assert not row.slider.isEnabled()
    window.session.set_paused(True)
    assert row.slider.isEnabled()
    row.slider.setValue(row.slider.maximum())
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] == pytest.approx(2.0))
    keys = window.toolbar.keys
    assert [keys.itemText(i) for i in range(keys.count())] == ["left", "right"]
    keys.activated.emit(1)
    qtbot.waitUntil(lambda: window.session.snapshot.qpos[0] == -1)
    assert window.panels.control.rows[0].field.value() == -1


def test_what_does_not_load_says_why_while_the_old_model_runs_on(window, qtbot, tmp_path):
    _loaded(window, qtbot, SPIN)
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, BROKEN)
    assert f"{BROKEN.name}:3:" in window.viewport.error
    assert "<geom>" in window.viewport.error
    assert window.session.path == SPIN
    qtbot.waitUntil(lambda: BROKEN.name in window.panels.log.text.toPlainText())
    window.viewport.grabFramebuffer()  # the banner is painted
    qtbot.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.viewport.error == ""
    (tmp_path / "notes.txt").write_text("hello")
    for name, says in (("", "folder"), ("notes.txt", ".txt"), ("missing.xml", "no such file")):
        with qtbot.waitSignal(window.session.load_failed):
            drop(window, tmp_path / name)
        assert says in window.viewport.error


def test_keys_pause_step_reset_and_change_panels(window, qtbot):
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
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert not window.panels.joints.dock.isVisible()
    assert window.panels.control.dock.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert not window.panels.control.dock.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert window.panels.joints.dock.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_F1)
    assert view.show_help


def test_a_paused_window_asks_nothing_and_remembers_its_files(window, qtbot, tmp_path):
    _loaded(window, qtbot, SPIN)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: window.session.is_obeyed and window.session.snapshot.paused)
    qtbot.wait(100)
    time, looks = _time(window), []
    window.session.advanced.connect(lambda: looks.append(1))
    qtbot.wait(150)
    assert not looks
    assert _time(window) == time
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


@pytest.mark.pumped
def test_flags_belong_to_a_model_and_outlast_a_reload(window, qtbot):
    view, session, actions = window.viewport, window.session, window.actions_by_name
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    for name in ("contact_point", "geom_group_3", "label_body"):
        actions[name].trigger()
    assert set(beyond_default(view.options)) == {"contact_point", "geom_group_3", "label"}
    open_and_wait(qtbot, session, MODELS / "spin.xml")
    assert beyond_default(view.options) == {}
    assert not actions["contact_point"].isChecked()
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    assert set(beyond_default(view.options)) == {"contact_point", "geom_group_3", "label"}
    assert view.options.label is LabelMode.BODY
    assert actions["contact_point"].isChecked()
    actions["contact_force"].trigger()
    open_and_wait(qtbot, session, MODELS / "ball.xml", session.reload)
    assert view.option("contact_force")


@pytest.mark.pumped
def test_the_chip_lists_what_is_on_and_takes_it_back(window, qtbot):
    view, chip = window.viewport, window.viewport.findChild(ViewFlags).chip
    open_and_wait(qtbot, window.session, MODELS / "ball.xml")
    assert chip.isHidden()
    for name in ("contact_point", "transparent"):
        window.actions_by_name[name].trigger()
    assert chip.isVisible()
    assert view.rect().contains(chip.geometry())
    entries = [action for action in chip.menu().actions() if not action.isSeparator()]
    assert [action.text() for action in entries][-1] == "Reset drawing options"
    assert len(entries) == 3
    entries[0].trigger()
    assert len(beyond_default(view.options)) == 1
    window.actions_by_name["reset_flags"].trigger()
    assert view.options == RenderOptions()
    assert chip.isHidden()
