"""The contact that is chosen, in a table or in the view: followed from moment to moment by its geoms and its place."""

from __future__ import annotations

from typing import Any

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from app.snapshot import Array, Snapshot


class ContactChoice(QObject):
    """One contact at most; index: its place in the present snapshot, -1 while its geoms do not touch.

    A contact has no identity of its own: in each snapshot it is the one of the same two geoms nearest to where it was, as
    seen from the smaller geom. The corners of a sliding box so stay apart, however fast it slides.
    """

    changed = pyqtSignal()  # another contact is chosen, or none

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.open = False  # whether anybody shows what is chosen: else the view offers no choice
        self.index = -1
        self.pair: tuple[int, int] | None = None
        self._carrier = 0  # the geom from which the place is seen
        self._local: Array = np.zeros(3)

    def choose(self, model: Any, snapshot: Snapshot, index: int) -> None:
        """Choose a contact of a snapshot by its number."""
        if not 0 <= index < snapshot.ncon:
            return
        first, second = (int(g) for g in snapshot.contact("geom")[index])
        self.pair = first, second
        self._carrier = carrier(model, first, second)
        self._remember(snapshot, index)
        self.changed.emit()

    def clear(self) -> None:
        """Choose none."""
        if self.pair is not None:
            self.pair, self.index = None, -1
            self.changed.emit()

    def follow(self, snapshot: Snapshot) -> None:
        """Find it in another snapshot of the same model."""
        if self.pair is None:
            return
        same = np.flatnonzero((snapshot.contact("geom") == self.pair).all(axis=1))
        if len(same) == 0:
            self.index = -1
            return
        places = local(snapshot, self._carrier, snapshot.contact("pos")[same])
        self._remember(snapshot, int(same[np.argmin(((places - self._local) ** 2).sum(axis=1))]))

    def _remember(self, snapshot: Snapshot, index: int) -> None:
        self.index = index
        self._local = local(snapshot, self._carrier, snapshot.contact("pos")[[index]])[0]


def carrier(model: Any, first: int, second: int) -> int:
    """The smaller of two geoms; a plane has no size and is the larger."""
    sizes = [float(model.geom_rbound[g]) or np.inf for g in (first, second)]
    return first if sizes[0] < sizes[1] else second


def local(snapshot: Snapshot, geom: int, points: Array) -> Array:
    """Points (n,3) of the world in a geom's frame."""
    frame = snapshot.frame
    result: Array = (points - frame.geom_xpos[geom]) @ np.asarray(frame.geom_xmat[geom]).reshape(3, 3)
    return result
