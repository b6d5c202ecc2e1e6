"""Lanes of contacts as pixels: which piece each pixel shows, and the picture of it. No Qt here.

One array holds for every lane and column of pixels the visible piece; painting and pointing both read it. So a piece of
two steps has a pixel, at any zoom, and a hundred thousand pieces cost no more than the pixels that they fill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.panels.contact_events.groups import ContactGroups
from tumble.physics.observe.touch import BEGIN, BROKE, END, ENDED, MADE, MODE, PEAK, PEAK_TIME

Array = NDArray[Any]
Ink = tuple[int, int, int]

LEAST = 3  # pixels that the lowest bar is tall
GROUND = 0.22  # of a bar's colour in the lane behind it
ROUNDING = 1e-6  # of a pixel: a bar that ends where a pixel begins does not reach into it
TICK = 3  # pixels from which a bar shows where its contact was made and where it broke


def cells(rows: Array, slots: Array, lanes: int, start: float, end: float, width: int) -> Array:
    """The piece (lanes, width) that each cell shows, -1: none; of several the one with the largest force."""
    shown = np.full(lanes * width, -1, np.int64)
    if len(rows) == 0:
        return shown.reshape(lanes, width)
    scale = width / (end - start)
    first = np.clip(np.floor((rows[:, BEGIN] - start) * scale), 0, width).astype(np.int64)
    last = np.clip(np.ceil((rows[:, END] - start) * scale - ROUNDING), 0, width).astype(np.int64)
    outside = (rows[:, END] < start) | (first == width)
    count = np.where(outside, 0, np.maximum(last - first, 1))
    order = np.argsort(rows[:, PEAK], kind="stable")  # the strongest comes last, and stays
    count = count[order]
    piece = np.repeat(order, count)
    offset = np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)
    shown[slots[piece] * width + first[piece] + offset] = piece
    return shown.reshape(lanes, width)


def heights(rows: Array, tall: int) -> Array:
    """Pixels (n,) of each piece's bar, by the square root of its force: small ones stay visible next to large ones."""
    most = rows[:, PEAK].max(initial=0.0)
    share = np.sqrt(np.maximum(rows[:, PEAK], 0.0) / most) if most > 0 else np.zeros(len(rows))
    return LEAST + np.round((tall - LEAST) * share).astype(np.int64)


def picture(rows: Array, shown: Array, tall: int, gap: int, inks: Mapping[int, Ink], ground: Ink) -> Array:
    """The picture (lanes * (tall + gap), width) of lanes, each pixel as 0xffrrggbb; inks: the colour of each mode."""
    lanes, width = shown.shape
    out = np.full((lanes, tall + gap, width), _word(ground), np.uint32)
    if len(rows) and shown.size:
        full, faint = (np.zeros(max(inks) + 1, np.uint32) for _ in range(2))
        for mode, ink in inks.items():
            full[mode] = _word(ink)
            faint[mode] = _word([round(GROUND * a + (1 - GROUND) * b) for a, b in zip(ink, ground, strict=True)])
        modes, piece = rows[:, MODE].astype(np.int64), np.maximum(shown, 0)
        solid = np.arange(tall, 0, -1)[:, None] <= heights(rows, tall)[piece][:, None, :]
        bars = np.where(solid, full[modes][piece][:, None, :], faint[modes][piece][:, None, :])
        out[:, :tall] = np.where((shown >= 0)[:, None, :], bars, out[:, :tall])
    return out.reshape(lanes * (tall + gap), width)


def _word(ink: Sequence[int]) -> int:
    red, green, blue = ink
    return 0xFF000000 | red << 16 | green << 8 | blue


def marks(rows: Array, slots: Array, start: float, end: float, width: int) -> tuple[Array, Array, Array]:
    """Pieces at which something is marked: those that begin with a make, those that end with a break, and those with the peak
    of their contact. Contacts narrower than TICK pixels are bare."""
    contacts = ContactGroups(rows, slots)
    piece, order = contacts.rows, contacts.order
    wide = (piece[contacts.last, END] - piece[contacts.first, BEGIN]) / (end - start) * width >= TICK
    first, last, top = contacts.first[wide], contacts.last[wide], contacts.top[wide]
    seen = (piece[top, PEAK_TIME] >= start) & (piece[top, PEAK_TIME] <= end) & (piece[top, PEAK] > 0)
    return order[first[piece[first, MADE] == 1]], order[last[piece[last, ENDED] == BROKE]], order[top[seen]]
