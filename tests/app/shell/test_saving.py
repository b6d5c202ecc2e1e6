"""Models and states in files and on the clipboard; changes that are in no file are asked about before they are lost."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog, QMenu

from tests.app.conftest import MODELS, drop, open_and_wait
from tests.app.replay.test_replay import write_heap
from tumble import physics
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.keyframes import Keyframes
from tumble.app.library.examples import EXAMPLES, FIRST
from tumble.app.look.actions import plain
from tumble.app.session.loader import check_path
from tumble.app.shell import file_choice
from tumble.app.simulation.commands import SetState
from tumble.render.camera import Camera, CameraKind, view_of

pytestmark = pytest.mark.pumped


def saved(window, qtbot, pump, output, monkeypatch):
    """The model in the file that Ctrl+S writes, for which the user chooses this name."""
    monkeypatch.setattr(file_choice.QFileDialog, "getSaveFileName", lambda *args: (str(output), ""))
    messages = []
    window.model_saving.said.connect(messages.append)
    window.actions_by_name["save_model"].trigger()
    pump.obey()
    qtbot.waitUntil(lambda: any(text.startswith("Saved") for text in messages))
    return physics.MjModel.from_xml_path(str(output))


def test_saved_model_has_edits_and_keyframes_and_same_text(window, qtbot, pump, tmp_path, monkeypatch):
    session, path = window.session, write_heap(tmp_path / "model")
    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    before = path.read_bytes()
    edits, keyframes = session.part(Edits), session.part(Keyframes)
    edits.set(EditPlace("geom_friction", 1), (0.3, 0.01, 0.0002), "friction")
    edits.set(EditPlace("opt.timestep"), (0.0015,), "time step")
    session.step(30)
    pump.obey()
    session.look()
    keyframes.save("rest")
    assert window.unsaved.text() == "3 unsaved changes"
    (tmp_path / "elsewhere").mkdir()
    again = saved(window, qtbot, pump, tmp_path / "elsewhere" / "all.xml", monkeypatch)
    assert window.viewport.error == ""  # which would say in what it differs
    assert again.geom_friction[1].tolist() == [0.3, 0.01, 0.0002]
    assert again.opt.timestep == 0.0015
    np.testing.assert_allclose(again.key("rest").qpos, session.snapshot.qpos, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(again.tex_data, session.model.tex_data)  # found from another folder
    assert path.read_bytes() == before
    assert edits.count == 2  # the model's own file still lacks them
    assert edits.unsaved == 0
    assert not window.unsaved.isVisible()

    # What a file cannot say is named, and the file of the model is not overwritten by its own text.
    edits.set(EditPlace("geom_rbound", 1), (9.0,), "bound")
    saved(window, qtbot, pump, tmp_path / "elsewhere" / "less.xml", monkeypatch)
    assert "differs from the running model" in window.viewport.error
    assert "geom_rbound" in window.viewport.error
    window.hide_error()
    window.model_saving.save(path)
    pump.obey()
    qtbot.waitUntil(lambda: "is a file of the running model" in window.viewport.error)


def test_the_assets_of_a_bundled_scene_go_along(window, qtbot, pump, tmp_path, monkeypatch):
    window.session.set_paused(True)
    path = next(e.path for e in EXAMPLES if e.path.stem == "metronomes")
    open_and_wait(qtbot, window.session, path)
    again = saved(window, qtbot, pump, tmp_path / "mine.xml", monkeypatch)
    assert window.viewport.error == ""
    assert again.nbody == window.session.model.nbody
    assert str(path.parent) not in (tmp_path / "mine.xml").read_text()


def copied(window, action):
    window.actions_by_name[action].trigger()
    return QGuiApplication.clipboard().text()


def test_state_and_camera_come_back_from_text_and_from_mjcf(window, qtbot, pump):
    session, view = window.session, window.viewport
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    session.set_ctrl(0, 0.7)
    pump.run(0.3)
    session.set_paused(True)
    pump.obey()
    session.look()
    kept = {name: np.copy(getattr(session.snapshot, name)) for name in ("qpos", "qvel", "ctrl", "time")}
    assert kept["qvel"][0] != 0
    wrapped = ("<keyframe>\n {}\n</keyframe>", "<mujoco><keyframe><!-- a -->{}</keyframe></mujoco>")
    for action, around in (("copy_state_text", "{}"), ("copy_state", "{}"), *(("copy_state", around) for around in wrapped)):
        text = around.format(copied(window, action))
        QGuiApplication.clipboard().setText(text)
        session.reset()
        session.set_ctrl(0, -0.7)
        session.set_paused(False)
        pump.run(0.1)
        session.look()
        assert session.snapshot.qpos[0] < 0.0
        qtbot.keyClick(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert session.paused
        pump.obey()
        session.look()
        for name, values in kept.items():
            np.testing.assert_array_equal(getattr(session.snapshot, name), values, err_msg=text)
        qtbot.waitUntil(lambda: abs(window.panels.control.rows[0].field.value() - 0.7) < 1e-3)  # the slider has followed

    def seen(camera):
        found = view_of(camera, session.loaded_model, session.frame, 1.5)
        height = found.top if found.orthographic else found.top / found.near
        return np.concatenate([found.eye, found.right, found.up, [height]])

    for ortho in (False, True):
        camera = Camera(lookat=(0.1, 1 / 3, 0.2), distance=1.7, azimuth=33.3, elevation=-12.0, orthographic=ortho)
        for action in ("copy_camera", "copy_camera_text"):
            view.set_camera(camera)
            element = copied(window, action)
            view.set_camera(Camera())
            window.actions_by_name["paste_state"].trigger()
            assert view.camera.kind == CameraKind.FREE
            assert view.camera.orthographic == ortho
            at = slice(3 if ortho and action == "copy_camera" else 0, None)  # a parallel projection has no place along its axis
            np.testing.assert_allclose(seen(view.camera)[at], seen(camera)[at], rtol=0, atol=1e-12)
            if action == "copy_camera":  # a model takes it, and sees what the view does
                scene = f"<mujoco><worldbody>{element}<body><geom size='.1'/></body></worldbody></mujoco>"
                model = physics.MjModel.from_xml_string(scene)
                data = physics.MjData(model)
                physics.mj_forward(model, data)
                found = view.view()
                np.testing.assert_allclose(data.cam_xmat[0].reshape(3, 3)[:, 0], found.right, rtol=0, atol=1e-12)
                assert model.cam_projection[0] == ortho


def test_model_and_data_export_and_every_group_has_a_menu(window, qtbot, pump, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    pump.run(0.1)
    offered = []

    def choose(parent, title, name, pattern):
        offered.append(Path(name).name)
        return str(tmp_path / offered[-1]), pattern

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    messages = []
    window.session.status.connect(messages.append)
    for form in ("print_model", "print_data", "save_binary"):
        window.actions_by_name[form].trigger()
        pump.obey()
    qtbot.waitUntil(lambda: sum(text.startswith("Saved ") for text in messages) == 3)
    assert offered == ["arm-model.txt", "arm-data.txt", "arm.tumble-model"]
    assert "hinge" in (tmp_path / offered[0]).read_text()
    assert f"{pump.simulation.data.qpos[0]:.4g}"[:4] in (tmp_path / offered[1]).read_text()
    check_path(tmp_path / offered[2])  # a name with which it opens
    assert physics.MjModel.from_binary_path(str(tmp_path / offered[2])).nq == 1
    submenus = window.menuBar().findChildren(QMenu)
    menus = {plain(menu.title()): [plain(action.text()) for action in menu.actions()] for menu in submenus}
    assert menus["Joints"] == [f"Joint group {i}" for i in range(6)]
    groups = window.viewport.options.joint_group
    before = list(groups)
    window.actions_by_name["joint_group_3"].trigger()
    assert groups == [*before[:3], not before[3], *before[4:]]


SPIN = MODELS / "spin.xml"
TIMESTEP = EditPlace("opt.timestep")


@pytest.fixture
def changed(window, qtbot, tmp_path):
    """A file of the user's that the window shows, with an option changed."""
    path = tmp_path / "mine.xml"
    shutil.copy(MODELS / "ball.xml", path)
    open_and_wait(qtbot, window.session, path)
    window.edits.set(TIMESTEP, (0.004,), "Change timestep")
    return path


