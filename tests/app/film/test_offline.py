"""Films made without the window: ghosts, trails and arrows that mean the same, and the motion of one that was recorded live."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tests.app.cli.test_render import place_in
from tests.app.conftest import open_and_wait, written
from tests.app.film.test_video import decoded
from tumble import physics
from tumble.app.cli import render as command
from tumble.app.film.camera_path import Still
from tumble.app.film.export import ExportPhase, Order, arguments
from tumble.app.film.offline import Free, Moments, OnionSkins, SkinRecord, Studio, Take
from tumble.render.camera import Camera
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

THROWN = """<mujoco><option gravity="0 0 -10"/><worldbody><body name="ball" pos="0 0 1"><freejoint/><geom size=".2"/></body>
</worldbody></mujoco>"""
SKINS = OnionSkins(4, 0.1, ((1, (0.0, 0.0, 0.05)),), 0.5)


def thrown():
    model = physics.MjModel.from_xml_string(THROWN)
    data = physics.MjData(model)
    data.qvel[0], data.qvel[2] = 1.5, 5.0
    return Free(model, data)


def test_ghosts_and_trails_lie_on_the_simulated_path():
    source = thrown()
    record = SkinRecord(source.model, SKINS)
    data = Moments(source, record=record).at(0.75)
    frame = record.over(Frame.from_data(data), 0.75)
    np.testing.assert_allclose([ghost.geom_xpos[0, 0] for ghost in frame.ghosts], 1.5 * np.array([0.4, 0.5, 0.6, 0.7]), atol=1e-6)
    (trail,) = frame.trails
    x, z = trail.points[:, 0], trail.points[:, 2]
    np.testing.assert_allclose(z, 1.05 + 5.0 * x / 1.5 - 5.0 * (x / 1.5) * (x / 1.5 + 0.002), atol=1e-6)
    assert (x.min() / 1.5, x.max() / 1.5) == pytest.approx((0.25, 0.75), abs=0.0021)
    assert trail.age[-1] == 0.0
    physics.mj_resetData(source.model, source.data)
    physics.mj_step(source.model, source.data)
    record.note(1.0, source.data)
    after = record.over(frame, 1.05)  # nothing of before the reset
    assert [ghost.geom_xpos[0].tolist() for ghost in after.ghosts] == [[0.0, 0.0, 1.0]]
    assert len(after.trails[0].points) == 2


def test_a_picture_has_them():
    pictures = []
    for skins in (OnionSkins(), SKINS):
        source = thrown()
        take = Take(96, 72, Fraction(30), 1.0, start=0.75, skins=skins)
        with Studio(source.model, take) as studio:
            data = Moments(source, record=studio.record).at(take.simulated(0))
            pictures.append(studio.picture(data, Still(Camera(lookat=(0.7, 0.0, 1.8), distance=4.0), 0.0), 0.0, 0.0).astype(int))
    changed = np.abs(pictures[0] - pictures[1])[:, :, :3].max(axis=2) > 10
    assert 0.005 < changed.mean() < 0.5


def test_the_window_orders_them_by_the_words_of_the_command():
    line = arguments(Order(Path("out.mp4"), 640, 480, skins=SKINS), 0.0, Path("."))
    options = command.parser().parse_args(line[1:])
    model = thrown().model
    trails = command._trails(model, options.trail)
    assert OnionSkins(options.ghosts, options.ghost_interval, trails, options.trail_seconds) == SKINS
    assert command._trails(model, ["ball", "1:1,-2,3e-1"]) == ((1, (0.0, 0.0, 0.0)), (1, (1.0, -2.0, 0.3)))
    with pytest.raises(command.InputError, match="not a point"):
        command._trails(model, ["ball:1,x,3"])


FPS = 30
# A black bar on a white ground swings on a spring along x; the picture is a metre high.
PERIOD, REACH = 2.4, 0.5
SWING = f"""<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><global cameraid="0"/></visual>
  <asset><texture type="skybox" builtin="flat" rgb1="1 1 1" rgb2="1 1 1" width="8" height="48"/></asset>
  <worldbody>
    <camera name="side" pos="0 -1 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="1"/>
    <body pos="{-REACH} 0 0">
      <joint type="slide" axis="1 0 0" stiffness="{(2 * np.pi / PERIOD) ** 2}" springref="{REACH}"/>
      <geom type="box" size=".05 .05 .4" rgba="0 0 0 1" mass="1"/>
    </body>
  </worldbody>
