"""What is drawn with a snapshot, or in place of something in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.session.contact_past import ContactPast
from app.simulation.snapshot import Array, Snapshot
from render.camera import View
from render.drawlist import DrawList
from render.frame import Frame
from render.ghosts import Ghost

if TYPE_CHECKING:
    from physics import MjModel


@dataclass
class Extras:
    """Of one snapshot: the next begins without any. forces: contact forces (ncon, 6) in place of its own; ghosts: of forks.

    more: what else is drawn with every snapshot, for a view and a picture so high [pixels]; colours: (nflexelem, 4) bytes in
    which the elements of flexes are drawn; both stay. past: contacts that have just ended.
    """

    forces: Array | None = None
    ghosts: tuple[Ghost, ...] = ()
    colours: Array | None = None
    more: Callable[[View, int], DrawList] | None = None
    past: ContactPast = field(default_factory=ContactPast)

    def clear(self) -> None:
        """Draw the snapshot as it is, of another model."""
        self.forces, self.ghosts = None, ()
        self.past.forget()

    def follow(self, model: MjModel, snapshot: Snapshot) -> None:
        """Draw another snapshot as it is."""
        self.forces, self.ghosts = None, ()
        self.past.follow(model, snapshot)

    def over(self, frame: Frame) -> Frame:
        """The frame with them."""
        if self.forces is not None:
            frame = replace(frame, contact_force=self.forces)
        if self.colours is not None:
            frame = replace(frame, flexelem_rgba=self.colours)
        gone = self.past.gone()
        if gone is not None:
            frame = replace(frame, gone=gone)
        return replace(frame, ghosts=self.ghosts) if self.ghosts else frame
