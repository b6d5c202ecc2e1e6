"""The menu bar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMenu, QMenuBar

from app.library import archive as archives
from app.library.examples import EXAMPLES
from app.look import actions as declared
from app.widgets.dock import Dock


def fill(bar: QMenuBar, actions: dict[str, QAction], docks: list[Dock], open_path: Callable[[Path], None]) -> QMenu:
    """Fill the bar; returns the menu of recent files, which the window keeps up to date."""
    file = _menu(bar, "&File")
    file.addActions([actions["open"], actions["library"]])
    recent = QMenu("Open r&ecent", file)
    file.addMenu(recent)
    examples = QMenu("E&xamples", file)
    for example in EXAMPLES:
        entry = QAction(example.title, examples)
        entry.triggered.connect(lambda checked, path=example.path: open_path(path))
        examples.addAction(entry)
    file.addMenu(examples)
    file.addActions([actions["reload"], actions["reload_on_save"]])
    file.addSeparator()
    file.addAction(actions["open_controller"])
    file.addSeparator()
    file.addActions([actions[name] for name in ("save_model", "save_replay", "record", "export", "screenshot")])
    file.addSeparator()
    file.addAction(actions["quit"])

    edit = _menu(bar, "&Edit")
    edit.addActions([actions[spec.name] for spec in declared.EDIT])

    simulation = _menu(bar, "&Simulation")
    simulation.addActions([actions[spec.name] for spec in declared.SIMULATION])

    view = _menu(bar, "&View")
    view.addActions([actions[spec.name] for spec in declared.CAMERA])
    view.addSeparator()
    switches = {"&Visualization": declared.VISUALIZATION, "&Rendering": declared.RENDERING, "&Groups": declared.GROUPS}
    for title, specs in switches.items():
        sub = QMenu(title, view)
        sub.addActions([actions[spec.name] for spec in specs])
        view.addMenu(sub)
    view.addActions([actions["labels"], actions["frames"]])

    window = _menu(bar, "&Window")
    for dock in docks:
        toggle = dock.toggleViewAction()
        if toggle is not None:
            window.addAction(toggle)
    window.addSeparator()
    window.addActions([actions[spec.name] for spec in declared.WINDOW])

    about = _menu(bar, "&Help")
    about.addActions([actions[spec.name] for spec in declared.HELP])
    return recent


def fill_recent(menu: QMenu, paths: list[str], open_path: Callable[[Path], None]) -> None:
    """List the recent files that still exist."""
    menu.clear()
    for name in paths:
        path = Path(name)
        held = archives.on_disk(path)
        if not held.is_file():
            continue
        entry = QAction(f"{archives.short(path)}    {_shortened(held.parent)}", menu)
        entry.triggered.connect(lambda checked, path=path: open_path(path))
        menu.addAction(entry)
    menu.setEnabled(not menu.isEmpty())


def _shortened(folder: Path) -> str:
    text = str(folder)
    home = str(Path.home())
    text = "~" + text[len(home) :] if text.startswith(home) else text
    return text if len(text) <= 48 else "…" + text[-47:]


def _menu(bar: QMenuBar, title: str) -> QMenu:
    menu = QMenu(title, bar)
    bar.addMenu(menu)
    return menu
