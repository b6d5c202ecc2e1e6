"""States that a process that died has left: each can continue, be saved, or be thrown away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tumble.app.describe.numbers import duration
from tumble.app.look import theme
from tumble.app.rescue.recovery import Left

TITLE = "Tumble did not close properly"
NOTE = "The end of the simulation was saved."


class RecoveryDialog(QDialog):
    """A row for each recovered state. Non-modal; closing it keeps them for the next start."""

    go_on = pyqtSignal(object)  # Left
    save = pyqtSignal(object)
    report = pyqtSignal(object)

    def __init__(self, left: Sequence[Left], now: datetime, parent: QWidget | None = None, note: str = "") -> None:
        """note: an additional remark, one line."""
        super().__init__(parent)
        self.setWindowTitle("Tumble")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rows: dict[Left, QWidget] = {}
        heading = QLabel(TITLE)
        heading.setFont(theme.sans(11, bold=True))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(18, 16, 18, 14)
        self._column.setSpacing(10)
        self._column.addWidget(heading)
        self._column.addWidget(QLabel(NOTE))
        self.note = QLabel(note)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setVisible(bool(note))
        self._column.addWidget(self.note)
        for one in left:
            self.rows[one] = self._row(one, now)
            self._column.addWidget(self.rows[one])
        later = QPushButton("Later")
        later.setToolTip("Keep them, and ask again at the next start")
        later.setAutoDefault(False)
        later.clicked.connect(self.close)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(later)
        self._column.addStretch(1)
        self._column.addLayout(line)

    def _row(self, left: Left, now: datetime) -> QWidget:
        row = QFrame()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 4, 0, 4)
        line.setSpacing(8)
        words = QLabel(f"{left.model}\n{_length(left)}saved {ago(now, datetime.fromtimestamp(left.saved))}")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setMinimumWidth(220)
        line.addWidget(words, 1)
        for text, tip, slot in (
            ("Continue", "Open it where it was, paused", self.go_on.emit),
            ("Save…", "Save it as a replay file", self.save.emit),
            ("Report…", "Save a bundle for a bug report: the state, and where the program crashed", self.report.emit),
            ("Discard", "Delete it", self._discard),
        ):
            if text == "Report…" and not left.trace:
                continue  # nothing is known of why it ended
            button = QPushButton(text)
            button.setToolTip(tip)
            button.setAutoDefault(text == "Continue")
            button.clicked.connect(lambda checked, slot=slot: slot(left))
            line.addWidget(button)
        return row

    def _discard(self, left: Left) -> None:
        left.discard()
        self.done_with(left)

    def done_with(self, left: Left) -> None:
        """This one is taken care of; after the last the dialog closes."""
        row = self.rows.pop(left, None)
        if row is not None:
            row.hide()
            row.deleteLater()
        if not self.rows:
            self.close()


def _length(left: Left) -> str:
    return "" if math.isnan(left.seconds) else f"the last {duration(left.seconds)}, "


def ago(now: datetime, then: datetime) -> str:
    """A past time in words."""
    seconds = (now - then).total_seconds()
    if -90 < seconds < 90:
        return "a moment ago"
    if 0 < seconds < 90 * 60:  # else a clock has been set back: when, not how long ago
        return f"{seconds / 60:.0f} minutes ago"
    return then.strftime("at %H:%M") if now.date() == then.date() else then.strftime("on %Y-%m-%d at %H:%M")