</mujoco>"""
FASTEST = REACH * 2 * np.pi / PERIOD  # [m/s]


@pytest.mark.slow
@pytest.mark.parametrize("length", [1.5, pytest.param(15.0, marks=pytest.mark.fuzz)])  # [s]: part of a swing, and six
def test_live_and_offline_videos_show_the_same_motion(window, qtbot, tmp_path, monkeypatch, length):
    model = written(tmp_path / "swing.xml", SWING)
    for dock in window.docks:
        dock.hide()
    window.resize(420, 420)
    window.session.set_paused(True)
    open_and_wait(qtbot, window.session, model)
    window.session.set_paused(False)
    qtbot.waitUntil(lambda: window.session.snapshot.time > 0.5)  # it runs, and is painted

    live, offline = tmp_path / "live.mp4", tmp_path / "offline.mp4"
    recording, view = window.filming.recording, window.viewport
    recording.start(live, view.width(), view.height(), FPS, panels=False)
    shown, look = [], recording.look  # of each picture that became a frame: which, its simulated time, and when it was taken [s]

    def noted(read):
        before = recording.frames
        look(read)
        if recording.frames != before:
            shown.append((recording.frames - 1, window.session.snapshot.time, window.session.snapshot.taken))

    monkeypatch.setattr(recording, "look", noted)
    # However busy the machine is: so many pictures that they tell a motion.
    qtbot.waitUntil(lambda: recording.seconds >= length and len(shown) >= 15 * length)
    length = recording.frames / FPS
    with qtbot.waitSignal(recording.saved):
        qtbot.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)

    numbers, times_shown, wall = (np.array(column) for column in zip(*shown, strict=True))
    begin, wall = float(times_shown[0]), wall - wall[0]
    qtbot.waitUntil(lambda: window.session.snapshot.time > begin + length + 0.1)
    window.session.set_paused(True)
    plain = RenderOptions(shadow=False, reflection=False)  # nothing casts a shadow here; to look for one takes half the time
    order = Order(offline, view.width(), view.height(), str(FPS), start=begin, seconds=length, camera=view.camera, options=plain)
    export = window.filming.export
    export.start(order, window.filming.cut(None))
    qtbot.waitUntil(lambda: export.phase is ExportPhase.IDLE)

    # Each picture is in the frame whose time is nearest to that of its state, and no frame lacks one unsaid.
    assert np.all(np.diff(numbers) > 0)
    np.testing.assert_allclose(numbers / FPS, wall, rtol=0, atol=0.5 / FPS + 1e-9)
    live_frames, offline_frames = decoded(live), decoded(offline)
    assert len(live_frames) == recording.frames
    assert len(live_frames) - len(shown) == recording.repeated
    assert len(offline_frames) == round(length * FPS)

    # Both files say the exact times.
    for frames in (live_frames, offline_frames):
        np.testing.assert_allclose([t for t, _ in frames], np.arange(len(frames)) / FPS, rtol=0, atol=2e-6)

    # And both show the same motion: a frame is within half a frame of its time, which at the bar's greatest speed is so far,
    # and where the bar is can be told to a pixel, in each of the two. How far the simulation itself was behind real time when
    # a picture's state was taken (a busy machine, nothing of the video's) is known from the state's own time, and is not an
    # error of the video.
    pixel = 1 / view.height()
    seen = np.array([place_in(picture) for _, picture in live_frames])[numbers]
    true = np.array([place_in(picture) for _, picture in offline_frames])
    times = np.arange(len(true)) / FPS
    behind = wall - (times_shown - begin)
    expected = np.interp(numbers / FPS - behind, times, true)
    within = numbers / FPS - behind <= times[-1]
    error = np.abs(seen - expected)[within]
    assert error.max() <= FASTEST * 0.5 / FPS + 2 * pixel
    assert np.ptp(seen) > (1.9 if length > PERIOD else 1.3) * REACH  # it did swing: from end to end, or what 1.5 s show of it
