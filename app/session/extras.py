"""What is drawn with a snapshot, or in place of something in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.simulation.snapshot import Array
from render.camera import View
from render.drawlist import DrawList
from render.frame import Frame
from render.ghosts import Ghost


@dataclass
class Extras:
    """Of one snapshot: the next begins without any. forces: contact forces (ncon, 6) in place of its own; ghosts: of forks.

    more: what else is drawn with every snapshot, for a view and a picture so high [pixels]; colours: (nflexelem, 4) bytes in
    which the elements of flexes are drawn; both stay.
    """

    forces: Array | None = None
    ghosts: tuple[Ghost, ...] = ()
    colours: Array | None = None
    more: Callable[[View, int], DrawList] | None = None

    def clear(self) -> None:
        """Draw the snapshot as it is."""
        self.forces, self.ghosts = None, ()

    def over(self, frame: Frame) -> Frame:
        """The frame with them."""
        if self.forces is not None:
            frame = replace(frame, contact_force=self.forces)
        if self.colours is not None:
            frame = replace(frame, flexelem_rgba=self.colours)
        return replace(frame, ghosts=self.ghosts) if self.ghosts else frame
