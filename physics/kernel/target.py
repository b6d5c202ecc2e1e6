"""The machines that kernels are compiled for: those of the bundled libraries, or else this very processor."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
from functools import cache

from msgspec import Struct

EXCEPTION = "a_kernel_raised"  # called by object code if a kernel has raised: only with bounds checks, others never do
RELAX = "a_kernel_waits"  # called by code that is lowered, for any target: the processor's own word stands in its place then

# Sums may be re-ordered and fused, the same way on every run: this is what lets loops vectorize.
# Not-a-number and infinity keep their meaning: divergence must stay visible.
FAST = ("reassoc", "contract", "nsz")
EXACT = ()


class Target(Struct, frozen=True):
    """A kind of machine.

    name: of its files. triple, cpu: what LLVM calls the system, and the least processor; "" is the system that runs, and "host"
    its processor. suffix: of a shared library.
    """

    name: str
    triple: str
    cpu: str
    suffix: str


# What a library is bundled for. x86-64-v3 is AVX2 and FMA, since 2013: measured to be as fast as code for the exact processor.
V3 = Target("linux-x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", ".so")
TARGETS = (
    V3,
    Target("linux-x86-64", "x86_64-unknown-linux-gnu", "x86-64", ".so"),
    Target("linux-aarch64", "aarch64-unknown-linux-gnu", "generic", ".so"),
    Target("macos-arm64", "arm64-apple-macosx11.0.0", "apple-m1", ".dylib"),
    Target("macos-x86-64", "x86_64-apple-macosx11.0.0", "x86-64-v2", ".dylib"),
    Target("windows-x86-64", "x86_64-pc-windows-gnu", "x86-64-v3", ".dll"),
)
# LLVM's linkers in memory cannot load Windows' form of object code, but ELF with Windows' calls. The C library there is
# Microsoft's, while the linker of the bundled library brings GNU's functions (sincos).
ELF_ON_WINDOWS = Target("windows-x86-64-elf", "x86_64-pc-windows-msvc-elf", "x86-64-v3", "")
SWITCH = "TUMBLE_KERNELS"  # set to the name of one of this system's TARGETS: it is taken; library.py knows another word
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_PROCESSORS = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "aarch64", "arm64": "arm64"}

# What the level v3 adds to every x86-64, as Linux names it.
_FLAGS = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe xsave cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3".split())
_HEAD = 1 << 14  # bytes that hold the first processor's lines; with many processors the whole takes long to read
_AVX2_AVAILABLE = 40  # PF_AVX2_INSTRUCTIONS_AVAILABLE of IsProcessorFeaturePresent


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
def bundled() -> Target | None:
    """The best of TARGETS that this computer runs; None if it runs none."""
    name = f"{_SYSTEMS.get(sys.platform)}-{_PROCESSORS.get(platform.machine().lower())}"
    able = [known for known in TARGETS if known.name.startswith(name) and _runs(known)]  # the best comes first
    wished = [known for known in able if known.name == os.environ.get(SWITCH)]
    return next(iter(wished or able), None)


@cache
def target() -> Target:
    """Target of compilation on this computer: as its library's, else the exact processor."""
    known = bundled()
    if known is not None:
        return ELF_ON_WINDOWS if sys.platform == "win32" else known
    kind = " ".join([platform.machine(), platform.processor(), *sorted(flags())])
    return Target(f"{sys.platform}-host-{hashlib.sha256(kind.encode()).hexdigest()[:12]}", "", "host", "")


def _runs(wanted: Target) -> bool:
    """True if the processor is at least the one that a target asks for."""
    if wanted is V3:
        return flags() >= _FLAGS
    if wanted.name != "windows-x86-64":  # that is the least there is: Rosetta, too, has what macOS on x86-64 asks for
        return True
    return bool(ctypes.WinDLL("kernel32").IsProcessorFeaturePresent(_AVX2_AVAILABLE))  # type: ignore[attr-defined, unused-ignore]


def checks_bounds() -> bool:
    """True if kernels check every index, as the fuzzer wants it: numba's own switch."""
    return os.environ.get("NUMBA_BOUNDSCHECK") == "1"


def variant(wanted: Target) -> str:
    """A target, and whether indices are checked, as folders of compiled code are named: code for one does not run on another."""
    return f"{wanted.name}{'-checked' if checks_bounds() else ''}"
