"""A table of numbers that change a few times a second: only visible cells are formatted."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QIcon, QKeyEvent, QMouseEvent, QPixmap, QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QTableView

from tumble.app.describe.contacts import Names
from tumble.app.look import theme
from tumble.app.panels.contacts.columns import Column, arrange
from tumble.app.panels.contacts.state import ContactState, Pair, PairTotals, arrange_pairs, pair_totals, sides
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import quiet_rows

Role = Qt.ItemDataRole
FIRST_WIDTH, WIDTH = 100, 84  # pixels of the first column, and of others without numbers
WIDEST = 300  # of the first column where there is room [px]
ROW_HEIGHT = 22
ARROW = 12  # size of the arrow of a pair [px]
ARROWS = "\N{BLACK UP-POINTING SMALL TRIANGLE}", "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"  # rising, falling


class MomentModel(QAbstractTableModel):
    """One moment in columns. Rows are arranged here, in numpy: a proxy would ask for each cell in Python.

    Contacts can be grouped by pair: a pair of several contacts is a row with their totals, which opens and closes.
    """

    def __init__(self, columns: Sequence[Column], ink: Callable[[Any, int, int], QColor | None]) -> None:
        """ink: the colour of a cell by moment, row and column; None: the usual one."""
        super().__init__()
        self._columns, self._ink = columns, ink
        self._moment: Sized | None = None
        self._names: Names | None = None
        self._found: NDArray[np.bool_] | None = None
        self._sort, self._descending = -1, False
        self.by_pair = False
        self._pairs: PairTotals | None = None
        self._opened: set[Pair] = set()
        self.order = np.zeros(0, int)  # displayed rows of the moment, or -1 - pair
        self._scale, self._fonts = 0.0, (QFont(), QFont(), QFont())

    @property
    def fonts(self) -> tuple[QFont, QFont, QFont]:
        """Fonts of texts, numbers and titles, at the present size; cached, since creating fonts is slow."""
        if self._scale != theme.scale():
            self._scale, self._fonts = theme.scale(), (theme.sans(9), theme.mono(8.5), theme.sans(8.5))
        return self._fonts

    def show_moment(self, moment: Sized | None, names: Names | None, found: NDArray[np.bool_] | None) -> None:
        """Show another moment (None clears) and of it the rows found (None: all)."""
        self._moment, self._names, self._found = moment, names, found
        self._arrange()

    def place(self, row: int) -> int:
        """Table row of a contact; -1 if it is hidden or only its pair is shown."""
        return self._place(row) if row >= 0 else -1

    def _place(self, entry: int) -> int:
        at = np.flatnonzero(self.order == entry)
        return int(at[0]) if len(at) else -1

    def _arrange(self) -> None:
        moment, pairs = self._moment, None
        if self.by_pair and isinstance(moment, ContactState):
            pairs = pair_totals(moment, self._found)
        order = self._sorted(moment, self._found)
        if pairs is not None:
            order = arrange_pairs(pairs, order, self._sorted(pairs, None), self._opened)
        before, after = len(self.order), len(order)
        if after < before:
            self.beginRemoveRows(QModelIndex(), after, before - 1)
            self.order, self._pairs = order, pairs
            self.endRemoveRows()
        elif after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
            self.order, self._pairs = order, pairs
            self.endInsertRows()
        self.order, self._pairs = order, pairs
        if after:
            self.dataChanged.emit(self.index(0, 0), self.index(after - 1, len(self._columns) - 1))

    def _sorted(self, moment: Sized | None, found: NDArray[np.bool_] | None) -> NDArray[np.int_]:
        key = None
        if moment is not None and self._names is not None and self._sort >= 0:
            key = self._columns[self._sort].key(moment, self._names)
        return arrange(0 if moment is None else len(moment), found, key, descending=self._descending)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: unsorted."""
        self._sort, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._arrange()
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    # ---- pairs

    def group(self, by_pair: bool) -> None:
        """Show contacts below their pairs, or all of them in one list."""
        self.by_pair = by_pair
        self._arrange()
        self.layoutChanged.emit()

    def pair_of(self, row: int) -> Pair | None:
        """The pair of a displayed row; None for a contact."""
        entry = int(self.order[row]) if 0 <= row < len(self.order) else 0
        return None if entry >= 0 or self._pairs is None else _pair(self._pairs, -1 - entry)

    def parent_row(self, k: int) -> int:
        """Table row of contact k's pair; -1 if the pair has no row."""
        return -1 if self._pairs is None or not 0 <= k < len(self._pairs.of) else self._place(-1 - int(self._pairs.of[k]))

    def lead(self, row: int) -> int:
        """Row of the moment for a displayed row: of a pair that with the largest normal force."""
        entry = int(self.order[row])
        return entry if entry >= 0 or self._pairs is None else int(self._pairs.lead[-1 - entry])

    def is_open(self, pair: Pair) -> bool:
        """True if a pair is expanded."""
        return pair in self._opened

    def open_pair(self, pair: Pair, on: bool = True) -> None:
        """Show the contacts of a pair below it, or not."""
        if on is not self.is_open(pair):
            (self._opened.add if on else self._opened.discard)(pair)
            self._arrange()
            self.layoutChanged.emit()

    def forget_pairs(self) -> None:
        """Another model: collapse all pairs."""
        self._opened.clear()

    # ---- Qt model interface

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
        if role == Role.DisplayRole:
            # Qt's own arrow would stand apart from the title, or over it.
            return f"{column.title} {ARROWS[self._descending]}" if section == self._sort else column.title
        return self.fonts[2] if role == Role.FontRole else column.tip if role == Role.ToolTipRole else None

    def data(self, index: QModelIndex, role: int = Role.DisplayRole) -> object:
        """A cell's text, alignment, font and colour."""
        if not index.isValid() or self._moment is None or self._names is None or index.row() >= len(self.order):
            return None
        entry, column = int(self.order[index.row()]), self._columns[index.column()]
        pairs = self._pairs if entry < 0 else None
        moment, k = (self._moment, entry) if pairs is None else (pairs, -1 - entry)
        if role == Role.DisplayRole or (role == Role.ToolTipRole and not column.number):
            return column.text(moment, self._names, k)
        if role == Role.TextAlignmentRole:
            return _aligned(column)
        if role == Role.FontRole:
            return self.fonts[column.number]
        if self._pairs is not None and index.column() == 0:
            if role == Role.DecorationRole:
                return self._mark(entry)
            if role == Role.AccessibleTextRole and pairs is not None:
                state = "open" if self.is_open(_pair(pairs, k)) else "closed"
                return f"{column.text(pairs, self._names, k)}, {pairs.count[k]} contacts, {state}"
        return self._ink(moment, k, index.column()) if role == Role.ForegroundRole else None

    def _mark(self, entry: int) -> QIcon | None:
        """The arrow of a pair; room as wide as that before the contacts below one."""
        if entry < 0 and self._pairs is not None:
            return theme.icon("down" if self.is_open(_pair(self._pairs, -1 - entry)) else "right", "dim")
        return _nothing() if self.parent_row(entry) >= 0 else None


