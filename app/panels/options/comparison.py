"""Comparison of the integrators in the present state: cost per step and stability. A model: no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QWidget

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.describe.integrators import NAMES, advice, cost_text, growth_text
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.app.widgets.layout import make_button, make_label, make_timer, vbox
from tumble.physics.observe.linear.stability import INTEGRATORS, MOST, Stability, analyse_stability

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

_SETTLED = 400  # ms after the last change of an option


class IntegratorComparison(QObject):
    """Compares on a copy of the state, in the background, on request; the latest request counts.

    changed: `found` or `reason` changed. found: the result. reason: why there is none, "" if there is or will soon be one.
    """

    changed = pyqtSignal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.found: Stability | None = None
        self.reason = ""
        self._session = session
        self._background = Background("integrators", self)
        self._question = 0
        self._soon = make_timer(self, self.compare, _SETTLED)

    @property
    def is_waiting(self) -> bool:
        """True while a comparison runs."""
        return self.found is None and not self.reason

    def compare_soon(self) -> None:
        """Compare once options have been stable for a moment; older results are obsolete."""
        self._forget()
        self._soon.start()

    def compare(self) -> None:
        """Compare in the present state."""
        self._forget()
        question = self._question
        self._session.send(copy_state(lambda copy: self._background.run(
            lambda: self._analyse(copy, question),
            lambda found: self._take(question, found, "Nothing to compare: the model has no dofs." if found is None else ""),
            lambda why: self._take(question, None, why),
            (physics.PhysicsError,),
        )))  # fmt: skip

    def _forget(self) -> None:
        self._question += 1
        self._soon.stop()
        self.found, self.reason = None, ""
        self.changed.emit()

    def _analyse(self, copy: tuple[MjModel, MjData] | str, question: int) -> Stability | None:
        if isinstance(copy, str):
            raise physics.PhysicsError(copy)
        model, data = copy
        if 2 * model.nv + model.na > MOST:
            raise physics.PhysicsError(f"Not compared: for {model.nv} dofs it would take too long.")
        if model.tumble.contact_model == physics.ContactModel.LCP:
            raise physics.PhysicsError("Not compared: with hard contacts (LCP) RK4 is Euler, and implicit is implicitfast.")

        if model.nhistory:
            raise physics.PhysicsError("Not compared: with delays a step also depends on past controls and readings.")

        def check() -> None:
            self._background.check()
            if question != self._question:
                raise physics.PhysicsError("asked again")

        return analyse_stability(model, data, check)

    def _take(self, question: int, found: Stability | None, reason: str) -> None:
        if question == self._question:
            self.found, self.reason = found, reason
            self.changed.emit()


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
        self.sentence = make_label(wrap=True, name="stability of the integrator")
        self.cells: dict[int, tuple[QLabel, QLabel]] = {}
        self.again = make_button("Compare in this state", act=comparison.compare)
        self.again.setToolTip("Measure cost and stability of every integrator again, in the present state")
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
        layout = vbox(grid, self.sentence, margins=(MARGIN, 2, MARGIN, 6), inside=self)
        layout.addWidget(self.again, alignment=Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Wrap the sentence again."""
        super().resizeEvent(event)
        self._say(self.sentence.text())

    def _say(self, text: str) -> None:
        """Show a sentence, with room for all of its lines: no row is squeezed for it."""
        self.sentence.setText(text)
        self.sentence.setMinimumHeight(self.sentence.heightForWidth(max(self.width() - 2 * MARGIN, 1)))

    def _label(self, text: str = "", *, dim: bool = False) -> QLabel:
        label = make_label(text, font=theme.sans(9))
        label.setEnabled(not dim)
        return label

    def _show(self) -> None:
        stability = self._comparison.found
        self.again.setEnabled(not self._comparison.is_waiting)
        if stability is None:
            self._say(self._comparison.reason or "Comparing the integrators …")
            for cost, growth in self.cells.values():
                cost.setText("-")
                growth.setText("-")
                growth.setStyleSheet("")
            return
        self._say(advice(stability).replace(" ms", "\N{NO-BREAK SPACE}ms"))  # a number is not parted from its unit
        self._show_steps(stability)

    def _show_steps(self, found: Stability) -> None:
        for step in found.steps:
            cost, growth = self.cells[int(step.integrator)]
            cost.setText(cost_text(step))
            growth.setText("stable" if step.stable else growth_text(step).replace("more than ", "> "))
            growth.setStyleSheet("" if step.stable else f"color: {theme.colours()['bad']}")
            for cell in (cost, growth):
                cell.setFont(theme.sans(9, bold=step.integrator == found.used))
