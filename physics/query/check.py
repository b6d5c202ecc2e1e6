"""Checks of what users hand to queries: a wrong shape is refused before anything is written."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.errors import ShapeError, UnknownIndexError

Array = NDArray[np.float64]


def output(array: NDArray[Any], name: str, shape: tuple[int, ...], meaning: str = "", dtype: Any = np.float64) -> NDArray[Any]:
    """The array itself, to be written in place: float64, or another dtype, of that shape."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        have = f"{array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ShapeError(f"{name} should be a {np.dtype(dtype)} array of shape {meaning or shape}; it is {have}")
    return array


def flat_output(array: NDArray[np.float64], name: str, size: int) -> Array:
    """The numbers of an array of any shape, one after the other, to be written in place: contiguous float64, `size` of them."""
    fits = isinstance(array, np.ndarray) and array.dtype == np.float64 and array.size == size and array.flags.c_contiguous
    if not fits:
        have = f"{array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ShapeError(f"{name} should be a contiguous float64 array of {size} numbers; it is {have}")
    return array.reshape(-1)


def vector(value: Any, name: str, size: int, meaning: str = "") -> Array:
    """The value as float64 numbers, `size` of them."""
    array = np.asarray(value, np.float64)
    if array.shape != (size,):
        raise ShapeError(f"{name} should be {size} numbers{meaning and ', ' + meaning}; it has shape {array.shape}")
    return array


def index(i: int, name: str, count: int) -> int:
    """The index itself, if there is such an element."""
    if not 0 <= i < count:
        raise UnknownIndexError(f"{name} {i} does not exist; valid are 0 to {count - 1}")
    return int(i)


def address(array: NDArray[Any]) -> int:
    """Where a contiguous array's numbers lie; quicker than its own `ctypes.data` where it may be written."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]  # an array is a buffer
    except (TypeError, ValueError):  # not to be written, or empty
        return array.ctypes.data


def written(array: NDArray[Any], write: Callable[[int], Any]) -> None:
    """Have an array of any layout written, by rows: `write` is given the address of its numbers, or of a copy's."""
    if array.flags.c_contiguous:
        write(address(array))
        return
    rows = np.ascontiguousarray(array)
    write(address(rows))
    array[...] = rows
