"""The camera path of the window: keys by mouse and keyboard, files that the command line reads, and a view that follows."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog, QLineEdit

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.base.files import FileError
from tumble.app.film.camera_keys import CameraKeys, Motion, placed, where
from tumble.app.film.camera_path import PathError, read_path
from tumble.app.panels.camera_path.panel import ELEVATION, TIME
from tumble.render.camera import Camera, CameraKind, fix, track, view_of

BALL, ARM = MODELS / "ball.xml", MODELS / "arm.xml"
HERE = Camera(lookat=(1, 0, 0), distance=2, azimuth=10, elevation=-20)
THERE = Camera(lookat=(0, 1, 0), distance=4, azimuth=50, elevation=20)


def _keys():
    keys = CameraKeys()
    keys.add(3.0, THERE)
    keys.add(1.0, HERE)
    return keys


def test_keys_are_in_the_order_of_their_times_and_told_of(qtbot):
    keys = _keys()
    assert [key.time for key in keys.keys] == [1.0, 3.0]
    with qtbot.waitSignal(keys.changed):
        assert keys.move(0, 5.0) == 1
    assert keys.marks() == [(3.0, f"Camera key 1: {where(keys.keys[0])}"), (5.0, f"Camera key 2: {where(keys.keys[1])}")]
    assert "2 m away, azimuth 10°, elevation -20°" in keys.marks()[1][1]


def test_a_key_at_a_time_that_has_one_replaces_it_and_keeps_its_turns():
    keys = _keys()
    keys.set_number(1, "turns", -2)
    assert keys.add(3.0 + 1e-9, HERE) == 1
    assert [(key.time, key.azimuth, key.turns) for key in keys.keys] == [(1.0, 10, 0), (3.0, 10, -2)]
    keys.update(0, THERE)
    assert (keys.keys[0].time, keys.keys[0].azimuth) == (1.0, 50)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda keys: keys.move(0, 3.0), "there is a key at 3 s already"),
        (lambda keys: keys.move(0, math.inf), "is not a valid time"),
        (lambda keys: keys.set_number(0, "distance", 0), "distance is more than 0"),
        (lambda keys: keys.set_number(0, "elevation", 95), "elevation is between -89 and 89"),
        (lambda keys: keys.set_number(0, "azimuth", math.nan), "is not a valid azimuth"),
    ],
)
def test_what_is_no_key_is_refused_and_changes_nothing(act, says):
    keys = _keys()
    before = list(keys.keys)
    with pytest.raises(PathError, match=says):
        act(keys)
    assert keys.keys == before


def test_files_are_those_of_the_command_line_and_come_back_the_same(tmp_path):
    keys, path = _keys(), tmp_path / "path.json"
    keys.set_number(1, "turns", 1)
    keys.save(path)
    read = read_path(path, Camera())
    for time in (0.0, 1.5, 2.2, 9.0):
        assert read.at(time) == keys.path(Camera()).at(time)
        assert keys.path(Camera(), origin=1.0).at(time - 1.0) == read.at(time)
    other = CameraKeys()
    other.load(path, Camera())
    assert other.keys == keys.keys
    other.from_json(json.loads(json.dumps(keys.to_json())))
    assert other.keys == keys.keys
    other.from_json([])
    assert other.keys == []
    assert other.path(Camera()) is None
    with pytest.raises(FileError, match="cannot be written"):
        keys.save(Path("/proc/path.json"))
    path.write_text("[{}]")
    with pytest.raises(PathError, match="key 1 needs a time"):
        other.load(path, Camera())


def _loaded(window, qtbot, path=BALL):
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.panels.camera_path.dock.show()
    window.panels.camera_path.dock.raise_()


def _click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_keys_are_added_updated_moved_and_deleted_by_hand(window, qtbot):
    _loaded(window, qtbot)
    session, view, panel = window.session, window.viewport, window.panels.camera_path
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)
    view.set_camera(HERE)
    _click(qtbot, panel.add)
    assert panel.table.topLevelItemCount() == 1
    assert panel.keys.keys[0].time == pytest.approx(session.snapshot.time, abs=1e-9)
    view.set_camera(THERE)
    _click(qtbot, panel.change)
    assert panel.keys.keys[0].azimuth == 50
    before = session.snapshot.time
    session.step(10)
    qtbot.waitUntil(lambda: session.snapshot.time > before)
    view.set_camera(HERE)
    _click(qtbot, panel.add)
    assert [key.azimuth for key in panel.keys.keys] == [50, 10]

    # A double click, digits, Enter: another time.
    panel.table.editItem(panel.table.topLevelItem(1), TIME)
    editor = panel.table.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "7.5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.keys.keys[1].time == 7.5)
    panel.table.topLevelItem(1).setText(ELEVATION, "120")
    qtbot.waitUntil(lambda: "elevation is between" in panel.note.text())
    assert panel.table.topLevelItem(1).text(ELEVATION) == "-20"
    panel.table.topLevelItem(1).setText(TIME, "soon")
    qtbot.waitUntil(lambda: "is not a number" in panel.note.text())

    panel.table.setCurrentItem(panel.table.topLevelItem(0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [key.time for key in panel.keys.keys] == [7.5]
    _click(qtbot, panel.delete)
    assert not panel.keys.keys
    assert not panel.change.isEnabled()


def test_the_view_follows_the_keys_while_time_runs_and_is_free_while_it_stands(window, qtbot):
    _loaded(window, qtbot)
    session, view, panel = window.session, window.viewport, window.panels.camera_path
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)
    now = session.snapshot.time
    panel.keys.add(now, HERE)
    panel.keys.add(now + 0.5, THERE)
    panel.motion.setCurrentIndex(1)
    panel.motion.activated.emit(1)
    assert panel.guide.motion is Motion.PATH
    assert view.camera.azimuth == pytest.approx(10)
    view.set_camera(replace(view.camera, azimuth=99.0))  # the next key is looked for
    session.set_paused(False)
    qtbot.waitUntil(lambda: session.snapshot.time > now + 0.1)
    expected = panel.keys.path(view.camera).at(session.snapshot.time)
    assert view.camera.azimuth == pytest.approx(expected.azimuth, abs=1e-9)
    qtbot.waitUntil(lambda: session.snapshot.time > now + 0.6)
    assert (view.camera.azimuth, view.camera.distance) == pytest.approx((50, 4))
    panel.motion.activated.emit(0)
    view.set_camera(HERE)
    later = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > later + 0.1)
    assert view.camera == HERE


def test_going_through_the_past_moves_the_camera_and_a_key_is_gone_to(window, qtbot):
    _loaded(window, qtbot)
    session, view, panel = window.session, window.viewport, window.panels.camera_path
    session.set_paused(True)
    session.step(400)
    qtbot.waitUntil(lambda: session.history.end >= 400 and session.history.now == session.history.end)
    h = session.history.timestep
    panel.keys.add(100 * h, HERE)
    panel.keys.add(300 * h, THERE)
    panel.motion.activated.emit(1)
    assert view.camera.azimuth == pytest.approx(50)
    for step in (200, 100, 250):
        session.history.go(step)
        qtbot.waitUntil(lambda step=step: session.history.now == step)
        assert view.camera.azimuth == pytest.approx(10 + 40 * (step - 100) / 200)  # two keys: at a constant speed
    panel.motion.activated.emit(0)
    panel.table.setCurrentItem(panel.table.topLevelItem(1))
    _click(qtbot, panel.visit)
    qtbot.waitUntil(lambda: session.history.now == 300)
    assert view.camera.azimuth == pytest.approx(50)


def test_an_orbit_turns_with_time_and_the_mouse_still_moves_the_camera(window, qtbot):
    _loaded(window, qtbot)
    session, view, panel = window.session, window.viewport, window.panels.camera_path
    view.set_camera(HERE)
    panel.motion.setCurrentIndex(2)
    panel.motion.activated.emit(2)
    assert panel.speed.isVisible()
    panel.speed.setValue(90.0)
    begin, azimuth = session.snapshot.time, view.camera.azimuth
    qtbot.waitUntil(lambda: session.snapshot.time > begin + 0.3)
    turned = math.remainder(view.camera.azimuth - azimuth, 360)
    assert turned == pytest.approx(90 * (session.snapshot.time - begin), abs=1e-6)
    view.set_camera(replace(view.camera, distance=7.0))
    later = session.snapshot.time
    qtbot.waitUntil(lambda: session.snapshot.time > later + 0.05)
    assert view.camera.distance == 7.0


def test_a_key_from_a_bound_camera_is_at_its_place(window, qtbot):
    _loaded(window, qtbot, ARM)
    session = window.session
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)
    model, frame = session.model, session.snapshot.frame
    bound = [track(HERE, 1)] + [fix(HERE, k) for k in range(model.ncam)]
    for camera in bound:
        free = placed(camera, model, frame)
        assert free.kind is CameraKind.FREE
        before, after = view_of(camera, model, frame, 1.5), view_of(free, model, frame, 1.5)
        np.testing.assert_allclose(after.eye, before.eye, atol=1e-9)
        np.testing.assert_allclose(after.forward, before.forward, atol=1e-9)


def test_files_are_chosen_and_what_is_wrong_in_them_is_said(window, qtbot, tmp_path, monkeypatch):
    _loaded(window, qtbot)
    panel, path = window.panels.camera_path, tmp_path / "way.json"
    panel.keys.add(1.0, HERE)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    _click(qtbot, panel.save)
    assert read_path(path, Camera()).keys == tuple(panel.keys.keys)
    panel.keys.clear()
    assert not panel.save.isEnabled()
    _click(qtbot, panel.load)
    assert [key.azimuth for key in panel.keys.keys] == [10]
    path.write_text("{")
    _click(qtbot, panel.load)
    assert "way.json: not a camera path" in panel.note.text()
    assert len(panel.keys.keys) == 1
