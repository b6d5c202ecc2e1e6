"""Parts of a panel by the texts that it shows: pages, buttons, choices, labels, columns."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QTableView,
    QTabWidget,
    QToolButton,
    QTreeView,
    QWidget,
)

from tumble.app.look.actions import plain

_ACROSS = Qt.Orientation.Horizontal


def show_part(panel: QWidget, part: str) -> None:
    """Turn to a page of a panel, show what a choice of views names, or choose the field or button of that text for the keyboard.

    The page that it is on is turned to, and scrolled to it; of a label, the field after it is chosen. A choice that acts only
    when the user makes it, as one that edits the model, stays.
    """
    for widget, text in texts(panel):
        if text != part:
            continue
        _bring_in_sight(widget, panel)
        if isinstance(widget, QTabBar):
            widget.setCurrentIndex(next(i for i in range(widget.count()) if widget.tabText(i) == text))
            return
        if isinstance(widget, QComboBox) and not widget.receivers(widget.activated):
            widget.setCurrentIndex(widget.findText(text))
        (_field_after(widget) if isinstance(widget, QLabel) else widget).setFocus()
        return


def _bring_in_sight(widget: QWidget, panel: QWidget) -> None:
    """Turn to the pages that a widget is on, and scroll to it."""
    above = widget.parentWidget()
    while above is not None and above is not panel:
        if isinstance(above, QTabWidget):
            for index in range(above.count()):
                page = above.widget(index)
                if page is not None and page.isAncestorOf(widget):
                    above.setCurrentIndex(index)
        elif isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()


def _field_after(label: QLabel) -> QWidget:
    """The field that a label stands before: the next in its row for the keyboard, else the label itself."""
    row, field = label.parentWidget(), label.nextInFocusChain()
    while row is not None and field is not None and field is not label and row.isAncestorOf(field):
        if field.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(field, QToolButton):  # that takes the field back
            return field
        field = field.nextInFocusChain()
    return label


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
