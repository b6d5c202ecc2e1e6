"""Contacts that have just ended, so that the view can show them while they fade: this makes chatter visible."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from tumble.app.session.contact_choice import places
from tumble.app.simulation.snapshot import Array, Snapshot
from tumble.render.frame import Gone
from tumble.render.scene.contacts.legend import modes

if TYPE_CHECKING:
    from tumble.physics import MjModel

FADES = 0.25  # wall time for which an ended contact is seen [s]
PAUSED_SHARE = 0.6  # of those of the step before, while the simulation stands
SAME = 0.5  # of the smaller geom's radius: a contact that is further from all before is another one
MOST = 400  # contacts; with more, none are followed
PATIENCE = 20  # snapshots without a picture that shows them, after which nothing is kept


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
