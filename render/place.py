"""Where in a target a picture lies: several pictures of one model share a target, each in a rectangle of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """x, y: the picture's lower left corner in the target; width, height: of all that is drawn in the target [pixels].

    The renderer's own framebuffers have the size of the whole, so that pictures of different sizes do not make it replace them.
    """

    x: int
    y: int
    width: int
    height: int
