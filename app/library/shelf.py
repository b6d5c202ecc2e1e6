"""The models of the library as a gallery: pictures with names, below a heading for each source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QSize, Qt
from PyQt6.QtGui import QFont, QFontMetrics, QPainter, QPainterPath, QResizeEvent
from PyQt6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from tumble.app.library.lookup import LibraryRow
from tumble.app.library.pictures import HEIGHT, WIDTH, Pictures
from tumble.app.look import theme

PICTURE = QSize(WIDTH // 2, HEIGHT // 2)
MARGIN = 8
TEXT = 38  # height of the two lines below a picture
HEADING = 40
SCROLLED = 24  # pixels a step of the wheel, times three
ROW = Qt.ItemDataRole.UserRole


class ShelfModel(QAbstractListModel):
    """Rows for a view, headings among them."""

    def __init__(self, pictures: Pictures, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._rows: list[LibraryRow] = []
        self._places: dict[Path, list[int]] = {}
        pictures.changed.connect(self._on_picture)

    def show_rows(self, rows: Sequence[LibraryRow]) -> None:
        """Show these."""
        self.beginResetModel()
        self._rows, self._places = list(rows), {}
        for k, row in enumerate(rows):
            if row.model is not None:
                self._places.setdefault(row.model.path, []).append(k)
        self.endResetModel()

    def row(self, index: int) -> LibraryRow:
        """The text of the row."""
        return self._rows[index]

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Headings and models."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text of a row."""
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.source.title if row.model is None else row.model.title
        if role == Qt.ItemDataRole.ToolTipRole and row.model is not None:
            known = self._pictures.known(row.model.path)
            names = ", ".join(row.model.names)
            return f"{row.model.path}\nNames: {names}" + (f"\n\n{known.reason}" if known and known.reason else "")
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        """Headings are not chosen."""
        if index.isValid() and self._rows[index.row()].model is None:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def _on_picture(self, path: Path) -> None:
        for k in self._places.get(path, ()):
            self.dataChanged.emit(self.index(k), self.index(k))


class _RowPainter(QStyledItemDelegate):
    def __init__(self, pictures: Pictures, view: QListView) -> None:
        super().__init__(view)
        self._pictures, self._view = pictures, view
        self._blank = theme.icon("model", "disabled")

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        row: LibraryRow = index.data(ROW)
        if row.model is None:  # as wide as the view, which puts it on its own line
            port = self._view.viewport()
            return QSize((port.width() if port is not None else 600) - 1, HEADING)
        return QSize(PICTURE.width() + 2 * MARGIN, PICTURE.height() + TEXT + 2 * MARGIN)

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        if painter is None:
            return
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        row: LibraryRow = index.data(ROW)
        if row.model is None:
            self._heading(painter, option.rect, row)
        else:
            self._card(painter, option, row)
        painter.restore()

    def _heading(self, painter: QPainter, rect: QRect, row: LibraryRow) -> None:
        line = rect.adjusted(MARGIN, 0, -MARGIN, -MARGIN)
        bold = theme.sans(10, bold=True)
        count = f"   {row.count} model{'' if row.count == 1 else 's'}"
        width = line.width() - QFontMetrics(theme.sans(9)).horizontalAdvance(count)
        title = QFontMetrics(bold).elidedText(row.source.title, Qt.TextElideMode.ElideMiddle, width)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.setFont(bold)
        painter.setPen(theme.colour("bright"))
        painter.drawText(line, flags, title)
        painter.setFont(theme.sans(9))
        painter.setPen(theme.colour("dim"))
        painter.drawText(line.adjusted(QFontMetrics(bold).horizontalAdvance(title), 0, 0, 0), flags, count)

    def _card(self, painter: QPainter, option: QStyleOptionViewItem, row: LibraryRow) -> None:
        assert row.model is not None
        card = option.rect.adjusted(2, 2, -2, -2)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            painter.setPen(theme.colour("accent" if chosen else "raised"))
            painter.setBrush(theme.colour("hover" if chosen else "raised"))
            painter.drawRoundedRect(card, 6, 6)
        top_left = option.rect.topLeft()
        frame = QRect(top_left.x() + MARGIN, top_left.y() + MARGIN, PICTURE.width(), PICTURE.height())
        self._picture(painter, frame, row.model.path)
        text = QRect(frame.left(), frame.bottom() + 4, frame.width(), TEXT // 2)
        known = self._pictures.known(row.model.path)
        broken = known is not None and known.image is None
        ink = "bright" if chosen else "dim" if broken else "text"
        self._line(painter, text, row.model.title, theme.sans(9.5), ink)
        self._line(painter, text.translated(0, TEXT // 2 - 2), row.place, theme.sans(8), "text" if chosen else "dim")

    def _picture(self, painter: QPainter, frame: QRect, path: Path) -> None:
        known = self._pictures.known(path)
        painter.save()
        round_frame = QPainterPath()
        round_frame.addRoundedRect(frame.toRectF(), 5, 5)
        painter.setClipPath(round_frame)
        painter.fillRect(frame, theme.colour("panel"))
        if known is not None and known.image is not None:
            painter.drawImage(frame, known.image)
        elif known is not None:
            size = frame.height() // 3
            icon = QRect(0, 0, size, size)
            icon.moveCenter(frame.center())
            self._blank.paint(painter, icon)
        painter.restore()

    def _line(self, painter: QPainter, rect: QRect, text: str, font: QFont, ink: str) -> None:
        painter.setFont(font)
        painter.setPen(theme.colour(ink))
        short = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, short)


class ShelfView(QListView):
    """The gallery."""

    def __init__(self, shelf: ShelfModel, pictures: Pictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shelf = shelf
        self.setObjectName("shelf")
        self.setModel(shelf)
        self.setItemDelegate(_RowPainter(pictures, self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # else its coming and going moves the headings
        self.setMouseTracking(True)
        bar = self.verticalScrollBar()
        if bar is not None:
            bar.setSingleStep(SCROLLED)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Headings are as wide as the view."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def chosen(self) -> LibraryRow | None:
        """The model that is chosen; None: none is."""
        index = self.currentIndex()
        row = self._shelf.row(index.row()) if index.isValid() else None
        return row if row is not None and row.model is not None else None

    def in_sight(self) -> list[Path]:
        """All models, the visible ones first."""
        port = self.viewport()
        seen: list[Path] = []
        rest: list[Path] = []
        for k in range(self._shelf.rowCount()):
            model = self._shelf.row(k).model
            if model is not None:
                visible = port is not None and self.visualRect(self._shelf.index(k)).intersects(port.rect())
                (seen if visible else rest).append(model.path)
        return [*seen, *rest]
