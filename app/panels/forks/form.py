"""Form for the settings of a fork: one of the list, or the next one."""

from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from tumble.app.base.keys_in_text import with_keys
from tumble.app.look import theme
from tumble.app.panels.forks.forks import (
    CONE_CHOICES,
    INTEGRATOR_CHOICES,
    NUMBER_CHOICES,
    SAME,
    SOLVER_CHOICES,
    STEP_CHOICES,
    ForkChoice,
)
from tumble.app.widgets.layout import hbox, holder, make_button, make_label
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.slider_row import ElidedLabel

NEXT = "Next fork"
NEXT_TIP = with_keys("These settings are for the fork that Fork now (Ctrl+D) makes")
CHOSEN_TIP = "A change restarts this fork from the present state; its last run stays, faint"


class ForkForm(QWidget):
    """The form, with buttons at its head that are the panel's to connect, and a note. edited: the user has chosen otherwise."""

    edited = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.heading = ElidedLabel("")
        self.heading.setFont(theme.sans(9, bold=True))
        self.go = make_button(
            "Fork now", with_keys(f"Continue the present state in a fork, with the settings of {NEXT}  (Ctrl+D)")
        )
        self.restart = make_button("Restart", "Restart all forks from the present state, each with its own settings")
        self._head = holder(hbox((self.heading, 1), self.restart, self.go, margins=(0, 0, 0, 0), spacing=5))
        self.note = make_label(wrap=True)
        self.solver = plain_box(SOLVER_CHOICES, "Solver of the fork")
        self.cone = plain_box(CONE_CHOICES, "Friction cone of the fork")
        self.integrator = plain_box(INTEGRATOR_CHOICES, "Integrator of the fork")
        self.step = plain_box(STEP_CHOICES, "Time step of the fork: a factor, or seconds")
        self.step.setEditable(True)
        self.step.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.solref, self.solimp = _line("solref"), _line("solimp")
        self.numbers = plain_box(NUMBER_CHOICES, "The model with or without the changes made in Parameters and Options")
        choices = {
            "Solver": self.solver, "Cone": self.cone, "Step": self.step, "Integrator": self.integrator,
            "solref": self.solref, "solimp": self.solimp, "Model": self.numbers,
        }  # fmt: skip
        self._choices: list[tuple[QLabel, QWidget]] = [(QLabel(text), choice) for text, choice in choices.items()]
        for label, _ in self._choices:
            label.setProperty("dim", True)
        for box in (self.solver, self.cone, self.integrator, self.step, self.numbers):
            box.activated.connect(lambda k: self.edited.emit())
        for line in (self.solref, self.solimp, self.step.lineEdit()):
            if line is not None:
                line.editingFinished.connect(self.edited)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(5)
        self.lay_out(2)

    def chosen(self) -> ForkChoice:
        """The user's choice."""
        return ForkChoice(
            self.solver.currentText(), self.cone.currentText(), self.integrator.currentText(), self.step.currentText(),
            self.solref.text(), self.solimp.text(), self.numbers.currentText(),
        )  # fmt: skip

    def show_next(self, choice: ForkChoice) -> None:
        """The settings of the next fork."""
        self.heading.set_text(NEXT, NEXT_TIP)
        self._show(choice)

    def show_fork(self, name: str, choice: ForkChoice) -> None:
        """The settings of a fork that there is."""
        self.heading.set_text(f"Fork: {name}", CHOSEN_TIP)
        self._show(choice)

    def _show(self, choice: ForkChoice) -> None:
        if choice == self.chosen():
            return  # the cursor stays where it is in a line
        for box, text in ((self.solver, choice.solver), (self.cone, choice.cone), (self.integrator, choice.integrator),
                          (self.numbers, choice.numbers)):  # fmt: skip
            box.setCurrentText(text)
        self.step.setEditText(choice.step)
        self.solref.setText(choice.solref)
        self.solimp.setText(choice.solimp)

    def lay_out(self, pairs: int) -> None:
        """Lay out the caption, then the choices, `pairs` to a row."""
        self._grid.addWidget(self._head, 0, 0, 1, 2 * pairs)
        self._grid.addWidget(self.note, 1, 0, 1, 2 * pairs)
        for k, (label, choice) in enumerate(self._choices):
            row, column = 2 + k // pairs, 2 * (k % pairs)
            self._grid.addWidget(label, row, column)
            self._grid.addWidget(choice, row, column + 1)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1 if pairs > 1 else 0)


def plain_box(names: Iterable[str], tip: str) -> QComboBox:
    """A box of these names that takes the available room."""
    box = CalmCombo(tip)
    box.addItems(list(names))
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
