"""Checks of what users hand to queries: a wrong shape is refused before anything is written."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ShapeError, UnknownIndexError

Array = NDArray[np.float64]

_FLOAT = np.dtype(np.float64)
_from_buffer: Callable[[Any], Any] = ctypes.c_char.from_buffer
_addressof = ctypes.addressof


def output(array: NDArray[Any], name: str, shape: tuple[int, ...], meaning: str = "", dtype: Any = np.float64) -> NDArray[Any]:
    """The array itself, to be written in place: float64, or another dtype, of that shape, C-contiguous.

    A column (n, 1) is as good as a vector (n,); what is returned is the vector. Of a subclass the memory: its own ways to be
    written are not asked, as in the reference. Raises ShapeError, naming what is wanted.
    """
    if isinstance(array, np.ndarray) and array.dtype == dtype and array.flags.carray:
        plain = array if type(array) is np.ndarray else array.view(np.ndarray)
        if plain.shape == shape:
            return plain
        if len(shape) == 1 and plain.shape == (*shape, 1):
            return plain[:, 0]
    layout = "C-contiguous " if isinstance(array, np.ndarray) and array.shape == shape else ""
    raise ShapeError(f"{name} should be a {layout}{np.dtype(dtype)} array of shape {meaning or shape}; it is {_have(array)}")


def any_output(array: NDArray[Any], name: str, dtype: Any = np.float64) -> NDArray[Any]:
    """The array itself, of any shape, to be written in place. Raises ShapeError as `output`."""
    return output(array, name, array.shape if isinstance(array, np.ndarray) else (), "(any)", dtype)


def flat_output(array: NDArray[np.float64], name: str, size: int) -> Array:
    """The numbers of an array of any shape, one after the other, to be written in place: contiguous float64, `size` of them."""
    if not (isinstance(array, np.ndarray) and array.dtype == np.float64 and array.size == size and array.flags.carray):
        raise ShapeError(f"{name} should be a contiguous float64 array of {size} numbers; it is {_have(array)}")
    return array.view(np.ndarray).reshape(-1)


def _have(array: object) -> str:
    """Description of an array, or the type of another object."""
    if not isinstance(array, np.ndarray):
        return type(array).__name__
    layout = "" if array.flags.c_contiguous else ", not C-contiguous"
    return f"{array.shape} of {array.dtype}{layout}{'' if array.flags.writeable else ', read-only'}"


def numbers(value: Any, name: str, dtype: Any = np.float64) -> NDArray[Any]:
    """The value as numbers of a dtype. Raises ShapeError for what is none."""
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ShapeError(f"{name} should be numbers: {error}") from None


def line(value: Any, name: str, dtype: Any = np.float64) -> NDArray[Any]:
    """The value as numbers in a line, as many as there are; a column will do. Raises ShapeError for others."""
    array = numbers(value, name, dtype)
    if array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    raise ShapeError(f"{name} should be a vector, (n,); it has shape {array.shape}")


def vector(value: Any, name: str, size: int, meaning: str = "") -> Array:
    """The value as float64 numbers, `size` of them; a column will do. Raises ShapeError for others."""
    array = numbers(value, name)
    if array.shape == (size,):
        return array
    if array.shape == (size, 1):
        return array[:, 0]
    raise ShapeError(f"{name} should be {size} numbers{meaning and ', ' + meaning}; it has shape {array.shape}")


def index(i: int, name: str, count: int) -> int:
    """The index itself, if there is such an element."""
    if not 0 <= i < count:
        raise UnknownIndexError(f"{name} {i} does not exist; valid are 0 to {count - 1}")
    return int(i)


def address(array: NDArray[Any]) -> int:
    """Address of a contiguous array; faster than `ctypes.data` for writable ones."""
    try:
        return _addressof(_from_buffer(array))
    except (TypeError, ValueError):  # not to be written, or empty
        return array.ctypes.data


def target(array: Array, name: str, shape: tuple[int, ...], meaning: str = "") -> int:
    """Address of an array that `output` takes, with no detour for one that is as it should be. Raises ShapeError as that does."""
    if type(array) is np.ndarray and array.dtype is _FLOAT and array.shape == shape:
        try:
            return _addressof(_from_buffer(array))
        except (TypeError, ValueError):
            pass  # which `output` says in words
    return address(output(array, name, shape, meaning))


def source(value: Any, name: str, size: int, meaning: str = "") -> tuple[Array, int]:
    """The value as contiguous numbers, which the caller holds while they are read, and their address. Raises as `vector`."""
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == (size,):
        try:
            return value, _addressof(_from_buffer(value))
        except (TypeError, ValueError):
            pass  # of other memory, which is copied
    array = np.ascontiguousarray(vector(value, name, size, meaning))
    return array, address(array)
