"""Impacts of pairs of geoms over a run: when they met, from the pieces that a tap of contacts has written."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from msgspec import Struct

from tumble.physics.observe.touch import BEGIN, GEOM1, GEOM2, JUMP, MADE, MODE, PEAK, Touches

Pair = tuple[int, int]


class Impacts(Struct, frozen=True):
    """Impacts of two geoms. times (n,): when they met [s]; peaks (n,): the largest force until they met again [N]."""

    times: np.ndarray
    peaks: np.ndarray

    def since(self, time: float) -> Impacts:
        """Those from a time [s] on."""
        late = self.times >= time
        return Impacts(self.times[late], self.peaks[late])


def impacts_of(touches: Touches) -> dict[Pair, Impacts]:
    """Impacts of each pair of geoms that met; those of flexes, and contacts that were there at the beginning, are left out."""
    rows = np.concatenate([touches.rows, touches.open])
    rows = rows[(rows[:, MODE] != JUMP) & (rows[:, GEOM1] >= 0) & (rows[:, GEOM2] >= 0)]
    met: dict[Pair, list[list[float]]] = defaultdict(list)
    for row in rows[np.argsort(rows[:, BEGIN], kind="stable")]:
        impacts = met[int(row[GEOM1]), int(row[GEOM2])]
        if row[MADE]:
            impacts.append([float(row[BEGIN]), float(row[PEAK])])
        elif impacts:
            impacts[-1][1] = max(impacts[-1][1], float(row[PEAK]))
    return {pair: Impacts(*np.array(impacts).T) for pair, impacts in met.items() if impacts}
