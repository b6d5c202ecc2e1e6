"""The bodies that were found together: they glow until something else is selected, or another model runs."""

from __future__ import annotations

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.session.session import Session


class FoundBodies(QObject):
    """bodies: their ids, in order; none at most times."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.bodies: tuple[int, ...] = ()
        session.model_loaded.connect(self.clear)
        session.selection_changed.connect(lambda body: self.clear())

    def show(self, bodies: tuple[int, ...]) -> None:
        """These are found."""
        if bodies != self.bodies:
            self.bodies = bodies
            self.changed.emit()

    def clear(self) -> None:
        """None are."""
        self.show(())
