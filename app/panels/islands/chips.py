"""Islands as chips: a list that paints only what is seen, whatever the number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PyQt6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from tumble.app.describe.islands import UNKNOWN, Groups
from tumble.app.describe.numbers import duration
from tumble.app.look import theme
from tumble.render.scene.islands import colours

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
        for where, text, ink, font in (
            (top, title, "dim" if model.groups.asleep[row] else "text", theme.sans(9, bold=True)),
            (below, sizes, "dim", theme.sans(8)),
        ):
            painter.setFont(font)
            painter.setPen(theme.colour(ink))
            fitted = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(where.width()))
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
        """So that the columns fill the width."""
        side = self.verticalScrollBar()
        width = self.width() - 8 - (side.sizeHint().width() if side is not None else 0)  # Qt keeps its place free
        return QSize(max(WIDTH, width // max(1, width // WIDTH)), HEIGHT)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        self.setGridSize(self.chip_size())
        super().resizeEvent(event)
