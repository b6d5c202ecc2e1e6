"""The real window, reloaded and rearranged: `python -m tests.benchmarks.reload_probe FOLDER TIMES` prints what it holds as JSON.

TIMES reloads of a model of the folder, every tenth in turn with another file of it, then as many moves of docks: to other sides,
into windows of their own, to each other's tabs. Before both, so many that everything has been made that is made once, and
that what is kept for a while (the past, the pictures of earlier models) is as much as it ever is. Printed: for each kind, at the
beginning, in the middle and at the end, after a rest, with the same docks in the same places: memory that malloc has given out
and that is resident [MB], and the number of OpenGL objects of each type.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import Qt

from tests.app.memory import resident
from tests.benchmarks.probe import own_settings
from tests.soak.census import MB, OpenGl, given_out

WARM = 200
REST = 1.5  # wall time for what is done in the background to end, before it is counted [s]
PLACES = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
    Qt.DockWidgetArea.TopDockWidgetArea,
)


class Reloads:
    """The window, and what is done with it."""

    def __init__(self, folder: Path) -> None:
        from tumble.app.base.log_relay import LogRelay
        from tumble.app.base.settings import Settings
        from tumble.app.shell import application
        from tumble.app.shell.main_window import MainWindow

        self.app = application.create(sys.argv[:1])
        self.window = MainWindow(Settings(own_settings()), LogRelay())
        self.window.resize(1280, 800)
        self.window.show()
        self.files = sorted(folder.glob("*.xml"))
        self.drawn = 0
        self.window.viewport.frameSwapped.connect(self._painted)
        self.gl: OpenGl | None = None
        self.open(0)

    def _painted(self) -> None:
        self.drawn += 1

    def until(self, done: Callable[[], bool], seconds: float = 60.0) -> None:
        """Let the window live until something is so."""
        end = time.perf_counter() + seconds
        while not done():
            if time.perf_counter() > end:
                raise TimeoutError("the window does not go on")
            self.app.processEvents()
            time.sleep(0.001)

    def rest(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        self.until(lambda: time.perf_counter() > end)

    def open(self, number: int) -> None:
        """Reload, or open the next of the files; then two pictures."""
        session = self.window.session
        before = session.model
        if number % 10 == 0:
            self.window.open_path(self.files[number // 10 % len(self.files)])
        else:
            self.window.reload()
        self.until(lambda: session.model is not before and session.snapshot is not None)
        drawn = self.drawn
        self.until(lambda: self.drawn >= drawn + 2)

    def move(self, number: int) -> None:
        """Move a dock to another place; then two pictures."""
        docks = self.window.docks
        dock, kind = docks[number % len(docks)], number % (len(PLACES) + 2)
        dock.setVisible(True)
        if kind < len(PLACES):
            dock.setFloating(False)
            self.window.addDockWidget(PLACES[kind], dock)
        elif kind == len(PLACES):
            dock.setFloating(True)
        else:
            self.window.tabifyDockWidget(docks[(number + 7) % len(docks)], dock)
            dock.setVisible(number % 2 == 0)
        drawn = self.drawn
        self.window.viewport.update()
        self.until(lambda: self.drawn >= drawn + 2)

    def census(self) -> dict[str, float]:
        """What is held, with the first file shown and the docks where they are at first."""
        self.window.layouts.reset()
        self.window.open_path(self.files[0])
        self.rest(REST)
        self.gl = self.gl or OpenGl(self.window.viewport)
        return {"resident": resident() / MB, "malloc": given_out() / MB, **self.gl.count()}


def main(folder: Path, times: int) -> None:
    reloads = Reloads(folder)
    found: dict[str, list[dict[str, float]]] = {}
    for name, act in (("reloads", reloads.open), ("moves", reloads.move)):
        for number in range(WARM):
            act(number)
        counts = [reloads.census()]
        for half in (range(times // 2), range(times // 2, times)):
            for number in half:
                act(number)
            counts.append(reloads.census())
        found[name] = counts
    reloads.window.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), round(float(sys.argv[2])))
