"""The menu bar."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QLabel, QMenu, QMenuBar, QWidgetAction

from tumble.app.library import archive as archives
from tumble.app.library.examples import EXAMPLES, STUDIES
from tumble.app.look import actions as declared
from tumble.app.widgets.dock import Dock
from tumble.physics.base.files import home

FillMenu = Callable[[QMenu, dict[str, QAction]], None]

# Roles of entries in the menu of macOS. Without them Qt guesses by the first word, and takes the panel Options for preferences.
_ROLES = {
    "about": QAction.MenuRole.AboutRole,
    "preferences": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}


def fill(
    bar: QMenuBar,
    actions: dict[str, QAction],
    docks: Mapping[str, list[Dock]],
    open_path: Callable[[Path], None],
    cameras: QMenu,
    views: QMenu,
    fill_layouts: FillMenu,
) -> QMenu:
    """Fill the bar; returns the menu of recent files, which the window keeps up to date.

    docks: by the group below which they stand; fill_layouts: fills the menu of layouts.
    """

    def of(specs: Iterable[declared.ActionSpec]) -> list[QAction]:
        return [actions[spec.name] for spec in specs]

    file = _menu(bar, "&File", [actions["open"], actions["library"]])
    recent = _menu(file, "Open r&ecent")
    examples = _menu(file, "E&xamples")
    studies = _menu(file, "Example s&tudies")
    for menu, listed in ((examples, EXAMPLES), (studies, STUDIES)):
        for example in listed:
            entry = QAction(example.title, menu)
            entry.triggered.connect(lambda checked, path=example.path: open_path(path))
            menu.addAction(entry)
    file.addActions([actions["reload"], actions["reload_on_save"]])
    file.addSeparator()
    file.addActions([actions["new_controller"], actions["open_controller"]])
    file.addSeparator()
    file.addActions([actions[name] for name in ("save_model", "save_replay", "record", "export", "screenshot")])
    file.addSeparator()
    _menu(file, "Ot&her formats", [actions[name] for name in declared.EXPORTS])
    file.addAction(actions["quit"])

    edit = _menu(bar, "&Edit", of(declared.EDIT))
    simulation = _menu(bar, "&Simulation", of(declared.SIMULATION))

    view = _menu(bar, "&View", of(declared.CAMERA))
    view.addMenu(cameras)
    view.addMenu(views)
    view.addSeparator()
    view.addActions(of(declared.POSING))
    _menu(view, "Meas&ure", of(declared.MEASURING))
    view.addSeparator()
    of_flexes = tuple(spec for spec in declared.VISUALIZATION if spec.name.startswith("flex_"))
    visible = tuple(spec for spec in declared.VISUALIZATION if spec not in of_flexes)
    switches = {"&Visualization": (*visible, declared.TREE_DEPTH), "Soft &bodies": (*of_flexes, declared.FLEX_LAYER),
                "&Rendering": (*declared.RENDERING, *declared.CONTACTS, *declared.ARROWS)}  # fmt: skip
    for title, specs in switches.items():
        _menu(view, title, of(specs))
    groups = _menu(view, "&Groups")
    for kind in ("geom", "site", *declared.MORE_GROUPS):
        _menu(groups, f"{kind.capitalize()}s", of(spec for spec in declared.GROUPS if spec.name.startswith(f"{kind}_")))
    for title, cycle, kinds in (("&Labels", "labels", declared.LABEL_KINDS), ("F&rames", "frames", declared.FRAME_KINDS)):
        sub = _menu(view, title, [actions[cycle], *of(kinds)])
        sub.insertSeparator(sub.actions()[1])
    motion = _menu(view, "&Motion", of(declared.MOTION))
    motion.insertSeparator(actions["past_ghosts"])
    view.addSeparator()
    looks = _menu(view, "Theme and te&xt", [actions[f"theme_{name}"] for name in ("system", "dark", "light")])
    looks.addSeparator()
    looks.addActions([actions[name] for name in ("larger_text", "smaller_text", "normal_text")])

    tools = _menu(bar, "&Tools", of(declared.TOOLS))

    window = _menu(bar, "&Window")
    window.setSeparatorsCollapsible(False)  # the first heading would be one
    for title, members in docks.items():
        window.addAction(_heading(title, window))
        window.addActions([toggle for dock in members if (toggle := dock.toggleViewAction()) is not None])
    window.addSeparator()
    fill_layouts(_menu(window, "La&yout"), actions)
    window.addActions(of(spec for spec in declared.WINDOW if spec.name != "reset_layout"))

    about = _menu(bar, "&Help", of(declared.HELP))
    for menu in (file, edit, simulation, view, tools, window, about):
        for action in menu.actions():
            action.setMenuRole(_ROLES.get(action.objectName(), QAction.MenuRole.NoRole))
    return recent


def _heading(title: str, menu: QMenu) -> QAction:
    """The name of the entries below it; as a separator, it is passed over by keys. The style sheet draws no text of sections."""
    label = QLabel(title)
    label.setObjectName("heading")
    heading = QWidgetAction(menu)
    heading.setSeparator(True)
    heading.setDefaultWidget(label)
    return heading


def fill_recent(menu: QMenu, paths: list[str], open_path: Callable[[Path], None]) -> None:
    """List the recent files that still exist."""
    menu.clear()
    for name in paths:
        path = Path(name)
        held = archives.on_disk(path)
        if not os.path.isfile(held):
            continue
        entry = QAction(f"{archives.short(path)}    {_shortened(held.parent)}", menu)
        entry.triggered.connect(lambda checked, path=path: open_path(path))
        menu.addAction(entry)
    menu.setEnabled(not menu.isEmpty())


def _shortened(folder: Path) -> str:
    text = str(folder)
    own = str(home())
    text = "~" + text[len(own) :] if text.startswith(own) else text
    return text if len(text) <= 48 else "…" + text[-47:]


def _menu(holder: QMenuBar | QMenu, title: str, actions: Sequence[QAction] = ()) -> QMenu:
    """A new menu in a bar or in another menu."""
    menu = QMenu(title, holder)
    menu.addActions(actions)
    holder.addMenu(menu)
    return menu
