"""Dialog that asks if a controller may run: its path and its text."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Protocol

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QCloseEvent
from PyQt6.QtWidgets import QCheckBox, QDialog, QPlainTextEdit, QWidget

from tumble.app.look import theme
from tumble.app.simulation.controller_file import ControllerSource
from tumble.app.widgets.layout import hbox, make_button, make_label, make_timer, vbox

# Least time for which the text is visible before it can be accepted [ms], against accidental clicks.
STANDS = 500
WARNING = (
    "A controller is a program. It can do all that you can do on this computer: read, change, delete and send files. "
    "Run it only if you trust it."
)


class Asking(Protocol):
    """Runs controllers once the user agrees. asked: waits for it, asked_for: the model that it is for."""

    asked: ControllerSource | None
    asked_for: Path | None

    def agree(self, *, whole_path: bool = False) -> None:
        """The user agrees; whole_path: and to later versions of the file while the window is open."""

    def refuse(self) -> None:
        """The user declines."""


class TrustDialog(QDialog):
    """Non-modal: the simulation can still be used. Closing it declines."""

    def __init__(self, controllers: Asking, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Run this controller?")
        self.resize(720, 460)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)  # a save must not take the keys from the editor
        self._controllers = controllers
        self._source: ControllerSource | None = None
        self._stood = make_timer(self, lambda: self.agree.setEnabled(True), STANDS)
        self.path = make_label(wrap=True, font=theme.mono(9.5))
        self.path.setTextFormat(Qt.TextFormat.PlainText)
        self.model = make_label(ink="dim")
        self.model.setTextFormat(Qt.TextFormat.PlainText)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The controller")
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono(9.5))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.always = QCheckBox("Also run later versions of this file, until the window is closed")
        self.refuse = make_button("Don't run", "Esc", self.reject)
        self.refuse.setDefault(True)
        self.agree = make_button("Trust and run", "Run this text, and remember that it is trusted", self.accept)
        self.agree.setAutoDefault(False)
        self._lay_out()

    def _lay_out(self) -> None:
        warning = make_label(WARNING, ink="warn", wrap=True)
        line = hbox(None, self.agree, self.refuse)
        vbox(self.path, self.model, (self.text, 1), warning, self.always, line, inside=self)

    def accept(self) -> None:
        """Run the displayed text."""
        if self.agree.isEnabled() and self._source is self._controllers.asked:
            self._controllers.agree(whole_path=self.always.isChecked())

    def reject(self) -> None:
        """Decline."""
        self._controllers.refuse()

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Closing counts as "Don't run"."""
        self._controllers.refuse()
        super().closeEvent(event)

    def follow(self) -> None:
        """Show the controller that waits for approval, or nothing."""
        asked = self._controllers.asked
        if asked is None:
            self._source = None
            self.hide()
            return
        model = self._controllers.asked_for
        self.model.setText(f"For the model {model.name}" if model is not None else "For the model that is being loaded")
        if asked is self._source:
            return
        self._source = asked
        self.path.setText(str(asked.path))
        self.text.setPlainText(plainly(asked.text))
        self.always.setChecked(False)
        self.agree.setEnabled(False)
        self._stood.start()
        self.show()
        self.refuse.setFocus()


def plainly(text: str) -> str:
    """A text without hidden characters: invisible ones, and those that change the reading direction, are shown as numbers."""
    return "".join(_seen(char) for char in text.replace("\r\n", "\n"))


def _seen(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
        return char
    return f"\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}U+{ord(char):04X}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
