"""Contacts that have just ended, as rings: what chatters is seen, though it is apart in every other step."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_mode import ContactMode
from tumble.render.contacts.colours import OF_MODE
from tumble.render.contacts.strokes import rods
from tumble.render.frame import Gone
from tumble.render.symbols.canvas import Decor

_CORNERS = 12
_THICK = 0.16  # half the thickness of a ring, in its radius
MOST = 200  # rings of a picture


def draw_gone(decor: Decor, gone: Gone, radius: NDArray[np.float64]) -> None:
    """Draw a ring where each of them was, the fainter the longer it is gone; radius: (n,) of the discs that they had [m]."""
    shown = np.flatnonzero((gone.share > 0.02) & np.isfinite(gone.pos).all(axis=1))[-MOST:]
    if not len(shown):
        return
    axes, at, size = gone.axes[shown].reshape(-1, 3, 3), gone.pos[shown], radius[shown]
    turn = np.linspace(0.0, 2.0 * math.pi, _CORNERS, endpoint=False)
    way = np.cos(turn)[:, None, None] * axes[:, 1] + np.sin(turn)[:, None, None] * axes[:, 2]
    points = at + way * size[:, None]  # corner, contact, axis
    colour = np.array([OF_MODE[ContactMode(int(mode))] for mode in gone.mode[shown]])
    colour[:, 3] = 0.95 * gone.share[shown]
    starts, ends = points.reshape(-1, 3), np.roll(points, -1, axis=0).reshape(-1, 3)
    decor.extend(rods(starts, ends, np.tile(_THICK * size, _CORNERS), np.tile(colour, (_CORNERS, 1))))
