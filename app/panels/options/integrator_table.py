"""The table of integrators below their option: cost of a step, growth of a deviation, and a sentence about the model's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tumble.app.describe.integrators import NAMES, advice, cost_text, growth_text
from tumble.app.look import theme
from tumble.app.panels.options.comparison import IntegratorComparison
from tumble.physics.observe.stability import INTEGRATORS

if TYPE_CHECKING:
    from tumble.physics.observe.stability import Stability

MARGIN = 12  # [px]
_TIP = (
    "Growth: how a small deviation of the state changes in a step, where it grows fastest. Red is unstable; stable is also\n"
    "what grows because the motion itself is unstable, like a pendulum that stands on its head.\n"
    "Contacts, limits and dry friction are left out: all integrators treat them alike."
)


class IntegratorTable(QWidget):
    """Shows a comparison."""

    def __init__(self, comparison: IntegratorComparison) -> None:
        super().__init__()
        self._comparison = comparison
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setAccessibleName("stability of the integrator")
        self.cells: dict[int, tuple[QLabel, QLabel]] = {}
        self.again = QPushButton("Compare in this state")
        self.again.setToolTip("Measure cost and stability of every integrator again, where the simulation is now")
        self.again.clicked.connect(comparison.compare)
        self.setToolTip(_TIP)
        self._fill()
        comparison.changed.connect(self._show)
        self._show()

    def _fill(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(3, 1)
        for column, head in ((1, "per step"), (2, "growth")):
            grid.addWidget(self._label(head, dim=True), 0, column)
        for row, integrator in enumerate(INTEGRATORS, start=1):
            cost, growth = self._label(), self._label()
            cost.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(self._label(NAMES[integrator]), row, 0)
            grid.addWidget(cost, row, 1)
            grid.addWidget(growth, row, 2)
            self.cells[int(integrator)] = cost, growth
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN, 2, MARGIN, 6)
        whole.addLayout(grid)
        whole.addWidget(self.sentence)
        whole.addWidget(self.again, alignment=Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The sentence is wrapped anew."""
        super().resizeEvent(event)
        self._say(self.sentence.text())

    def _say(self, text: str) -> None:
        """Show a sentence, with room for all of its lines: no row is squeezed for it."""
        self.sentence.setText(text)
        self.sentence.setMinimumHeight(self.sentence.heightForWidth(max(self.width() - 2 * MARGIN, 1)))

    def _label(self, text: str = "", *, dim: bool = False) -> QLabel:
        made = QLabel(text)
        made.setFont(theme.sans(9))
        made.setEnabled(not dim)
        return made

    def _show(self) -> None:
        found = self._comparison.found
        self.again.setEnabled(not self._comparison.is_waiting)
        if found is None:
            self._say(self._comparison.reason or "Comparing the integrators …")
            for cost, growth in self.cells.values():
                cost.setText("-")
                growth.setText("-")
                growth.setStyleSheet("")
            return
        self._say(advice(found).replace(" ms", "\N{NO-BREAK SPACE}ms"))  # a number is not parted from its unit
        self._show_steps(found)

    def _show_steps(self, found: Stability) -> None:
        for step in found.steps:
            cost, growth = self.cells[int(step.integrator)]
            cost.setText(cost_text(step))
            growth.setText("stable" if step.stable else growth_text(step).replace("more than ", "> "))
            growth.setStyleSheet("" if step.stable else f"color: {theme.colours()['bad']}")
            for cell in (cost, growth):
                cell.setFont(theme.sans(9, bold=step.integrator == found.used))
