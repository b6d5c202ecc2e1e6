"""Choices among numbers that are one instruction in a kernel, and numpy's, number by number, where Python calls them with arrays.

A law written with them has a Python form that takes arrays: it stands once, for the solver and for code that looks at many rows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tumble.physics.kernel.function import FAST, Kernel


class ArrayKernel(Kernel):
    """A kernel whose Python form is one of numpy's functions."""

    def __init__(self, function: Callable[..., Any], python: Callable[..., Any]) -> None:
        super().__init__(function, FAST)
        self._python = python

    def __call__(self, *arguments: Any) -> Any:
        """Result for numbers or arrays."""
        return self._python(*arguments)


def _select(condition, a, b):
    """a where the condition holds, else b; both are computed."""
    return a if condition else b


def _larger(a, b):
    """The larger of two numbers."""
    return max(a, b)


def _smaller(a, b):
    """The smaller of two numbers."""
    return min(a, b)


select = ArrayKernel(_select, np.where)
larger = ArrayKernel(_larger, np.maximum)
smaller = ArrayKernel(_smaller, np.minimum)
