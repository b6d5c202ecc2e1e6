"""Callbacks that are compiled: they run without Python, and without its lock.

    @physics.compiled
    def spring(m, d):
        for i in range(m.nv):
            d.qfrc_passive[i] -= 3.0 * d.qpos[i]

    physics.set_mjcb_passive(spring)

The function reads and writes the fields of m and d by name, as kernels do: whole numbers and numbers by `m.nv`, arrays
element by element. It may call functions of `math` and other functions declared by `kernel`, but can neither raise nor
allocate. It takes and returns what the Python callback of that place would.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from itertools import count
from types import FunctionType
from typing import Any

from tumble.physics.errors import ArgumentError, ModelError, quoted
from tumble.physics.kernel import Compiled

_numbers = count()


class CompiledCallback:
    """A function that is compiled when it is first installed as a callback; called from Python it runs as Python."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._made: dict[tuple[tuple[str, ...], str], Compiled] = {}
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run as plain Python."""
        return self.function(*arguments)

    def address(self, arguments: tuple[str, ...], result: str) -> int:
        """The function pointer, compiled for kinds of arguments and of the result. Raises ModelError if it cannot be."""
        part = self._made.get((arguments, result))
        if part is None:
            part = Compiled(self.function, arguments, result)
            part.key = f"{part.key}_{next(_numbers)}"  # notebooks define a function of the same name again and again
            try:
                part.address  # noqa: B018  # compiles
            except ModelError:
                raise
            except Exception as error:  # numba's errors have no common root that could be imported where it is missing
                raise ModelError(f"{self.function.__qualname__} cannot be compiled as a callback: {error}") from error
            self._made[arguments, result] = part
        return part.address


def compiled(function: Callable[..., Any]) -> CompiledCallback:
    """Have a callback compiled: a decorator for what set_mjcb_control and the like install.

    Raises ArgumentError for what is no function written in Python.
    """
    if not isinstance(function, FunctionType):
        raise ArgumentError(f"only a function can be compiled as a callback, not {quoted(function)} ({type(function).__name__})")
    return CompiledCallback(function)
