"""What goes wrong is shown with its traceback and saved with all that a report needs, while the window lives on."""

import json
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from msgspec import Struct
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QFileDialog, QPushButton

from tests.app.conftest import MODELS, open_and_wait
from tests.app.pump import simulation_of
from tumble.app.replay.replay_file import load
from tumble.app.rescue import report
from tumble.app.rescue.report import NO_ANSWER, ReportPart

NOW = datetime(2026, 1, 2, 3, 4, 5)


class Fails(Struct, frozen=True):
    """A command that cannot be carried out."""

    def apply(self, sim):
        raise ValueError("qpos has 3 numbers, the model 7")


def save_to(monkeypatch, path):
    """What the user chooses in the next dialog for files."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))


def asked(window, qtbot):
    """The dialog that is open, once all parts are there."""
    dialog = window.safety.reporter.dialog
    qtbot.waitUntil(lambda: all(part.missing != NO_ANSWER for part in dialog.chosen()))
    return dialog


def button(dialog, text):
    """The button with this text."""
    return next(found for found in dialog.findChildren(QPushButton) if found.text() == text)


def errors(window, qtbot):
    """The error that is shown."""
    qtbot.waitUntil(lambda: window.safety.desk.dialog is not None)
    return window.safety.desk.dialog


# ---- the file


def test_a_bundle_says_what_it_has_and_what_it_lacks(tmp_path):
    parts = [
        report.text_part("log.txt", "the log", f"opened {Path.home()}/a.xml, not {Path.home()}x/b.xml\n"),
        ReportPart("last.tumble", "a replay", missing="no step was taken"),
        ReportPart("model/a.xml", "the model", b"<mujoco/>"),
        ReportPart("model/a.xml", "another of that name", b"<mujocoinclude/>"),
    ]
    path = tmp_path / report.name_for(NOW)
    report.write(path, parts, NOW)
    assert path.name == "tumble-report-20260102-030405.zip"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["README.txt", "log.txt", "model/a.xml", "model/a-2.xml"]
        index = archive.read("README.txt").decode()
        assert archive.read("log.txt").decode() == f"opened ~/a.xml, not {Path.home()}x/b.xml\n"
        assert archive.read("model/a-2.xml") == b"<mujocoinclude/>"
        assert not any(info.external_attr >> 16 & 0o111 for info in archive.infolist())  # nothing that could be run
    assert "last.tumble: missing: no step was taken" in index
    assert "log.txt: the log" in index


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("parts/leg.xml", "model/parts/leg.xml"),
        ("../shared/foot.stl", "model/elsewhere/foot.stl"),
        ("a/../../b.png", "model/elsewhere/b.png"),
        ("/usr/share/c.png", "model/elsewhere/c.png"),
        ("C:\\meshes\\d.obj", "model/elsewhere/d.obj"),
        ("..", "model/unnamed"),
        ("", "model/unnamed"),
    ],
)
def test_files_of_the_model_stay_inside_the_bundle(name, wanted):
    assert [part.name for part in report.model_parts("m.xml", b"", {name: b""})] == ["model/m.xml", wanted]


def test_the_system_is_described():
    text = report.system_text("llvmpipe", ["one more"])
    for word in ("Tumble", "Python 3.", "Qt 6.", "numpy", "numba", "OpenGL renderer: llvmpipe", "processor: ", "one more"):
        assert word in text
    assert "unknown" not in text


# ---- the window


def test_failed_command_shows_traceback_and_saves_report(window, qtbot, tmp_path, monkeypatch):
    session = window.session
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: session.snapshot.time > 0.2)
    session.send(Fails())
    shown = errors(window, qtbot)
    assert "Fails failed: qpos has 3 numbers" in shown.message.text()
    assert not shown.trace.isVisible()
    qtbot.mouseClick(shown.details, Qt.MouseButton.LeftButton)
    assert shown.trace.isVisible()
    assert "in apply" in shown.trace.toPlainText()
    assert shown.trace.toPlainText().rstrip().endswith("ValueError: qpos has 3 numbers, the model 7")
    session.send(Fails())  # errors may come one a frame
    qtbot.waitUntil(lambda: shown.more.text().startswith("1 more"))
    session.set_paused(False)  # the window lives on
    before = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.1)

    qtbot.mouseClick(button(shown, "Save bundle…"), Qt.MouseButton.LeftButton)
    dialog = asked(window, qtbot)
    names = [part.name for part in dialog.chosen()]
    assert names == ["error.txt", "window.png", "model/arm.xml", "log.txt", "system.txt", "view.json", "last.tumble"]
    item = dialog._item("log.txt")
    item.setCheckState(0, Qt.CheckState.Unchecked)
    dialog.words.setPlainText("I moved the slider")
    target = tmp_path / "bundle.zip"
    save_to(monkeypatch, target)
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.safety.reporter.dialog is None)
    with zipfile.ZipFile(target) as archive:
        assert set(archive.namelist()) == {"README.txt", "words.txt", *names} - {"log.txt"}
        assert "log.txt: missing: left out by the user" in archive.read("README.txt").decode()
        assert b"in apply" in archive.read("error.txt")
        assert archive.read("words.txt") == b"I moved the slider\n"
        assert archive.read("model/arm.xml") == (MODELS / "arm.xml").read_bytes()
        assert b"OpenGL renderer: " in archive.read("system.txt")
        assert b"OpenGL renderer: none" not in archive.read("system.txt")
        view = json.loads(archive.read("view.json"))
        assert view["camera"]["distance"] == window.viewport.camera.distance
        assert "joints" in view["docks"]
        picture = QImage.fromData(archive.read("window.png"))
        assert picture.size() == window.size()
        archive.extract("last.tumble", tmp_path)
    replay = load(tmp_path / "last.tumble")
    assert replay.bundle.main == "arm.xml"
    assert replay.timeline.steps > 50
    assert replay.view["camera"] == view["camera"]


def test_report_has_window_picture_and_handles_save_errors(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.show_error("A title", "red over the view")
    picture = QImage.fromData(report._png(window, window.viewport))
    corner = window.viewport.mapTo(window, window.viewport.rect().topLeft())
    colours = {picture.pixelColor(corner.x() + 60, corner.y() + y).name() for y in range(12, 60)}
    assert any(int(name[1:3], 16) > 1.6 * int(name[3:5], 16) for name in colours)  # the error's red
    scene = {picture.pixelColor(corner.x() + x, corner.y() + y).rgb() for x in range(20, 400, 7) for y in range(150, 450, 7)}
    assert len(scene) > 20
    (tmp_path / "file").write_text("no folder")
    window.safety.reporter.ask()
    dialog = asked(window, qtbot)
    save_to(monkeypatch, tmp_path / "file/report.zip")
    dialog.save.click()
    qtbot.waitUntil(lambda: dialog.total.text().startswith("Not saved: "))
    assert "cannot be written" in dialog.total.text()
    assert dialog.save.isEnabled()  # to be saved elsewhere
    save_to(monkeypatch, tmp_path / "elsewhere.zip")
    dialog.save.click()
    qtbot.waitUntil(lambda: window.safety.reporter.dialog is None)
    assert zipfile.is_zipfile(tmp_path / "elsewhere.zip")
    monkeypatch.setattr(window.session.history, "cut", lambda answer, seconds: None)
    window.safety.reporter.ask()
    dialog = window.safety.reporter.dialog
    assert next(part.missing for part in dialog.chosen() if part.name == "last.tumble") == NO_ANSWER


def test_an_exception_in_a_step_stops_time_and_nothing_else(window, qtbot, monkeypatch):
    session = window.session
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    simulation = simulation_of(session)

    def broken(count):
        raise ZeroDivisionError("in the middle of a step")

    with monkeypatch.context() as patched:
        patched.setattr(simulation, "step", broken)
        shown = errors(window, qtbot)
        assert "in broken" in shown.trace.toPlainText()
        qtbot.waitUntil(lambda: session.paused)
    shown.close()
    assert window.safety.desk.dialog is None
    before = session.snapshot.time
    session.set_paused(False)
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.1)
    session.failed.emit("something else")
    shown = errors(window, qtbot)
    assert shown.trace.toPlainText() == ""
    assert not shown.details.isVisible()


def test_report_opens_from_menu_and_panel_without_a_model(window, qtbot):
    window.actions_by_name["report"].trigger()
    dialog = asked(window, qtbot)
    missing = {part.name: part.missing for part in dialog.chosen() if part.missing}
    assert missing == {"last.tumble": "there is no model"}
    dialog.close()
    open_and_wait(qtbot, window.session, MODELS / "heap.xml")
    window.panels.contact_events.dock.bring()
    qtbot.mouseClick(button(window.panels.contact_events, "Report…"), Qt.MouseButton.LeftButton)
    dialog = asked(window, qtbot)
    assert any(part.name == "model/heap.xml" for part in dialog.chosen())
    window.actions_by_name["report"].trigger()  # the one that is open
    assert window.safety.reporter.dialog is dialog
