"""Additions to a snapshot's frame, or replacements of parts of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from tumble.app.session.contact_tracking import ContactPast
from tumble.app.simulation.snapshot import Array, Snapshot
from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame, Ghost, Trail

if TYPE_CHECKING:
    from tumble.physics import MjModel

Draw = Callable[[View, int], DrawList]


class Extras(Struct):
    """Of one snapshot: the next begins without any. forces: contact forces (ncon, 6) in place of its own; ghosts: of forks;
    between: the poses of a moment shortly before it, which are drawn in place of its own.

    drawings: of panels, drawn with every snapshot, each for a view and a picture so high [pixels]; colours: (nflexelem, 4) bytes
    in which the elements of flexes are drawn; trails: of bodies; past: ghosts of earlier moments; measured: the pose that was
    measured; posed: ghosts of poses that the model is not in; ended: contacts that have just ended. They stay.
    """

    forces: Array | None = None
    ghosts: tuple[Ghost, ...] = ()
    colours: Array | None = None
    trails: tuple[Trail, ...] = ()
    past: tuple[Ghost, ...] = ()
    posed: tuple[Ghost, ...] = ()
    between: Frame | None = None
    measured: tuple[Ghost, ...] = ()
    drawings: tuple[Draw, ...] = ()
    ended: ContactPast = field(default_factory=ContactPast)

    @property
    def more(self) -> Draw | None:
        """All drawings as one; None without any."""
        drawings = self.drawings
        if len(drawings) < 2:
            return drawings[0] if drawings else None
        return lambda view, height: DrawList.join([draw(view, height) for draw in drawings])

    def draw(self, drawing: Draw) -> None:
        """Draw this, too, from now on."""
        if drawing not in self.drawings:
            self.drawings = (*self.drawings, drawing)

    def erase(self, drawing: Draw) -> bool:
        """Do not draw it any more; returns True if it was drawn."""
        drawn = drawing in self.drawings
        self.drawings = tuple(one for one in self.drawings if one != drawing)
        return drawn

    def clear(self) -> None:
        """Draw the snapshot as it is, of another model."""
        self.forces, self.ghosts, self.between, self.measured = None, (), None, ()
        self.ended.forget()

    def follow(self, model: MjModel, snapshot: Snapshot) -> None:
        """Draw another snapshot as it is."""
        self.forces, self.ghosts, self.between = None, (), None
        self.ended.follow(model, snapshot)

    def over(self, frame: Frame) -> Frame:
        """The frame with them."""
        frame = self.between or frame
        if self.forces is not None and self.between is None:
            frame = replace(frame, contact_force=self.forces)
        if self.colours is not None:
            frame = replace(frame, flexelem_rgba=self.colours)
        gone = self.ended.gone()
        if gone is not None:
            frame = replace(frame, gone=gone)
        ghosts = (*self.ghosts, *self.measured, *self.past, *self.posed)
        return replace(frame, trails=self.trails, ghosts=ghosts) if self.trails or ghosts else frame