def _answer(window, text):
    button = next(button for button in window.leaving.box.buttons() if button.text().replace("&", "") == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_unsaved_changes_are_said_and_not_lost_unasked(window, changed, qtbot, monkeypatch):
    assert window.isWindowModified()
    assert window.windowTitle().startswith("mine.xml[*]")
    assert window.unsaved.isVisible()
    assert window.unsaved.text() == "1 unsaved change"
    assert "timestep: 0.002 → 0.004" in window.unsaved.toolTip()
    window.edits.set(EditPlace("geom_friction", 1), (0.5, 0.005, 0.0001), "Change friction")
    assert "friction of geom" in window.unsaved.toolTip()
    assert window.unsaved.text() == "2 unsaved changes"
    window.edits.restore()
    assert not window.isWindowModified()
    assert not window.unsaved.isVisible()
    window.edits.set(TIMESTEP, (0.004,), "Change timestep")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(SPIN), ""))
    losing = (
        lambda: window.actions_by_name["open"].trigger(),
        lambda: drop(window, SPIN),
        lambda: window.actions_by_name["reload"].trigger(),
        window.close,
    )
    for lose in losing:
        lose()
        box = window.leaving.box
        assert box.isVisible()
        assert "mine.xml has 1 unsaved change" in box.text()
        assert "timestep: 0.002 → 0.004" in box.informativeText()
        qtbot.waitUntil(box.isActiveWindow)
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert window.leaving.box is None
        assert window.isVisible()
        assert not window.session.loads.of_another
    assert window.session.path == changed
    assert window.edits.count == 1
    with qtbot.waitSignal(window.session.model_loaded):
        drop(window, SPIN)
        _answer(window, "Discard")
    assert window.session.path == SPIN
    assert not window.isWindowModified()
    open_and_wait(qtbot, window.session, changed, lambda: drop(window, changed))  # nothing to lose: no question


