"""File, Open model library: all models that are known by name, with pictures; a double click opens one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetrics, QHideEvent, QPainter, QPainterPath, QResizeEvent
from PyQt6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base import settings
from tumble.app.base.background import Background
from tumble.app.base.settings import Settings
from tumble.app.library.folders import BUNDLED, VARIABLE
from tumble.app.library.lookup import LibraryRow, Shelf, rows, shelves
from tumble.app.library.pictures import HEIGHT, WIDTH, Pictures
from tumble.app.look import theme
from tumble.physics.base.files import home

PICTURE = QSize(WIDTH // 2, HEIGHT // 2)
MARGIN = 8
TEXT = 38  # height of the two lines below a picture
HEADING = 40
SCROLLED = 24  # pixels a step of the wheel, times three
ROW = Qt.ItemDataRole.UserRole
SOON = 120  # after the last key or turn of the wheel, until pictures are requested for the visible rows [ms]
PATIENCE = 10.0  # for a look through the folders when the window closes [s]
HINT = (
    "Only the examples are known so far. Add a folder with MJCF models or archives of them, "
    f"install a package that brings some, such as gymnasium, or name folders in {VARIABLE}."
)


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


class LibraryDialog(QDialog):
    """The library, non-modal: the simulation continues. wanted: open this model."""

    wanted = pyqtSignal(object)  # Path

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Model library")
        self._store = store
        self._shelves: list[Shelf] = []
        self._count = 0  # models that are shown
        self._looking = False
        self._background = Background("library", self)
        self.pictures = Pictures(self)
        self.shelf = ShelfModel(self.pictures, self)
        self.view = ShelfView(self.shelf, self.pictures)
        self.view.setAccessibleName("Models")
        self.search = QLineEdit()
        self.search.setAccessibleName("Search models")
        self.search.setPlaceholderText("Search by name, folder or package")
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(28)
        self.remark = QLabel()
        self.remark.setWordWrap(True)
        self.remark.setProperty("dim", True)
        self.add = QPushButton("Add folder…")
        self.add.setToolTip("Also list the models of a folder, from now on")
        self.forget = QPushButton("Forget folder")
        self.forget.setToolTip("Remove the folder of the chosen model from the library; its files stay")
        self.go = QPushButton("Open")
        self.away = QPushButton("Close")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._lay_out()
        self._connect()
        self._show_choice()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.add, self.forget, self.go, self.away):
            button.setAutoDefault(button is self.go)
        self.go.setDefault(True)
        buttons.addWidget(self.add)
        buttons.addWidget(self.forget)
        buttons.addStretch(1)
        buttons.addWidget(self.go)
        buttons.addWidget(self.away)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(10)
        for widget in (self.search, self.view, self.remark):
            column.addWidget(widget, 1 if widget is self.view else 0)
        column.addLayout(buttons)
        self.resize(1090, 720)  # five pictures in a row

    def _connect(self) -> None:
        self.search.textChanged.connect(self._show_rows)
        self.pictures.changed.connect(self._show_remark)
        self.view.doubleClicked.connect(self._open)
        self.go.clicked.connect(lambda: self._open(self.view.currentIndex()))
        self.away.clicked.connect(self.close)
        self.add.clicked.connect(self._ask_folder)
        self.forget.clicked.connect(self._forget_folder)
        selection = self.view.selectionModel()
        assert selection is not None
        selection.currentChanged.connect(self._show_choice)
        self.shelf.modelReset.connect(self._show_choice)
        bar = self.view.verticalScrollBar()
        assert bar is not None
        bar.valueChanged.connect(self._soon.start)
        bar.rangeChanged.connect(self._soon.start)
        self._soon.timeout.connect(self._want_pictures)

    def appear(self) -> None:
        """Show it, in front, with the present files."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()
        self.search.selectAll()
        self.look()

    def look(self) -> None:
        """Search the folders again, in the background."""
        if self._looking:
            return
        self._looking = True
        stored = self._store.get(settings.MODELS)
        if not self._shelves:
            self.remark.setText("Looking for models…")
        self._background.run(lambda: shelves(stored), self._on_found, self._on_failed)

    def end(self) -> bool:
        """The window closes: drawing of pictures stops. Returns True if all threads have ended."""
        self.close()
        self.pictures.stop()
        return self._background.close(PATIENCE)

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Hidden: no pictures are made."""
        super().hideEvent(event)
        self._soon.stop()
        self.pictures.stop()

    def _on_found(self, found: list[Shelf]) -> None:
        self._looking = False
        self._shelves = found
        self.pictures.forget()
        self._show_rows()

    def _on_failed(self, message: str) -> None:
        self._looking = False
        self.remark.setText(f"The folders cannot be searched: {message}")

    def _show_rows(self) -> None:
        typed = self.search.text()
        matches = rows(self._shelves, typed)
        self.shelf.show_rows(matches)
        self._count = sum(row.count for row in matches)
        self._show_remark()
        first = next((k for k, row in enumerate(matches) if row.model is not None), None)
        if first is not None and typed.strip():
            self.view.setCurrentIndex(self.shelf.index(first))  # Return opens it
        self._soon.start()

    def _show_remark(self) -> None:
        typed, waiting = self.search.text().strip(), self.pictures.waiting
        if not self._count and typed:
            self.remark.setText(f"No model has “{typed}” in its name, its folder or its package.")
        elif all(shelf.source.key == BUNDLED for shelf in self._shelves):
            self.remark.setText(HINT)
        else:
            to_come = f"; {waiting} picture{'' if waiting == 1 else 's'} to come" if waiting else ""
            self.remark.setText(f"{self._count} models; on the command line, tumble NAME opens one{to_come}")

    def _want_pictures(self) -> None:
        if self.isVisible():
            self.pictures.want(self.view.in_sight())
            self._show_remark()

    def _show_choice(self) -> None:
        row = self.view.chosen()
        self.go.setEnabled(row is not None)
        self.forget.setEnabled(row is not None and row.source.own)

    def _open(self, index: QModelIndex) -> None:
        row = self.shelf.row(index.row()) if index.isValid() else None
        if row is not None and row.model is not None:
            self.close()
            self.wanted.emit(row.model.path)

    def _ask_folder(self) -> None:
        start = self._store.get(settings.FOLDER) or str(home())
        name = QFileDialog.getExistingDirectory(self, "Add a folder with models", start)
        if name:
            self.add_folder(Path(name))

    def add_folder(self, folder: Path) -> None:
        """Add a folder to the library."""
        stored = self._store.get(settings.MODELS)
        if str(folder) not in stored:
            self._store.put(settings.MODELS, [*stored, str(folder)])
        self.look()

    def _forget_folder(self) -> None:
        row = self.view.chosen()
        if row is not None:
            gone = {str(folder) for folder in row.source.folders}
            self._store.put(settings.MODELS, [name for name in self._store.get(settings.MODELS) if name not in gone])
            self.look()
