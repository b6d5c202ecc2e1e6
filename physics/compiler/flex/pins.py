"""Pinned points of a <flexcomp>: fixed to its parent body."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from tumble.physics.mjcf.spec import Element

Pins = NDArray[np.bool_]


def pinned(element: Element, number: int, dim: int) -> Pins:
    """Mask (number,) of pinned points. Raises MjcfError, at the <pin>, for points that do not exist."""
    pins = np.full(number, bool(element.get("rigid")))
    for pin in element.all("pin"):
        asked = ("id", "range", "grid", "gridrange")
        written = {name: np.atleast_1d(pin.get(name)).astype(int) for name in asked if np.size(pin.get(name, ()))}
        for name, width in (("range", 2), ("grid", dim), ("gridrange", 2 * dim)):
            if name in written and written[name].size % width:
                raise pin.error(f"{name} needs {width} numbers for each, has {written[name].size}")
            if name.startswith("grid") and name in written and element.get("type") != "grid":
                raise pin.error(f"{name} goes with type grid alone; use id or range")
        for one in written.get("id", ()):
            _pin(pins, pin, "id", int(one), int(one))
        for first, last in written.get("range", np.empty(0, int)).reshape(-1, 2):
            _pin(pins, pin, "range", int(first), int(last))
        for at in written.get("grid", np.empty(0, int)).reshape(-1, dim):
            _pin_grid(pins, pin, "grid", element, at, at)
        for low_high in written.get("gridrange", np.empty(0, int)).reshape(-1, 2 * dim):
            _pin_grid(pins, pin, "gridrange", element, low_high[:dim], low_high[dim:])
    return pins


def _pin(pins: Pins, pin: Element, name: str, first: int, last: int) -> None:
    for end in (first, last):
        if not 0 <= end < len(pins):
            raise pin.error(f"{name} has point {end}; there are points 0 to {len(pins) - 1}")
    pins[first : last + 1] = True


def _pin_grid(pins: Pins, pin: Element, name: str, element: Element, low: NDArray[np.int64], high: NDArray[np.int64]) -> None:
    count = [int(n) for n in element.get("count")][: len(low)]
    for end in (low, high):
        for axis, (at, most) in enumerate(zip(end, count, strict=True)):
            if not 0 <= at < most:
                raise pin.error(f"{name} has {at} along {'xyz'[axis]}; there are 0 to {most - 1}")
    ranges = (range(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))
    for place in product(*ranges):
        index = 0
        for at, most in zip(place, count, strict=True):
            index = index * most + at
        pins[index] = True
