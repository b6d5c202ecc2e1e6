"""How the C library's heap is set up for a window that is open for days: memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes

# mallopt of the GNU C library: malloc.h.
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
ARENAS = 2  # by default eight a core: each thread that loads a model leaves holes in another one
LARGE = 2**20  # from here on memory is mapped by itself, and given back when it is freed [bytes]; by default that grows to 32 MB


def keep_small() -> bool:
    """Set it up; to be called before threads are started. False where the C library is another one, which is left as it is.

    A model is compiled in a thread of its own. With the defaults, the holes that models leave behind in one heap a thread are
    never given back: after two hundred actions of `make soak` the process took half as much again, and went on growing.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # musl; macOS; Windows, where there is no such library to ask
        return False
    return bool(mallopt(_ARENA_MAX, ARENAS)) and bool(mallopt(_MMAP_THRESHOLD, LARGE))
