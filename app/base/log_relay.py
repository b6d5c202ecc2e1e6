"""Log records on their way from any thread to the window."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from PyQt6.QtCore import QObject, pyqtSignal

MAX_LINES = 2000


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
        """Pass a record on; Qt queues it between threads."""
        text = record.getMessage()
        if record.exc_info:
            self.trace = logging.Formatter().formatException(record.exc_info)
            text += "\n" + self.trace
        when = datetime.fromtimestamp(record.created).isoformat(" ", "milliseconds")
        self.lines.append(f"{when} {record.levelname} {record.name}: {text}")
        self.records.append((record.levelno, record.created, text))
        self.signals.record.emit(record.levelno, record.created, text)


# The program reports the engine's warnings with element names; the engine's own lines are for scripts.
ENGINE = ("tumble.physics.run",)


@contextmanager
def unlogged(*names: str) -> Iterator[None]:
    """Suppress warnings of these loggers."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
