"""Faults that are tried on the real window: what cannot be written, pasted, shown or drawn is said, and nothing else is lost.

Tried elsewhere: full disks and killed ffmpegs while a video is made (test_video, test_recording), folders that are read-only
for pictures and videos (test_recording), bundles (test_report), recovery files (test_recovery), deleted models
(test_hot_reload), broken files that are dropped (test_window), commands without a window (test_cli_commands, test_cli_render).
"""

import json
import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QImage
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, drop, open_and_wait, picture, written
from tests.app.pump import let_pass
from tumble import __main__ as program
from tumble.app.editing.edits import EditPlace
from tumble.app.replay.replay_file import load
from tumble.app.rescue import graphics

pytestmark = pytest.mark.pumped

ROOT = Path(__file__).parents[3]
ARM, SPIN, HEAP, INCLINE = (MODELS / f"{name}.xml" for name in ("arm", "spin", "heap", "incline"))
# Where nobody may write, not even root: a system's folder, and "below" a file.
NOWHERE = ("/proc/tumble-test", "file/tumble-test")


def log_of(window):
    """What the log panel shows."""
    return window.panels.log.text.toPlainText()


def choose(monkeypatch, path):
    """What the user chooses in the next dialogs for files."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))


def said(window):
    """What the status line says from now on."""
    bar = window.statusBar()
    texts = []
    bar.messageChanged.connect(texts.append)
    return texts


def run_on(window, qtbot, seconds=0.1):
    """Time goes on in the simulation."""
    let_pass(window.session, qtbot, seconds)


@contextmanager
def full_disk(room=2000):
    """As on a disk that fills up: no file can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# ---- files that cannot be written


