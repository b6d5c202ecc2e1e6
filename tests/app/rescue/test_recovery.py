"""The last state is kept for the case that the process dies: with a real process that is killed."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtWidgets import QFileDialog, QPushButton

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.base import settings
from tumble.app.editing.edits import EditPlace
from tumble.app.replay.replay_file import Player, load, save
from tumble.app.rescue import recovery
from tumble.app.rescue.recovery import take_over
from tumble.app.rescue.recovery_dialog import ago

ROOT = Path(__file__).parents[3]
# The window as the user has it, with settings and recovery files in a folder of its own.
WINDOW = """
import sys
from pathlib import Path
from tumble import __main__ as program
from tumble.app.base import settings
from tumble.app.rescue import recovery
recovery.INTERVAL = 0.2
folder, model = Path(sys.argv[1]), sys.argv[2]
real = settings.Settings
from tumble.app.shell import main_window
main_window.Settings = settings.Settings = lambda: real(folder / "settings.json")
sys.exit(program.main([model]))
"""


@pytest.fixture
def recovery_interval():
    """The last state is written as often as the simulation changes, instead of every few seconds."""
    return 0.05


def left_in(folder):
    """The recovery files."""
    return sorted((folder / "recovery").glob("*.tumble"))


@pytest.fixture
def process(tmp_path):
    """Starts windows in processes of their own, and ends them."""
    started = []

    def start(model):
        child = subprocess.Popen([sys.executable, "-c", WINDOW, str(tmp_path), str(model)], cwd=ROOT, env=os.environ)
        started.append(child)
        return child

    yield start
    for one in started:
        one.kill()
        one.wait(60.0)


def wait_for_file(qtbot, process, folder):
    """The file of a process, once it has written some seconds of a run."""

    def written():
        if process.poll() is not None:  # no assertion, which would be tried again until the time is up
            raise RuntimeError(f"the window has ended, with {process.returncode}")
        files = left_in(folder)
        return bool(files) and all(load(path).timeline.steps > 100 for path in files)

    qtbot.waitUntil(written)
    (file,) = left_in(folder)
    return file


def offered(window, qtbot):
    """What a start offers."""
    window.safety.look_for_left()
    qtbot.waitUntil(lambda: window.safety.dialog is not None)
    return window.safety.dialog


def nothing_offered(window, qtbot):
    """A start offers nothing."""
    window.safety.look_for_left()
    qtbot.waitUntil(lambda: not window.safety._background.busy)
    qtbot.wait(1)  # what was found is told
    assert window.safety.dialog is None


def press(dialog, text):
    """A button of the first row."""
    row = next(iter(dialog.rows.values()))
    next(button for button in row.findChildren(QPushButton) if button.text() == text).click()


def put_left(folder, window, qtbot, token="999999-0123abcd"):
    """A recovery file as of a process that is gone: a copy of the window's own."""
    own = window.safety.recovery
    qtbot.waitUntil(lambda: own.path is not None and load(own.path).timeline.steps > 50)
    return Path(shutil.copy(own.path, folder / "recovery" / f"gone.{token}.tumble"))


def test_a_killed_window_goes_on_where_it_was(window, qtbot, tmp_path, process):
    model = tmp_path / "my pendulum.xml"
    shutil.copy(MODELS / "spin.xml", model)
    other = process(model)
    file = wait_for_file(qtbot, other, tmp_path)
    nothing_offered(window, qtbot)  # it lives
    other.send_signal(signal.SIGKILL)
    other.wait(60.0)
    replay = load(file)
    model.unlink()  # the file has all that is needed
    dialog = offered(window, qtbot)
    (left,) = dialog.rows
    assert left.trace == ""  # it was ended from outside
    assert left.model == "my pendulum.xml"
    session = window.session
    open_and_wait(qtbot, session, file, lambda: press(dialog, "Continue"))
    qtbot.waitUntil(lambda: session.history.now == replay.timeline.steps and session.history.target is None)
    assert window.safety.dialog is None
    assert session.paused
    assert session.history.strayed == 0
    assert window.windowTitle().startswith("my pendulum.xml")
    player = Player(replay)
    while player.ready():
        player.step()
    # Bit for bit what was simulated.
    np.testing.assert_array_equal(session.snapshot.qpos, player.data.qpos)
    np.testing.assert_array_equal(session.snapshot.qvel, player.data.qvel)
    assert str(file) not in window.session.store.get(settings.RECENT)  # no model that the user has opened
    assert file.exists()  # until the window is closed: it may die too
    before = session.snapshot.time
    session.set_paused(False)
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.2)  # on from there
    assert not session.paused
    window.close()
    assert left_in(tmp_path) == []
    assert list((tmp_path / "recovery").iterdir()) == []


