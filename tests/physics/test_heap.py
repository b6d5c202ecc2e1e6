"""Threads share two heaps of the C library, and large memory is mapped by itself however often it was freed before."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, sys, threading
import numpy as np
from tumble.physics import system
from tests.soak.census import mapped

if sys.argv[1] == "set up":
    assert system.keep_heap_small()
together = threading.Barrier(6)

def load():
    part = np.ones(5_000)
    together.wait()

threads = [threading.Thread(target=load) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
del thread, threads
large = np.empty(2**24, np.uint8)
del large  # the C library maps less from now on
large = np.empty(2**23, np.uint8)
print(mapped() >= 2**23)
sys.stdout.flush()
ctypes.CDLL(None).malloc_stats()  # to stderr
"""


def _tried(how: str) -> tuple[int, bool]:
    """How many heaps there are, and whether large memory is mapped by itself."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True)
    return done.stderr.count("Arena "), done.stdout.strip() == "True"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's heap")
def test_a_window_has_two_heaps_and_gives_large_memory_back() -> None:
    heaps, mapped = _tried("set up")
    assert heaps <= 2
    assert mapped
    heaps, mapped = _tried("left alone")  # else there is nothing to set up any more
    assert heaps > 2
    assert not mapped
