"""The window starts, whatever the settings file has as the value of a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.app.conftest import MODELS, open_and_wait, opened_window
from tumble.app.base import ini
from tumble.app.base.settings import ALL
from tumble.app.panels.table import PANELS
from tumble.app.simulation.thread import Worker

pytestmark = pytest.mark.pumped

OTHERS = (*map(ini.write, ("-0.5", "[1, 2]", '{"a": 1}', '"text"', "null", "{broken", "@Variant(x)")), "a, b", "@ByteArray(x)")


@pytest.mark.parametrize("written", [ini.write("60"), *(pytest.param(text, marks=pytest.mark.slow) for text in OTHERS)])
def test_the_window_starts_with_a_wrong_value_in_every_key(
    qtbot: QtBot, tmp_path: Path, no_threads_left: None, worker: Worker, written: str
) -> None:
    path = tmp_path / "settings.ini"
    path.write_text(ini.joined({setting.key: written for setting in ALL}))
    with opened_window(qtbot, tmp_path, worker) as window:
        window.reopening.begin()
        window.panels.open([panel.key for panel in PANELS])
        open_and_wait(qtbot, window.session, MODELS / "arm.xml")
        window.layouts.dialog.close()
        window.preferences.dialog.show()
        window.preferences.dialog.close()
        aside = [key for key in ini.split(path.read_text())[0] if key.startswith("set_aside/")]
        assert "set_aside/window/layouts" in aside
        assert "set_aside/view/several" in aside
