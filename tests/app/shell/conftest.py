"""Pictures of the screen for the documents: kept where TUMBLE_TOUR names a folder (see test_tour.py and test_readme.py)."""

import os
from pathlib import Path

import pytest
from PyQt6.QtGui import QGuiApplication


@pytest.fixture
def keep_picture(qtbot):
    """Saves what the screen shows under a name, if pictures are wanted."""
    folder = os.environ.get("TUMBLE_TOUR")

    def keep(name):
        if folder:
            qtbot.wait(2500)  # until the view has its full quality
            screen = QGuiApplication.primaryScreen()
            assert screen.grabWindow(0).save(str(Path(folder) / f"{name}.png"))

    return keep
