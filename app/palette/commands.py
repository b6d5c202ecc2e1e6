"""Entries of actions and panels: what the menus have, read from the menus themselves so that nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QMenu, QMenuBar

from tumble.app.look.actions import plain, why_disabled
from tumble.app.palette.entries import EntryKind, PaletteEntry
from tumble.app.widgets.dock import Dock

PATH = " \N{BLACK RIGHT-POINTING SMALL TRIANGLE} "


def in_menus(bar: QMenuBar) -> Iterator[tuple[str, QAction]]:
    """Every action of the menus, at any depth, with the path of its menu."""
    for top in bar.actions():
        menu = top.menu()
        if menu is not None:
            yield from _in_menu(menu, plain(menu.title()))


def _in_menu(menu: QMenu, path: str) -> Iterator[tuple[str, QAction]]:
    menu.aboutToShow.emit()  # some are filled only then
    for action in menu.actions():
        sub = action.menu()
        if sub is not None:
            yield from _in_menu(sub, f"{path}{PATH}{plain(sub.title())}")
        elif not action.isSeparator():
            yield path, action


def commands(bar: QMenuBar, others: Iterable[QAction], docks: Iterable[Dock]) -> list[PaletteEntry]:
    """Entries of all actions, those of no menu too, and of all panels. A panel is opened, in front of its tabs."""
    panels = {dock.toggleViewAction(): dock for dock in docks}
    found: dict[QAction, str] = {}
    for path, action in in_menus(bar):
        found.setdefault(action, path)
    for action in others:
        found.setdefault(action, "")
    return [
        _panel(panels[action], path, action) if action in panels else _action(action, path) for action, path in found.items()
    ]


def keys_of(action: QAction) -> str:
    """The keys of an action as the user reads them."""
    shown = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
    return " or ".join(key for key in shown[:1] if key)


def _panel(dock: Dock, path: str, action: QAction) -> PaletteEntry:
    about = f"Panel{PATH}{path}" if path else "Panel"
    return PaletteEntry(f"panel:{dock.objectName()}", dock.windowTitle(), EntryKind.PANEL, dock.bring, about, keys_of(action))


def _action(action: QAction, path: str) -> PaletteEntry:
    title = plain(action.text())
    about = f"{path}, {'on' if action.isChecked() else 'off'}" if action.isCheckable() else path
    run: Callable[[], object] = partial(action.trigger)
    ident = f"action:{action.objectName() or f'{path}/{title}'}"
    return PaletteEntry(ident, title, EntryKind.ACTION, run, about, keys_of(action), why_disabled(action))
