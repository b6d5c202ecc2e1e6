"""When another program shows its window, its scene, and that it moves: seen on a virtual screen, as a user sees it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import ImageGrab, features
from pyvirtualdisplay import Display

SCREEN = (1600, 1000)
SMALL = (160, 100)  # the size in which pictures are compared
PATIENCE = 60.0  # [s]
BETWEEN = 0.02  # two looks [s]
COLOURS = 20  # more of them in the middle of the screen are a scene
MOVED = 0.002  # share of the numbers of two pictures that differ where something has moved


class Seen(NamedTuple):
    """Seconds from process start: anything on the screen, a scene, another picture of it."""

    shown: float
    scene: float
    moving: float


def watch_reference(path: Path) -> Seen | None:
    """The reference's own viewer with a model; None where it is not installed, or screens cannot be looked at."""
    return watch([sys.executable, "-m", "mujoco.viewer", f"--mjcf={path}"]) if features.check("xcb") else None


def watch(command: list[str]) -> Seen | None:
    """Run a program on a screen of its own until its scene moves, and end it; None where that does not come."""
    with Display(visible=False, size=SCREEN) as display:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=display.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return _look(process, display.new_display_var, began)
        finally:
            process.terminate()
            process.wait()


def _look(process: subprocess.Popen[bytes], screen: str, began: float) -> Seen | None:
    shown = scene = 0.0
    before: NDArray[np.uint8] | None = None
    while process.poll() is None and (age := time.perf_counter() - began) < PATIENCE:
        picture = np.asarray(ImageGrab.grab(xdisplay=screen).resize(SMALL))
        if picture.any() and not shown:
            shown = age
        middle = picture[20:80, 60:140]
        if before is not None and np.mean(middle != before) > MOVED:
            return Seen(shown, scene, age)
        if before is not None or len(np.unique(middle.reshape(-1, 3), axis=0)) > COLOURS:
            scene, before = scene or age, middle
        time.sleep(BETWEEN)
    return None
