"""Non-modal dialogs with a form, a line that says what is wrong, and buttons."""

from __future__ import annotations

import re

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from tumble.app.describe.numbers import TIMES


class FormDialog(QDialog):
    """wanted: the user wants what is filled in; `refuse` says why it is missing, `accept` that it is done."""

    wanted = pyqtSignal()

    def __init__(self, title: str, button: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(14)
        self.form.setVerticalSpacing(8)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.problem = QLabel()
        self.problem.setProperty("bad", True)
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.go = QPushButton(button)
        self.go.setDefault(True)
        self.go.clicked.connect(self.wanted)
        self.away = QPushButton("Cancel")
        self.away.setAutoDefault(False)
        self.away.clicked.connect(self.reject)
        self.buttons = QHBoxLayout()
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.go)
        self.buttons.addWidget(self.away)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(18, 16, 18, 14)
        self.column.setSpacing(12)
        self.column.addLayout(self.form)
        self.column.addWidget(self.problem)
        self.column.addLayout(self.buttons)
        self.column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    def refuse(self, why: str) -> None:
        """Say why it cannot be done; empty: no longer."""
        self.problem.setText(why)
        self.problem.setVisible(bool(why))

    def appear(self) -> None:
        """Show it, in front."""
        self.refuse("")
        self.show()
        self.raise_()
        self.activateWindow()


class ChoiceBox(QComboBox):
    """Values to choose from, and others that may be typed."""

    def __init__(self, values: list[str], tip: str, *, width: int = 150) -> None:
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(values)
        self.setAccessibleName(tip.partition(";")[0])
        self.setToolTip(tip)
        self.setFixedWidth(width)


def parse_size(text: str) -> tuple[int, int] | None:
    """Width and height in a text such as 1280 x 720; None: there are none."""
    found = re.search(rf"(\d{{1,5}})\s*[x*,{TIMES} ]\s*(\d{{1,5}})", text)
    if found is None or not (int(found[1]) and int(found[2])):
        return None
    return int(found[1]), int(found[2])


def size_text(width: int, height: int) -> str:
    """A size for reading."""
    return f"{width} {TIMES} {height}"


def beside(*widgets: QWidget) -> QWidget:
    """Widgets in a line, to the left."""
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        line.addWidget(widget)
    line.addStretch(1)
    return holder
