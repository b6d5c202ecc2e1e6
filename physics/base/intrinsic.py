"""Intrinsics: pieces of machine code that kernels call by name, made only where kernels are compiled.

numba's own decorator would import numba where an intrinsic is declared, and so wherever the engine is used. Kernels that
are compiled already need none of it: here the declaration is a plain object, which numba's typing asks for its type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any


class Intrinsic:
    """Something that a kernel may call like a function.

    build: as for numba's `intrinsic`: given the typing context and the types of the arguments, the signature and a
    function that writes the code. It imports what it needs of numba itself. in_python: what does the same where a kernel
    is run as the Python function that it is; most have nothing of the kind.
    """

    def __init__(self, build: Callable[..., Any]) -> None:
        self._build = build
        self.in_python: Callable[..., Any] = self._refuse
        update_wrapper(self, build)

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.typing.templates import infer, make_intrinsic_template

        return types.Function(infer(make_intrinsic_template(self, self._build, self._build.__name__)))

    def __call__(self, *arguments: Any) -> Any:
        """Run the Python form."""
        return self.in_python(*arguments)

    def _refuse(self, *arguments: Any) -> Any:
        raise TypeError(f"{self._build.__name__} can be called in kernels only")


def intrinsic(build: Callable[..., Any]) -> Any:
    """An intrinsic by the function that builds its code."""
    return Intrinsic(build)
