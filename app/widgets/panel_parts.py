"""Parts of a panel by the texts that it shows: pages, buttons, choices, labels, columns."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTabBar, QTableView, QTreeView, QWidget

from tumble.app.look.actions import plain

_ACROSS = Qt.Orientation.Horizontal


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
