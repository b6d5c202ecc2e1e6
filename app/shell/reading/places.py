"""Places in the window by the names that docs give them: `Window, Balance, Energy`, `View, Measure, Measure bodies`, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTabBar, QTableView, QTreeView, QWidget

from tumble.app.library.examples import EXAMPLES, STUDIES
from tumble.app.look.actions import plain
from tumble.app.palette.entries import PATH, in_menus
from tumble.app.widgets.layout import present

if TYPE_CHECKING:
    from pathlib import Path

    from PyQt6.QtGui import QAction
    from PyQt6.QtWidgets import QMainWindow

    from tumble.app.widgets.dock import Dock

_ACROSS = Qt.Orientation.Horizontal


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
        place.dock.bring()
        QTimer.singleShot(0, partial(show_part, place.dock, place.part))  # a panel is made when it is first visible

    def _actions(self) -> dict[str, QAction]:
        paths = in_menus(present(self._window.menuBar()))
        return {", ".join([*path.split(PATH), plain(action.text())]): action for path, action in paths}


def show_part(panel: QWidget, part: str) -> None:
    """Turn to a page of a panel, or choose the field or button of that text for the keyboard."""
    for widget, text in texts(panel):
        if text != part:
            continue
        if isinstance(widget, QTabBar):
            widget.setCurrentIndex(next(i for i in range(widget.count()) if widget.tabText(i) == text))
        else:
            widget.setFocus()
        return


def texts(panel: QWidget) -> Iterator[tuple[QWidget, str]]:
    """The texts that a panel shows by its pages, buttons, choices, labels and columns, and the widget of each."""
    for widget in panel.findChildren(QWidget):
        if isinstance(widget, QTabBar):
            yield from ((widget, widget.tabText(i)) for i in range(widget.count()))
        elif isinstance(widget, QAbstractButton):
            yield widget, plain(widget.text())
        elif isinstance(widget, QComboBox):
            yield from ((widget, widget.itemText(i)) for i in range(widget.count()))
        elif isinstance(widget, QLabel):
            yield widget, widget.text().partition("  <")[0]  # a unit follows, in another colour
        elif isinstance(widget, QTableView | QTreeView) and (header := widget.model()) is not None:
            for column in range(header.columnCount()):
                yield widget, str(header.headerData(column, _ACROSS) or "")
