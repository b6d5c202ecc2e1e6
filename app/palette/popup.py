"""Popup of the palette: a search field over the window with the results below; Enter chooses, Escape closes."""

from __future__ import annotations

from PyQt6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QRectF, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QWindow
from PyQt6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.palette.entries import EntryKind, PaletteEntry
from tumble.app.widgets.layout import make_label, present, vbox

WIDE, TALL, LEAST_TALL, MARGIN = 680, 460, 160, 24
ROW = 44
ENTRY = Qt.ItemDataRole.UserRole
_KINDS = {EntryKind.ACTION: "", EntryKind.PANEL: "", EntryKind.ELEMENT: "", EntryKind.SIGNAL: "plot"}
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}


class FoundEntries(QAbstractListModel):
    """The entries that are listed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: list[PaletteEntry] = []

    def show_entries(self, entries: list[PaletteEntry]) -> None:
        """List these."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number of entries."""
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title; the whole line for screen readers and as the tip; the entry itself."""
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return entry.spoken
        return entry if role == ENTRY else None


class EntryPainter(QStyledItemDelegate):
    """Two lines: the title with its keys, and below it the origin or the reason why it is disabled."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """Room for two lines of the present font."""
        return QSize(100, max(ROW, round(2.7 * QFontMetricsF(theme.sans()).height())))

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Draw one line of the list."""
        entry = index.data(ENTRY)
        if painter is None or not isinstance(entry, PaletteEntry):
            return
        chosen = bool(option.state & option.state.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(option.rect, theme.colour("hover"))
        place = QRectF(option.rect).adjusted(14, 4, -14, -4)
        ink = theme.colour("dim" if entry.why else "bright" if chosen else "text")
        keys = entry.keys or _KINDS[entry.kind]
        used = self._line(painter, place, keys, theme.colour("dim"), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        head = place.adjusted(0, 0, -used - 12, 0)
        self._line(painter, head, entry.title, ink, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        below, colour = (entry.why, theme.colour("warn")) if entry.why else (entry.about, theme.colour("dim"))
        self._line(painter, place, below, colour, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, 8.5)
        painter.restore()

    @staticmethod
    def _line(painter: QPainter, place: QRectF, text: str, ink: QColor, where: Qt.AlignmentFlag, points: float = 9.5) -> float:
        """Write one line, cut where it is too long; returns its width."""
        font = theme.sans(points)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(place, int(where), shown)
        return metrics.horizontalAdvance(shown)


class PalettePopup(QFrame):
    """asked: the search text changed; chosen: an entry to execute. It closes by itself when it loses the focus."""

    asked = pyqtSignal(str)
    chosen = pyqtSignal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("finder")
        self.setAutoFillBackground(True)
        self._before: QWidget | None = None
        self.field, self.list, self.remark = QLineEdit(), QListView(), QLabel()
        self.field.setPlaceholderText("Search actions, panels, elements and signals")
        self.field.setAccessibleName("Search everything")
        self.list.setAccessibleName("Search results")
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows = FoundEntries(self)
        self.list.setModel(self.rows)
        self.list.setItemDelegate(EntryPainter(self.list))
        self.remark.setProperty("dim", True)
        self.nothing = make_label(wrap=True)
        self.nothing.setObjectName("empty")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        vbox(self.field, (self.list, 1), (self.nothing, 1), self.remark, margins=(10, 10, 10, 8), spacing=6, inside=self)
        self.field.setMinimumHeight(32)
        self.field.textChanged.connect(self.asked)
        self.field.installEventFilter(self)
        self.list.installEventFilter(self)
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        program = QApplication.instance()
        if isinstance(program, QApplication):
            program.focusWindowChanged.connect(self._close_for)
        self.hide()

    def appear(self) -> None:
        """Show it over the upper middle of the window, with an empty field that has the focus."""
        self._before = QApplication.focusWidget()
        self.field.clear()
        self.asked.emit("")
        self.place()
        self.show()
        self.raise_()
        self.field.setFocus()

    def leave(self) -> None:
        """Close it; the focus returns to where it was."""
        had = self.isAncestorOf(QApplication.focusWidget()) if QApplication.focusWidget() is not None else False
        self.hide()
        if had and self._before is not None:
            self._before.setFocus()
        self._before = None

    def place(self) -> None:
        """Adapt to the size of the window."""
        window = present(self.parentWidget())
        wide = min(WIDE, window.width() - 2 * MARGIN)
        tall = max(LEAST_TALL, min(TALL, window.height() - 3 * MARGIN))
        self.setGeometry((window.width() - wide) // 2, min(64, window.height() // 10), wide, tall)

    def show_entries(self, entries: list[PaletteEntry], remark: str) -> None:
        """List these, the first of them selected, and a remark below; without entries, the remark takes their place."""
        self.rows.show_entries(entries)
        self.list.setVisible(bool(entries))
        self.nothing.setVisible(not entries)
        self.nothing.setText("" if entries else remark)
        self.remark.setText(remark if entries else "Esc closes")
        if entries:
            self._select(0)
        else:
            self.field.setAccessibleDescription(remark)

    @property
    def current(self) -> PaletteEntry | None:
        """The entry that Enter chooses."""
        row = self.list.currentIndex().row()
        return self.rows.entries[row] if 0 <= row < len(self.rows.entries) else None

    def _select(self, row: int) -> None:
        index = self.rows.index(max(0, min(row, len(self.rows.entries) - 1)))
        self.list.setCurrentIndex(index)
        entry = self.current
        self.field.setAccessibleDescription(entry.spoken if entry is not None else "")  # the focus stays in the field

    def _choose(self, index: QModelIndex | None = None) -> None:
        entry = self.current if index is None else self.rows.entries[index.row()]
        if entry is None:
            return
        if entry.why:
            self.remark.setText(f"{entry.title}: {entry.why}")
            return
        self.leave()
        self.chosen.emit(entry)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Keys of the field move in the list; leaving the palette closes it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # while it is open, keys are for it
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        if event is not None and event.type() == QEvent.Type.FocusOut:
            QTimer.singleShot(0, self._close_if_left)
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif key in _MOVES:
            self._select(self.list.currentIndex().row() + _MOVES[key])
        else:
            return False
        return True

    def _close_for(self, window: QWindow | None) -> None:
        """Close if another window of the program has the focus; if another program has it, the palette stays."""
        own = self.window()
        if self.isVisible() and window is not None and own is not None and window is not own.windowHandle():
            self.leave()

    def _close_if_left(self) -> None:
        now = QApplication.focusWidget()
        if self.isVisible() and now is not None and not self.isAncestorOf(now):
            self.leave()
