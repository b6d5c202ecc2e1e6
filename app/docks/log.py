"""The log dock: what the program and the engine have to say."""

from __future__ import annotations

import logging
from collections import deque
from datetime import datetime
from html import escape

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QDockWidget, QPlainTextEdit

from app import theme

MAX_LINES = 2000
_INK = {logging.DEBUG: "disabled", logging.INFO: "dim", logging.WARNING: "warn", logging.ERROR: "bad", logging.CRITICAL: "bad"}


class LogRelay(logging.Handler):
    """Carries log records of any thread into the window's, and keeps the last ones.

    lines: as text, with time and level; trace: the last traceback, "" where there was none.
    """

    class _Signals(QObject):
        record = pyqtSignal(int, float, str)  # level, time, text

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.signals = LogRelay._Signals()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        self.trace = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Hand a record over; Qt queues it where the thread is another."""
        text = record.getMessage()
        if record.exc_info:
            self.trace = logging.Formatter().formatException(record.exc_info)
            text += "\n" + self.trace
        when = datetime.fromtimestamp(record.created).isoformat(" ", "milliseconds")
        self.lines.append(f"{when} {record.levelname} {record.name}: {text}")
        self.signals.record.emit(record.levelno, record.created, text)


class LogDock(QDockWidget):
    """Lines with their time, coloured by level."""

    def __init__(self, relay: LogRelay) -> None:
        super().__init__("Log")
        self.setObjectName("log")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setFont(theme.mono(9))
        self.text.setPlaceholderText("Messages of the program and warnings of the engine appear here.")
        self.setWidget(self.text)
        relay.signals.record.connect(self._add)

    def _add(self, level: int, created: float, message: str) -> None:
        ink, dim = theme.colours()[_INK.get(level, "text")], theme.colours()["disabled"]
        clock = datetime.fromtimestamp(created).strftime("%H:%M:%S")
        body = escape(message).replace("\n", "<br>").replace("  ", "&nbsp;&nbsp;")
        self.text.appendHtml(f'<span style="color:{dim}">{clock}</span>&nbsp; <span style="color:{ink}">{body}</span>')