@pytest.mark.parametrize("unsaved", [False, True])
def test_a_window_that_the_system_ends_leaves_what_is_not_saved(window, qtbot, tmp_path, unsaved):
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    qtbot.waitUntil(lambda: window.safety.recovery.path is not None)
    if unsaved:
        window.edits.set(EditPlace("opt.timestep"), (0.001,), "test")
    window.end_from_outside()
    assert not window.isVisible()
    assert bool(left_in(tmp_path)) is unsaved
    assert len(take_over(tmp_path / "recovery")[0]) == unsaved


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
def test_sigterm_closes_the_window_as_its_user_does(qtbot, tmp_path, process):
    other = process(MODELS / "spin.xml")
    wait_for_file(qtbot, other, tmp_path)
    other.terminate()
    assert other.wait(60.0) == 0
    assert left_in(tmp_path) == []
    assert settings.LAST.key in (tmp_path / "settings.json").read_text()


@pytest.mark.slow
def test_a_fault_below_python_leaves_the_stacks_for_a_report(window, qtbot, tmp_path, process):
    other = process(MODELS / "spin.xml")
    file = wait_for_file(qtbot, other, tmp_path)
    other.send_signal(signal.SIGSEGV)
    assert other.wait(60.0) == -signal.SIGSEGV
    data = file.read_bytes()
    dialog = offered(window, qtbot)
    press(dialog, "Report…")
    qtbot.waitUntil(lambda: window.safety.reporter.dialog is not None)
    report = window.safety.reporter.dialog
    parts = {part.name: part for part in report.chosen()}
    assert b"Fatal Python error: Segmentation fault" in parts["error.txt"].data
    assert b"in advance" in parts["error.txt"].data or b"in _obey_all" in parts["error.txt"].data  # the simulation's thread too
    assert parts["died.tumble"].data == data
    report.close()
    press(dialog, "Discard")
    assert list((tmp_path / "recovery").iterdir()) == []


def test_recovery_is_written_only_when_something_changed(window, qtbot, tmp_path):
    session, own = window.session, window.safety.recovery
    session.set_paused(True)
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    own.look()
    qtbot.wait(300)
    assert own.written == 0  # no step was taken: there is nothing to go back to
    session.step(3)
    qtbot.waitUntil(lambda: own.written == 1)
    for _ in range(5):
        qtbot.wait(100)
        own.look()
    assert own.written == 1
    assert load(own.path).timeline.steps == 3
    open_and_wait(qtbot, session, MODELS / "spin.xml")
    session.step(3)
    qtbot.waitUntil(lambda: [path.name.split(".")[0] for path in left_in(tmp_path)] == ["spin"])  # in place of the other's
    window.close()
    assert list((tmp_path / "recovery").iterdir()) == []


@pytest.mark.slow
def test_no_more_than_the_last_seconds_are_kept(window, qtbot):
    session, own = window.session, window.safety.recovery
    open_and_wait(qtbot, session, MODELS / "arm.xml")
    session.set_rate(10.0)
    qtbot.waitUntil(lambda: session.snapshot.time > recovery.SECONDS + 5)
    count = own.written
    qtbot.waitUntil(lambda: own.written > count)
    seconds = load(own.path).timeline.steps * float(session.model.opt.timestep)
    assert recovery.SECONDS <= seconds < recovery.SECONDS + 2


@pytest.mark.slow
def test_what_takes_long_is_written_more_seldom(window, qtbot, monkeypatch):
    times = []
    real = recovery.save

    def slow(*args, **how):
        times.append(time.monotonic())
        time.sleep(0.05)
        real(*args, **how)

    monkeypatch.setattr(recovery, "save", slow)
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: len(times) == 3)
    assert min(np.diff(times)) >= 0.05 / recovery.SHARE


