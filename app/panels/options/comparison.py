"""The integrators compared in the present state: what each costs a step, and whether it is stable. A model: no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.session.session import Session
from tumble.app.simulation.commands import CopyState
from tumble.physics.observe.stability import MOST, analyse_stability

if TYPE_CHECKING:
    from tumble.app.simulation.commands import CopyState
    from tumble.physics import MjData, MjModel
from tumble.physics.observe.stability import Stability

_SETTLED = 400  # ms after the last change of an option


class IntegratorComparison(QObject):
    """Compares on a copy of the state, in the background, when it is asked to; the newest question counts.

    changed: `found` or `reason` is another. found: the result. reason: why there is none, "" if there is or is soon to be one.
    """

    changed = pyqtSignal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.found: Stability | None = None
        self.reason = ""
        self._session = session
        self._background = Background("integrators", self)
        self._question = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.compare)

    @property
    def is_waiting(self) -> bool:
        """True while a comparison runs."""
        return self.found is None and not self.reason

    def compare_soon(self) -> None:
        """Compare once options have not changed for a moment; what was found is of before."""
        self._forget()
        self._soon.start(_SETTLED)

    def compare(self) -> None:
        """Compare in the present state."""
        self._forget()
        question = self._question
        self._session.send(CopyState(lambda copy: self._background.run(
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
            raise physics.PhysicsError("Not compared: with hard contacts (LCP) the integrator has no effect.")

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
