"""The log panel: what the program and the engine have to say."""

from __future__ import annotations

import logging
from collections import deque
from datetime import datetime
from html import escape

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QPlainTextEdit

from app import theme
from app.docks.dock import Dock, Panel

MAX_LINES = 2000
_INK = {logging.DEBUG: "disabled", logging.INFO: "dim", logging.WARNING: "warn", logging.ERROR: "bad", logging.CRITICAL: "bad"}


class LogRelay(logging.Handler):
    """Carries log records of any thread into the window's, and keeps the last ones.

    records: (level, when [s since the epoch], text); lines: as text, with time and level; trace: the last traceback, "" where
    there was none.
    """

    class _Signals(QObject):
        record = pyqtSignal(int, float, str)  # level, time, text

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.signals = LogRelay._Signals()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        self.records: deque[tuple[int, float, str]] = deque(maxlen=MAX_LINES)
        self.trace = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Hand a record over; Qt queues it where the thread is another."""
        text = record.getMessage()
        if record.exc_info:
            self.trace = logging.Formatter().formatException(record.exc_info)
            text += "\n" + self.trace
        when = datetime.fromtimestamp(record.created).isoformat(" ", "milliseconds")
        self.lines.append(f"{when} {record.levelname} {record.name}: {text}")
        self.records.append((record.levelno, record.created, text))
        self.signals.record.emit(record.levelno, record.created, text)


class LogPanel(Panel):
    """Lines with their time, coloured by level."""

    def __init__(self, dock: Dock, relay: LogRelay) -> None:
        super().__init__(dock)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setFont(theme.mono(9))
        self.text.setPlaceholderText("Messages of the program and warnings of the engine appear here.")
        self.set_content(self.text)
        relay.acquire()  # other threads may write meanwhile
        try:
            before = list(relay.records)
            relay.signals.record.connect(self._add)
        finally:
            relay.release()
        for record in before:
            self._add(*record)

    def _add(self, level: int, created: float, message: str) -> None:
        ink, dim = theme.colours()[_INK.get(level, "text")], theme.colours()["disabled"]
        clock = datetime.fromtimestamp(created).strftime("%H:%M:%S")
        body = escape(message).replace("\n", "<br>").replace("  ", "&nbsp;&nbsp;")
        self.text.appendHtml(f'<span style="color:{dim}">{clock}</span>&nbsp; <span style="color:{ink}">{body}</span>')