def test_damaged_recovery_is_moved_and_others_are_offered(window, qtbot, tmp_path, caplog):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    good = put_left(tmp_path, window, qtbot)
    folder = tmp_path / "recovery"
    data = good.read_bytes()
    for k, bad in enumerate((b"", data[: len(data) // 2], b"no zip at all", data.replace(b"manifest", b"manifold"))):
        (folder / f"bad{k}.99999{k}-00000000.tumble").write_bytes(bad)
    (folder / "notes.txt").write_text("somebody else's")
    (folder / "run.tumble").write_bytes(data)  # no token: not ours
    dialog = offered(window, qtbot)
    assert [left.path for left in dialog.rows] == [good]
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert sum("is damaged, and was moved aside" in message for message in messages) == 4
    assert len(list((folder / "damaged").iterdir())) == recovery.MOST_ASIDE
    assert dialog.note.text().startswith("4 files could not be read")
    assert str(folder / "damaged") in dialog.note.text()
    assert (folder / "notes.txt").exists()
    assert (folder / "run.tumble").exists()


def test_it_can_be_saved_discarded_left_for_later_or_not_load(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    one = put_left(tmp_path, window, qtbot)
    dialog = offered(window, qtbot)
    recoveries, _ = take_over(tmp_path / "recovery")
    assert recoveries == []  # offered once, whatever else starts
    dialog.close()
    assert one.exists()
    dialog = offered(window, qtbot)  # again, as at the next start
    target = tmp_path / "kept.tumble"
    data = one.read_bytes()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "no folder" / "kept.tumble"), ""))
    press(dialog, "Save…")
    qtbot.waitUntil(lambda: window.safety.desk.dialog is not None)
    assert one.exists()  # it could not be saved
    assert "cannot be written" in window.safety.desk.dialog.message.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    press(dialog, "Save…")
    qtbot.waitUntil(lambda: window.safety.dialog is None)
    assert target.read_bytes() == data
    assert not one.exists()
    two = put_left(tmp_path, window, qtbot, "999998-0123abcd")
    press(offered(window, qtbot), "Discard")
    assert not two.exists()
    nothing_offered(window, qtbot)
    # One reads as a replay, but its model does not compile, as after an update: the user may still save it.
    file = put_left(tmp_path, window, qtbot)
    replay = load(file)
    save(replace(replay, bundle=replace(replay.bundle, text=b"<mujoco><nonsense/></mujoco>")), file)
    dialog = offered(window, qtbot)
    with qtbot.waitSignal(window.session.load_failed):
        press(dialog, "Continue")
    assert "nonsense" in window.viewport.error
    window.close()
    assert file.exists()


def test_a_folder_that_cannot_be_is_said_once_and_stops_nothing(window, qtbot, tmp_path, caplog):
    (tmp_path / "recovery").write_text("a file where the folder should be")
    nothing_offered(window, qtbot)
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: any("no state is saved" in record.getMessage() for record in caplog.records))
    qtbot.wait(500)
    assert sum("no state is saved" in record.getMessage() for record in caplog.records) == 1
    assert not window.session.paused


def test_a_full_disk_is_said_once_and_the_file_before_stays(window, qtbot, monkeypatch, caplog):
    own = window.safety.recovery
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    qtbot.waitUntil(lambda: own.written > 0)
    count = 0

    def full(descriptor):
        nonlocal count
        count += 1
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        qtbot.waitUntil(lambda: count > 2)
    warnings = [record for record in caplog.records if record.name.startswith("tumble.app.rescue")]  # settings tell of themselves
    assert sum("No space left" in record.getMessage() for record in warnings) == 1
    assert load(own.path).timeline.steps > 0
    written = own.written
    qtbot.waitUntil(lambda: own.written > written)  # there is room again


def test_moments_of_the_past_are_readable():
    now = datetime(2026, 3, 4, 12, 0)
    assert ago(now, now - timedelta(seconds=20)) == "a moment ago"
    assert ago(now, now - timedelta(minutes=7)) == "7 minutes ago"
    assert ago(now, now - timedelta(hours=3)) == "at 09:00"
    assert ago(now, now - timedelta(days=2)) == "on 2026-03-02 at 12:00"
