"""Keyframes that are not in the file yet, while that is saved by another program."""

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.editing.keyframes import Keyframes

pytestmark = pytest.mark.pumped


def test_they_stay_when_the_model_is_read_again_and_end_with_it(session, qtbot, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text((MODELS / "arm.xml").read_text())

    def read_again():
        open_and_wait(qtbot, session, path, lambda: session.read_again({str(path): "another digest"}))

    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    keyframes = session.part(Keyframes)
    keyframes.save("mine")
    keyframes.save("left")
    assert [key.name for key in keyframes.all] == ["left", "right", "mine", "left 2"]
    path.write_text(path.read_text().replace('name="left"', 'name="mine"'))
    read_again()
    assert [(key.name, key.origin) for key in keyframes.all] == [("mine", 0), ("right", 1), ("mine 2", None), ("left 2", None)]
    path.write_text(path.read_text().replace("</keyframe>", '<key name="left 2"/></keyframe>'))
    read_again()  # which the file has by now
    assert [key.name for key in keyframes.all] == ["mine", "right", "left 2", "mine 2"]
    assert keyframes.waiting == 1
    open_and_wait(qtbot, session, path)
    assert keyframes.waiting == 0
