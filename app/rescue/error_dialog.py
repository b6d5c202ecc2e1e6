"""An error inside the program: in a sentence, with its traceback for developers."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from tumble.app.look import theme

Offer = tuple[str, Callable[[], None]]
Report = Callable[[str], None]  # requests a bundle for a bug report with this text


class ErrorDialog(QDialog):
    """Non-modal dialog: the window can still be used."""

    def __init__(
        self,
        title: str,
        message: str,
        trace: str,
        report: Report | None,
        parent: QWidget | None = None,
        offer: Offer | None = None,
    ) -> None:
        """title; message: a line or two; trace: "" if missing; report: None: no bundle can be made.

        offer: a remedy: text of a button, and its action before the dialog closes.
        """
        super().__init__(parent)
        self.setWindowTitle("Tumble")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.said = f"{title}\n{message}\n\n{trace}".strip() + "\n"
        self._count = 0
        heading = QLabel(title)
        heading.setFont(theme.sans(11, bold=True))
        self.message = QLabel(message)
        self.more = QLabel()
        self.more.setProperty("dim", True)
        self.more.hide()
        for label in (heading, self.message, self.more):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.trace = QPlainTextEdit(trace)
        self.trace.setAccessibleName("Full message")
        self.trace.setReadOnly(True)
        self.trace.setFont(theme.mono(9))
        self.trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.trace.hide()
        self._buttons = QHBoxLayout()
        self.details = self._button("Show details", lambda: self.show_details(self.trace.isHidden()))
        self.details.setVisible(bool(trace))
        self._buttons.addStretch(1)
        self.copy = self._button("Copy", self._copy)
        self.copy.setToolTip("Copy all of it as text")
        if report is not None:
            self._button("Save bundle…", lambda: report(self.said)).setToolTip("Save what a bug report needs in one file")
        if offer is not None:
            self._button(offer[0], offer[1]).clicked.connect(self.close)
        self._button("Close", self.close).setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        for widget in (heading, self.message, self.more):
            column.addWidget(widget)
        column.addWidget(self.trace, 1)
        column.addLayout(self._buttons)
        self.resize(560, 150)

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        self._buttons.addWidget(button)
        return button

    def show_details(self, on: bool) -> None:
        """Show the traceback, or hide it."""
        self.trace.setVisible(on)
        self.details.setText("Hide details" if on else "Show details")
        self.resize(max(self.width(), 720) if on else 560, 460 if on else self.minimumSizeHint().height())

    def another(self) -> None:
        """Count another error."""
        self._count += 1
        self.more.setText(f"{self._count} more since then: see the log")
        self.more.show()

    def _copy(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(self.said)
            self.copy.setText("Copied")


class ErrorDesk:
    """Shows one error at a time: errors may come every frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.report: Report | None = None
        self.dialog: ErrorDialog | None = None
        self._parent = parent

    def show(self, title: str, message: str, trace: str = "", offer: Offer | None = None) -> None:
        """Show an error, and its remedies; further ones are counted while it is shown."""
        if self.dialog is not None:
            self.dialog.another()
            return
        self.dialog = ErrorDialog(title, message, trace, self.report, self._parent, offer)
        self.dialog.finished.connect(self._forget)
        self.dialog.show()
        self.dialog.raise_()

    def close(self) -> None:
        """Remove the dialog."""
        if self.dialog is not None:
            self.dialog.close()

    def _forget(self) -> None:
        self.dialog = None
