"""Pictures of the screen for the documents: kept where TUMBLE_TOUR names a folder (see test_tour.py and test_readme.py)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot


@pytest.fixture
def keep_picture(qtbot: QtBot) -> Callable[[str], None]:
    """Saves what the screen shows under a name, if pictures are wanted."""
    folder = os.environ.get("TUMBLE_TOUR")

    def keep(name: str) -> None:
        if folder:
            qtbot.wait(2500)  # until the view has its full quality
            screen = QGuiApplication.primaryScreen()
            assert screen is not None
            assert screen.grabWindow(0).save(str(Path(folder) / f"{name}.png"))

    return keep
