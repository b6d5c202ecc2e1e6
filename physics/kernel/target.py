"""The processors that kernels are compiled for."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache

LEVEL = "x86-64-v3"  # target of the bundled library: measured to be as fast as code for the exact processor

EXCEPTION = "a_kernel_raised"  # called by object code if a kernel has raised: only with bounds checks, others never do

# What that level adds to every x86-64, as Linux names it.
_FLAGS = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe xsave cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3".split())
_HEAD = 1 << 14  # bytes that hold the first processor's lines; with many processors the whole takes long to read


@cache
def flags() -> frozenset[str]:
    """The features of the processor, by Linux's names; empty if unknown."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = file.read(_HEAD).splitlines()
    except OSError:
        return frozenset()
    return next((frozenset(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), frozenset())


@cache
def target() -> str:
    """The target of kernels on this computer: LEVEL if it supports that, else the exact processor."""
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
