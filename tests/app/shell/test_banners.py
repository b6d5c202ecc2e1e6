"""Banners over the view and their buttons: a model that does not load, a controller that fails, a state that blows up."""

import sys

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import MODELS, drop, open_and_wait
from tumble.app.base.settings import EDITOR
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.panels.breakpoints.breakpoints import Breakpoints
from tumble.app.panels.control.controllers import Controllers

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.pumped


def _press(window, text):
    button = next(button for button in window.banners.banner.buttons if button.text() == text)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)


def _editor(window, folder):
    """An editor that writes down how it was started."""
    out, script = folder / "started", folder / "ed.py"
    script.write_text(f"import sys, pathlib; pathlib.Path({str(out)!r}).write_text('|'.join(sys.argv[1:]))")
    window.session.store.put(EDITOR, f"{sys.executable} {script} {{line}} {{file}}")
    return out


def test_errors_of_models_are_opened_at_their_lines_and_mended(window, qtbot, tmp_path):
    started, path = _editor(window, tmp_path), tmp_path / "model.xml"
    path.write_text((MODELS / "broken.xml").read_text())
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, path)
    banner = window.banners.banner
    assert banner.isVisible()
    assert window.viewport.rect().contains(banner.geometry())
    assert "<geom>" in banner.message.text()
    _press(window, "Open at line 3")
    qtbot.waitUntil(lambda: started.exists() and bool(started.read_text()))
    assert started.read_text() == f"3|{path}"
    assert banner.isVisible()  # until it is mended
    path.write_text((MODELS / "spin.xml").read_text())
    open_and_wait(qtbot, window.session, path, lambda: _press(window, "Try again"))
    assert not banner.isVisible()
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, MODELS / "broken.xml")
    QTest.mouseClick(banner.cross, LEFT)
    assert not banner.isVisible()
    assert window.viewport.error == ""
    started.unlink()
    path = tmp_path / "other" / "model.xml"
    path.parent.mkdir()
    path.write_text('<mujoco><worldbody>\n<geom size="-1"/>\n<gemo size="1"/></worldbody></mujoco>')
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, path)
    banner = window.banners.banner
    assert banner.title.text().endswith(": 2 errors")
    assert banner.message.text().count("<a href") == 2
    assert ">model.xml:3:1:</a>" in banner.message.text() or ">model.xml:3:1</a>" in banner.message.text()
    assert "&lt;gemo&gt; is not valid" in banner.message.text()
    banner.message.linkActivated.emit("1")
    qtbot.waitUntil(lambda: started.exists() and bool(started.read_text()))
    assert started.read_text() == f"3|{path}"


def test_dropped_folder_opens_its_model_or_lists_scenes_first(window, qtbot, tmp_path):
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "arm.xml").write_text((MODELS / "spin.xml").read_text())
    open_and_wait(qtbot, window.session, folder / "arm.xml", lambda: drop(window, folder))
    assert window.session.path == folder / "arm.xml"
    for name in ("base.xml", "scene_b.xml", "scene.xml"):
        (folder / name).write_text((MODELS / "spin.xml").read_text())
    with qtbot.waitSignal(window.session.load_failed):
        drop(window, folder)
    choice = window.library.choice
    assert choice.comboBoxItems() == ["scene.xml", "scene_b.xml", "arm.xml", "base.xml"]
    open_and_wait(qtbot, window.session, folder / "scene.xml", choice.accept)
    assert window.session.path == folder / "scene.xml"


def test_failed_controller_banner_shows_line_and_reloads(window, qtbot, pump, tmp_path):
    path = tmp_path / "hold.py"
    controllers, banner = _failed(window, qtbot, pump, path), window.banners.banner
    assert banner.title.text() == "The controller hold.py failed and is off"
    assert banner.message.text() == "line 2: NameError: name 'nonsense' is not defined\ndata.ctrl[0] = nonsense"
    assert [button.text() for button in banner.buttons] == ["Show", "Open at line 2", "Reload"]
    path.write_text("def control(model, data):\n    data.ctrl[0] = 0.1\n")
    _press(window, "Reload")
    pump.run(0.05)
    assert controllers.running
    assert not banner.isVisible()


