"""The trees of a model as a table with sleep state and speed; only visible rows are painted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import (
    QAbstractListModel,
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
from PyQt6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from tumble.app.describe.islands import UNKNOWN, Groups, bar, explain, state_text
from tumble.app.describe.numbers import NOTHING, duration, short
from tumble.app.look import theme
from tumble.app.panels.islands.readings import IslandReading, text
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import quiet_rows
from tumble.render.scene.island_colours import colours

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
    """A speed [m/s] with two digits; 0 where it is far below the tolerance."""
    return short(speed, max(1e-3 * tolerance, NOTHING), 2)


class TreeModel(QAbstractTableModel):
    """One row a tree."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.model: MjModel | None = None
        self.name: Callable[[int], str] = str
        self.trees: NDArray[np.int64] = np.zeros(0, np.int64)  # the tree of each row
        self.reading: IslandReading | None = None
        self.sleeping = False  # whether the flag is set; the reading follows shortly
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
        model = present(self.selectionModel())
        return model

    def _tell(self) -> None:
        if not self._quiet:
            self.chosen.emit()

    def show_trees(self, trees: NDArray[np.int64]) -> None:
        """List these trees; the table model already has their data. The selection stays with its trees."""
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
        rows = np.flatnonzero(np.isin(self.rows.trees, trees))
        first = np.flatnonzero(self.rows.trees == trees[0]) if len(trees) else rows
        chosen = QItemSelection()
        ends = np.flatnonzero(np.diff(rows, append=len(self.rows.trees) + 1) > 1)  # of runs of neighbours
        start = 0
        for end in ends if len(rows) else ():
            chosen.select(self.rows.index(int(rows[start]), 0), self.rows.index(int(rows[end]), SPEED))
            start = int(end) + 1
        self._quiet = True
        at = self.rows.index(int(first[0]), 0) if len(first) else QModelIndex()
        self._selection().setCurrentIndex(at, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._selection().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._quiet = False
        if reveal and len(first):
            self.scrollTo(at)


WIDTH, HEIGHT = 138, 46  # least width and height of a chip with its margin [px]
MARGIN, RADIUS, BAND = 3.0, 5.0, 6.0


def plural(count: int, one: str) -> str:
    """A count with its unit."""
    return f"{count} {one}{'' if count == 1 else 's'}"


class ChipModel(QAbstractListModel):
    """One row a group of trees."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.groups: Groups | None = None
        self.colours: list[QColor] = []
        self.name: Callable[[int], str] = str  # of a tree
        self.chosen: int | None = None  # leader of the chip that is marked

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if self.groups is None or parent.isValid() else len(self.groups.leader)

    def show_groups(self, groups: Groups | None, chosen: int | None) -> None:
        """Show these groups; chosen: the leader of the one that is marked."""
        before, after = self.rowCount(), 0 if groups is None else len(groups.leader)
        if after > before:
            self.beginInsertRows(QModelIndex(), before, after - 1)
        elif after < before:
            self.beginRemoveRows(QModelIndex(), after, before - 1)
        self.groups, self.chosen = groups, chosen
        rgb = colours(groups.leader, groups.asleep) if groups is not None else np.zeros((0, 3))
        self.colours = [QColor.fromRgbF(*map(float, row)) for row in rgb]
        if after > before:
            self.endInsertRows()
        elif after < before:
            self.endRemoveRows()
        if after:
            self.dataChanged.emit(self.index(0), self.index(after - 1))

    def lines(self, row: int) -> tuple[str, str]:
        """The two lines of a chip."""
        g = self.groups
        assert g is not None
        trees, dofs = int(g.trees[row]), int(g.dofs[row])
        if g.leader[row] < 0:
            return f"{plural(trees, 'tree')} free", f"{plural(dofs, 'dof')}, no constraint"
        title = self.name(int(g.leader[row])) + (f" +{trees - 1}" if trees > 1 else "")
        if g.asleep[row]:
            return title, f"{plural(dofs, 'dof')}, asleep"
        return title, f"{plural(dofs, 'dof')} · {plural(int(g.rows[row]), 'row')}"

    def effort(self, row: int) -> str:
        """Iterations of the solver, if known, and its time."""
        g = self.groups
        assert g is not None
        if g.leader[row] < 0 or g.asleep[row]:
            return ""
        known = "" if g.iterations[row] == UNKNOWN else f"{int(g.iterations[row])} it. · "
        return known + duration(float(g.seconds[row]))

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.groups is None or index.row() >= len(self.groups.leader):
            return None
        row, g = index.row(), self.groups
        if role == Qt.ItemDataRole.DisplayRole:
            return "\n".join((*self.lines(row), self.effort(row))).rstrip()
        if role == Qt.ItemDataRole.ToolTipRole:
            text = f"{plural(int(g.trees[row]), 'tree')}, {plural(int(g.dofs[row]), 'dof')}"
            if g.leader[row] < 0:
                return f"{text} that no constraint touches\nClick to list the trees"
            if g.asleep[row]:
                return f"{text} that fell asleep together\nClick to list and select them"
            steps = "unknown" if g.iterations[row] == UNKNOWN else str(int(g.iterations[row]))
            text = f"{text}, {plural(int(g.rows[row]), 'constraint row')}"
            text = f"{text}\nSolver iterations in the last step: {steps}, in {duration(float(g.seconds[row]))}"
            return f"{text}\nClick to list and select the trees"
        return None


class _ChipPainter(QStyledItemDelegate):
    """Paints a chip: a band in the island's colour, its lowest tree, its sizes."""

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        model = index.model()
        if painter is None or not isinstance(model, ChipModel) or model.groups is None or index.row() >= len(model.colours):
            return
        row = index.row()
        title, sizes = model.lines(row)
        colour = model.colours[row]
        chosen = model.chosen is not None and model.chosen == model.groups.leader[row]
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        box = QRectF(option.rect).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("text"), 1.4) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("hover" if hover else "raised"))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(box.left() + 4, box.top() + 5, BAND, box.height() - 10), 3, 3)
        inner = box.adjusted(BAND + 10, 3, -5, -3)
        top = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
        painter.setFont(theme.sans(8))
        painter.setPen(theme.colour("dim"))
        count = model.effort(row)
        painter.drawText(top, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, count)
        top.setRight(top.right() - (painter.fontMetrics().horizontalAdvance(count + " ") if count else 0))
        below = QRectF(inner.left(), inner.center().y(), inner.width(), inner.height() / 2)
        for where, words, ink, font in (
            (top, title, "dim" if model.groups.asleep[row] else "text", theme.sans(9, bold=True)),
            (below, sizes, "dim", theme.sans(8)),
        ):
            painter.setFont(font)
            painter.setPen(theme.colour(ink))
            fitted = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(where.width()))
            painter.drawText(where, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitted)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        view = self.parent()
        return view.chip_size() if isinstance(view, ChipView) else QSize(WIDTH, HEIGHT)


class ChipView(QListView):
    """Chips side by side, as many columns as fit. picked: the row of one that was clicked, or entered by key."""

    picked = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.chips = ChipModel(self)
        self.setModel(self.chips)
        self.setItemDelegate(_ChipPainter(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setMinimumHeight(HEIGHT + 6)
        self.clicked.connect(lambda index: self.picked.emit(index.row()))
        self.activated.connect(lambda index: self.picked.emit(index.row()))

    def show_groups(self, groups: Groups | None, chosen: int | None) -> None:
        """Show these groups; chosen: the leader of the one that is marked."""
        self.chips.show_groups(groups, chosen)
        self.executeDelayedItemsLayout()  # else chips that come and go are painted one reading late

    def chip_size(self) -> QSize:
        """Chip size that fills the width with columns."""
        side = self.verticalScrollBar()
        width = self.width() - 8 - (side.sizeHint().width() if side is not None else 0)  # Qt keeps its place free
        return QSize(max(WIDTH, width // max(1, width // WIDTH)), HEIGHT)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        self.setGridSize(self.chip_size())
        super().resizeEvent(event)
