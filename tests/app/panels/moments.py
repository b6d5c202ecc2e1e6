"""Steps of a window whose time stands, its live data, and the colour of a place in the view."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from pytestqt.qtbot import QtBot

from tests.app.conftest import picture
from tests.app.mouse import on_screen
from tests.app.pump import simulation_of
from tumble.app.shell.main_window import MainWindow
from tumble.physics import MjData


def stepped(window: MainWindow, qtbot: QtBot, count: int) -> None:
    """Take so many steps, and wait until the window shows the last."""
    session = window.session
    until = session.snapshot.time + count * session.model.opt.timestep
    session.step(count)
    qtbot.waitUntil(lambda: session.snapshot.time > until - 1e-9)


def live(window: MainWindow) -> MjData:
    """The data that the simulation steps."""
    return simulation_of(window.session).data


def pixel(window: MainWindow, point: ArrayLike) -> np.ndarray:
    """Red, green and blue, 0 to 1, of the view where it shows a point [m]."""
    at, image = on_screen(window.viewport, point), picture(window.viewport)
    ratio = image.width() / window.viewport.width()
    colour = image.pixelColor(round(at.x() * ratio), round(at.y() * ratio))
    return np.array([colour.redF(), colour.greenF(), colour.blueF()])
