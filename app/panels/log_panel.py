"""The log panel: messages of the program and warnings of the engine."""

from __future__ import annotations

import logging
from datetime import datetime
from html import escape

from PyQt6.QtWidgets import QPlainTextEdit

from tumble.app.base.log_relay import MAX_LINES
from tumble.app.look import theme
from tumble.app.widgets.dock import Dock, Panel, Workbench

_INK = {logging.DEBUG: "disabled", logging.INFO: "dim", logging.WARNING: "warn", logging.ERROR: "bad", logging.CRITICAL: "bad"}


class LogPanel(Panel):
    """Lines with their time, coloured by level."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        relay = bench.relay
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Log")
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setFont(theme.mono(9))
        self.text.setPlaceholderText("Messages of the program and warnings of the engine appear here.")
        self.set_content(self.text)
        relay.acquire()  # other threads may write in the meantime
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
