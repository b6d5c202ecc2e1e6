"""Places in fields whose numbers lead to what does not exist, for messages about them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def within(values: NDArray[np.integer[Any]], low: int, end: int) -> bool:
    """True if all numbers are from low to end - 1."""
    return bool(((values >= low) & (values < end)).all())


def wrong_at(name: str, values: NDArray[Any], wrong: NDArray[np.bool_], begin: int = 0) -> str:
    """The first wrong number of a field, for the end of a message; "" if none is. begin: row of the field where values begin."""
    if not wrong.any():
        return ""
    place = tuple(np.argwhere(wrong)[0].tolist())
    return f": {name}[{', '.join(map(str, (place[0] + begin, *place[1:])))}] is {values[place]}"


def outside(name: str, values: NDArray[np.integer[Any]], low: int, end: int, begin: int = 0) -> str:
    """The first number that is not from low to end - 1."""
    return wrong_at(name, values, (values < low) | (values >= end), begin)


def is_part(begin: Ints, count: Ints, size: int) -> NDArray[np.bool_]:
    """True for parts, with a beginning and a count each, that lie in an array of a size; empty ones may begin anywhere."""
    part: NDArray[np.bool_] = (count >= 0) & ((count == 0) | ((begin >= 0) & (begin + count <= size)))
    return part
