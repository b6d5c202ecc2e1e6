"""Kernels read the system's clock: that of Unix, and as Windows has it, whose function another stands for here."""

from __future__ import annotations

import ctypes
import time

import numba
import pytest

from tumble.physics import clock
from tumble.physics.clock import now


@numba.njit
def read(address, number):
    return now(address, number)


def test_a_kernel_reads_the_time_that_python_reads() -> None:
    before = time.perf_counter() - time.monotonic()
    begin = time.monotonic()
    seconds = read(clock.ADDRESS, clock.MONOTONIC)
    end = time.monotonic()
    assert begin <= seconds <= end or begin <= seconds - before <= end  # Windows: perf_counter reads the same counter


@pytest.mark.parametrize("frequency", [10_000_000, 3_000_000_000])
def test_a_counter_is_read_in_seconds_of_its_own_frequency(frequency: int) -> None:
    """As of QueryPerformanceCounter; the larger frequency is no number of 32 bits."""

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int64))
    def count(at: ctypes._Pointer[ctypes.c_int64]) -> int:
        at[0] = 5 * frequency + frequency // 4
        return 1

    address = ctypes.cast(count, ctypes.c_void_p).value
    assert read(address, -frequency) == 5.25