def _pair(pairs: PairTotals, at: int) -> Pair:
    first, second = sides(pairs)[at]
    return int(first), int(second)


@cache
def _nothing() -> QIcon:
    pixmap = QPixmap(ARROW, ARROW)
    pixmap.fill(Qt.GlobalColor.transparent)
    return QIcon(pixmap)


def _aligned(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class MomentTable(QTableView):
    """A view of a MomentModel. chosen: the user went to a row of the moment; of a pair, to its contact with the largest force.

    The arrow of a pair, or the right and the left key, open and close it.
    """

    chosen = pyqtSignal(int)

    def __init__(self, model: MomentModel, columns: Sequence[Column]) -> None:
        super().__init__()
        self.moments = model
        self._pair: Pair | None = None  # whose row the user has gone to, rather than to one of its contacts
        self._telling = False
        self.setModel(model)
        self.setIconSize(QSize(ARROW, ARROW))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setMinimumSize(QSize(120, 66))
        across = quiet_rows(self, ROW_HEIGHT)
        across.setSortIndicatorClearable(True)
        across.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        across.setMinimumSectionSize(30)
        for i, column in enumerate(columns):
            self.setColumnWidth(i, FIRST_WIDTH if i == 0 else column.width or WIDTH)
        self.setSortingEnabled(True)
        present(self.selectionModel()).currentRowChanged.connect(self._tell)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Give the names the width that the numbers leave."""
        super().resizeEvent(event)
        across, area = self.horizontalHeader(), self.viewport()
        if across is not None and area is not None:
            spare = area.width() - across.length() + self.columnWidth(0)
            self.setColumnWidth(0, min(max(spare, FIRST_WIDTH), WIDEST))

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Right opens a pair, left closes it, from its contacts as well."""
        row = self.currentIndex().row()
        if event is None or row < 0 or event.key() not in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            super().keyPressEvent(event)
            return
        pair, on = self.moments.pair_of(row), event.key() == Qt.Key.Key_Right
        if pair is not None:
            self.moments.open_pair(pair, on)
        elif not on and (above := self.moments.parent_row(int(self.moments.order[row]))) >= 0:
            self.setCurrentIndex(self.moments.index(above, 0))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """A press on the arrow of a pair opens or closes it."""
        super().mousePressEvent(event)
        if event is None or event.button() != Qt.MouseButton.LeftButton:
            return
        index = self.indexAt(event.position().toPoint())
        pair = self.moments.pair_of(index.row())
        if pair is not None and index.column() == 0 and event.position().x() - self.visualRect(index).x() < ARROW + 8:
            self.moments.open_pair(pair, not self.moments.is_open(pair))

    def _tell(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.moments.order):
            self._pair = self.moments.pair_of(index.row())
            self._telling = True
            self.chosen.emit(self.moments.lead(index.row()))
            self._telling = False

    def mark(self, row: int, *, seek: bool = False) -> None:
        """Highlight a row of the moment, -1: none, without telling; seek: it was chosen, here or elsewhere: scroll to it."""
        chosen, above = present(self.selectionModel()), self.moments.parent_row(row)
        if seek and not self._telling:
            self._pair = None
            if (pair := self.moments.pair_of(above)) is not None:
                self.moments.open_pair(pair)
                above = self.moments.parent_row(row)
        at = self.moments.place(row)
        if above >= 0 and (at < 0 or self.moments.pair_of(above) == self._pair):
            at = above
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
