"""Measures of a run that several rules predict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tumble.app.doctor.finding import Measure
from tumble.physics import MjData, MjModel


def depth_at_rest(pair: tuple[int, int]) -> Measure:
    """Depth of two geoms in each other at the end of a run [m]; 0 where they do not touch."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        depth = 0.0
        for data in steps:
            depth = _depth(data, pair)
        return depth

    return Measure("depth at rest", "m", of)


def _depth(data: MjData, pair: tuple[int, int]) -> float:
    geoms = np.asarray(data.contact_geom)[: data.ncon]
    ours = (geoms == pair).all(1) | (geoms == pair[::-1]).all(1)
    return float((-np.asarray(data.contact_dist)[: data.ncon])[ours].max(initial=0.0))
