"""What the next fork does otherwise: boxes and lines to choose it, and the buttons."""

from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.panels.forks.difference import (
    CONE_CHOICES,
    INTEGRATOR_CHOICES,
    NUMBER_CHOICES,
    SAME,
    SOLVER_CHOICES,
    STEP_CHOICES,
    ForkChoice,
)
from app.widgets.element_choice import CalmCombo


class ForkForm(QWidget):
    """The form. Its buttons, `go` and `again`, are the dock's to connect."""

    def __init__(self) -> None:
        super().__init__()
        self.solver = plain_box(SOLVER_CHOICES, "Solver of the fork")
        self.cone = plain_box(CONE_CHOICES, "Friction cone of the fork")
        self.integrator = plain_box(INTEGRATOR_CHOICES, "Integrator of the fork")
        self.step = plain_box(STEP_CHOICES, "Time step of the fork: a factor, or seconds")
        self.step.setEditable(True)
        self.step.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.solref, self.solimp = _line("solref"), _line("solimp")
        self.numbers = plain_box(NUMBER_CHOICES, "The model with or without the changes made in Parameters and Options")
        self.go = QPushButton("Fork now")
        self.go.setToolTip("Continue the present state in a fork, with the settings chosen here  (Ctrl+D)")
        self.anew = QPushButton("Restart")
        self.anew.setToolTip("Restart all forks from the present state, each with its own settings")
        choices = {
            "Solver": self.solver, "Cone": self.cone, "Step": self.step, "Integrator": self.integrator,
            "solref": self.solref, "solimp": self.solimp, "Model": self.numbers,
        }  # fmt: skip
        self._choices: list[tuple[QLabel, QWidget]] = [(QLabel(text), choice) for text, choice in choices.items()]
        for label, _ in self._choices:
            label.setProperty("dim", True)
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(5)
        for button in (self.anew, self.go):
            button.setStyleSheet("padding: 5px 6px")
            buttons.addWidget(button, 1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(5)
        self.lay_out(2)

    def chosen(self) -> ForkChoice:
        """What the user has chosen."""
        return ForkChoice(
            self.solver.currentText(), self.cone.currentText(), self.integrator.currentText(), self.step.currentText(),
            self.solref.text(), self.solimp.text(), self.numbers.currentText(),
        )  # fmt: skip

    def lay_out(self, pairs: int) -> None:
        """Choices in rows of so many, then the buttons."""
        for k, (label, choice) in enumerate(self._choices):
            row, column = k // pairs, 2 * (k % pairs)
            self._grid.addWidget(label, row, column)
            self._grid.addWidget(choice, row, column + 1)
        self._grid.addWidget(self._buttons, len(self._choices) // pairs, 2 if pairs > 1 else 0, 1, 2)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1 if pairs > 1 else 0)


def plain_box(names: Iterable[str], tip: str) -> QComboBox:
    """A box of these names that takes what room there is."""
    box = CalmCombo()
    box.addItems(list(names))
    box.setToolTip(tip)
    box.setAccessibleName(tip)
    box.setMinimumWidth(64)
    box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return box


def _line(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(SAME)
    line.setToolTip(f"{name} of every contact of the fork; empty: as the model has them")
    line.setAccessibleName(name)
    line.setMinimumWidth(60)
    return line
