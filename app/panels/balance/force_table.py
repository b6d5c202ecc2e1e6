"""The table of forces by origin: a row an origin, a column a dof, a bar in every cell; only visible cells are formatted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from tumble.app.describe.numbers import NOTHING, short
from tumble.app.look import theme
from tumble.app.panels.balance.words import ink_of
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import NUMBER, quiet_rows

Role = Qt.ItemDataRole
ROW_HEIGHT, WIDTH = 22, 112  # pixels of rows and of columns of numbers
NAME_WIDTH, WIDE_NAME, LEAST_NAME = 210, 270, 90  # of the names [px]: next to many columns, next to few, at least
FEW = 4  # columns, of which the last takes the room that is left
ROUNDING = 1e-13  # of a column's largest number: less is rounding, and reads 0; so is what is below NOTHING
Key = tuple[int, int]  # origin and element


class ForceColumn(Struct, frozen=True):
    """A column of numbers, a row an origin. title; tip; values (n,); scale: value of the longest bar, 0: none is drawn."""

    title: str
    tip: str
    values: NDArray[np.float64]
    scale: float


class ForceModel(QAbstractTableModel):
    """Numbers of one moment by origin. keys: of the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[Key] = []
        self._names: Sequence[str] = ()
        self._tips: Sequence[str] = ()
        self._columns: Sequence[ForceColumn] = ()

    def show_moment(self, keys: list[Key], names: Sequence[str], tips: Sequence[str], columns: Sequence[ForceColumn]) -> None:
        """Show other numbers; names, tips: of the rows."""
        reset = len(keys) != len(self.keys) or [c.title for c in columns] != [c.title for c in self._columns]
        if reset:
            self.beginResetModel()
        self.keys, self._names, self._tips, self._columns = keys, names, tips, columns
        if reset:
            self.endResetModel()
        elif keys:
            self.dataChanged.emit(self.index(0, 0), self.index(len(keys) - 1, len(columns)))

    def bar(self, index: QModelIndex) -> tuple[float, str]:
        """Length of a cell's bar, -1 to 1, and its colour in the theme."""
        column = self._columns[index.column() - 1]
        value = float(column.values[index.row()])
        share = value / column.scale if column.scale > NOTHING and np.isfinite(value) else 0.0
        return max(-1.0, min(1.0, share)), ink_of(self.keys[index.row()][0])

    def value(self, row: int, column: int) -> float:
        """The number of a cell."""
        return float(self._columns[column - 1].values[row])

    # ---- Qt model interface

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return len(self.keys)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        return 1 + len(self._columns)

    def data(self, index: QModelIndex, role: int = Role.DisplayRole) -> object:
        row, column = index.row(), index.column()
        if role == Role.DisplayRole:
            if column == 0:
                return self._names[row]
            numbers = self._columns[column - 1]
            return short(self.value(row, column), least=max(NOTHING, ROUNDING * numbers.scale))
        if role == Role.TextAlignmentRole and column:
            return NUMBER
        if role == Role.ToolTipRole and column == 0:
            return self._tips[row] or None
        if role == Role.FontRole and column:
            return theme.mono(8.5)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            return "Origin" if section == 0 else self._columns[section - 1].title
        if role == Role.ToolTipRole and section:
            return self._columns[section - 1].tip
        if role == Role.TextAlignmentRole:
            return NUMBER if section else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class _Bars(QStyledItemDelegate):
    """Paints a bar from the middle of a cell behind its number."""

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        model = index.model()
        if painter is not None and index.column() and isinstance(model, ForceModel):
            share, ink = model.bar(index)
            area = QRectF(option.rect).adjusted(2, 3, -2, -3)
            middle, half = area.center().x(), area.width() / 2
            painter.fillRect(QRectF(middle, area.top(), 1, area.height()), theme.colour("line"))
            bar = QRectF(middle, area.top(), half * share, area.height()).normalized()
            painter.fillRect(bar, theme.colour(ink, 110))
        super().paint(painter, option, index)


class ForceTable(QTableView):
    """Rows of forces. picked: the user chose a row; opened: double-clicked it."""

    picked = pyqtSignal()
    opened = pyqtSignal(int)

    def __init__(self, name: str) -> None:
        """name: for screen readers."""
        super().__init__()
        self.forces = ForceModel()
        self.setModel(self.forces)
        self.setAccessibleName(name)
        self._bars = _Bars(self)
        self.setItemDelegate(self._bars)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        quiet_rows(self, ROW_HEIGHT)
        self.clicked.connect(lambda index: self.picked.emit())
        self.activated.connect(lambda index: self.opened.emit(index.row()))
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))

    def show_moment(self, keys: list[Key], names: Sequence[str], tips: Sequence[str], columns: Sequence[ForceColumn]) -> None:
        """Show other numbers; selected rows stay selected by their keys."""
        chosen, count, columns_before = self.selected(), len(self.forces.keys), self.forces.columnCount()
        moved = keys != self.forces.keys
        self.forces.show_moment(keys, names, tips, columns)
        if columns_before != self.forces.columnCount() or not count:
            self._set_widths()
        if moved and chosen:
            self.select_keys(chosen)

    def selected(self) -> list[Key]:
        """Keys of the selected rows."""
        rows = sorted({index.row() for index in present(self.selectionModel()).selectedRows()})
        return [self.forces.keys[row] for row in rows if row < len(self.forces.keys)]

    def select_keys(self, keys: Sequence[Key]) -> None:
        """Select the rows of these keys, as far as there are such."""
        selection = present(self.selectionModel())
        flags = selection.SelectionFlag
        selection.clearSelection()
        for row, key in enumerate(self.forces.keys):
            if key in keys:
                selection.select(self.forces.index(row, 0), flags.Select | flags.Rows)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Names give way to numbers."""
        super().resizeEvent(event)
        self._set_widths()

    def _set_widths(self) -> None:
        header, count, area = present(self.horizontalHeader()), self.forces.columnCount(), present(self.viewport()).width()
        header.setMinimumSectionSize(60)
        name = min(WIDE_NAME if count <= FEW else NAME_WIDTH, max(LEAST_NAME, area // 2))
        for column in range(count):
            wide = column == count - 1 and count <= FEW
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch if wide else QHeaderView.ResizeMode.Interactive)
            self.setColumnWidth(column, round(theme.scale() * (WIDTH if column else name)))
