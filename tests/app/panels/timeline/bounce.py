"""A bouncing ball and a sliding brick on the timeline: made, gone to, and compared."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics

BOUNCE = MODELS / "bounce.xml"
CHUNK, CHUNKS = 20, 60  # a bounce takes 22 steps


def bounced(window, qtbot, pump):
    window.session.set_paused(True)
    open_and_wait(qtbot, window.session, BOUNCE)
    show(window, qtbot)
    window.session.reset(0)
    qtbot.waitUntil(lambda: window.session.is_obeyed)
    for _ in range(CHUNKS):  # events are told from one look to the next
        advance(window, pump, CHUNK)
    qtbot.waitUntil(lambda: window.panels.timeline.view.shown.now == pytest.approx(window.session.snapshot.time))
    return window.panels.timeline


def show(window, qtbot):
    window.panels.timeline.dock.show()
    window.panels.timeline.dock.raise_()
    window.resizeDocks([window.panels.timeline.dock], [280], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: window.panels.timeline.view.isVisible() and window.panels.timeline.view.tall > 0)


def advance(window, pump, count):
    history = window.session.history
    until = history.end + count
    window.session.step(count)
    pump.obey()
    assert history.now == until


def place(panel, time, y=None):
    return QPoint(round(panel.view.x_of(time)), round(panel.view.track.center().y()) if y is None else y)


def arrived(panel, qtbot):
    """Wait until nothing is on the way; where it is."""
    history = panel.history
    qtbot.waitUntil(lambda: panel.requests.aim is None and history.target is None and panel.session.is_obeyed)
    return history.now


def state_after(steps):
    """qpos after so many steps from the keyframe, of a simulation without going back."""
    model = physics.MjModel.from_xml_path(str(BOUNCE))
    data = physics.MjData(model)
    physics.mj_resetDataKeyframe(model, data, 0)
    physics.mj_step(model, data, steps)
    return np.array(data.qpos)


def words(panel):
    return panel.controls.state.text()
