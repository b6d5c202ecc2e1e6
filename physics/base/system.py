"""Differences between operating systems: the only module that asks which one it runs on.

Where a system has no such thing, the function says what happens instead. What kernels call by its address stands with them:
semaphores in `physics.parallel.semaphore`, the clock in `physics.base.clock`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
import tempfile
from contextlib import suppress
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tumble.physics.base.files import home

if TYPE_CHECKING:
    import subprocess

NICE = 10  # on the scale of Unix from 0 (the user's own) to 19
_BELOW_NORMAL, _SET_INFORMATION = 0x4000, 0x0200  # of Windows: a class of priority, and the right to set it
# mallopt of the GNU C library: malloc.h.
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
ARENAS = 2  # by default eight a core: each thread that loads a model leaves holes in another one
LARGE = 2**20  # from here on memory is mapped by itself, and given back when it is freed [bytes]; by default that grows to 32 MB


def cache_folder() -> Path:
    """The folder for what can be made again, which need not exist; XDG_CACHE_HOME names the one around it on any system."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named).absolute() / "tumble"
    if sys.platform == "win32":
        return _local() / "cache"
    if sys.platform == "darwin":
        return home() / "Library" / "Caches" / "Tumble"
    return home() / ".cache" / "tumble"


def runtime_folder() -> Path:
    """The folder of the programs of this user that run now, the same for all of them; it need not exist."""
    if sys.platform == "win32":
        return _local() / "remote"
    if sys.platform == "darwin":
        return home() / "Library" / "Application Support" / "Tumble" / "remote"
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and os.path.isdir(runtime):
        return Path(runtime) / "tumble"
    return Path(tempfile.gettempdir()) / f"tumble-{os.getuid()}"


def _local() -> Path:
    """Folder for local data on Windows; no other user may read it."""
    return Path(os.environ.get("LOCALAPPDATA") or home() / "AppData" / "Local") / "Tumble"


def is_private(folder: Path) -> bool:
    """True if a folder is this user's, and nobody else may write to it. On Windows its place says so. Raises OSError."""
    if sys.platform == "win32":
        return True
    found = folder.lstat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


def cores() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor() -> str:
    """The name of the processor; on Linux platform.processor() is empty."""
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def memory_left() -> float:
    """Bytes that this process may still take: of all memory, and of its own limit; infinite where the system does not say.

    macOS does not: what it counts as free leaves out what it would give up at once.
    """
    if sys.platform == "win32":
        status = (ctypes.c_uint64 * 8)(64)  # MEMORYSTATUSEX: its own size, then pairs of total and available bytes
        return float(status[2]) if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else float("inf")
    import resource

    left = [float("inf")]
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo", encoding="ascii") as file:
        left += [1024.0 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:")]
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
            left.append(max(0.0, limit - resource.getpagesize() * int(file.read().split()[0])))
    return min(left)


def memory_used() -> float:
    """Bytes of this process in the computer's memory, libraries included; nan where the system does not say."""
    if sys.platform == "win32":
        counters = (ctypes.c_size_t * 9)()  # PROCESS_MEMORY_COUNTERS: two 32-bit numbers, then the largest and the present set
        size = ctypes.sizeof(counters)
        counters[0] = size
        kernel = ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.K32GetProcessMemoryInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
        return float(counters[2]) if kernel.K32GetProcessMemoryInfo(kernel.GetCurrentProcess(), counters, size) else nan
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        return float(os.sysconf("SC_PAGE_SIZE")) * int(file.read().split()[1])
    return nan


def give_way(pid: int, *, group: bool = False) -> None:
    """Let a process take only processor time that others leave; group: with all that belongs to the group that it leads.

    A process that has ended by now needs none; on Windows what it starts inherits it.
    """
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = ctypes.c_void_p(kernel.OpenProcess(_SET_INFORMATION, False, pid))
        kernel.SetPriorityClass(handle, _BELOW_NORMAL)
        kernel.CloseHandle(handle)
        return
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PGRP if group else os.PRIO_PROCESS, pid, max(NICE, own))


def processor_time(pid: int) -> float:
    """Time that the threads of a process have had on the processor [s]; nan where the system does not say, or it has ended."""
    try:
        return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9 or nan
    except (OSError, ValueError):
        return nan


def own_group() -> dict[str, Any]:
    """Options of Popen for a process that leads its own group, which Ctrl+C in a terminal does not reach.

    On Windows it has no console either: one would open, and flash, for each process of a program without.
    """
    if sys.platform == "win32":
        import subprocess

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads its own group, and what it has started; on Windows itself alone."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):  # it has just ended
        os.killpg(process.pid, signal.SIGKILL)


def keep_heap_small() -> bool:
    """Have freed memory go back to the system; to be called before threads are started. False for others than the GNU C library.

    A model is compiled in a thread of its own. With the defaults, the holes that models leave behind in one heap a thread are
    never given back: after two hundred actions of `make soak` the process took half as much again, and went on growing.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # musl
        return False
    return bool(mallopt(_ARENA_MAX, ARENAS)) and bool(mallopt(_MMAP_THRESHOLD, LARGE))
