"""Pictures of the window in every layout, of some models, in several sizes, in both themes, to be looked at.

`python -m tests.pictures FOLDER`, on a screen at least as large as the largest size: `xvfb-run -s "-screen 0 2600x1500x24"`.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QEventLoop, QPoint, QTimer
from PyQt6.QtGui import QPixmap

from tumble.app.base import settings
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.shell import application
from tumble.app.shell.main_window import MainWindow

MODELS = ("double_pendulum", "figure", "arm", "dominoes")
SIZES = ((1280, 800), (1600, 1000), (2560, 1440))
LAYOUTS = ("default", "layout_simulate", "layout_contact", "layout_solver", "layout_film", "folded")
EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "models"
SETTLING = 0.4  # a layout that has not changed for so long has come to rest [s]
LOADING = 240.0  # the most that a model may take [s]


def main() -> int:
    """Save the pictures; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--sizes", nargs="+", default=[f"{w}x{h}" for w, h in SIZES])
    parser.add_argument("--layouts", nargs="+", default=LAYOUTS)
    parser.add_argument("--themes", nargs="+", default=("dark", "light"))
    parser.add_argument("--scale", type=float, default=1.0, help="of the fonts")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    running = application.create(sys.argv[:1])
    with tempfile.TemporaryDirectory() as kept:
        store = Settings(Path(kept) / "settings.json")
        store.put(settings.FIRST_SENTENCE, False)
        store.put(settings.FONT_SCALE, wanted.scale)
        window = MainWindow(store, LogRelay())
        window.move(QPoint(0, 0))
        window.show()
        for model in wanted.models:
            _open(window, EXAMPLES / f"{model}.xml")
            for size in wanted.sizes:
                window.resize(*map(int, size.split("x")))
                for theme in wanted.themes:
                    window.looks.choose(theme)
                    for layout in wanted.layouts:
                        _arrange(window, layout)
                        _picture(window).save(str(wanted.folder / f"{model}-{size}-{theme}-{layout}.png"))
        window.cleanup()
        running.processEvents()
    return 0


def _open(window: MainWindow, path: Path) -> None:
    """Open a model, and let it run for a second."""
    loaded: list[bool] = []
    window.session.model_loaded.connect(lambda: loaded.append(True))
    window.open_path(path)
    _until(lambda: bool(loaded), LOADING)
    window.session.set_paused(False)
    _wait(1.0)
    window.session.set_paused(True)


def _arrange(window: MainWindow, layout: str) -> None:
    """Show one of LAYOUTS; folded: the contacts' layout with its bottom folded."""
    if layout == "default":
        window.layouts.reset()
        return
    window.actions_by_name["layout_contact" if layout == "folded" else layout].trigger()
    if layout == "folded":
        _rest(window)
        window.actions_by_name["fold_bottom"].trigger()


def _picture(window: MainWindow) -> QPixmap:
    """The window as the screen shows it, with what is painted over the view."""
    _rest(window)
    window.viewport.update()
    _wait(0.1)
    screen = window.screen()
    assert screen is not None
    return screen.grabWindow(window.winId())  # type: ignore[arg-type]


def _rest(window: MainWindow) -> None:
    """Wait until the docks no longer move, which takes long on a computer that is busy."""
    _wait(SETTLING)
    before = None
    while (now := [dock.geometry() for dock in window.docks if dock.isVisible()]) != before:
        before = now
        _wait(SETTLING)


def _wait(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def _until(met: Callable[[], bool], most: float) -> None:
    end = time.monotonic() + most
    while not met():
        if time.monotonic() > end:
            raise TimeoutError("the window did not do in time what it was asked")
        _wait(0.05)


if __name__ == "__main__":
    sys.exit(main())