def test_a_window_that_is_closed_saves_its_changes_first(window, qtbot, changed):
    window.close()
    _answer(window, "Save to file…")
    view = window.panels.parameters.bar.view
    qtbot.waitUntil(view.isVisible)
    QTest.keyClick(view, Qt.Key.Key_Escape)  # seen, and not saved: the window stays
    assert window.isVisible()
    window.close()
    _answer(window, "Save to file…")
    qtbot.waitUntil(view.isVisible)
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert 'timestep="0.004"' in changed.read_text()


def test_a_bundled_scene_says_why_it_is_saved_under_another_name(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, FIRST.path)
    window.edits.set(TIMESTEP, (0.0015,), "Change timestep")
    copy = tmp_path / "copy.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(copy), ""))
    QTest.mouseClick(window.unsaved, Qt.MouseButton.LeftButton)
    view = window.panels.parameters.bar.view
    qtbot.waitUntil(view.isVisible)
    assert "bundled with the program" in view.head.text()
    assert not view.save.isVisible()
    assert view.copy.text() == "Save as…"
    assert view.copy.isDefault()
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not view.isVisible())
    assert 'timestep="0.0015"' in copy.read_text()
    assert not window.isWindowModified()  # they are in a file
    window.edits.set(TIMESTEP, (0.001,), "Change timestep")
    assert window.isWindowModified()


def test_closing_during_tour_asks_about_earlier_changes(window, qtbot, changed):
    window.session.part(Keyframes).save("a\nb")
    with qtbot.waitSignal(window.session.model_loaded):
        window.welcome.take_tour()
    assert window.edits.unsaved == 0
    with qtbot.waitSignal(window.session.model_loaded):
        assert not window.close()
    qtbot.waitUntil(lambda: window.leaving.box is not None)
    assert window.session.origin == changed
    assert "2 unsaved changes" in window.leaving.box.text()
    assert [key.name for key in window.session.part(Keyframes).all] == ["a b"]
    _answer(window, "Discard")
    qtbot.waitUntil(lambda: not window.isVisible())


def test_nan_state_is_drawn_but_not_saved_as_keyframe(window, qtbot, pump):
    session, view, messages = window.session, window.viewport, []
    session.set_paused(True)
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    session.send(SetState("qpos", 0, (math.nan,) * 3, running=True))
    pump.obey()
    session.look()
    assert math.isnan(session.snapshot.qpos[0])
    view.grabFramebuffer()
    assert not view._broken
    session.status.connect(messages.append)
    assert session.part(Keyframes).save() is None
    assert "not finite" in messages[-1]
