"""The processors that kernels are compiled for."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache

LEVEL = "x86-64-v3"  # what the library that comes along is built for: measured to be as fast as the very processor's own code

EXCEPTION = "a_kernel_raised"  # what object code calls where a kernel has raised: with checks of bounds only, others never do

# What that level adds to every x86-64, as Linux names it.
_FLAGS = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe xsave cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3".split())
_HEAD = 1 << 14  # bytes that hold the first processor's lines; with many processors the whole takes long to read


@cache
def flags() -> frozenset[str]:
    """What the processor can do, in Linux's words; empty if the system does not say."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = file.read(_HEAD).splitlines()
    except OSError:
        return frozenset()
    return next((frozenset(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), frozenset())


@cache
def target() -> str:
    """What kernels are compiled for on this computer: LEVEL where it can, else the very processor, by a name of ours."""
    if platform.machine() in ("x86_64", "AMD64") and flags() >= _FLAGS:
        return LEVEL
    kind = " ".join([platform.machine(), platform.processor(), *sorted(flags())])
    return f"host-{hashlib.sha256(kind.encode()).hexdigest()[:12]}"


def checks_bounds() -> bool:
    """Whether kernels check every index, as the fuzzer wants it: numba's own switch."""
    return os.environ.get("NUMBA_BOUNDSCHECK") == "1"


def system() -> str:
    """The operating system and the target, as files are named: code for one does not run on another."""
    return f"{sys.platform}-{target()}{'-checked' if checks_bounds() else ''}"
