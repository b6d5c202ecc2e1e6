"""Trails of bodies: polylines through where a point of each has been, that fade with age."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.render.camera import View
from tumble.render.contacts.scale import height_at
from tumble.render.drawlist import DrawList
from tumble.render.ghosts import Trail
from tumble.render.symbols.strokes import strokes

_WIDTH = 0.0022  # half a line's, in heights of the picture
_NEWEST = 0.95  # alpha
# Inks of several bodies, Okabe and Ito's, which differ for every kind of colour vision.
INKS = ((0.95, 0.60, 0.0), (0.34, 0.71, 0.91), (0.0, 0.62, 0.45), (0.94, 0.89, 0.26), (0.80, 0.47, 0.65), (0.84, 0.37, 0.0))


def draw_trails(trails: Sequence[Trail], view: View) -> list[DrawList]:
    """The lines of all trails; one with a number that is not finite is interrupted there."""
    parts = []
    for trail in trails:
        start, end = trail.points[:-1], trail.points[1:]
        with np.errstate(invalid="ignore"):
            middle = 0.5 * (start + end)
            alpha = _NEWEST * np.clip(1.0 - 0.5 * (trail.age[:-1] + trail.age[1:]), 0.0, 1.0)
            rgba = np.column_stack([np.tile(trail.rgb, (len(alpha), 1)), alpha])
            parts.append(strokes(start, end, _WIDTH * height_at(view, middle), rgba, view))
    return parts
