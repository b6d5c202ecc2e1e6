"""Where symbols are drawn: the window's draw list, or the geoms of an MjvScene; each with its own look of arrows and lines."""

from __future__ import annotations

from typing import Protocol

from numpy.typing import ArrayLike

from tumble.physics.state.enums import mjtGeom


class Canvas(Protocol):
    """objtype, objid: the element that a symbol belongs to. label: a text next to it, where the canvas holds texts."""

    def shape(
        self,
        kind: mjtGeom,
        pos: ArrayLike,
        mat: ArrayLike,
        size: ArrayLike,
        rgba: ArrayLike,
        objtype: int,
        objid: int,
        label: str = "",
    ) -> None:
        """A primitive at a pose. size: radii along all axes but the last, then half the length [m]; one number for all three."""

    def rod(
        self,
        start: ArrayLike,
        end: ArrayLike,
        radius: float,
        rgba: ArrayLike,
        objtype: int,
        objid: int,
        label: str = "",
        *,
        flat: bool = False,
    ) -> None:
        """A capsule between two points; flat: a cylinder."""

    def line(self, start: ArrayLike, end: ArrayLike, rgba: ArrayLike, objtype: int, objid: int) -> None:
        """A line between two points."""

    def arrow(
        self,
        start: ArrayLike,
        vector: ArrayLike,
        radius: float,
        rgba: ArrayLike,
        objtype: int,
        objid: int,
        label: str = "",
        *,
        barbed: bool = True,
    ) -> None:
        """An arrow as long as a vector [m]; barbed: its head is wider than its shaft, where the canvas makes the difference."""
