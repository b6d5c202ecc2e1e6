"""An example program beside the page: its text, and what it prints when it is run."""

from __future__ import annotations

import shlex

from PyQt6.QtCore import QProcess, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QPlainTextEdit, QSplitter, QWidget

from tumble.app.base.background import end_process, program_process
from tumble.app.look import theme
from tumble.app.shell.reading.page import script_path
from tumble.app.widgets.layout import hbox, make_button, make_label, present, vbox


class ProgramView(QWidget):
    """A program of docs/scripts. It runs in a process of its own: `tumble run`, with this engine."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""
        self._process: QProcess | None = None
        self.title = make_label(font=theme.sans(10.5, bold=True))
        self.run = make_button("&Run", "Run it in a process of its own, with Tumble's engine", self.start)
        self.end = make_button("&Stop", "End it", self.stop, enabled=False)
        self.copy = make_button("&Copy", "Put the program on the clipboard", self._copy)
        self.close_it = make_button("&Hide", "Hide the program; the page takes its room", self._hide)
        self.text, self.output = _reading_field("Program"), _reading_field("Output")
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        both.addWidget(self.text)
        both.addWidget(self.output)
        both.setSizes([500, 140])
        vbox(hbox(self.title, None, self.run, self.end, self.copy, self.close_it), (both, 1), margins=(0, 0, 0, 0), inside=self)

    def show_program(self, name: str) -> None:
        """Show a program of the docs, by its file name."""
        self.show()
        if name == self.name:
            return
        self.stop()
        self.name = name
        self.title.setText(name)
        path = script_path(name)
        try:
            self.text.setPlainText(path.read_text("utf-8"))
        except OSError as error:
            self.text.setPlainText(f"{path}: {error.strerror or error}")
        self.output.setPlainText(f"tumble run {shlex.quote(str(path))}")

    def start(self) -> None:
        """Run the program."""
        self.stop()
        self.output.setPlainText("Running …")
        process = self._process = program_process(self, "run", str(script_path(self.name)), failed=self._on_failed)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        process.finished.connect(self._on_finished)
        self.run.setEnabled(False)
        self.end.setEnabled(True)
        process.start()

    def stop(self) -> None:
        """End the program if it runs."""
        process, self._process = self._process, None
        if process is not None:
            end_process(process)
            self.output.setPlainText("Stopped")
        self._show_idle()

    def _on_failed(self, why: str) -> None:
        self._process = None
        self.output.setPlainText(f"It did not start: {why}")
        self._show_idle()

    def _on_finished(self, code: int) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        printed = bytes(process.readAll().data()).decode("utf-8", "replace").strip()
        self.output.setPlainText(printed if code == 0 else f"{printed}\nended with code {code}")
        process.deleteLater()
        self._show_idle()

    def _show_idle(self) -> None:
        self.run.setEnabled(True)
        self.end.setEnabled(False)

    def _copy(self) -> None:
        present(QGuiApplication.clipboard()).setText(self.text.toPlainText())

    def _hide(self) -> None:
        self.stop()
        self.hide()


def _reading_field(name: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setReadOnly(True)
    field.setFont(theme.mono())
    field.setAccessibleName(name)
    return field
