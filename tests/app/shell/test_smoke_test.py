"""The test of an installation sees what is wrong with it. That it passes where all is well, `make package` shows."""

import json
import logging

from tumble.app.shell.smoke_test import REPORT, SmokeTest


def test_a_scene_that_does_not_load_fails_it_at_once(window, qtbot, tmp_path):
    test = SmokeTest(window, tmp_path)
    test.start()
    with qtbot.waitSignal(test.ended) as ended:
        window.open_path(tmp_path / "missing.xml")
    assert ended.args == [1]
    assert "missing.xml" in json.loads((tmp_path / REPORT).read_text())["failure"]


def test_an_error_that_the_window_survives_fails_it_all_the_same(window, qtbot, tmp_path):
    test = SmokeTest(window, tmp_path)
    test.start()
    with qtbot.waitSignal(test.ended) as ended:
        logging.getLogger("tumble.app").error("something broke")
    assert ended.args == [1]
    assert json.loads((tmp_path / REPORT).read_text())["failure"] == "something broke"
