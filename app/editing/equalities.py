"""Equality constraints switched on and off while the simulation runs: inputs of it, on its tape, that undo takes back."""

from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QUndoCommand

from tumble.app.editing.edits import Edits
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetEquality


class EqualitySwitches(QObject):
    """Switches equality constraints; steps of undo are on the stack of the other edits."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._stack = session.part(Edits).stack

    def set(self, active: Mapping[int, bool], text: str) -> None:
        """Switch those that are now the other way round: by number, whether it is to be on. text: what undo calls it."""
        if self._session.model is not None and active:
            self._stack.push(_Switched(self._session, dict(active), text))


class _Switched(QUndoCommand):
    """One step of undo, of constraints that were all the other way round."""

    def __init__(self, session: Session, active: dict[int, bool], text: str) -> None:
        super().__init__(text)
        self._session, self._active = session, active

    def redo(self) -> None:
        for index, on in self._active.items():
            self._session.send(SetEquality(index, on))

    def undo(self) -> None:
        for index, on in self._active.items():
            self._session.send(SetEquality(index, not on))
