"""The table of runs: sortable, of the marked runs only where some are marked; failures with their reasons."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QItemSelection, QModelIndex, QSignalBlocker, Qt
from PyQt6.QtWidgets import QAbstractItemView, QTableView

from tumble.app.look import theme
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import DONE, RUN, STATUS, WALL, RunTable
from tumble.app.widgets.tables import NUMBER, quiet_rows

Role = Qt.ItemDataRole
ROW_HEIGHT = 21
RUN_WIDTH, WIDTH, STATUS_WIDTH = 52, 88, 260  # [px]
ARROWS = "\N{BLACK UP-POINTING SMALL TRIANGLE}", "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"  # rising, falling


class RunListModel(QAbstractTableModel):
    """Rows are arranged here, in numpy: a proxy would ask for each cell in Python."""

    def __init__(self, marks: RunMarks) -> None:
        super().__init__()
        self._marks = marks
        self.table = RunTable()
        self.columns: tuple[str, ...] = ()
        self.order: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sort, self._descending = 0, False

    def show_table(self, table: RunTable) -> None:
        """Show these runs."""
        columns = (RUN, *table.names, STATUS, WALL) if table.names else ()
        if columns != self.columns:
            self.beginResetModel()
            self.table, self.columns, self._sort, self._descending = table, columns, 0, False
            self.order = self._arranged()
            self.endResetModel()
            return
        self.table = table
        self.arrange()

    def arrange(self) -> None:
        """Sort and filter again."""
        order = self._arranged()
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
            self.dataChanged.emit(self.index(0, 0), self.index(after - 1, len(self.columns) - 1))

    def _arranged(self) -> NDArray[np.int64]:
        rows = np.flatnonzero(self._marks.mask(self.table))
        if not len(rows):
            return rows
        name = self.columns[self._sort]
        if name == STATUS:
            keys = np.array(self.table.status)[rows]
        else:
            keys = self.table.column(name)[rows]
        order = np.argsort(keys, kind="stable")
        if not self._descending:
            return rows[order]
        gone = 0 if name == STATUS else int(np.isnan(keys).sum())  # these stay at the end
        return rows[np.append(order[: len(order) - gone][::-1], order[len(order) - gone :])]

    def place(self, run: int) -> int:
        """The place of a run in the list; -1 if it is not in it."""
        row = self.table.row_of(run)
        at = np.flatnonzero(self.order == row)
        return int(at[0]) if row >= 0 and len(at) else -1

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Called by Qt."""
        self._sort, self._descending = max(0, column), order == Qt.SortOrder.DescendingOrder
        self.arrange()
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Called by Qt."""
        return 0 if parent is not None and parent.isValid() else len(self.order)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        """Called by Qt."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        """Called by Qt."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Role.DisplayRole:
            name = f"{self.columns[section]} [s]" if self.columns[section] == WALL else self.columns[section]
            return f"{name} {ARROWS[self._descending]}" if section == self._sort else name
        return theme.sans(8.5) if role == Role.FontRole else None

    def data(self, index: QModelIndex, role: int = Role.DisplayRole) -> object:
        """Called by Qt."""
        if not index.isValid() or index.row() >= len(self.order):
            return None
        row, name = int(self.order[index.row()]), self.columns[index.column()]
        if role == Role.DisplayRole or (role == Role.ToolTipRole and name == STATUS):
            return self.cell(row, name)
        if role == Role.TextAlignmentRole:
            return NUMBER if name != STATUS else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == Role.FontRole:
            return theme.sans(9) if name == STATUS else theme.mono(8.5)
        failed = name == STATUS and self.table.status[row] != DONE
        return theme.colour("bad") if role == Role.ForegroundRole and failed else None

    def cell(self, row: int, name: str) -> str:
        """The text of a cell, by the row of the table of runs."""
        if name == STATUS:
            return self.table.status[row]
        return str(int(self.table.run[row])) if name == RUN else self.table.text(name, float(self.table.column(name)[row]))


class RunList(QTableView):
    """A row that is gone to is the chosen run of all views."""

    def __init__(self, marks: RunMarks) -> None:
        super().__init__()
        self._marks = marks
        self.runs = RunListModel(marks)
        self.setModel(self.runs)
        self.setAccessibleName("Runs")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        across = quiet_rows(self, ROW_HEIGHT)
        across.setSectionsClickable(True)
        across.setSortIndicatorShown(False)
        across.sectionClicked.connect(self._sort_by)
        self._sorted, self._order = 0, Qt.SortOrder.AscendingOrder
        marks.changed.connect(self._arrange)
        marks.chosen_changed.connect(self._show_chosen)

    def show_table(self, table: RunTable) -> None:
        """Show these runs."""
        columns = self.runs.columns
        self.runs.show_table(table)
        if columns != self.runs.columns:
            for k, name in enumerate(self.runs.columns):
                self.setColumnWidth(k, {RUN: RUN_WIDTH, STATUS: STATUS_WIDTH}.get(name, WIDTH))
        self._show_chosen()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Choose the run of the row."""
        super().selectionChanged(selected, deselected)
        rows = self.selectedIndexes()
        if rows and rows[0].row() < len(self.runs.order):
            self._marks.choose(int(self.runs.table.run[self.runs.order[rows[0].row()]]))

    def _sort_by(self, column: int) -> None:
        rising = column != self._sorted or self._order == Qt.SortOrder.DescendingOrder
        self._sorted, self._order = column, Qt.SortOrder.AscendingOrder if rising else Qt.SortOrder.DescendingOrder
        self.runs.sort(column, self._order)
        self._show_chosen()

    def _arrange(self) -> None:
        self.runs.arrange()
        self._show_chosen()

    def _show_chosen(self) -> None:
        place = -1 if self._marks.chosen is None else self.runs.place(self._marks.chosen)
        with QSignalBlocker(self._marks):
            if place < 0:
                self.clearSelection()
            elif place != self.currentIndex().row() or not self.selectedIndexes():
                self.selectRow(place)