def test_a_replay_that_cannot_be_written_is_said(window, qtbot, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    open_and_wait(qtbot, window.session, HEAP)
    for place in NOWHERE:
        run_on(window, qtbot)
        choose(monkeypatch, tmp_path / f"{place}.tumble")
        window.actions_by_name["save_replay"].trigger()
        qtbot.waitUntil(lambda: "cannot be written" in window.viewport.error)
        assert window.viewport.error_title == "The replay was not saved"
        window.hide_error()
    run_on(window, qtbot)
    path = tmp_path / "run.tumble"
    choose(monkeypatch, path)
    window.actions_by_name["save_replay"].trigger()
    qtbot.waitUntil(path.exists)
    before = path.read_bytes()
    with full_disk():
        window.actions_by_name["save_replay"].trigger()
        qtbot.waitUntil(lambda: "File too large" in window.viewport.error)
    assert path.read_bytes() == before
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    assert load(path).timeline.steps > 0
    run_on(window, qtbot)


def test_failed_table_export_is_reported_and_keeps_old_file(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, HEAP)
    texts = said(window)
    for key in ("contact_events", "signals"):
        shown, path = getattr(window.panels, key), tmp_path / f"{key}.csv"
        shown.dock.bring()
        if key == "signals":
            shown.add("time")
        run_on(window, qtbot, 1.0)
        choose(monkeypatch, path)
        shown.export.click()
        qtbot.waitUntil(lambda: bool(texts) and texts[-1].startswith("Saved "))
        before = path.read_bytes()
        with full_disk(300):
            shown.export.click()
            qtbot.waitUntil(lambda: "not saved" in texts[-1])
        assert "File too large" in texts[-1]
        assert path.read_bytes() == before
        choose(monkeypatch, Path("/proc/table.csv"))
        shown.export.click()
        qtbot.waitUntil(lambda: "cannot be written" in texts[-1])
        assert os.listdir(tmp_path).count(path.name) == 1
        assert not [name for name in os.listdir(tmp_path) if name.startswith(f".{key}")]


def test_patch_in_read_only_folder_is_reported_and_kept(window, qtbot, tmp_path, monkeypatch):
    """A mount that is read-only, as root can write to any folder that is only marked so."""
    model = tmp_path / "m.xml"
    model.write_bytes(INCLINE.read_bytes())
    open_and_wait(qtbot, window.session, model)
    window.edits.set(EditPlace("geom_friction", 0), (0.123, 0.005, 0.0001), "Change friction")
    real = os.open

    def read_only(path, flags, *args, **more):
        if flags & os.O_CREAT and str(path).startswith(str(tmp_path)):
            raise OSError(30, os.strerror(30))
        return real(path, flags, *args, **more)

    window.panels.parameters.bar.ask()
    view = window.panels.parameters.bar.view
    qtbot.waitUntil(view.isVisible)
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", read_only)
        view.save.click()
        qtbot.waitUntil(lambda: "Read-only file system" in view.left.text())
        assert view.isVisible()
    assert model.read_bytes() == INCLINE.read_bytes()
    assert window.edits.is_changed(EditPlace("geom_friction", 0))
    window.panels.parameters.bar.ask()  # the folder can be written to again
    qtbot.waitUntil(view.save.isEnabled)
    view.save.click()
    qtbot.waitUntil(lambda: b"0.123" in model.read_bytes())


# ---- the clipboard


def clipboard(mime):
    """What another program has copied."""
    board = QGuiApplication.clipboard()
    if mime is None:
        board.clear()
    elif isinstance(mime, str):
        board.setText(mime)
    else:
        board.setMimeData(mime)


def copied_picture():
    mime = QMimeData()
    mime.setImageData(QImage(8, 8, QImage.Format.Format_RGB32))
    return mime


NO_STATES = [
    (None, "the clipboard is empty"),
    (copied_picture, "holds no text"),
    ("   \n", "holds no text"),
    ("hello world", "no <key> element"),
    ("<keyframe/>", "no <key> element"),
    ("<key", "is damaged"),
    ('<key qpos="1', "is damaged"),
    ('<!DOCTYPE a [<!ENTITY b "c">]><key qpos="&b;"/>', "is damaged"),
    ("<key/>", "has no numbers"),
    ('<key qpos="1 2 3"/>', "another model: qpos has 3 numbers there, 1 here"),
    ('<key mpos="0 0 0"/>', "another model: mpos has 3 numbers there, 0 here"),
    ('<key qpos="north"/>', "not a number"),
    ('<key qpos="nan"/>', "not finite"),
    ('<key time="1e999"/>', "not finite"),
    ('<key qpos="1" speed="2"/>', "has no speed"),
]


def test_pasting_an_invalid_state_changes_nothing_and_says_why(window, qtbot):
    texts = said(window)
    clipboard('<key qpos="1"/>')
    window.actions_by_name["paste_state"].trigger()
    assert texts[-1] == "Nothing pasted: no model is loaded"
    open_and_wait(qtbot, window.session, ARM)
    before = window.session._sent
    for content, says in NO_STATES:
        clipboard(content() if callable(content) else content)
        window.statusBar().clearMessage()
        qtbot.keyClick(window.viewport, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert texts[-1].startswith("Nothing pasted: "), says
        assert says in texts[-1]
        assert window.session._sent == before, says  # nothing has changed
        assert not window.session.paused


# ---- many files, small windows


def test_dropping_fifty_files_opens_one_and_lists_the_rest(window, qtbot, tmp_path):
    paths = []
    for k in range(50):
        path = tmp_path / (f"{k}.xml" if k % 3 else f"{k}.png")
        path.write_bytes(ARM.read_bytes() if k % 3 else b"no model")
        paths.append(path)
    (tmp_path / "folder").mkdir()
    open_and_wait(qtbot, window.session, ARM, lambda: drop(window, tmp_path / "folder", tmp_path / "gone.obj", *paths))
    assert window.session.path == tmp_path / "1.xml"  # the first that is a model
    qtbot.waitUntil(lambda: "not opened: folder, gone.obj, 0.png and 48 more" in log_of(window))
    run_on(window, qtbot)
    qtbot.waitUntil(lambda: not window.session.loads.busy)  # whether the file has changed since is asked once
    assert window.session.path == tmp_path / "1.xml"


def test_viewport_of_one_pixel_is_drawn_and_recovers(window, qtbot):
    open_and_wait(qtbot, window.session, ARM)
    view = window.viewport
    qtbot.waitUntil(lambda: view.is_drawn)
    size, minimum, maximum = window.size(), view.minimumSize(), view.maximumSize()
    for width, height in ((1, 1), (0, 0), (1, 400), (400, 1), (0, 5)):
        view.setFixedSize(width, height)
        run_on(window, qtbot, 0.05)
        assert (view.width(), view.height()) == (width, height)
        view.repaint()
        view.looking.pick(QPointF(0.5, 0.5))
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton)
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton)
        run_on(window, qtbot, 0.02)
    view.setMinimumSize(minimum)
    view.setMaximumSize(maximum)
    window.resize(1, 1)  # squeezed as far as its panels let it
    run_on(window, qtbot)
    window.resize(size)
    qtbot.waitUntil(lambda: view.width() > 200)
    run_on(window, qtbot)
    drawn = picture(view)
    assert len({drawn.pixel(x, y) for x in range(10, 200, 5) for y in range(10, 150, 5)}) > 20
    assert "cannot be drawn" not in log_of(window)
    assert view._broken == ""


# ---- other screens and graphics cards, in processes of their own

