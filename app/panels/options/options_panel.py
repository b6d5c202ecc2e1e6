"""The options panel: every option and flag of the model, live."""

from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QCheckBox, QGridLayout, QWidget

from tumble.app.editing.edits import Edits
from tumble.app.editing.option_table import SECTIONS, Choice, Flag, place_of, places
from tumble.app.editing.parameters import Parameter
from tumble.app.look import theme
from tumble.app.panels.options.comparison import IntegratorComparison, IntegratorTable
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import make_button, make_check, make_label, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.number_row import EditRow
from tumble.app.widgets.scroll_area import SteadyScrollArea


class ChoiceRow(QWidget):
    """A name and its possible values."""

    def __init__(self, choice: Choice, edits: Edits) -> None:
        super().__init__()
        self._choice, self._edits = choice, edits
        self._label = make_label(choice.attribute, tip=choice.tip)
        self.box = CalmCombo(choice.attribute, choice.tip)
        self.box.addItems([name for _, name in choice.values])
        for k, tip in enumerate(choice.tips):
            self.box.setItemData(k, tip, Qt.ItemDataRole.ToolTipRole)
        self.box.activated.connect(self._wanted)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 40, 4)  # as those of numbers, which leave room for their way back
        grid.addWidget(self._label, 0, 0)
        grid.addWidget(self.box, 0, 1)
        grid.setColumnStretch(0, 1)

    def show_value(self) -> None:
        """Show the value in the model, or the pending one; empty if it has no name here."""
        value = self._edits.value(self._choice.place)[0]
        names = [number for number, _ in self._choice.values]
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(names.index(int(value)) if value in names else -1)
        weight = "bold" if self._edits.is_changed(self._choice.place) else "normal"
        self._label.setStyleSheet(f"font-weight: {weight};")

    def _wanted(self, index: int) -> None:
        value = float(self._choice.values[index][0])
        self._edits.set(self._choice.place, (value,), f"Change {self._choice.attribute}")


class OptionsPanel(Panel):
    """Sections of options, all of them to be changed while time runs; back to the file's with one button."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session, self._edits = bench.session, bench.session.part(Edits)
        self.numbers: dict[str, EditRow] = {}
        self.choices: dict[str, ChoiceRow] = {}
        self.flags: dict[str, QCheckBox] = {}
        self.comparison = IntegratorComparison(self._session, self)
        self.integrators = IntegratorTable(self.comparison)
        self.back = make_button(
            "Revert", "All options as the file gives them; can be undone", lambda: self._edits.restore(list(places()))
        )
        self._content = QWidget()
        self._fill()
        self.area = SteadyScrollArea(self._content)
        self.set_content(self.area)
        self._edits.settled.connect(self._show)
        self._edits.settled.connect(self._compare)
        self._edits.cleared.connect(self._show)
        self._session.model_loaded.connect(self._compare)
        dock.in_sight.connect(lambda visible: self._show())
        dock.in_sight.connect(lambda visible: self._compare())
        self._show()
        self._compare()

    def _fill(self) -> None:
        column = vbox(margins=(0, 2, 0, 8), spacing=0, inside=self._content)
        for section in SECTIONS:
            head = make_label(section.title, ink="section", font=theme.sans(9, bold=True))
            if section is SECTIONS[0]:
                head.setStyleSheet("border: none")  # the title of the dock has a line already
            column.addWidget(head)
            for row in section.rows:
                column.addWidget(self._row(row))
                if row.attribute == "integrator":
                    column.addWidget(self.integrators)
            for flag in section.flags:
                column.addWidget(self._switch(flag))
        foot = vbox(self.back, margins=(12, 12, 12, 4))
        column.addLayout(foot)
        column.addStretch(1)

    def _row(self, row: Parameter | Choice) -> QWidget:
        if isinstance(row, Choice):
            self.choices[row.attribute] = ChoiceRow(row, self._edits)
            return self.choices[row.attribute]
        self.numbers[row.attribute] = EditRow(row, place_of(row), self._edits)
        return self.numbers[row.attribute]

    def _switch(self, flag: Flag) -> QCheckBox:
        box = make_check(flag.name, flag.tip)
        box.setStyleSheet("margin: 2px 12px;")
        box.clicked.connect(partial(self._turn, flag))
        self.flags[flag.name] = box
        return box

    def _turn(self, flag: Flag, on: bool) -> None:
        bits = self._edits.value(flag.place)[0]
        self._edits.set(flag.place, (flag.switched(bits, on),), f"{flag.name} {'on' if on else 'off'}")

    def _compare(self) -> None:
        """Compare again: the last comparison was of another model or other options."""
        if self._session.model is not None and self.dock.isVisible():
            self.comparison.compare_soon()

    def _show(self) -> None:
        there = self._session.model is not None
        self._content.setEnabled(there)
        if not there or not self.dock.isVisible():
            return
        for row in self.numbers.values():
            row.follow()
        for choice in self.choices.values():
            choice.show_value()
        for flag in (flag for section in SECTIONS for flag in section.flags):
            box = self.flags[flag.name]
            with QSignalBlocker(box):
                box.setChecked(flag.is_on(self._edits.value(flag.place)[0]))
        self.back.setEnabled(any(self._edits.is_changed(place) for place in places()))
