"""Meaning of the marks of the timeline, switches for them, and the memory of the past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QActionGroup, QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QToolButton, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look import theme
from tumble.app.panels.timeline.controls import tool_button
from tumble.app.panels.timeline.strip import LOOKS, reach
from tumble.app.panels.timeline.strip_view import mark_icon
from tumble.app.session.events import Event, EventKind
from tumble.app.session.history import History
from tumble.app.widgets.layout import hbox

WIDE, WORDY = 430, 860  # pixels at the usual size of text from which all is in one line, from which kinds have words
MEMORIES = (64, 256, 1024)  # of the history [MB]


class TimeLegend(QWidget):
    """A switch for each kind of event, and buttons. changed: visible kinds changed; all_wanted: show the whole history."""

    changed = pyqtSignal()
    all_wanted = pyqtSignal()

    def __init__(self, history: History, store: Settings) -> None:
        super().__init__()
        self._history, self._store = history, store
        self.hidden: frozenset[EventKind] = frozenset()
        self.kinds: dict[EventKind, QToolButton] = {}
        self._counts: Counter[EventKind] = Counter()
        self.all = tool_button("", "Show the whole history: the wheel zooms, the middle button moves", self.all_wanted.emit)
        self.all.setText("All")
        self.memory = tool_button("", "Memory for the history: how far back you can go")
        self.memory.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.memory.setMenu(self._make_memory())
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addLayout(self._make_kinds(), 1)
        line = hbox(None, self.all, self.memory, spacing=4)
        self._row.addLayout(line)

    def _make_kinds(self) -> QHBoxLayout:
        line = hbox(spacing=2)
        for kind, look in reversed(LOOKS.items()):
            chip = tool_button("", f"{look.word}: show or hide them")
            chip.setIcon(mark_icon(look))
            chip.setIconSize(QSize(14, 14))
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setCheckable(True)
            chip.setChecked(True)
            chip.toggled.connect(partial(self._show_kind, kind))
            self.kinds[kind] = chip
            line.addWidget(chip)
        line.addStretch(1)
        return line

    def _make_memory(self) -> QMenu:
        menu = QMenu(self)
        now = QAction(menu)
        now.setEnabled(False)
        menu.addAction(now)
        menu.addSeparator()
        self.memories, group = {}, QActionGroup(menu)
        for megabytes in MEMORIES:
            action = QAction(f"{megabytes} MB", menu)
            action.setCheckable(True)
            action.triggered.connect(partial(self._set_memory, megabytes))
            group.addAction(action)
            menu.addAction(action)
            self.memories[megabytes] = action
        menu.aboutToShow.connect(lambda: now.setText(reach(self._history)))
        self._show_memory()
        return menu

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Words, and all in one line, where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE * theme.scale()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._show_counts()

    def count(self, events: Sequence[Event]) -> None:
        """Show how many there are of each kind."""
        self._counts = Counter(event.kind for event in events)
        self._show_counts()

    def _show_counts(self) -> None:
        for kind, chip in self.kinds.items():
            word = f"{LOOKS[kind].word} " if self.width() >= WORDY * theme.scale() else ""
            chip.setText(f"{word}{self._counts[kind]}")

    def _show_kind(self, kind: EventKind, on: bool) -> None:
        self.hidden = self.hidden - {kind} if on else self.hidden | {kind}
        self.changed.emit()

    def _set_memory(self, megabytes: int) -> None:
        self._store.put(settings.HISTORY_MEMORY, megabytes)
        self._history.set_memory(megabytes)
        self._show_memory()

    def _show_memory(self) -> None:
        now = self._store.get(settings.HISTORY_MEMORY)
        self.memory.setText(f"{now} MB")
        if now in self.memories:
            self.memories[now].setChecked(True)
