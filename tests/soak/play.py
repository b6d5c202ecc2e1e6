"""The process of the window that is played, started by `python -m tests.soak` with a folder, folders of models and a plan."""

import ast
import gc
import json
import logging
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random

from PyQt6 import sip

from tests.soak.moves import MOVES
from tests.soak.moves.panels import keep_small
from tests.soak.place import MODELS, Place
from tests.soak.player import Plan, Player
from tests.soak.scenes import SCENES
from tests.soak.shelf import Shelf
from tumble import ROOT
from tumble.app.base import settings
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.shell import application
from tumble.app.shell.main_window import MainWindow
from tumble.physics.base.system import keep_heap_small

# Imported by compilers and workers, never by the window.
_ELSEWHERE = ("numba", "llvmlite", "distributed", "dask", "tumble.physics", "tumble.app.cli")


def import_all() -> None:
    """Import what the program imports once it is needed: it stays, and would count as growth when that is after the warm-up."""
    names: set[str] = set()
    for package in ("app", "physics", "render"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Import):
                    names |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module)
    for name in sorted(name for name in names if not name.startswith(_ELSEWHERE)):
        with suppress(ImportError):  # of other systems, and of extras
            import_module(name)


def main() -> int:
    """As the program does it, with a player in the window's thread."""
    import_all()
    folder, corpus, plan = json.loads(sys.argv[1])
    place, plan = Place(Path(folder)), Plan(**plan)
    shelf = Shelf(place[MODELS], [Path(name) for name in corpus], Random(plan.seed), SCENES[plan.scene])
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.WARNING)
    logging.basicConfig(format="%(levelname)s: %(message)s", handlers=[terminal])
    logging.getLogger("tumble.app").setLevel(logging.INFO)
    gc.disable()
    keep_heap_small()
    app = application.create(sys.argv[:1])
    relay = LogRelay()
    logging.getLogger().addHandler(relay)
    catcher = application.ErrorCatcher(app)
    catcher.install()
    store = Settings()
    store.put(settings.HISTORY_MEMORY, 16)
    store.put(settings.FIRST_SENTENCE, False)
    window = MainWindow(store, relay)
    catcher.desk = window.safety.desk
    window.resize(1000, 650)
    window.show()
    window.safety.recovery.catch_faults()
    window.open_path(shelf.rest)
    window.safety.look_for_left()
    player = Player(window, place, shelf, MOVES, plan)
    keep_small(player)
    player.ended.connect(window.close_at_once)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: player.stop())
    player.start()
    gc.freeze()
    gc.enable()
    code = app.exec()
    ended = window.cleanup()
    sip.delete(window)
    return code if ended else 1


if __name__ == "__main__":
    sys.exit(main())
