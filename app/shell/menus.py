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

FillMenu = Callable[[QMenu, dict[str, QAction]], None]


def fill(
    bar: QMenuBar, actions: dict[str, QAction], docks: list[Dock], open_path: Callable[[Path], None], fill_layouts: FillMenu
) -> QMenu:
    """Fill the bar; returns the menu of recent files, which the window keeps up to date. fill_layouts: fills that of layouts."""
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
    states = ("copy_state", "paste_state")
    file.addActions([actions[name] for name in ("save_replay", "record", "export", "screenshot", *states)])
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
    view.addSeparator()
    themes = QMenu("The&me", view)
    themes.addActions([actions[f"theme_{name}"] for name in ("system", "dark", "light")])
    view.addMenu(themes)
    view.addActions([actions[name] for name in ("larger_text", "smaller_text", "normal_text")])

    window = _menu(bar, "&Window")
    for dock in docks:
        toggle = dock.toggleViewAction()
        if toggle is not None:
            toggle.triggered.connect(lambda on, dock=dock: dock.raise_() if on else None)  # in front of its tabs
            window.addAction(toggle)
    window.addSeparator()
    layout = QMenu("La&yout", window)
    fill_layouts(layout, actions)
    window.addMenu(layout)
    window.addActions([actions[spec.name] for spec in declared.WINDOW if spec.name != "reset_layout"])

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
