"""Memory that this process holds."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path


def resident() -> int:
    """Memory of this process that is in use and not shared [bytes]; what malloc keeps free for later is given back first."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))
