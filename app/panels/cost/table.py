"""A table of costs: what, microseconds, part of the whole, with a bar."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QModelIndex, QRectF, QSize, Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from tumble.app.look import theme
from tumble.app.widgets.tables import NUMBER, set_headings

SHARE_WIDTH, NUMBER_WIDTH = 92, 40  # of the column with the bar, and of the number in it [px]
SHARE = Qt.ItemDataRole.UserRole + 1


class _ShareBar(QStyledItemDelegate):
    """Paints the share of a row in front of its last number."""

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        if painter is not None and share:
            room = QRectF(option.rect).adjusted(2, 3, -NUMBER_WIDTH, -3)
            room.setWidth(room.width() * min(1.0, float(share)))
            painter.fillRect(room, theme.colour("accent", 190))


class CostTable(QTreeWidget):
    """Rows of costs, which are changed in place. The last column is the share of the whole, with a bar."""

    def __init__(self, name: str, titles: Sequence[str], tips: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setRootIsDecorated(False)
        self.setFont(theme.sans(8.5))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(QSize(120, 50))
        self.setItemDelegateForColumn(len(titles) - 1, _ShareBar(self))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        across = set_headings(self, titles, tips, numbers=True)
        across.setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Fixed)
        across.resizeSection(len(titles) - 1, SHARE_WIDTH)

    def show_rows(self, rows: Sequence[tuple[Sequence[str], float]]) -> None:
        """rows: the texts of a row, and its share of the whole, 0..1. What is selected stays selected by its place."""
        while self.topLevelItemCount() > len(rows):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(rows):
            self._add()
        last = self.columnCount() - 1
        for k, (texts, share) in enumerate(rows):
            item = self.topLevelItem(k)
            assert item is not None
            for column, text in enumerate(texts):
                if item.text(column) != text:
                    item.setText(column, text)
            item.setToolTip(0, texts[0])
            item.setData(last, SHARE, share)

    def _add(self) -> None:
        item = QTreeWidgetItem(self)
        for column in range(1, self.columnCount()):
            item.setTextAlignment(column, NUMBER)

    @property
    def row(self) -> int:
        """Selected row; -1 if there is none."""
        item = self.currentItem()
        return -1 if item is None or not item.isSelected() else self.indexOfTopLevelItem(item)
