"""Undo for direct manipulation of the state: moved bodies and bent limbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PyQt6.QtCore import QObject
from PyQt6.QtGui import QUndoCommand

from tumble.app.editing.edits import Edits
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetEquality, SetState
from tumble.app.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from tumble.physics import MjModel

class StatePart(Struct, frozen=True):
    """Numbers of the state, from one on: as the command SetState has them."""

    field: str
    start: int
    values: tuple[float, ...]


class Poses(QObject):
    """Remembers the state before a drag, and makes one step of undo of the drag."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._body = 0
        self._before: tuple[StatePart, ...] = ()
        self._text = ""
        self._ended = False
        session.advanced.connect(self._look)
        session.model_loaded.connect(self._forget)

    def begin(self, body: int) -> None:
        """A drag of a body begins."""
        self._look(late=True)
        snapshot = self._session.snapshot
        self._body, self._ended = body, False
        self._before = () if snapshot is None else self._parts(snapshot)

    def end(self, text: str) -> None:
        """The drag is over; text: for the undo menu. The resulting state is known with the next snapshot."""
        self._text, self._ended = text, bool(self._before)
        self._look()

    def cancel(self) -> None:
        """The drag has not been: the state is as before."""
        self.put(self._before)
        self._forget()

    def put(self, parts: Sequence[StatePart]) -> None:
        """Write parts of the state."""
        for part in parts:
            self._session.send(SetState(part.field, part.start, part.values, running=True))

    def _forget(self) -> None:
        self._before, self._ended = (), False

    def _look(self, *, late: bool = False) -> None:
        """Create the undo step once the simulation has executed the drag; late: now at the latest."""
        snapshot = self._session.snapshot
        if not self._ended or snapshot is None or not (self._session.is_obeyed or late):
            return
        after, before = self._parts(snapshot), self._before
        self._forget()
        if after != before:
            self._session.part(Edits).stack.push(_PoseChange(self, before, after, self._text))

    def _parts(self, snapshot: Snapshot) -> tuple[StatePart, ...]:
        """Positions changed by dragging a body: all while paused, else the body's own."""
        fields = _of_body(self._session.loaded_model, self._body)
        if self._session.paused:
            fields = [*fields, ("qpos", 0, len(snapshot.qpos))]
        return tuple(
            StatePart(name, start, tuple(np.asarray(getattr(snapshot, name)).reshape(-1)[start : start + count].tolist()))
            for name, start, count in fields
        )


def _of_body(model: MjModel, body: int) -> list[tuple[str, int, int]]:
    """Field, first number and count of the numbers that place a mocap or free body; none for another."""
    mocap, joint = int(model.body_mocapid[body]), int(model.body_jntadr[body])
    if mocap >= 0:
        return [("mocap_pos", 3 * mocap, 3), ("mocap_quat", 4 * mocap, 4)]
    if model.body_jntnum[body] == 1 and model.jnt_type[joint] == 0:
        return [("qpos", int(model.jnt_qposadr[joint]), 7), ("qvel", int(model.jnt_dofadr[joint]), 6)]
    return []


class _PoseChange(QUndoCommand):
    """An undo step: the user changed the state from one to the other."""

    def __init__(self, poses: Poses, before: tuple[StatePart, ...], after: tuple[StatePart, ...], text: str) -> None:
        super().__init__(text)
        self._poses, self._before, self._after, self._done = poses, before, after, True

    def redo(self) -> None:
        """Repeat it; the first time the drag has done it."""
        if not self._done:
            self._poses.put(self._after)
        self._done = True

    def undo(self) -> None:
        """The state before."""
        self._poses.put(self._before)
        self._done = False


def switch_equalities(session: Session, active: Mapping[int, bool], text: str) -> None:
    """Switch equality constraints by number, with one step of undo: whether each shall be on. text: for the undo menu."""
    if session.model is not None and active:
        session.part(Edits).stack.push(_Switched(session, dict(active), text))


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
