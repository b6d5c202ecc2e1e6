"""The global override: one solref, solimp, friction and margin for every contact, or not."""

from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.mixing import OVERRIDE
from tumble.app.editing.parameters import OVERRIDE as PARAMETERS
from tumble.app.editing.parameters import Parameter
from tumble.app.widgets.number_row import NumberRow

_FLAGS = EditPlace("opt.enableflags")


class OverrideBox(QWidget):
    """A switch, and the numbers while it is on."""

    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits
        self.switch = QCheckBox("override all contacts")
        self.switch.setToolTip("Every contact uses these numbers instead of those of its geoms (option flag override)")
        self.switch.clicked.connect(self._switch)
        self.rows = {p.attribute: NumberRow(p, "m", "N") for p in PARAMETERS}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.switch)
        self.switch.setContentsMargins(12, 0, 0, 0)
        self.switch.setStyleSheet("margin-left: 12px;")
        for row in self.rows.values():
            row.changed.connect(partial(self._set, row.parameter))
            row.restored.connect(partial(self._restore, row.parameter))
            column.addWidget(row)

    def show_values(self) -> None:
        """Show what the model has, or is about to have."""
        on = bool(int(self._edits.value(_FLAGS)[0]) & OVERRIDE)
        with QSignalBlocker(self.switch):
            self.switch.setChecked(on)
        for row in self.rows.values():
            place = EditPlace(row.parameter.field)
            row.show_values(self._edits.value(place), self._edits.first(place))
            row.setVisible(on)

    def _switch(self, on: bool) -> None:
        flags = int(self._edits.value(_FLAGS)[0])
        flags = flags | OVERRIDE if on else flags & ~OVERRIDE
        self._edits.set(_FLAGS, (float(flags),), "Override all contacts")

    def _set(self, parameter: Parameter, values: Values) -> None:
        self._edits.set(EditPlace(parameter.field), values, f"Change {parameter.attribute}")

    def _restore(self, parameter: Parameter) -> None:
        self._edits.restore([EditPlace(parameter.field)])