def _failed(window, qtbot, pump, path):
    """A controller that has failed, with its banner."""
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    path.write_text("def control(model, data):\n    data.ctrl[0] = nonsense\n")
    drop(window, path)
    controllers = window.session.part(Controllers)
    controllers.agree(whole_path=True)
    window.session.set_paused(False)
    pump.run(0.01)
    qtbot.waitUntil(lambda: bool(window.viewport.error))
    return controllers


def test_the_banner_of_a_controller_goes_when_one_runs_again(window, qtbot, pump, tmp_path):
    path, mended = tmp_path / "hold.py", "def control(model, data):\n    data.ctrl[0] = 0.1\n"
    for way in ("restarted in the panel", "saved in an editor", "another file"):
        controllers = _failed(window, qtbot, pump, path)
        if way == "another file":
            (tmp_path / "other.py").write_text(mended)
            controllers.open(tmp_path / "other.py")
            controllers.agree()
        else:
            path.write_text(mended)
        if way == "restarted in the panel":
            controllers.run_again()
        qtbot.waitUntil(lambda: controllers.running)  # noqa: B023  at once
        assert not window.banners.banner.isVisible(), way
        assert window.viewport.error == "", way
        controllers.stop()


def test_other_banner_stays_when_a_controller_recovers(window, qtbot, pump, tmp_path):
    path = tmp_path / "hold.py"
    controllers = _failed(window, qtbot, pump, path)
    window.show_error("This model does not load", "line 3: no such joint")
    path.write_text("def control(model, data):\n    data.ctrl[0] = 0.1\n")
    controllers.run_again()
    controllers.stuck_changed.emit(False)  # one that was stuck before has returned
    assert controllers.running
    assert window.banners.banner.isVisible()
    assert window.banners.banner.title.text() == "This model does not load"


@pytest.mark.threaded
def test_divergence_banner_rewinds_explains_and_checks(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "blowup.xml")
    window.session.set_paused(False)
    qtbot.waitUntil(lambda: bool(window.viewport.error))
    banner, session = window.banners.banner, window.session
    assert banner.title.text() == "The state blew up and was reset"
    assert "joint spring" in banner.message.text()
    _press(window, "Doctor")
    doctor = window.panels.doctor
    qtbot.waitUntil(lambda: doctor.list.current is not None and doctor.list.current.change is not None)
    rows = [[doctor.list.topLevelItem(i).text(k) for k in range(3)] for i in range(doctor.list.topLevelItemCount())]
    assert ["error", "spring"] in [row[:2] for row in rows]
    assert any("spring is unstable at a time step of 0.01 s" in row[2] for row in rows)
    assert session.selection == session.model.body("wild").id
    assert doctor.view.buttons["Open at line"].text() == "Open at line 9"

    qtbot.waitUntil(lambda: bool(window.viewport.error))  # it blows up again and again
    blown = session.history.blown
    _press(window, "Go back")
    qtbot.waitUntil(lambda: session.history.now == blown)
    assert session.paused
    assert not banner.isVisible()
    session.set_paused(False)
    qtbot.waitUntil(lambda: bool(window.viewport.error))
    _press(window, "Explain")
    qtbot.waitUntil(lambda: session.part(Breakpoints).last is not None)
    assert window.panels.dock("breakpoints").isVisible()


@pytest.mark.threaded
def test_divergence_banner_goes_with_an_edit_that_cures(window, qtbot):
    session = window.session
    open_and_wait(qtbot, session, MODELS / "blowup.xml")
    session.set_paused(False)
    qtbot.waitUntil(lambda: bool(window.viewport.error))
    edits, step = session.part(Edits), EditPlace("opt.timestep")
    edits.set_all({step: (0.009,)}, "No cure")
    qtbot.waitUntil(lambda: bool(window.viewport.error))  # it blows up again
    session.set_paused(True)
    session.reset()  # what has begun to blow up would go on to
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.time == 0)
    assert window.banners.banner.isVisible()
    edits.set_all({step: (1e-4,)}, "Cure")
    assert not window.banners.banner.isVisible()
    session.set_paused(False)
    time = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > time + 0.1)
    assert not window.banners.banner.isVisible()
