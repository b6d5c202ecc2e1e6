"""F1: mouse gestures and keys on a card over the window. It fits any size: fewer columns where it is narrow, and it scrolls."""

from __future__ import annotations

from html import escape

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtGui import QAction, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.look.actions import GESTURES, plain
from tumble.app.palette.entries import in_menus
from tumble.app.preferences.keys import KeyMap
from tumble.app.widgets.scroll_area import SteadyScrollArea

MARGIN, WIDEST, COLUMN = 20, 1180, 370
SCROLLS = {
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
}  # fmt: skip
Lines = list[tuple[str, str]]


class HelpCard(QFrame):
    """Shows the keys as they are now, by menu."""

    def __init__(self, window: QMainWindow, toggle: QAction, keys: KeyMap) -> None:
        """toggle: the switch that shows and hides it."""
        super().__init__(window)
        self.setObjectName("finder")
        self.setAutoFillBackground(True)
        self._window, self._toggle = window, toggle
        self.area = SteadyScrollArea()
        self.area.setAccessibleName("Mouse and keys")
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        line, away = QHBoxLayout(), QPushButton("Close")
        line.setContentsMargins(14, 4, 10, 0)
        line.addWidget(QLabel("Mouse and keys   ·   Edit, Preferences changes keys   ·   Esc closes"), 1)
        line.addWidget(away)
        away.clicked.connect(toggle.trigger)
        column.addLayout(line)
        column.addWidget(self.area)
        window.installEventFilter(self)
        self.area.installEventFilter(self)
        keys.changed.connect(lambda: self._fill() if self.isVisible() else None)
        self.hide()

    def show_it(self, on: bool) -> None:
        """Show it with the focus, so that keys scroll it, or hide it."""
        if not on:
            self.hide()
            return
        self._place()
        self._fill()
        self.show()
        self.raise_()
        self.area.setFocus()

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Follow the size of the window; keys that scroll are for the card."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in SCROLLS:
            event.accept()
            return True
        if watched is self._window and event is not None and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
            self._fill()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Escape closes it."""
        if event is not None and event.key() == Qt.Key.Key_Escape:
            self._toggle.trigger()
        else:
            super().keyPressEvent(event)

    def _place(self) -> None:
        room = self._window.size()
        wide = min(WIDEST, room.width() - 2 * MARGIN)
        self.setGeometry((room.width() - wide) // 2, 2 * MARGIN, wide, room.height() - 3 * MARGIN)

    def _fill(self) -> None:
        """Lay out the sections in as many columns as fit, each where least is so far."""
        count = max(1, min(3, self.width() // COLUMN))
        inner = QWidget()
        line = QHBoxLayout(inner)
        line.setContentsMargins(14, 8, 14, 12)
        line.setSpacing(28)
        columns, filled = [QVBoxLayout() for _ in range(count)], [0] * count
        for column in columns:
            line.addLayout(column, 1)
        for title, lines in sections(self._window):
            at = filled.index(min(filled))
            columns[at].addWidget(_section(title, lines))
            filled[at] += len(lines) + 2
        for column in columns:
            column.addStretch(1)
        self.area.setWidget(inner)
        self.setFixedHeight(min(inner.sizeHint().height() + 56, self._window.height() - 3 * MARGIN))


def sections(window: QMainWindow) -> list[tuple[str, Lines]]:
    """Headings with keys and their actions; actions without a key are omitted."""
    bar = window.menuBar()
    assert bar is not None
    result: dict[str, Lines] = {"Mouse": list(GESTURES)}
    for path, action in in_menus(bar):
        keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
        if keys:
            result.setdefault(path, []).append((keys[0], plain(action.text()).rstrip("…")))
    return list(result.items())


def _section(title: str, lines: Lines) -> QWidget:
    section = QWidget()
    grid = QGridLayout(section)
    grid.setContentsMargins(0, 6, 0, 8)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 1)
    head = QLabel(f"<b>{escape(title)}</b>")
    head.setFont(theme.sans(10))
    grid.addWidget(head, 0, 0, 1, 2)
    for row, (key, text) in enumerate(lines, 1):
        keys, words = QLabel(f"<span style='color:{theme.colours()['accent']}'>{escape(key)}</span>"), QLabel(text)
        keys.setWordWrap(title == "Mouse")
        words.setWordWrap(True)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for place, label in enumerate((keys, words)):
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label, row, place)
    return section
