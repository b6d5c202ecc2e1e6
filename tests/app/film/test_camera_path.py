"""Camera paths: smooth through their keys; keys by mouse and keyboard, files, and a view that follows."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog, QLineEdit

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.pump import let_pass
from tumble.app.base.files import FileError
from tumble.app.film.camera_keys import CameraKeys, Motion, placed, where
from tumble.app.film.camera_path import CameraKey, CameraPath, PathError, Still, from_json, read_path
from tumble.app.panels.camera_path_panel import ELEVATION, TIME
from tumble.app.replay.replay_view import camera_from, camera_to
from tumble.physics import MjData, MjModel, mj_forward
from tumble.render.camera import MAX_ELEVATION, Camera, CameraKind, fix, track, view_of
from tumble.render.frame import Frame

pytestmark = pytest.mark.pumped

KEYS = [
    CameraKey(0.0, (0, 0, 1), 2.0, 170.0, -20.0),
    CameraKey(1.5, (1, 0, 1), 4.0, -170.0, -30.0),
    CameraKey(2.0, (1, 2, 0.5), 1.0, -120.0, 10.0),
    CameraKey(5.0, (0, 0, 1), 2.0, -90.0, -20.0),
]


def numbers(camera):
    return np.array([*camera.lookat, math.log(camera.distance), camera.azimuth, camera.elevation])


def test_a_path_goes_through_its_keys_whatever_their_order():
    path = CameraPath(KEYS[::-1])
    for key in KEYS:
        camera = path.at(key.time)
        assert camera.lookat == pytest.approx(key.lookat, abs=1e-12)
        assert camera.distance == pytest.approx(key.distance)
        assert math.remainder(camera.azimuth - key.azimuth, 360) == pytest.approx(0, abs=1e-9)
        assert camera.elevation == pytest.approx(key.elevation)


def test_camera_azimuth_turns_the_short_way_plus_full_turns():
    path = CameraPath(KEYS[:2])
    assert path.at(0.75).azimuth == pytest.approx(180.0)
    twice = CameraPath([KEYS[0], CameraKey(1.5, (1, 0, 1), 4.0, -170.0, -30.0, turns=2)])
    assert twice.at(1.5).azimuth - twice.at(0.0).azimuth == pytest.approx(740.0)


def test_camera_path_matches_scipy_cubic_hermite_spline():
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    rng = np.random.default_rng(5)
    times = np.cumsum(rng.uniform(0.1, 2.0, 7))
    points = rng.uniform(-1, 1, (7, 6))  # azimuth and elevation of a degree: no way round is shorter
    path = CameraPath([CameraKey(float(t), tuple(p[:3]), math.exp(p[3]), p[4], p[5]) for t, p in zip(times, points, strict=True)])
    slopes = np.empty_like(points)
    slopes[0], slopes[-1] = ((points[k] - points[k - 1]) / (times[k] - times[k - 1]) for k in (1, -1))
    for k in range(1, 6):
        parabola = np.polynomial.polynomial.polyfit(times[k - 1 : k + 2] - times[k], points[k - 1 : k + 2], 2)
        slopes[k] = parabola[1]
    spline = CubicHermiteSpline(times, points, slopes)
    for t in np.linspace(times[0], times[-1], 50):
        np.testing.assert_allclose(numbers(path.at(float(t))), spline(t), atol=1e-12)  # rounding of numbers about 1


def test_a_path_stands_at_its_ends_and_follows_its_body():
    path = CameraPath(KEYS)
    assert path.at(-3.0) == path.at(0.0)
    assert numbers(path.at(99.0)) == pytest.approx(numbers(path.at(5.0)))
    path = CameraPath(KEYS, Camera(CameraKind.TRACKING, body=3))
    assert (path.at(1.0).kind, path.at(1.0).body) == (CameraKind.TRACKING, 3)


def test_camera_path_keeps_distance_positive_and_off_poles():
    keys = [CameraKey(t, (0, 0, 0), d, 0, e) for t, d, e in ((0, 1e-3, 88), (1, 100.0, 89), (2, 1e-3, -89), (3, 5, 89))]
    for t in np.linspace(0, 3, 301):
        camera = CameraPath(keys).at(float(t))
        assert camera.distance > 0
        assert abs(camera.elevation) <= MAX_ELEVATION


def test_orbit_turns_at_video_rate_and_fixed_camera_stays():
    assert Still(Camera(azimuth=10), 36).camera(2.5, 99.0).azimuth == pytest.approx(100)
    bound = Camera(CameraKind.FIXED, fixed=1)
    assert Still(bound, 36).camera(2.5, 0.0) == bound


def test_a_file_needs_only_what_changes_and_comes_back_the_same(tmp_path):
    file = written(
        tmp_path / "path.json",
        json.dumps({"keys": [{"time": 0, "azimuth": 10}, {"time": 2, "distance": 3, "turns": 1}, {"time": 3}]}),
    )
    path = read_path(file, Camera(elevation=-12, distance=1.5))
    assert [key.elevation for key in path.keys] == [-12, -12, -12]
    assert [key.distance for key in path.keys] == [1.5, 3, 3]
    assert [key.turns for key in path.keys] == [0, 1, 0]
    assert from_json(path.to_json(), Camera()).keys == path.keys


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a camera path"),
        ("{}", "not a camera path"),
        ('{"keys": []}', "has 1 to"),
        ('{"keys": 3}', "are a list"),
        ('{"keys": [{"azimuth": 1}]}', "key 1 needs a time"),
        ('{"keys": [{"time": 0, "zoom": 1}]}', "key 1 has 'zoom'; valid are time, lookat"),
        ('{"keys": [{"time": 0}, {"time": 1, "distance": 0}]}', "key 2: distance 0; it is more than 0"),
        ('{"keys": [{"time": 0, "lookat": [1, 2]}]}', "lookat is three numbers"),
        ('{"keys": [{"time": 0, "azimuth": "north"}]}', "its values are numbers"),
        ('{"keys": [{"time": 0, "azimuth": NaN}]}', "its values are numbers"),
        ('{"keys": [{"time": 1}, {"time": 1}]}', "two keys of the camera path are at 1 s"),
        ("[" * 100_000, "not a camera path"),
    ],
)
def test_a_file_that_is_wrong_says_where(tmp_path, text, says):
    file = written(tmp_path / "path.json", text)
    with pytest.raises(PathError, match=rf"path\.json: .*{says}"):
        read_path(file, Camera())
    with pytest.raises(PathError, match="cannot be read: No such file"):
        read_path(tmp_path / "none.json", Camera())


def test_camera_round_trips_json_and_invalid_gives_none():
    camera = Camera(CameraKind.TRACKING, (0.1, 2, 3), 4.5, 30, -10, body=2, orthographic=True)
    written = json.loads(json.dumps(camera_to(camera)))
    assert camera_from(written) == camera
    for wrong in ({"distance": -1}, {"lookat": "abc"}, {"kind": 9}, {"body": 1.5}, {"more": 0}):
        assert camera_from(written | wrong) is None
    assert camera_from(None) is None


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


def test_adding_key_at_same_time_replaces_pose_keeps_turns():
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


def test_camera_keys_round_trip_files_of_command_line(tmp_path):
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


def test_a_key_from_a_bound_camera_is_at_its_place():
    model = MjModel.from_xml_path(str(ARM))
    data = MjData(model)
    mj_forward(model, data)
    frame = Frame.from_data(data)
    for camera in [track(HERE, 1), *(fix(HERE, k) for k in range(model.ncam))]:
        free = placed(camera, model, frame)
        assert free.kind is CameraKind.FREE
        before, after = view_of(camera, model, frame, 1.5), view_of(free, model, frame, 1.5)
        np.testing.assert_allclose(after.eye, before.eye, atol=1e-9)
        np.testing.assert_allclose(after.forward, before.forward, atol=1e-9)


def _loaded(window, qtbot):
    open_and_wait(qtbot, window.session, BALL)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    window.panels.camera_path.dock.bring()


def _click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_keys_are_added_updated_moved_visited_and_deleted_by_hand(window, qtbot, tmp_path, monkeypatch):
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

    path = tmp_path / "way.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
    _click(qtbot, panel.save)
    assert read_path(path, Camera()).keys == tuple(panel.keys.keys)
    path.write_text("{")
    _click(qtbot, panel.load)
    assert "way.json: not a camera path" in panel.note.text()

    panel.table.setCurrentItem(panel.table.topLevelItem(0))
    _click(qtbot, panel.visit)
    qtbot.waitUntil(lambda: session.snapshot.time == pytest.approx(before))
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [key.time for key in panel.keys.keys] == [7.5]
    _click(qtbot, panel.delete)
    assert not panel.keys.keys
    assert not panel.change.isEnabled()


def test_the_view_follows_the_keys_and_orbits_while_time_runs(window, qtbot):
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
    let_pass(session, qtbot, 0.1)
    expected = panel.keys.path(view.camera).at(session.snapshot.time)
    assert view.camera.azimuth == pytest.approx(expected.azimuth, abs=1e-9)
    let_pass(session, qtbot, 0.5)
    assert (view.camera.azimuth, view.camera.distance) == pytest.approx((50, 4))
    panel.motion.activated.emit(0)
    view.set_camera(HERE)
    let_pass(session, qtbot, 0.1)
    assert view.camera == HERE
    panel.motion.setCurrentIndex(2)
    panel.motion.activated.emit(2)
    assert panel.speed.isVisible()
    panel.speed.setValue(90.0)
    begin, azimuth = session.snapshot.time, view.camera.azimuth
    let_pass(session, qtbot, 0.3)
    turned = math.remainder(view.camera.azimuth - azimuth, 360)
    assert turned == pytest.approx(90 * (session.snapshot.time - begin), abs=1e-6)
    view.set_camera(replace(view.camera, distance=7.0))
    let_pass(session, qtbot, 0.05)
    assert view.camera.distance == 7.0