SCALED = """
import json, sys, time
from pathlib import Path
from PyQt6 import sip
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from tumble.app.shell import application
from tumble.app.base.log_relay import LogRelay
from tumble.app.editing.edits import EditPlace
from tumble.app.shell.main_window import MainWindow
from tumble.app.base.settings import Settings
app = application.create(["tumble"])
folder = Path(sys.argv[1])
window = MainWindow(Settings(folder / "settings.json"), LogRelay())
window.resize(700, 450)
window.show()
session, view = window.session, window.viewport
session.set_paused(True)
window.open_path(Path(sys.argv[2]))
end = time.monotonic() + 240
while not (view.is_drawn and view.fps >= 0) and time.monotonic() < end:
    QTest.qWait(20)
QTest.qWait(200)
picture = view.grabFramebuffer()
ratio = view.devicePixelRatioF()
found = {"ratio": ratio, "view": [view.width(), view.height()], "picture": [picture.width(), picture.height()]}
for name, channel in (("red", 0), ("blue", 2)):
    at = []
    for y in range(0, picture.height(), 3):
        for x in range(0, picture.width(), 3):
            rgb = picture.pixelColor(x, y).getRgb()[:3]
            if rgb[channel] > 60 and rgb[channel] > 3 * max(rgb[:channel] + rgb[channel + 1:]):
                at.append((x, y))
    x, y = (sum(c) / len(at) / ratio for c in zip(*at))
    found[name] = {"at": [x, y], "pixels": len(at)}
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    QTest.qWait(100)
    found[name]["selected"] = session.selection
window.close()
sip.delete(window)  # before the application, as the program does
print(json.dumps(found))
"""
COLOURED = """<mujoco>
  <visual><global azimuth="90" elevation="-20"/></visual><statistic center="0 0 0.2" extent="1.5"/>
  <worldbody>
    <light pos="0 -2 3" dir="0 0.5 -1"/><geom type="plane" size="2 2 0.1" rgba="0.5 0.5 0.5 1"/>
    <body pos="-0.5 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" rgba="0.9 0 0 1"/></body>
    <body pos="0.5 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" rgba="0 0 0.9 1"/></body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize("scale", [pytest.param("1", marks=pytest.mark.slow), "1.5", pytest.param("2", marks=pytest.mark.slow)])
def test_scaled_screen_has_full_resolution_and_exact_picking(tmp_path, scale):
    line = [sys.executable, "-c", SCALED, str(tmp_path), str(written(tmp_path / "m.xml", COLOURED))]
    ended = subprocess.run(
        line, cwd=ROOT, env=os.environ | {"QT_SCALE_FACTOR": scale}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout.splitlines()[-1])
    assert report["ratio"] == float(scale)
    # As many pixels as the screen has there: not a small picture made larger.
    assert report["picture"] == pytest.approx([size * float(scale) for size in report["view"]], abs=1)
    assert report["red"]["selected"] == 1
    assert report["blue"]["selected"] == 2
    assert report["red"]["at"][0] != report["blue"]["at"][0]
    assert "Traceback" not in ended.stderr


# Runs the program, closes the dialog that it shows, and prints what that said.
DIALOG = """
import sys
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication
from tumble import __main__ as program
from tumble.app.shell import application
create = application.create
def look():
    box = QApplication.activeModalWidget()
    if box is None or not box.isVisible():
        QTimer.singleShot(20, look)
        return
    print("DIALOG", box.text(), box.informativeText(), flush=True)
    box.close()
def watched(argv):
    app = create(argv)
    QTimer.singleShot(20, look)
    return app
application.create = watched
sys.exit(program.main([sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        pytest.param({"MESA_GL_VERSION_OVERRIDE": "2.1"}, "this computer offers 2.1", marks=pytest.mark.slow),
        ({"MESA_GL_VERSION_OVERRIDE": "3.2"}, "this computer offers 3.2"),
        ({"QT_XCB_GL_INTEGRATION": "none"}, "this computer offers no OpenGL at all"),
    ],
)
def test_without_opengl_3_3_a_dialog_and_the_terminal_say_so(setting, says):
    line = [sys.executable, "-c", DIALOG, str(ARM)]
    ended = subprocess.run(line, cwd=ROOT, env=os.environ | setting, capture_output=True, text=True, check=False)
    assert ended.returncode == program.NO_WINDOW == 3
    (shown,) = [text for text in ended.stdout.splitlines() if text.startswith("DIALOG")]
    for text in (shown, ended.stderr):
        assert "Tumble needs OpenGL 3.3" in text
        assert says in text
        assert "LIBGL_ALWAYS_SOFTWARE=1" in text  # what can be done
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("screen", "says"),
    [
        ({"DISPLAY": None}, graphics.NO_SCREEN),
        ({"DISPLAY": ":4711"}, graphics.NO_ANSWER.format(display=":4711")),  # Qt would abort
        ({"QT_QPA_PLATFORM": "offscreen"}, "'offscreen' (QT_QPA_PLATFORM) has none for windows. Unset it."),
    ],
)
def test_without_a_screen_the_program_says_so_and_exits(screen, says):
    env = os.environ | {"WAYLAND_DISPLAY": None, "QT_QPA_PLATFORM": None} | screen
    env = {name: value for name, value in env.items() if value is not None}
    line = [sys.executable, "-m", "tumble", str(ARM)]
    ended = subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert says in ended.stderr
    assert "DISPLAY" not in screen or ended.stderr.splitlines() == [says]


@pytest.mark.parametrize(
    ("environment", "platform", "fine"),
    [
        ({"DISPLAY": ":4711"}, "linux", False),  # no server answers there
        ({"DISPLAY": ":4711", "WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "vnc"}, "linux", True),
        ({}, "linux", False),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_who_has_a_screen(environment, platform, fine):
    assert (graphics.no_screen(environment, platform) == "") is fine
    assert graphics.no_screen({"DISPLAY": os.environ["DISPLAY"]}, "linux") == ""  # that of the tests, which answers
