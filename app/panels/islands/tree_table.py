"""The trees of a model as a table: who sleeps, and how fast each moves; only rows that are seen are painted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRectF,
    QSize,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from tumble.app.describe.islands import bar, explain, state_text
from tumble.app.describe.numbers import NOTHING, short
from tumble.app.look import theme
from tumble.app.panels.islands.readings import IslandReading, text
from tumble.app.widgets.tables import quiet_rows
from tumble.render.scene.islands import colours

if TYPE_CHECKING:
    from tumble.physics import MjModel

TREE, STATE, SPEED = range(3)
HEADINGS = ("Tree", "State", "m/s")
TIPS = (
    "Kinematic trees by their topmost body, in the colour of their island",
    "Awake with its countdown from \N{MINUS SIGN}11 to \N{MINUS SIGN}1, asleep, or kept awake",
    "Fastest dof [m/s], angles times dof_length, in decades; the mark in the middle is the tolerance",
)
ROW_HEIGHT = 24


def speed_text(speed: float, tolerance: float) -> str:
    """A speed [m/s] in two digits; 0 where it is far below the tolerance, and stands."""
    return short(speed, max(1e-3 * tolerance, NOTHING), 2)


class TreeModel(QAbstractTableModel):
    """One row a tree."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.model: MjModel | None = None
        self.name: Callable[[int], str] = str
        self.trees: NDArray[np.int64] = np.zeros(0, np.int64)  # the tree of each row
        self.reading: IslandReading | None = None
        self.sleeping = False  # whether the flag is on: as it is set, which the reading follows a moment later
        self.speed: NDArray[np.float64] = np.zeros(0)
        self.members: NDArray[np.int64] = np.zeros(0, np.int64)  # how many are in the island of each
        self.leader: NDArray[np.int64] = np.zeros(0, np.int64)

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.trees)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[section]
        return None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        r, row = self.reading, index.row()
        if not index.isValid() or r is None or row >= len(self.trees):
            return None
        tree = int(self.trees[row])
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.describe(tree)
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == TREE:
                return self.name(tree)
            if index.column() == STATE:
                return state_text(int(r.tree_asleep[tree]), int(r.policy[tree]), self.sleeping).replace("-", "\N{MINUS SIGN}")
            return speed_text(self.speed[tree], r.tolerance)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == TREE:
            rgb = colours(self.leader[tree : tree + 1], r.tree_asleep[tree : tree + 1] >= 0)[0]
            return theme.swatch(QColor.fromRgbF(*map(float, rgb)).name())
        if role == Qt.ItemDataRole.ForegroundRole and r.tree_asleep[tree] >= 0:
            return theme.colour("dim")
        return None

    def describe(self, tree: int) -> str:
        """A tree in sentences."""
        r = self.reading
        if r is None or self.model is None:
            return ""
        state = explain(int(r.tree_asleep[tree]), int(r.policy[tree]), self.sleeping, int(self.members[tree]))
        moves = f"Speed {speed_text(self.speed[tree], r.tolerance)} m/s, tolerance {r.tolerance:g}."
        return " ".join(part for part in (f"{self.name(tree)}:", state, moves, text(self.model, r.wakings, tree)) if part)


class _SpeedPainter(QStyledItemDelegate):
    """Paints a speed as a bar in decades, green below the tolerance, with its number."""

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        model = index.model()
        if painter is None or not isinstance(model, TreeModel) or model.reading is None or index.row() >= len(model.trees):
            return
        speed, tolerance = float(model.speed[model.trees[index.row()]]), model.reading.tolerance
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(option.rect, option.palette.highlight())
        box = QRectF(option.rect).adjusted(6, 0, -6, 0)
        line = QRectF(box.left(), box.bottom() - 7, box.width(), 4)
        painter.fillRect(line, theme.colour("back" if selected else "line"))
        filled = QRectF(line.left(), line.top(), line.width() * bar(speed, tolerance), line.height())
        painter.fillRect(filled, theme.colour("good" if speed < tolerance or speed == 0.0 else "accent"))
        painter.fillRect(QRectF(line.center().x() - 0.5, line.top() - 2, 1.5, line.height() + 4), theme.colour("text"))
        painter.setFont(theme.mono(8))
        painter.setPen(theme.colour("dim" if speed == 0.0 else "text"))
        words = box.adjusted(0, 1, 0, -8)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, speed_text(speed, tolerance))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(80, ROW_HEIGHT)


class TreeTable(QTableView):
    """The table. chosen: the user has selected other trees."""

    chosen = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.rows = TreeModel(self)
        self.setModel(self.rows)
        self.setItemDelegateForColumn(SPEED, _SpeedPainter(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of a row of things differ in their ends
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(10, 10))
        self.setFont(theme.sans(9))
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(5 * ROW_HEIGHT)
        ink = theme.colours()
        self.setStyleSheet(
            f"QTableView {{ background: {ink['field']}; selection-background-color: {ink['hover']}; }}"
            f"QHeaderView::section {{ background: {ink['panel']}; color: {ink['dim']}; border: none; padding: 4px; }}"
        )
        across = quiet_rows(self, ROW_HEIGHT)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(TREE, across.ResizeMode.Stretch)
        for column, width in ((STATE, 96), (SPEED, 64)):
            across.setSectionResizeMode(column, across.ResizeMode.Fixed)
            self.setColumnWidth(column, max(width, round(across.sectionSizeHint(column) / theme.scale())))  # grows with the dock
        self._quiet = False
        self._selection().selectionChanged.connect(self._tell)

    def _selection(self) -> QItemSelectionModel:
        model = self.selectionModel()
        assert model is not None
        return model

    def _tell(self) -> None:
        if not self._quiet:
            self.chosen.emit()

    def show_trees(self, trees: NDArray[np.int64]) -> None:
        """List these; what the table's model says of them has been set. The selection stays with its trees."""
        rows = self.rows
        if np.array_equal(trees, rows.trees):
            if len(trees):
                rows.dataChanged.emit(rows.index(0, 0), rows.index(len(trees) - 1, SPEED))
            return
        selected = self.selected()
        rows.beginResetModel()
        rows.trees = trees
        rows.endResetModel()
        self.select_trees(selected)

    def selected(self) -> NDArray[np.int64]:
        """The trees selected, the current one first."""
        rows = [index.row() for index in self._selection().selectedRows()]
        current = self.currentIndex().row()
        rows.sort(key=lambda row: (row != current, row))
        return self.rows.trees[np.array([row for row in rows if row < len(self.rows.trees)], np.int64)]

    def select_trees(self, trees: NDArray[np.int64], *, reveal: bool = False) -> None:
        """Select these of the trees listed, without telling; reveal: scroll to the first of them."""
        found = np.flatnonzero(np.isin(self.rows.trees, trees))
        first = np.flatnonzero(self.rows.trees == trees[0]) if len(trees) else found
        chosen = QItemSelection()
        ends = np.flatnonzero(np.diff(found, append=len(self.rows.trees) + 1) > 1)  # of runs of neighbours
        start = 0
        for end in ends if len(found) else ():
            chosen.select(self.rows.index(int(found[start]), 0), self.rows.index(int(found[end]), SPEED))
            start = int(end) + 1
        self._quiet = True
        at = self.rows.index(int(first[0]), 0) if len(first) else QModelIndex()
        self._selection().setCurrentIndex(at, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._selection().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._quiet = False
        if reveal and len(first):
            self.scrollTo(at)
