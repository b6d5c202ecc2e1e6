"""When a program shows its window, its scene, and that it moves: seen on a virtual screen, as a user sees it.

The screen of Xvfb is a file in memory here: looking at it costs the program and the X server nothing.
"""

import os
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
VIEW = np.s_[150 // SPARSE : 620 // SPARSE, 300 // SPARSE : 780 // SPARSE]  # lies in the 3D view of both programs
COLOURS = 150  # more of them in the view are a model; a sky alone, or a text on an empty view, has about a hundred at most
MOVED = 0.002  # share of the numbers of two pictures that differ where something has moved
# Words of 32 bits in the head of an X window dump, which Xvfb's file is.
HEAD_SIZE, LINE_SIZE, COLOUR_COUNT = 0, 12, 19
COLOUR_SIZE = 12  # bytes of an entry of the colour map, which precedes the pixels


class Seen(NamedTuple):
    """Seconds from process start: anything on the screen, a scene, another picture of it; and of the processor until then.

    What else the machine does changes the processor's time little.
    """

    shown: float
    scene: float
    moving: float
    shown_cpu: float
    scene_cpu: float
    moving_cpu: float


def reference(path: Path) -> list[str]:
    """The command of the reference's own viewer with a model."""
    return [sys.executable, "-m", "mujoco.viewer", f"--mjcf={path}"]


def ours(path: Path) -> list[str]:
    """The command of this program with a model."""
    return [sys.executable, "-m", "tumble", str(path)]


def watch(command: Sequence[str], kernels: Path) -> Seen | None:
    """Run a program on a screen of its own until its scene moves, and end it; None where that does not come.

    kernels: folder of its cache, kept from start to start; its home is empty, so that nothing is recovered of a start before.
    """
    with tempfile.TemporaryDirectory() as folder, Display(backend="xvfb", size=SCREEN, fbdir=folder) as display:
        screen = _pixels(Path(folder) / "Xvfb_screen0")
        environment = display.env() | {"HOME": folder, "XDG_CONFIG_HOME": folder, "TUMBLE_CACHE": str(kernels)}
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
    view = screen[VIEW]
    shown = scene = 0.0, 0.0
    before: NDArray[np.uint8] | None = None
    while process.poll() is None and (age := time.perf_counter() - began) < PATIENCE:
        if not shown[0] and screen.any():
            shown = age, _worked(process)
        picture = view.copy()
        if before is not None and np.mean(picture != before) > MOVED:
            moving = age, _worked(process)
            return Seen(*(age for age, _ in (shown, scene, moving)), *(worked for _, worked in (shown, scene, moving)))
        if before is None and len(np.unique(picture.reshape(-1, 3), axis=0)) > COLOURS:
            scene, before = (age, _worked(process)), picture
        time.sleep(BETWEEN)
    return None


def _worked(process: subprocess.Popen[bytes]) -> float:
    """Processor time that a process has taken so far, all threads [s]."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
