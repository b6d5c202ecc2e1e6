"""The contact that is chosen, in a table or in the view: followed from moment to moment by its geoms and its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.app.simulation.snapshot import Array, Snapshot

if TYPE_CHECKING:
    from tumble.physics import MjModel


class ContactPlace(NamedTuple):
    """The place of a contact: its geoms (of a flex -1 - its number), the smaller of them, and its point in that one's frame [m].

    Where a flex is the smaller one, the point is in the world: the parts of a flex have no frame.
    """

    pair: tuple[int, int]
    carrier: int
    point: Array


class ContactChoice(QObject):
    """One contact at most; index: its place in the present snapshot, -1 while its geoms do not touch.

    Contacts have no identity: in each snapshot the chosen one is the one of the same two geoms nearest to where it was, as
    seen from the smaller geom. This way the corners of a sliding box stay distinct, however fast it slides.
    """

    changed = pyqtSignal()  # another contact is chosen, or none

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.index = -1
        self._shown_by: set[str] = set()
        self._place: ContactPlace | None = None

    @property
    def open(self) -> bool:
        """True if a panel shows the selected contact: if not, the view offers no selection."""
        return bool(self._shown_by)

    def show_in(self, who: str, shown: bool) -> None:
        """A panel shows the chosen contact, or no longer; when none does, the choice is cleared."""
        (self._shown_by.add if shown else self._shown_by.discard)(who)
        if not self.open:
            self.clear()

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two geoms, or flexes, of the contact chosen; None: none is."""
        return None if self._place is None else self._place.pair

    @property
    def carrier(self) -> int:
        """The smaller of the two geoms; -1: none is chosen, or it is a flex."""
        return -1 if self._place is None else max(self._place.carrier, -1)

    def choose(self, place: ContactPlace | None, snapshot: Snapshot) -> None:
        """Choose the contact of a snapshot that is at a place, which may be of an earlier moment; None: leave the choice."""
        if place is None:
            return
        self._place = place
        self.follow(snapshot)
        self.changed.emit()

    def choose_pair(
        self, pair: tuple[int, int], model: MjModel, snapshot: Snapshot, point: Sequence[float] | None = None
    ) -> None:
        """Choose two geoms: their contact nearest to a point of the world [m], or their first, or if they do not touch the one
        that comes."""
        now = [place for place in places(model, snapshot) if place.pair in (pair, pair[::-1])]
        carrier = _carriers(model, np.array([pair]))
        near = np.zeros(3) if point is None else _local(snapshot, carrier, np.array([point], float))[0]
        if point is None or not now:
            self.choose(now[0] if now else ContactPlace(pair, int(carrier[0]), near), snapshot)
        else:
            self.choose(min(now, key=lambda place: float(((place.point - near) ** 2).sum())), snapshot)

    def place_in(self, kept: Correspondence | None) -> ContactPlace | None:
        """The selected contact in a reloaded model; None if none is selected or one of its geoms is gone.

        kept: how it continues, None if it is a different model.
        """
        if kept is None or self._place is None:
            return None
        pair, carrier, point = self._place
        first, second = (_geom_in(kept, side) for side in pair)
        if first is None or second is None:
            return None
        return ContactPlace((first, second), first if carrier == pair[0] else second, point)

    def clear(self) -> None:
        """Choose none."""
        if self._place is not None:
            self._place, self.index = None, -1
            self.changed.emit()

    def follow(self, snapshot: Snapshot) -> None:
        """Find it in another snapshot of the same model."""
        if self._place is None:
            return
        pair, carrier, point = self._place
        sides = snapshot.contact_sides()
        same = np.flatnonzero((sides == pair).all(axis=1) | (sides == pair[::-1]).all(axis=1))
        if len(same) == 0:
            self.index = -1
            return
        seen = _local(snapshot, np.full(len(same), carrier), snapshot.contact("pos")[same])
        nearest = int(np.argmin(((seen - point) ** 2).sum(axis=1)))
        self.index, self._place = int(same[nearest]), ContactPlace(pair, carrier, seen[nearest])


def _geom_in(kept: Correspondence, side: int) -> int | None:
    """The same geom or flex of the model after, None if it has none."""
    element = kept.element("geom", side) if side >= 0 else kept.element("flex", -1 - side)
    return None if element == GONE else element if side >= 0 else -1 - element


def places(model: MjModel, snapshot: Snapshot) -> list[ContactPlace]:
    """The places of all contacts of a snapshot."""
    geom = snapshot.contact_sides()
    carrier = _carriers(model, geom)
    points = _local(snapshot, carrier, snapshot.contact("pos"))
    pairs = [(int(a), int(b)) for a, b in geom]
    return [ContactPlace(pair, int(g), point) for pair, g, point in zip(pairs, carrier, points, strict=True)]


def _carriers(model: MjModel, geom: Array) -> Array:
    """The smaller one (n,) of each two geoms (n,2)."""
    radius = np.append(model.geom_rbound, 0.0)[np.maximum(geom, -1)]
    size = np.where(radius > 0, radius, np.inf)  # a plane has no size and is the larger
    return np.where(size[:, 0] < size[:, 1], geom[:, 0], geom[:, 1])


def _local(snapshot: Snapshot, geom: Array, points: Array) -> Array:
    """Points (n,3) of the world in the frames of geoms (n,), of flexes in that of the world."""
    frame, at = snapshot.frame, np.maximum(geom, -1)
    axes = np.vstack([np.asarray(frame.geom_xmat).reshape(-1, 9), np.eye(3).reshape(1, 9)])[at].reshape(-1, 3, 3)
    result: Array = np.einsum("nji,nj->ni", axes, points - np.vstack([frame.geom_xpos, np.zeros((1, 3))])[at])
    return result
