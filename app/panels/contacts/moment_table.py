"""A table of numbers that change a few times a second: only what is seen is put into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.describe.contacts import Names
from app.look import theme
from app.panels.contacts.columns import Column, arrange

Role = Qt.ItemDataRole
FIRST_WIDTH, WIDTH = 124, 84  # pixels of the first column, and of others that say nothing else
WIDEST = 300  # of the first column where there is room [px]
ROW_HEIGHT = 22


class MomentModel(QAbstractTableModel):
    """One moment in columns. Rows are arranged here, in numpy: a proxy would ask for each cell in Python."""

    def __init__(self, columns: Sequence[Column], ink: Callable[[Any, int, int], QColor | None]) -> None:
        """ink: the colour of a cell by moment, row and column; None: the usual one."""
        super().__init__()
        self._columns, self._ink = columns, ink
        self._moment: Sized | None = None
        self._names: Names | None = None
        self._found: NDArray[np.bool_] | None = None
        self._sort, self._descending = -1, False
        self.order = np.zeros(0, int)  # the rows of the moment that are shown
        self._fonts = theme.sans(9), theme.mono(8.5)

    def show_moment(self, moment: Sized | None, names: Names | None, found: NDArray[np.bool_] | None) -> None:
        """Show another moment (None: nothing) and of it the rows found (None: all)."""
        self._moment, self._names, self._found = moment, names, found
        self._arrange()

    def place(self, row: int) -> int:
        """Where a row of the moment is shown; -1: it is not."""
        at = np.flatnonzero(self.order == row)
        return int(at[0]) if len(at) else -1

    def _arrange(self) -> None:
        key = None
        if self._moment is not None and self._names is not None and self._sort >= 0:
            key = self._columns[self._sort].key(self._moment, self._names)
        order = arrange(0 if self._moment is None else len(self._moment), self._found, key, descending=self._descending)
        before, after = len(self.order), len(order)
        if after < before:
            self.beginRemoveRows(QModelIndex(), after, before - 1)
            self.order = order
            self.endRemoveRows()
        elif after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
            self.order = order
            self.endInsertRows()
        self.order = order
        if after:
            self.dataChanged.emit(self.index(0, 0), self.index(after - 1, len(self._columns) - 1))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: as they come."""
        self._sort, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()
        self.layoutChanged.emit()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Rows shown."""
        return 0 if parent is not None and parent.isValid() else len(self.order)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Columns."""
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        """Titles and tips."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Role.TextAlignmentRole:
            return _aligned(column)
        return column.title if role == Role.DisplayRole else column.tip if role == Role.ToolTipRole else None

    def data(self, index: QModelIndex, role: int = Role.DisplayRole) -> object:
        """A cell's text, alignment, font and colour."""
        if not index.isValid() or self._moment is None or self._names is None or index.row() >= len(self.order):
            return None
        k, column = int(self.order[index.row()]), self._columns[index.column()]
        if role == Role.DisplayRole or (role == Role.ToolTipRole and not column.number):
            return column.text(self._moment, self._names, k)
        if role == Role.TextAlignmentRole:
            return _aligned(column)
        if role == Role.FontRole:
            return self._fonts[column.number]
        return self._ink(self._moment, k, index.column()) if role == Role.ForegroundRole else None


def _aligned(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class MomentTable(QTableView):
    """A view of a MomentModel. chosen: the user went to a row of the moment."""

    chosen = pyqtSignal(int)

    def __init__(self, model: MomentModel, columns: Sequence[Column]) -> None:
        super().__init__()
        self.moments = model
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setMinimumSize(QSize(120, 90))
        down, across = self.verticalHeader(), self.horizontalHeader()
        assert down is not None
        assert across is not None
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setMinimumSectionSize(ROW_HEIGHT)  # larger fonts raise Qt's own, and so the height that grows with them
        down.setDefaultSectionSize(ROW_HEIGHT)
        across.setHighlightSections(False)
        across.setSortIndicatorClearable(True)
        across.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        across.setMinimumSectionSize(30)
        for i, column in enumerate(columns):
            self.setColumnWidth(i, FIRST_WIDTH if i == 0 else column.width or WIDTH)
        self.setSortingEnabled(True)
        chosen = self.selectionModel()
        assert chosen is not None
        chosen.currentRowChanged.connect(self._tell)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Give the names what the numbers leave."""
        super().resizeEvent(event)
        across, area = self.horizontalHeader(), self.viewport()
        if across is not None and area is not None:
            spare = area.width() - across.length() + self.columnWidth(0)
            self.setColumnWidth(0, min(max(spare, FIRST_WIDTH), WIDEST))

    def _tell(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.moments.order):
            self.chosen.emit(int(self.moments.order[index.row()]))

    def mark(self, row: int, *, seek: bool = False) -> None:
        """Highlight a row of the moment, -1: none, without telling; seek: scroll to it."""
        chosen, at = self.selectionModel(), self.moments.place(row)
        assert chosen is not None
        if at < 0:
            if chosen.hasSelection() or chosen.currentIndex().isValid():
                with QSignalBlocker(chosen):
                    chosen.clear()
                self._repaint()
            return
        index = self.moments.index(at, max(self.currentIndex().column(), 0))
        if chosen.currentIndex().row() != at or not chosen.isRowSelected(at):
            flags = chosen.SelectionFlag.ClearAndSelect | chosen.SelectionFlag.Rows
            with QSignalBlocker(chosen):
                chosen.setCurrentIndex(index, flags)
            self._repaint()
        if seek:
            self.scrollTo(index.siblingAtColumn(0))

    def _repaint(self) -> None:
        area = self.viewport()
        if area is not None:
            area.update()
