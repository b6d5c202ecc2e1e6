"""The real window in a process of its own: `python -m tests.benchmarks.probe FILE SECONDS` prints what it saw as JSON.

Printed: seconds from process start to each of the phases of a start, up to the first painted frame in which time has advanced
(`first_frame`); the rate over the following SECONDS of wall time, and the resident memory [MB] at their start and end. 0
seconds: only the start is measured.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PyQt6.QtWidgets import QWidget


def process_age() -> float:
    """Wall seconds since this process was started: the interpreter's own start counts too."""
    ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    uptime = time.clock_gettime(time.CLOCK_BOOTTIME)
    return uptime - ticks / os.sysconf("SC_CLK_TCK")


def own_settings() -> Path:
    """A file for the settings of this process: what the user has set neither counts here nor is lost."""
    return Path(tempfile.mkdtemp(prefix="tumble-")) / "settings.json"


def resident() -> float:
    """Resident memory [MB]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def end(window: QWidget) -> None:
    """Close the window and delete it: left to Python, it may outlive the application, and now and then that is a crash."""
    from PyQt6 import sip

    window.close()
    sip.delete(window)


def main(path: Path, seconds: float) -> None:
    ages = {"interpreter": process_age()}
    from tumble.app.base.log_relay import LogRelay
    from tumble.app.base.settings import Settings
    from tumble.app.shell import application
    from tumble.app.shell.main_window import MainWindow

    ages["imports"] = process_age()
    app = application.create(sys.argv[:1])
    ages["qt"] = process_age()
    window = MainWindow(Settings(own_settings()), LogRelay())
    window.resize(1280, 720)
    ages["window"] = process_age()
    session, view = window.session, window.viewport

    def painted() -> None:
        ages.setdefault("shown", process_age())
        if session.shown is not None:  # running, or standing while its kernels are compiled: it was in the picture just painted
            ages.setdefault("scene", process_age())
        if session.snapshot is not None and session.snapshot.time > 0:
            ages.setdefault("first_frame", process_age())

    def pump(until: float) -> None:
        while time.perf_counter() < until:
            app.processEvents()
            time.sleep(0.002)

    view.frameSwapped.connect(painted)
    window.show()
    window.open_path(path)
    while "first_frame" not in ages:
        pump(time.perf_counter() + 0.01)
    result: dict[str, float] = {**ages}
    if seconds > 0:
        pump(time.perf_counter() + min(2.0, seconds))
        before, wall, simulated = resident(), time.perf_counter(), session.snapshot.time
        pump(time.perf_counter() + seconds)
        rate = (session.snapshot.time - simulated) / (time.perf_counter() - wall)
        result |= {"rate": rate, "memory_start": before, "memory_end": resident()}
    end(window)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
