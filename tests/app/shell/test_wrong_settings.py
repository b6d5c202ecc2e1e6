"""The window starts, whatever the settings file has as the value of a key."""

import json

import pytest

from tests.app.conftest import MODELS, open_and_wait, opened_window
from tumble.app.base.settings import ALL
from tumble.app.panels.table import PANELS

pytestmark = pytest.mark.pumped

OTHERS = (-0.5, [1, 2], [[]], {"a": 1}, "text", None, True)


@pytest.mark.parametrize("wrong", [60, *(pytest.param(value, marks=pytest.mark.slow) for value in OTHERS)])
def test_the_window_starts_with_a_wrong_value_in_every_key(qtbot, tmp_path, no_threads_left, worker, wrong):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({setting.key: wrong for setting in ALL}))
    with opened_window(qtbot, tmp_path, worker) as window:
        window.reopening.begin()
        window.panels.open([panel.key for panel in PANELS])
        open_and_wait(qtbot, window.session, MODELS / "arm.xml")
        window.layouts.dialog.close()
        window.preferences.dialog.show()
        window.preferences.dialog.close()
