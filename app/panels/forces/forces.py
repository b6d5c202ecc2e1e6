"""The forces that the user applies in a session."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.session.session import Session
from tumble.app.simulation.applied_forces import AppliedForce, DofForce, ForceDriver
from tumble.app.simulation.commands import SetDriver
from tumble.app.simulation.correspondence import GONE
from tumble.app.simulation.hooks import DriverSlot


class ForceEntry(Struct, frozen=True):
    """A force, and whether it acts."""

    force: AppliedForce
    on: bool = True


class Forces(QObject):
    """Forces in the order in which they were added. listed: some were added or removed; changed: one has other numbers."""

    listed = pyqtSignal()
    changed = pyqtSignal(int)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.entries: list[ForceEntry] = []
        session.model_loaded.connect(self._follow)

    def add(self, force: AppliedForce) -> None:
        """Apply one more force."""
        self.entries.append(ForceEntry(force))
        self._send()
        self.listed.emit()

    def remove(self, index: int) -> None:
        """Apply a force no longer."""
        del self.entries[index]
        self._send()
        self.listed.emit()

    def switch(self, index: int, on: bool) -> None:
        """Let a force act, or not."""
        self._replace(index, replace(self.entries[index], on=on))

    def set(self, index: int, force: AppliedForce) -> None:
        """Replace a force."""
        self._replace(index, replace(self.entries[index], force=force))

    def _replace(self, index: int, entry: ForceEntry) -> None:
        if entry != self.entries[index]:
            self.entries[index] = entry
            self._send()
            self.changed.emit(index)

    def _send(self) -> None:
        acting = [entry.force for entry in self.entries if entry.on]
        self._session.send(SetDriver(DriverSlot.FORCES, ForceDriver(acting) if acting else None))

    def _follow(self) -> None:
        """Another model has none; a reloaded one keeps those of its bodies and dofs."""
        kept, before = self._session.kept, self.entries
        self.entries = []
        for entry in before if kept is not None else ():
            assert kept is not None
            force = entry.force
            moved = kept.element("dof", force.dof) if isinstance(force, DofForce) else kept.element("body", force.body)
            if moved != GONE:
                there = {"dof": moved} if isinstance(force, DofForce) else {"body": moved}
                self.entries.append(replace(entry, force=replace(force, **there)))
        if self.entries:
            self._send()
        if self.entries or before:
            self.listed.emit()


