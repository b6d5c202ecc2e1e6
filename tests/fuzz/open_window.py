"""How a window takes what it reads at a start and what other programs say to it: a whole window, on a screen that shows nothing.

An exception in what Qt calls ends a program like an uncaught one: it is caught here, and raised when the window is closed.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from PyQt6.QtCore import QCoreApplication, QEvent
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication

from tests.app.pump import HandPumped
from tests.fuzz.asset_seeds import Files
from tests.fuzz.open_files import Unclear, only
from tests.fuzz.seed_files import archives
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import ALL, Settings
from tumble.app.look import theme
from tumble.app.panels.table import PANELS
from tumble.app.preferences.keys import KeyMap
from tumble.app.remote.commands import BUG, MOST_STEPS, RemoteCommands
from tumble.app.remote.protocol import LineError, Message, decoded, encoded
from tumble.app.shell.application import configure_gl
from tumble.app.shell.main_window import MainWindow

_app: list[QApplication] = []


def _application() -> QApplication:
    """The process's; it is made when the first window is."""
    if not _app:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        configure_gl()
        _app.append(QApplication([]))
        theme.apply(_app[0])
    return _app[0]


@contextlib.contextmanager
def _no_faults() -> Iterator[list[BaseException]]:
    """Collects the exceptions of slots and of event handlers; the first is raised at the end."""
    found: list[BaseException] = []
    kept = sys.excepthook
    sys.excepthook = lambda kind, value, trace: found.append(value)
    try:
        yield found
    finally:
        sys.excepthook = kept
    if found:
        raise found[0]


@contextlib.contextmanager
def _window(folder: Path) -> Iterator[MainWindow]:
    """A window with the settings of a folder, with all of its panels."""
    app = _application()
    with _no_faults():
        window = MainWindow(Settings(folder / "settings.json"), LogRelay(), HandPumped())
        try:
            window.layouts.begin()
            window.show()
            window.panels.open([panel.key for panel in PANELS])
            app.processEvents()
            yield window
            app.processEvents()
        finally:
            window.close_at_once()
            window.cleanup()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


def _open(window: MainWindow, path: Path) -> None:
    """Open a model, and wait until it is there."""
    window.open_path(path)
    while window.session.loads.busy:
        _application().processEvents()


def open_settings(files: Files, folder: Path, seed: int) -> None:
    """A start with a settings file, with all panels, a model, and an end: a value that is wrong counts as missing."""
    store = Settings(only(files, folder))
    for setting in ALL:
        store.get(setting)
    (folder / "arm.zip").write_bytes(archives()["alone"]["arm.zip"])
    with _window(folder) as window:
        window.reopening.begin()
        _open(window, folder / "arm.zip")
        for name in window.layouts.own.names():
            window.layouts.show(name)
        window.layouts.dialog.close()
        window.preferences.dialog.show()


def open_keys(files: Files, folder: Path, seed: int) -> None:
    """A file of keys, as the preferences read it."""
    _application()
    actions = {name: QAction(name) for name in ("play", "reset", "step", "open")}
    store = Settings(folder / "kept.json")
    keys = KeyMap(actions, store)
    keys.from_text(only(files, folder).read_text("utf-8"))
    KeyMap(actions, store)


_shown: list[tuple[MainWindow, RemoteCommands]] = []


def open_messages(files: Files, folder: Path, seed: int) -> None:
    """What other programs say to a window, line by line: each is answered, and refused for a reason."""
    app = _application()
    if not _shown:
        home = Path(os.environ["HOME"])
        (home / "arm.zip").write_bytes(archives()["alone"]["arm.zip"])
        window = MainWindow(Settings(home / "settings.json"), LogRelay(), HandPumped())
        _open(window, home / "arm.zip")
        _shown.append((window, RemoteCommands(window, window.session, window.viewport, window)))
    _, commands = _shown[0]
    with _no_faults():
        answers: list[Message] = []
        for line in files["lines.txt"].split(b"\n")[:-1]:
            message = decoded(line)
            if message.get("do") == "step" and isinstance(message.get("steps"), int) and 1000 < message["steps"] <= MOST_STEPS:
                continue  # valid, and long
            if message.get("do") == "quit":
                continue
            commands.obey(message, answers.append)
            app.processEvents()
        for answer in answers:
            encoded(answer)
    for answer in answers:
        if not answer["ok"] and str(answer.get("error", "")).startswith(BUG):
            raise AssertionError(answer["error"])
        if not answer["ok"] and len(str(answer.get("error", ""))) < 8:
            raise Unclear(f"a message is refused by {answer}")
    if answers and not any(answer["ok"] for answer in answers):
        raise LineError(str(answers[-1]["error"]))


