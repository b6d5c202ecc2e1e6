"""The real window with and without its docks: `python -m tests.benchmarks.dock_probe FILE SECONDS` prints JSON.

Phases alternate: all docks closed, all open and each in a window of its own beside the main one, so that every one of them
paints. The view has the same size in both. Gravity leans another way every second, so that nothing comes to rest. Printed
for each, over all its phases: paint intervals of the view [ms] at the median and the 99th percentile, and the simulated time
over wall time.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.probe import end, own_settings
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel

PAIRS = 3  # phases of each kind, one after the other: a slow moment of the machine meets both
SETTLE = 3.0  # wall time after a change that is not counted [s]
VIEW = (960, 640)
SIGNALS = ("ncon", "solver_niter[0]", "energy[kinetic]", "qvel[0]")  # that are plotted while docks are open
CELL = (560, 420)  # of a dock in a window of its own


class Probe:
    """The window, and what it did in each kind of phase."""

    def __init__(self, path: Path) -> None:
        from tumble.app.base.log_relay import LogRelay
        from tumble.app.base.settings import Settings
        from tumble.app.shell import application
        from tumble.app.shell.main_window import MainWindow

        self.app = application.create(sys.argv[:1])
        self.window = MainWindow(Settings(own_settings()), LogRelay())
        self.docks = self.window.docks
        self.window.viewport.setFixedSize(*VIEW)
        self.window.show()
        self.window.open_path(path)
        self.session: Any = self.window.session
        self.painted: list[float] = []
        self.plotted = False
        self.window.viewport.frameSwapped.connect(lambda: self.painted.append(time.perf_counter()))
        while self.session.snapshot is None or self.session.snapshot.time <= 0:
            self.pump(0.01)

    def pump(self, seconds: float) -> None:
        """Let the window live for a while."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.app.processEvents()
            time.sleep(0.001)

    def show_docks(self, wanted: bool) -> None:
        """Close all docks, or float all of them, apart from each other."""
        if wanted and not self.plotted:
            self.plotted = True
            for name in SIGNALS:
                self.window.panels.signals.add(name)
        area = self.window.screen().availableGeometry()
        columns = max(1, (area.width() - 1100) // CELL[0])
        for k, dock in enumerate(self.docks):
            dock.setVisible(wanted)
            if wanted:
                dock.setFloating(True)
                dock.resize(CELL[0] - 10, CELL[1] - 10)
                dock.move(1100 + k % columns * CELL[0], k // columns * CELL[1])

    def phase(self, seconds: float) -> dict[str, Any]:
        """What happens in so much time, from the same state on: how much there is to step depends on who touches whom."""
        self.session.reset()
        self.pump(SETTLE)
        self.painted.clear()
        wall, simulated = time.perf_counter(), self.session.snapshot.time
        for k in range(round(seconds)):
            self.session.send(SetModel(Change("opt_gravity", None, (3.0 * (-1) ** k, 0.0, -9.81))))
            self.pump(1.0)
        rate = (self.session.snapshot.time - simulated) / (time.perf_counter() - wall)
        return {"rate": rate, "intervals": np.diff(self.painted) * 1e3}


def main(path: Path, seconds: float) -> None:
    probe = Probe(path)
    found: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for _ in range(PAIRS):
        for wanted in (False, True):
            probe.show_docks(wanted)
            found[wanted].append(probe.phase(seconds))
    result = {}
    for wanted, name in ((False, "closed"), (True, "open")):
        intervals = np.concatenate([part["intervals"] for part in found[wanted]])
        result |= {f"{name}_p50": float(np.percentile(intervals, 50)), f"{name}_p99": float(np.percentile(intervals, 99)),
                   f"{name}_rate": float(np.mean([part["rate"] for part in found[wanted]]))}  # fmt: skip
    result["docks"] = len(probe.docks)
    result["unpainted"] = sum(not dock.isVisible() or dock.visibleRegion().isEmpty() for dock in probe.docks)
    end(probe.window)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
