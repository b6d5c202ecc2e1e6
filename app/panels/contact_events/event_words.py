"""Words of the contact events dock, and search of pairs by words. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.describe.contacts import MODE_WORDS, Names
from tumble.app.describe.numbers import duration, fixed, moment, short
from tumble.app.panels.contact_events.groups import Pair, Touch
from tumble.app.panels.contact_events.lanes import Lanes
from tumble.physics import ContactMode
from tumble.physics.observe.touch import BEGIN, END, GEOM1, GEOM2, IMPULSE, MODE, PEAK, PEAK_TIME

Array = NDArray[Any]


def find_pairs(text: str, pairs: Sequence[Pair], names: Names) -> Array:
    """Mask (n,) of pairs that have all words, each in a name of geom or body."""
    geoms = np.array(pairs, np.int64).reshape(-1, 2)
    result: Array = np.ones(len(geoms), bool)
    for word in text.lower().split():
        result &= names.with_word(word, geoms)
    return result


def touch_words(touch: Touch, name: str, newest: float) -> str:
    """One contact in a line of rich text; newest: the last moment seen [s]."""
    begin = f"made {moment(touch.begin, 4)}" if touch.made else f"before {moment(touch.begin, 4)}"
    last = moment(touch.end, 4)
    end = f"broke {last}" if touch.broke else "continues" if touch.end == newest else f"seen until {last}"
    parts = [
        f"<b>{name}</b>", f"{begin}, {end}", f"lasts {duration(touch.duration)}",
        f"peak {fixed(touch.peak, 2)} N at {moment(touch.peak_time, 4)}", f"impulse {short(touch.impulse)} N s",
    ]  # fmt: skip
    if touch.slipping:
        parts.append(f"slips {100 * touch.slipping:.0f} % of it")
    return " &nbsp; ".join(parts)


def piece_words(row: Array, name: str) -> str:
    """A piece, the numbers of physics/observe/touch.py, in three lines."""
    return (
        f"{name}\n{MODE_WORDS[ContactMode(int(row[MODE]))]} {moment(row[BEGIN], 4)} to {moment(row[END], 4)}\n"
        f"peak {fixed(row[PEAK], 2)} N at {moment(row[PEAK_TIME], 4)}, impulse {short(row[IMPULSE])} N s"
    )


def pair_of(row: Array) -> Pair:
    """The geoms of a piece."""
    return int(row[GEOM1]), int(row[GEOM2])


def summary(lanes: Lanes, count: int) -> str:
    """Amount of pieces, and those there was no room for; count: lanes that the filter leaves."""
    parts = [f"{count} pair{'' if count == 1 else 's'}, {lanes.touching} in contact, {len(lanes)} pieces kept"]
    if lanes.dropped:
        parts.append(f"{lanes.dropped} older ones dropped")
    if lanes.lost:
        parts.append(f"{lanes.lost} came too fast and are lost")
    if lanes.missed:
        parts.append(f"{lanes.missed} contacts missed: more pairs than can be followed")
    return "; ".join(parts)
