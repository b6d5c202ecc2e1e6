"""The text of a study, with what is wrong in it at its line."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QTextCursor
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from tumble.app.base.editor import place_in
from tumble.app.look import theme


class StudyEditor(QWidget):
    """edited: the user has changed the text. The buttons are the panel's to connect."""

    edited = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text of the study")
        self.text.setFont(theme.mono(9.5))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.textChanged.connect(lambda: self.edited.emit(self.text.toPlainText()))
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.setProperty("bad", True)
        self.problem.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.show_place = QPushButton("Go to the line")
        self.show_place.setProperty("link", True)
        self.show_place.clicked.connect(self._go)
        self.save = QPushButton("Save")
        self.external = QPushButton("Text editor")
        self.external.setToolTip("Open the file in your text editor; saving it there is seen here")
        for button in (self.save, self.external):
            button.setStyleSheet("padding: 3px 9px")
        foot = QHBoxLayout()
        foot.addWidget(self.show_place)
        foot.addStretch(1)
        foot.addWidget(self.external)
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.text, 1)
        column.addWidget(self.problem)
        column.addLayout(foot)
        self._place: tuple[int, int] | None = None
        self.show_problem("")

    def show_text(self, text: str) -> None:
        """Show another text; the cursor stays at its line where it can."""
        if text == self.text.toPlainText():
            return
        line = self.text.textCursor().blockNumber()
        with QSignalBlocker(self.text):
            self.text.setPlainText(text)
        self._move(line + 1, 1)

    def show_problem(self, problem: str) -> None:
        """Show a message, "": none; with its place, file:line:column, the line can be gone to."""
        place = place_in(problem) if problem else None
        self._place = None if place is None else (place[1], place[2] or 1)
        self.problem.setText(problem if place is None else f"Line {place[1]}, column {place[2]}: {_without_place(problem)}")
        self.problem.setVisible(bool(problem))
        self.show_place.setVisible(self._place is not None)

    def _go(self) -> None:
        if self._place is not None:
            self._move(*self._place)
            self.text.setFocus()

    def _move(self, line: int, column: int) -> None:
        document = self.text.document()
        assert document is not None
        block = document.findBlockByNumber(min(line, document.blockCount()) - 1)
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.Right, n=min(column - 1, max(0, block.length() - 1)))
        self.text.setTextCursor(cursor)


def _without_place(problem: str) -> str:
    """A message without file:line:column."""
    return problem.split(": ", 1)[-1]
