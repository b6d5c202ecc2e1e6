"""Some swings recorded live in the window, and made offline from the replay of the same run: the same motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tests.app.cli.test_render import place_in
from tests.app.conftest import open_and_wait
from tests.app.film.test_video import decoded
from tumble.app.film.export import ExportPhase, Order
from tumble.render.options import RenderOptions

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


@dataclass
class Shown:
    """A picture that became a frame: which, the simulated time that it shows [s], and when its state was taken [s]."""

    number: int
    time: float
    taken: float


class Witness:
    """Stands between the view and the recording, and writes down what is taken."""

    def __init__(self, recording, window):
        self.panels = recording.panels
        self.shown = []
        self._recording, self._session = recording, window.session

    @property
    def active(self):
        """As the recording."""
        return self._recording.active

    def look(self, read):
        """As a recording."""
        before = self._recording.frames
        self._recording.look(read)
        if self._recording.frames != before:
            snapshot = self._session.snapshot
            self.shown.append(Shown(self._recording.frames - 1, snapshot.time, snapshot.taken))


@pytest.mark.slow
@pytest.mark.parametrize("length", [1.5, pytest.param(15.0, marks=pytest.mark.fuzz)])  # [s]: part of a swing, and six
def test_a_video_recorded_live_and_one_made_from_the_replay_show_the_same_motion(window, qtbot, tmp_path, length):
    model = tmp_path / "swing.xml"
    model.write_text(SWING)
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
    witness = Witness(recording, window)
    view.onlooker = witness
    # However busy the machine is: so many pictures that they tell a motion.
    qtbot.waitUntil(lambda: recording.seconds >= length and len(witness.shown) >= 15 * length)
    length = recording.frames / FPS
    with qtbot.waitSignal(recording.saved):
        qtbot.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    shown = witness.shown

    begin = shown[0].time
    qtbot.waitUntil(lambda: window.session.snapshot.time > begin + length + 0.1)
    window.session.set_paused(True)
    plain = RenderOptions(shadow=False, reflection=False)  # nothing casts a shadow here; to look for one takes half the time
    order = Order(offline, view.width(), view.height(), str(FPS), start=begin, seconds=length, camera=view.camera, options=plain)
    export = window.filming.export
    export.start(order, window.filming.cut(None))
    qtbot.waitUntil(lambda: export.phase is ExportPhase.IDLE)

    # Each picture is in the frame whose time is nearest to that of its state, and no frame lacks one unsaid.
    numbers = np.array([s.number for s in shown])
    wall = np.array([s.taken for s in shown]) - shown[0].taken
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
    behind = wall - (np.array([s.time for s in shown]) - begin)
    expected = np.interp(numbers / FPS - behind, times, true)
    within = numbers / FPS - behind <= times[-1]
    error = np.abs(seen - expected)[within]
    assert error.max() <= FASTEST * 0.5 / FPS + 2 * pixel
    assert np.ptp(seen) > (1.9 if length > PERIOD else 1.3) * REACH  # it did swing: from end to end, or what 1.5 s show of it
