"""Replay files in the window: saved from what has happened, opened and dropped, played again to the last bit."""

import os

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, drop, open_and_wait
from tests.app.pump import let_pass
from tumble.app.editing.edits import EditPlace
from tumble.app.film.camera_keys import CameraKeys
from tumble.app.replay.replay_file import Replay, load, save

pytestmark = pytest.mark.pumped

ARM = MODELS / "arm.xml"


def saved(window, qtbot, path, monkeypatch):
    """The replay that the user saves now."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **kwargs: (str(path), ""))
    with qtbot.waitSignal(window.replays.saved):
        window.actions_by_name["save_replay"].trigger()
    assert path.name in window.statusBar().currentMessage()
    return path


def run_for(window, qtbot, seconds):
    window.session.set_paused(False)
    let_pass(window.session, qtbot, seconds)


def recorded(window, qtbot):
    """The arm is moved, its model changed, and stopped: when, and where it then is."""
    session = window.session
    open_and_wait(qtbot, session, ARM)
    run_for(window, qtbot, 0.3)
    session.set_ctrl(0, 0.8)
    run_for(window, qtbot, 0.3)
    window.edits.set(EditPlace("body_mass", 1), (3.0,), "mass")
    run_for(window, qtbot, 0.3)
    session.history.mark("here")
    run_for(window, qtbot, 0.2)
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.snapshot.paused and session.is_obeyed)
    return session.snapshot.time, session.snapshot.qpos.copy()


def test_saved_replay_restores_state_edits_and_goes_live(window, qtbot, tmp_path, monkeypatch, pump):
    session = window.session
    time, qpos = recorded(window, qtbot)
    window.panels.contacts.dock.show()
    camera = window.viewport.camera
    window.viewport.set_camera(type(camera)(azimuth=33.0, distance=2.5))
    keys = window.session.part(CameraKeys)
    keys.add(0.5, replace(window.viewport.camera, azimuth=10.0))
    keys.add(0.75, window.viewport.camera)
    path = saved(window, qtbot, tmp_path / "arm.tumble", monkeypatch)
    window.panels.contacts.dock.hide()
    keys.clear()
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    with qtbot.waitSignal(session.model_loaded):
        drop(window, path)
    assert session.path == path
    assert window.viewport.camera.azimuth == 33.0
    assert window.panels.contacts.dock.isVisible()
    assert window.panels.timeline.dock.isVisible()
    assert [(key.time, key.azimuth) for key in keys.keys] == [(0.5, 10.0), (0.75, 33.0)]
    assert [mark.text for mark in session.history.bookmarks] == ["here"]
    assert session.history.now < session.history.end
    session.set_paused(False)
    pump.run_until(lambda: session.paused)  # it stops where it ends
    assert session.history.now == session.history.end
    assert session.history.strayed == 0
    assert session.snapshot.time == time
    np.testing.assert_array_equal(session.snapshot.qpos, qpos)
    assert window.edits.value(EditPlace("body_mass", 1)) == (3.0,)
    run_for(window, qtbot, 0.2)  # and from there on it is live
    assert session.history.now == session.history.end
    window.edits.set(EditPlace("body_mass", 1), (2.0,), "mass")
    window.panels.parameters.bar.ask()
    assert "is a replay" in window.panels.parameters.bar.problem.text()


@pytest.mark.slow
def test_back_in_time_the_panels_show_the_model_as_it_was(window, qtbot, pump):
    session = window.session
    recorded(window, qtbot)
    place, history = EditPlace("body_mass", 1), session.history
    assert window.edits.value(place) == (3.0,)
    mark = history.bookmarks[0]
    history.go(mark.step)
    qtbot.waitUntil(lambda: history.now == mark.step and history.target is None)
    assert session.snapshot.time == mark.time
    assert window.edits.value(place) == (3.0,)
    history.go(10)
    qtbot.waitUntil(lambda: history.now == 10 and history.target is None)
    assert window.edits.value(place) == window.edits.first(place) != (3.0,)
    assert session.snapshot.ctrl[0] == 0.0
    end = history.end
    history.play()
    assert history.end == end
    pump.run_until(lambda: history.now > end)  # again what was, and live from its end on
    assert window.edits.value(place) == (3.0,)
    history.go(10)
    qtbot.waitUntil(lambda: history.now == 10 and history.target is None)
    history.go_on()
    pump.run(0.05)
    assert 10 < history.now == history.end < end
    assert history.bookmarks == []
    assert session.snapshot.ctrl[0] == 0.0


def test_the_past_is_stepped_through_and_files_of_it_are_checked(window, qtbot, tmp_path, monkeypatch):
    session = window.session
    time, qpos = recorded(window, qtbot)
    step = session.history.timestep
    for k in range(3):
        qtbot.keyClick(window.viewport, Qt.Key.Key_Left)
        qtbot.waitUntil(lambda k=k: abs(session.snapshot.time - (time - (k + 1) * step)) < 1e-9)
    for k in range(3):
        qtbot.keyClick(window.viewport, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda k=k: abs(session.snapshot.time - (time - (2 - k) * step)) < 1e-9)
    assert session.snapshot.time == time
    np.testing.assert_array_equal(session.snapshot.qpos, qpos)
    path = saved(window, qtbot, tmp_path / "arm.tumble", monkeypatch)
    model = window.session.model
    (tmp_path / "cut.tumble").write_bytes(path.read_bytes()[: os.path.getsize(path) // 2])
    drop(window, tmp_path / "cut.tumble")
    box = window.leaving.box  # the changed mass is in the replay, but not in the model's file
    discard = next(button for button in box.buttons() if button.text() == "Discard")
    with qtbot.waitSignal(window.session.load_failed):
        qtbot.mouseClick(discard, Qt.MouseButton.LeftButton)
    assert "cut.tumble: is damaged or cut short" in window.viewport.error
    assert window.session.model is model
    assert window.edits.value(EditPlace("body_mass", 1)) == (3.0,)
    replay = load(saved(window, qtbot, tmp_path / "arm.tumble", monkeypatch))
    view = {
        "camera_path": [{"time": "soon"}],
        "begin": float("nan"),
        "camera": replay.view["camera"] | {"kind": 1, "body": 10**6},
        "docks": [7, "no such dock", "contacts"],
        "bookmarks": [{"step": 10**9, "time": 1, "text": "far"}, {"step": "x"}, 5, {"step": 3, "time": 0.1, "text": "t" * 999}],
    }
    save(Replay(replay.bundle, replay.timeline, view), tmp_path / "odd.tumble")
    open_and_wait(qtbot, window.session, tmp_path / "odd.tumble")
    assert window.panels.contacts.dock.isVisible()
    assert window.viewport.camera.body < window.session.model.nbody
    assert "the camera path in" in window.panels.log.text.toPlainText()
    assert [(mark.step, len(mark.text)) for mark in window.session.history.bookmarks] == [(3, 200)]


@pytest.mark.slow
def test_a_replay_that_goes_another_way_is_told(window, qtbot, tmp_path, monkeypatch, pump):
    recorded(window, qtbot)
    replay = load(saved(window, qtbot, tmp_path / "arm.tumble", monkeypatch))
    replay.timeline.inputs["value"][:] += 1e-9  # as another processor might round
    save(replay, tmp_path / "other.tumble")
    open_and_wait(qtbot, window.session, tmp_path / "other.tumble")
    with qtbot.waitSignal(window.session.history.told) as blocker:
        window.session.set_paused(False)
        pump.run_until(lambda: window.session.paused)
    assert "differs from the recording" in blocker.args[0]
    qtbot.waitUntil(lambda: window.session.paused)
    assert "differs from the recording" in window.panels.log.text.toPlainText()
