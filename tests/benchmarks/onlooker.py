"""When a program shows its window, its scene, and that it moves: seen on a virtual screen, as a user sees it.

The screen of Xvfb is a file in memory here: looking at it costs the program and the X server nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyvirtualdisplay import Display

SCREEN = (1600, 1000)
SPARSE = 5  # every so many columns and rows are compared
PATIENCE = 60.0  # [s]
BETWEEN = 0.005  # two looks [s]
PLAIN = 0.5  # share of one colour in the middle of the screen of which there is less in a scene, unlike in an empty view
MOVED = 0.002  # share of the numbers of two pictures that differ where something has moved
# Words of 32 bits in the head of an X window dump, which Xvfb's file is.
HEAD_SIZE, LINE_SIZE, COLOUR_COUNT = 0, 12, 19
COLOUR_SIZE = 12  # bytes of an entry of the colour map, which precedes the pixels


class Seen(NamedTuple):
    """Seconds from process start: anything on the screen, a scene, another picture of it."""

    shown: float
    scene: float
    moving: float


def reference(path: Path) -> list[str]:
    """The command of the reference's own viewer with a model."""
    return [sys.executable, "-m", "mujoco.viewer", f"--mjcf={path}"]


def ours(path: Path) -> list[str]:
    """The command of this program with a model."""
    return [sys.executable, "-m", "app", str(path)]


def watch(command: Sequence[str]) -> Seen | None:
    """Run a program on a screen of its own until its scene moves, and end it; None where that does not come."""
    with tempfile.TemporaryDirectory() as folder, Display(backend="xvfb", size=SCREEN, fbdir=folder) as display:
        screen = _pixels(Path(folder) / "Xvfb_screen0")
        environment = display.env()
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have bytecode from the second start on
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return _look(process, screen, began)
        finally:
            process.terminate()
            process.wait()


def _pixels(dump: Path) -> NDArray[np.uint8]:
    """(rows, columns, 3) of the screen as it is at every moment, sparsely."""
    head = np.fromfile(dump, ">u4", 25)
    offset = int(head[HEAD_SIZE] + COLOUR_SIZE * head[COLOUR_COUNT])
    width, height = SCREEN
    lines = np.memmap(dump, np.uint8, "r", offset, (height, int(head[LINE_SIZE])))
    return lines[:, : 4 * width].reshape(height, width, 4)[::SPARSE, ::SPARSE, :3]


def _look(process: subprocess.Popen[bytes], screen: NDArray[np.uint8], began: float) -> Seen | None:
    height, width, _ = screen.shape
    middle = screen[height // 5 : -height // 5, 3 * width // 8 : -width // 8]
    shown = scene = 0.0
    before: NDArray[np.uint8] | None = None
    while process.poll() is None and (age := time.perf_counter() - began) < PATIENCE:
        if not shown and screen.any():
            shown = age
        picture = middle.copy()
        if before is not None and np.mean(picture != before) > MOVED:
            return Seen(shown, scene, age)
        if before is None and _commonest(picture) < PLAIN:
            scene, before = age, picture
        time.sleep(BETWEEN)
    return None


def _commonest(picture: NDArray[np.uint8]) -> float:
    """The share of the commonest colour."""
    colours = picture.reshape(-1, 3) @ np.array([1, 256, 65536])
    return float(np.unique_counts(colours).counts.max()) / len(colours)
