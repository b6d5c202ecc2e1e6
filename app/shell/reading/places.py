"""Places in the window by the names that docs give them: `Window, Balance, Energy`, `View, Measure, Measure bodies`, examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble.app.library.examples import EXAMPLES, STUDIES
from tumble.app.look.actions import plain
from tumble.app.palette.entries import PATH, in_menus
from tumble.app.widgets.layout import present

if TYPE_CHECKING:
    from pathlib import Path

    from PyQt6.QtGui import QAction
    from PyQt6.QtWidgets import QMainWindow

    from tumble.app.widgets.dock import Dock


class MenuPlace(Struct, frozen=True):
    """A menu entry. dock: of a panel, else None; part: the rest of the name, a text in the panel; "": the panel as a whole."""

    action: QAction
    dock: Dock | None = None
    part: str = ""


class Places:
    """The places of a window. open_path: opens a model or a study."""

    def __init__(self, window: QMainWindow, docks: list[Dock], open_path: Callable[[Path], object]) -> None:
        self._window, self._docks, self._open = window, docks, open_path
        self._files = {example.title: example.path for example in (*EXAMPLES, *STUDIES)}

    def knows(self, name: str) -> bool:
        """True if the window has a place or an example of that name."""
        return name in self._files or self.find(name) is not None

    def is_example(self, name: str) -> bool:
        """True if it is the title of an example."""
        return name in self._files

    def find(self, name: str) -> MenuPlace | None:
        """The place of a name; None if the menus have none."""
        actions = self._actions()
        docks = {dock.toggleViewAction(): dock for dock in self._docks}
        parts = name.split(", ")
        for length in range(len(parts), 1, -1):
            action = actions.get(", ".join(parts[:length]))
            dock = docks.get(action) if action is not None else None
            part = ", ".join(parts[length:])
            if action is not None and (dock is not None or not part):
                return MenuPlace(action, dock, part)
        return None

    def go(self, name: str) -> None:
        """Open an example, bring a panel and its page, or run a menu entry."""
        if name in self._files:
            self._open(self._files[name])
            return
        place = self.find(name)
        if place is None:
            return
        if place.dock is None:
            place.action.trigger()
            return
        place.dock.bring(place.part)

    def _actions(self) -> dict[str, QAction]:
        paths = in_menus(present(self._window.menuBar()))
        return {", ".join([*path.split(PATH), plain(action.text())]): action for path, action in paths}
