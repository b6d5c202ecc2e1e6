"""What README.md shows, done in the window: a depth that is typed, soft bodies by their strain, a branch of the timeline.

With TUMBLE_TOUR set to a folder, the pictures of README.md are kept there, as they are in docs: run on a screen of 1280 x 800
that pytest does not replace by its own (`-p no:xvfb`).
"""

import os
from collections.abc import Callable

import numpy as np
import pytest

from tests.app.conftest import open_and_wait, written
from tests.app.tasks.steps import enter
from tumble.app.library.examples import EXAMPLES
from tumble.app.panels.soft.look import SoftQuantity
from tumble.app.shell.tour.welcome import Banner
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel

pytestmark = pytest.mark.pumped

KeepPicture = Callable[[str], None]
SINKING = """<mujoco model="Crate">
  <visual><global azimuth="60" elevation="-8"/><headlight ambient=".3 .3 .3" diffuse=".4 .4 .4"/></visual>
  <statistic center="0 0 .12" extent=".5"/>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".45 .58 .74" rgb2=".09 .12 .17" width="256" height="1536"/>
    <texture name="floor" type="2d" builtin="checker" rgb1=".21 .24 .28" rgb2=".25 .28 .33" width="256" height="256"/>
    <material name="floor" texture="floor" texrepeat="4 4" texuniform="true" reflectance=".1"/>
  </asset>
  <worldbody>
    <light directional="true" pos="0 0 4" dir="-.4 .5 -1" diffuse=".65 .64 .6"/>
    <geom name="floor" type="plane" size="0 0 .1" material="floor"/>
    <body name="crate" pos="0 0 .1"><freejoint/>
      <geom name="crate" type="box" size=".1 .1 .1" mass="5" rgba=".78 .58 .36 1" solref=".1 1" priority="1"/></body>
  </worldbody>
</mujoco>
"""
SINK = 0.5  # depth that README.md types [mm]


def opened(window, qtbot, pump, path, seconds):
    """The window at the size of the pictures, with a model that has run."""
    window.resize(1280, 800)
    open_and_wait(qtbot, window.session, path)
    banner = window.viewport.findChild(Banner)
    if banner is not None and os.environ.get("TUMBLE_TOUR"):
        banner.cross.click()  # the hint for newcomers would lie over the pictures
    window.session.set_paused(False)
    pump.run(seconds)


def example(name):
    return next(example.path for example in EXAMPLES if example.path.name == name)


def test_contact_sinks_as_deep_as_typed(window, qtbot, pump, tmp_path, keep_picture):
    opened(window, qtbot, pump, written(tmp_path / "crate.xml", SINKING), 2.0)
    panels, session = window.panels, window.session
    panels.dock("parameters").bring()
    panels.dock("joints").hide()
    panels.dock("inspector").hide()
    for name in ("contact_point", "contact_force"):
        window.actions_by_name[name].trigger()
    session.select(session.model.body("crate").id)
    panel = panels.parameters
    qtbot.waitUntil(lambda: panel.live and panel.choice.element.currentText() == "crate")
    pump.run(1.0)
    enter(panel.lab.sink, str(SINK))
    pump.run(3.0)
    session.select(0)  # or the whole crate glows
    bar = panel.area.verticalScrollBar()
    for _ in range(5):  # rows that come into sight take more room
        bar.setValue(bar.maximum())
        qtbot.wait(20)
    keep_picture("typed-depth")
    floor = (session.snapshot.contact("geom") == session.model.geom("floor").id).any(axis=1)
    assert -1000 * session.snapshot.contact("dist")[floor] == pytest.approx(SINK, rel=0.02)


def test_soft_body_is_coloured_by_its_strain(window, qtbot, pump, keep_picture):
    opened(window, qtbot, pump, example("hammock.xml"), 0.1)
    window.panels.dock("joints").hide()
    window.panels.dock("inspector").hide()
    window.panels.dock("soft").bring()
    panel = window.panels.soft
    panel.colour.setCurrentIndex(panel.colour.findText(SoftQuantity.STRAIN.value))
    pump.run(1.5 if os.environ.get("TUMBLE_TOUR") else 0.05)
    extras = window.session.extras
    qtbot.waitUntil(lambda: extras.colours is not None and panel.legend.reach > 1e-6)
    keep_picture("soft-body")
    assert len(np.unique(extras.colours, axis=0)) > 5


def test_change_in_the_past_keeps_what_came_after_as_a_branch(window, qtbot, pump, keep_picture):
    opened(window, qtbot, pump, example("dominoes.xml"), 0.0)
    session, history, panel = window.session, window.session.history, window.panels.timeline
    window.panels.dock("joints").hide()
    window.panels.dock("inspector").hide()
    panel.dock.bring()
    length = 6.0 if os.environ.get("TUMBLE_TOUR") else 0.2
    for _ in range(2):
        pump.run(length)
        end = history.end
        history.go(end // 2)
        pump.obey()
        qtbot.waitUntil(lambda: history.target is None and session.is_obeyed)
        session.send(SetModel(Change("opt.gravity", None, (0.0, 1.5, -9.81 + len(history.branches)))))
        session.set_paused(False)
    pump.run(length / 2)
    qtbot.waitUntil(lambda: len(history.branches) == 2)
    keep_picture("branches")
    assert panel.branches.isVisible()
