"""The Keyframes panel: every row has a name and a picture of its own."""

import numpy as np
import pytest
from PyQt6.QtGui import QImage

from tests.app.conftest import open_and_wait, written
from tumble.app.editing.keyframes import Keyframes
from tumble.app.viewport.widget import Viewport

pytestmark = pytest.mark.pumped

MODEL = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 .1"/><body><joint name="h" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 .3 .6 0 .3" size=".05" rgba="1 .4 .1 1"/></body></worldbody>
<keyframe><key qpos="0.3"/><key name="up" qpos="-0.6"/></keyframe></mujoco>"""


def image_of(item):
    return item.icon().pixmap(96, 64).toImage()


def test_keyframes_without_a_name_are_listed_by_their_number(window, qtbot, tmp_path):
    open_and_wait(qtbot, window.session, written(tmp_path / "m.xml", MODEL))
    window.panels.dock("keyframes").bring()
    panel = window.panels.keyframes
    rows = [panel.list.item(row) for row in range(2)]
    assert [item.text() for item in rows if item is not None] == ["key 0", "up"]
    with qtbot.waitSignal(window.session.status, check_params_cb=lambda said: said == "Loaded keyframe key 0"):
        panel.list.setCurrentRow(0)
        panel.load.click()
    assert window.session.part(Keyframes).all[0].name == ""


def test_pictures_wait_until_the_view_has_drawn_the_model(window, qtbot, tmp_path, monkeypatch):
    path = written(tmp_path / "m.xml", MODEL)
    drawn = False
    monkeypatch.setattr(Viewport, "is_drawn", property(lambda view: drawn and view._model is view._session.model))
    window.panels.dock("keyframes").bring()
    panel = window.panels.keyframes
    window.session.set_paused(True)
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: panel.gallery.waiting)
    waiting = image_of(panel.list.item(0))
    qtbot.wait(150)  # several turns of the timer pass meanwhile
    assert panel.gallery.drawn == 0
    drawn = True
    window.viewport.update()
    qtbot.waitUntil(lambda: panel.gallery.drawn == 2)
    pictures = [image_of(panel.list.item(row)) for row in range(2)]
    assert pictures[0] != pictures[1]
    assert waiting not in pictures
    bits = pictures[0].convertToFormat(QImage.Format.Format_RGB888)
    pixels = np.frombuffer(bits.constBits().asarray(bits.sizeInBytes()), np.uint8)
    assert pixels.max() > 100  # no black picture
