"""Contacts followed from moment to moment: the one that is chosen, and those that have just ended, which fade in the view."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.app.simulation.snapshot import Array, Snapshot
from tumble.render.frame import Gone
from tumble.render.scene.contact_legend import modes

if TYPE_CHECKING:
    from tumble.physics import MjModel

FADES = 0.25  # wall time for which an ended contact is seen [s]
PAUSED_SHARE = 0.6  # of those of the step before, while the simulation stands
SAME = 0.5  # of the smaller geom's radius: a contact that is further from all before is another one
MOST = 400  # contacts; with more, none are followed
PATIENCE = 20  # snapshots without a picture that shows them, after which nothing is kept


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


class _Moment:
    """The contacts of a snapshot, copied; at: points in the smaller geoms' frames (n, 3), reach: how far the same may be (n,)."""

    def __init__(self, model: MjModel, snapshot: Snapshot) -> None:
        self.time, self.sides = float(snapshot.time), snapshot.contact_sides()
        self.pos, self.axes = snapshot.contact("pos").copy(), snapshot.contact("frame").copy()
        self.geom = snapshot.contact("geom").astype(np.int64)
        self.mode = modes(model, snapshot.frame)
        contacts = places(model, snapshot) if len(self.pos) else []
        self.at = np.array([place.point for place in contacts]).reshape(-1, 3)
        bound = np.asarray(model.geom_rbound)
        radius = [float(bound[place.carrier]) if place.carrier >= 0 else 0.0 for place in contacts]
        self.reach = np.array([SAME * r if r > 0 else np.inf for r in radius])


class ContactPast:
    """Follows a session's snapshots while `ask` is called for each picture; `gone`: the contacts to show."""

    def __init__(self) -> None:
        self._last: _Moment | None = None
        self._parts: list[tuple[float, Gone]] = []  # when they ended, by the wall clock
        self._unasked = PATIENCE
        self._paused = False

    def ask(self) -> None:
        """A picture is drawn that shows them."""
        self._unasked = 0

    def forget(self) -> None:
        """Another model, or a jump in time: clear."""
        self._last, self._parts = None, []

    def follow(self, model: MjModel, snapshot: Snapshot, now: float | None = None) -> None:
        """Add a newer snapshot; now: wall time [s]."""
        self._unasked += 1
        if self._unasked > PATIENCE or snapshot.ncon > MOST:
            self.forget()
            return
        now = monotonic() if now is None else now
        before, self._paused = self._last, snapshot.paused
        if before is not None and snapshot.time == before.time:
            if snapshot.ncon != len(before.pos):  # a body was put elsewhere
                self._last, self._parts = _Moment(model, snapshot), []
            return
        if snapshot.ncon == 0 and before is not None and not len(before.pos) and not self._parts:
            before.time = float(snapshot.time)
            return
        self._last = _Moment(model, snapshot)
        if before is None or self._last.time < before.time:
            self._parts = []
            return
        self._parts = [] if snapshot.paused else [part for part in self._parts if now - part[0] < FADES]
        if snapshot.paused and self._last.time - before.time > 1.5 * float(model.opt.timestep):
            return  # not the step before
        ended = ended_contacts(before.sides, before.at, before.reach, self._last.sides, self._last.at)
        if len(ended):
            full = np.ones(len(ended))
            gone = Gone(before.pos[ended], before.axes[ended], before.mode[ended], before.geom[ended], full)
            self._parts.append((now, gone))

    def gone(self, now: float | None = None) -> Gone | None:
        """Ended contacts, and the visibility of each; None without any."""
        if not self._parts:
            return None
        now = monotonic() if now is None else now
        shares = [PAUSED_SHARE if self._paused else 1.0 - (now - when) / FADES for when, _ in self._parts]
        kept = [(share, part) for share, (_, part) in zip(shares, self._parts, strict=True) if share > 0]
        if not kept:
            return None
        return Gone(
            np.concatenate([part.pos for _, part in kept]),
            np.concatenate([part.axes for _, part in kept]),
            np.concatenate([part.mode for _, part in kept]),
            np.concatenate([part.geom for _, part in kept]),
            np.concatenate([share * part.share for share, part in kept]),
        )


def ended_contacts(sides: Array, at: Array, reach: Array, sides_now: Array, at_now: Array) -> Array:
    """Indices of contacts, out of n, that have ended.

    A contact continues as the nearest one of the same two sides, unless that is further than its reach. Where a pair has fewer
    than before, those furthest from the remaining ones have ended.

    sides: (n, 2), at: (n, 3) in the smaller geom's frame [m], reach: (n,) [m]; sides_now, at_now: of the m contacts now.
    """
    if not len(at):
        return np.zeros(0, np.int64)
    same = (sides[:, None] == sides_now[None]).all(axis=2)
    apart = np.where(same, ((at[:, None] - at_now[None]) ** 2).sum(axis=2), np.inf).min(axis=1, initial=np.inf)
    over = apart > reach**2
    over |= ~same.any(axis=1)
    kinds, kind, counts = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    left = (kinds[:, None] == sides_now[None]).all(axis=2).sum(axis=1)
    for k in np.flatnonzero(left < counts):
        own = np.flatnonzero(kind.ravel() == k)
        over[own[np.argsort(-apart[own], kind="stable")[: counts[k] - left[k]]]] = True
    return np.flatnonzero(over)
