"""Applies another theme or font size to existing widgets.

Widgets that paint themselves read the theme each time. Stored colours, icons and fonts are updated here: style sheets of
single widgets, rich text, rows of tables, icons, plots. Stored colours of the theme are recognized by their value, which no
other theme has (`theme.shown`); all others (of models, of users) stay as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QBrush, QColor, QFont, QIcon
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from tumble.app.look import theme

_ROLES = (Qt.ItemDataRole.ForegroundRole, Qt.ItemDataRole.BackgroundRole)


class _Single:
    """An item of a table or a list, with the interface of a tree's item, which has columns."""

    def __init__(self, item: QTableWidgetItem | QListWidgetItem) -> None:
        self._item = item

    def data(self, column: int, role: int) -> object:
        return self._item.data(role)

    def setData(self, column: int, role: int, value: object) -> None:
        self._item.setData(role, value)

    def icon(self, column: int) -> QIcon:
        return self._item.icon()

    def setIcon(self, column: int, icon: QIcon) -> None:
        self._item.setIcon(icon)


Cell = QTreeWidgetItem | _Single


def follow(app: QApplication, name: str, size: float) -> None:
    """Show another theme and size of fonts: all windows, with all that is in them."""
    grown = size / theme.scale()
    widgets = app.allWidgets()
    # Taken before: a style sheet that is replaced gives widgets back the fonts they had when it came.
    fonts = [theme.grown_font(w.font(), grown) if w.testAttribute(Qt.WidgetAttribute.WA_SetFont) else None for w in widgets]
    theme.apply(app, name, size)
    for widget, font in zip(widgets, fonts, strict=True):
        if font is not None:
            widget.setFont(font)
        relook(widget, grown)
        widget.update()


def relook(widget: QWidget, grown: float) -> None:
    """Update the stored colours and fonts of a widget; grown: ratio of new to old font size."""
    if widget.styleSheet() and (changed := theme.text_now(widget.styleSheet())) != widget.styleSheet():
        widget.setStyleSheet(changed)
    if isinstance(widget, QLabel) and "#" in widget.text():
        widget.setText(theme.text_now(widget.text()))
    _icons(widget)
    if isinstance(widget, QAbstractSpinBox) and (line := widget.lineEdit()) is not None:
        line.setFont(widget.font())  # Qt leaves it as it was under the style sheet before
    if isinstance(widget, QTreeWidget | QTableWidget | QListWidget):
        _rows(widget, grown)
    if isinstance(widget, QHeaderView):
        grow_header(widget, grown)
    plots = sys.modules.get("pyqtgraph")
    if plots is not None and isinstance(widget, plots.GraphicsView):
        from tumble.app.look.plot_looks import relook_plot  # pyqtgraph is imported already

        relook_plot(widget, grown)


def grow_header(header: QHeaderView, grown: float) -> None:
    """Scale header sections of fixed size by a factor: columns, and rows of a fixed height."""
    own = (QHeaderView.ResizeMode.Fixed, QHeaderView.ResizeMode.Interactive)
    if grown == 1.0:
        return
    if header.orientation() == Qt.Orientation.Vertical:
        header.setDefaultSectionSize(round(header.defaultSectionSize() * grown))
        return
    for k in range(header.count()):
        last = k == header.count() - 1 and header.stretchLastSection()
        if header.sectionResizeMode(k) in own and not header.isSectionHidden(k) and not last:
            header.resizeSection(k, round(header.sectionSize(k) * grown))


def _icons(widget: QWidget) -> None:
    holders: list[QAbstractButton | QAction] = [*widget.actions()]
    if isinstance(widget, QAbstractButton):
        holders.append(widget)
    for holder in holders:
        now = theme.icon_now(holder.icon())
        if now is not None:
            holder.setIcon(now)
    if isinstance(widget, QTabWidget):
        for k in range(widget.count()):
            now = theme.icon_now(widget.tabIcon(k))
            if now is not None:
                widget.setTabIcon(k, now)


def _rows(table: QTreeWidget | QTableWidget | QListWidget, grown: float) -> None:
    """Colours, fonts and icons of rows; without change signals."""
    blocked = table.blockSignals(True)
    for item, column in _cells(table):
        _cell(item, column, grown)
    table.blockSignals(blocked)


def _cells(table: QTreeWidget | QTableWidget | QListWidget) -> Iterator[tuple[Cell, int]]:
    if isinstance(table, QTreeWidget):
        walk = QTreeWidgetItemIterator(table)
        nodes = [table.headerItem()]
        while (node := walk.value()) is not None:
            nodes.append(node)
            walk += 1
        yield from ((node, k) for node in nodes if node is not None for k in range(table.columnCount()))
        return
    if isinstance(table, QTableWidget):
        items = [table.item(row, column) for row in range(table.rowCount()) for column in range(table.columnCount())]
        yield from ((_Single(item), 0) for item in items if item is not None)
    else:
        entries = [table.item(row) for row in range(table.count())]
        yield from ((_Single(entry), 0) for entry in entries if entry is not None)


def _cell(item: Cell, column: int, grown: float) -> None:
    for role in _ROLES:
        kept = item.data(column, role)
        if isinstance(kept, QBrush):
            item.setData(column, role, theme.brush_now(kept))
        elif isinstance(kept, QColor):
            item.setData(column, role, theme.colour_now(kept))
    font = item.data(column, Qt.ItemDataRole.FontRole)
    if isinstance(font, QFont):
        item.setData(column, Qt.ItemDataRole.FontRole, theme.grown_font(font, grown))
    icon = theme.icon_now(item.icon(column))
    if icon is not None:
        item.setIcon(column, icon)
