"""The task: which contact sinks, and mend it, written to the file: in at most six steps."""

import pytest
from PyQt6.QtCore import QCoreApplication

from tests.app.conftest import open_and_wait
from tests.app.tasks.steps import choose, click, click_head, click_row, enter
from tumble.physics import MjData, MjModel, mj_step

MOST_STEPS = 6
WANTED = 0.1  # [mm]
GAP = 6  # column of the gaps
TWO_BOXES = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body pos="-.5 0 .1"><freejoint/><geom name="firm" type="box" size=".1 .1 .1" mass="2"/></body>
    <body pos=".5 0 .1"><freejoint/><geom name="soft" type="box" size=".1 .1 .1" mass="2" solref=".3 1"/></body>
  </worldbody>
</mujoco>
"""
pytestmark = pytest.mark.pumped


def test_a_contact_that_sinks_is_found_and_mended_in_its_file(window, qtbot, pump, tmp_path):
    path = tmp_path / "boxes.xml"
    path.write_text(TWO_BOXES)
    open_and_wait(qtbot, window.session, path)
    window.session.set_paused(False)
    pump.run(2.0)
    panels = window.panels

    def table():
        pump.run(0.05)
        QCoreApplication.processEvents()
        return panels.contacts.contacts

    def wait_for_patch():
        qtbot.waitUntil(panels.parameters.bar.view.isVisible)

    steps = [
        lambda: choose(window, "Window", "Contacts"),
        lambda: click_head(table(), GAP),  # the deepest first
        lambda: click_row(table(), 0, twice=True),  # its parameters
        lambda: (pump.run(1.0), enter(panels.parameters.lab.sink, str(WANTED))),
        lambda: click(panels.parameters.bar.write),
        lambda: (wait_for_patch(), click(panels.parameters.bar.view.save)),
    ]
    assert len(steps) <= MOST_STEPS
    for step in steps:
        step()
    qtbot.waitUntil(lambda: path.read_text() != TWO_BOXES)
    qtbot.waitUntil(lambda: not panels.parameters.bar.view.isVisible())

    before, after = TWO_BOXES.splitlines(), path.read_text().splitlines()
    changed = [line for line, other in zip(after, before, strict=True) if line != other]
    assert len(changed) == 1
    assert 'name="soft"' in changed[0]
    assert len(changed[0]) <= len(before[4]) + 8  # rounded to what matters: a few digits
    model = MjModel.from_xml_path(str(path))
    data = MjData(model)
    while data.time < 2.0:
        mj_step(model, data)
    soft = (data.contact.geom == model.geom("soft").id).any(axis=1)
    assert soft.any()
    assert 1000 * -data.contact.dist[soft] == pytest.approx(WANTED, rel=0.02)
