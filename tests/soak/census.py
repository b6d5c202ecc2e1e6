"""What a process holds: memory and what makes it, objects of Python, Qt and OpenGL, files, threads, processes."""

import ctypes
import gc
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct
from PyQt6.QtWidgets import QApplication

from tests.app.memory import resident
from tumble.app.viewport.widget import Viewport

MB = 2**20
FEW = 30  # objects of one type, below which it is not listed
_ALONE = 600.0  # time after which another thread may ask for Python's lock [s]
NAMES = 6000  # names of OpenGL objects that are looked at: they are given from 1 on


_GL = {
    "buffers": "glIsBuffer",
    "textures": "glIsTexture",
    "framebuffers": "glIsFramebuffer",
    "renderbuffers": "glIsRenderbuffer",
    "vertex arrays": "glIsVertexArray",
    "programs": "glIsProgram",
}


class _MallInfo(ctypes.Structure):
    """struct mallinfo2 of the GNU C library."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    )


def _heap() -> _MallInfo:
    """What malloc says of all its arenas; zeros where the C library does not say."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return _MallInfo()
    ask.restype = _MallInfo
    return ask()


def given_out() -> int:
    """What malloc has given out [bytes]."""
    said = _heap()
    return int(said.uordblks + said.hblkhd)


def type_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _referents(one: object) -> Iterator[object]:
    """What an object refers to, also through a dict or a tuple that holds nothing the collector would follow: it knows none."""
    for other in gc.get_referents(one):
        yield other
        if type(other) in (dict, tuple) and not gc.is_tracked(other):
            yield from gc.get_referents(other)


def _owner(array: np.ndarray) -> np.ndarray:
    """The array that has the memory of this one; itself where that is no array's."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def objects() -> tuple[Counter[str], int]:
    """Living objects of Python by type, and what arrays that they refer to have of their own [bytes].

    No other thread runs meanwhile: one that is building a tuple would fail, as Python cannot resize one that somebody holds.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_ALONE)
    try:
        return _count_objects()
    finally:
        sys.setswitchinterval(interval)


def _count_objects() -> tuple[Counter[str], int]:
    known = gc.get_objects()
    kinds = Counter(map(type, known))
    arrays: dict[int, int] = {}
    for one in known:
        for other in _referents(one):
            if type(other) is np.ndarray:
                owner = _owner(other)
                arrays[id(owner)] = owner.nbytes
    named: Counter[str] = Counter()
    for kind, count in kinds.items():
        named[type_name(kind)] += count
    return named, sum(arrays.values())


class OpenGl:
    """Asks the driver of the view's context."""

    def __init__(self, view: Viewport) -> None:
        self._view, self._library = view, ctypes.CDLL("libGL.so.1")

    def error(self) -> int:
        """The error that happened since the last question; 0: none."""
        self._view.makeCurrent()
        try:
            return int(self._library.glGetError())
        finally:
            self._view.doneCurrent()

    def count(self) -> dict[str, float]:
        """Objects that are there, by kind: the driver is asked about each name."""
        self._view.makeCurrent()
        try:
            return {kind: float(self._count(question)) for kind, question in _GL.items()}
        finally:
            self._view.doneCurrent()

    def _count(self, question: str) -> int:
        ask = getattr(self._library, question)
        ask.restype = ctypes.c_ubyte
        return sum(1 for name in range(1, NAMES) if ask(name))


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def handles() -> Iterator[str]:
    """What the open file handles lead to."""
    for number in os.listdir("/proc/self/fd"):
        try:
            yield os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue


def children() -> list[str]:
    """Processes that were started by this one and live, or were never waited for."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        try:
            found += (task / "children").read_text().split()
        except OSError:
            continue  # the thread has ended
    return found


def take(gl: OpenGl, temporary: Path, recovery: Path) -> tuple[dict[str, float], dict[str, int]]:
    """All amounts, by resource, and how many objects there are of each type that has more than a few."""
    memory = resident()  # collects garbage first
    types, arrays = objects()
    threads = len(os.listdir("/proc/self/task"))
    amounts = {
        "resident": memory / MB,
        "malloc": given_out() / MB,
        "numpy": arrays / MB,
        "python": float(sum(types.values())),
        "widgets": float(len(QApplication.allWidgets())),
        **gl.count(),
        "files": float(len(list(handles()))),
        "threads": float(threads),
        "children": float(len(children())),
        "temporary": float(len(files_in(temporary))),
        "recovery": float(len(files_in(recovery))),
    }
    listed = {name: count for name, count in types.items() if count >= FEW}
    return amounts, listed | Counter(f"thread {thread.name}" for thread in threading.enumerate())


def stacks() -> str:
    """Where each thread of Python is, for a person."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    parts = [
        f"--- {names.get(number, number)}\n{''.join(traceback.format_stack(frame))}"
        for number, frame in sys._current_frames().items()
    ]
    return "\n".join(parts)


class Resource(Struct, frozen=True):
    """Something that can grow. limit: how much it may, from the end of the warm-up to the end of the run; None: only shown."""

    name: str
    unit: str
    limit: float | None
    meaning: str


RESOURCES = (
    Resource("resident", "MB", 10.0, "memory that is not shared, after malloc has given back what it can"),
    Resource("malloc", "MB", 10.0, "memory that malloc has given out: Python, numpy, Qt, the driver"),
    Resource("numpy", "MB", 10.0, "of it arrays that a Python object refers to"),
    Resource("python", "objects", 20_000, "objects that the garbage collector knows"),
    Resource("widgets", "", 40, "of Qt"),
    Resource("buffers", "", 20, "of OpenGL"),
    Resource("textures", "", 20, "of OpenGL"),
    Resource("framebuffers", "", 10, "of OpenGL"),
    Resource("renderbuffers", "", 10, "of OpenGL"),
    Resource("vertex arrays", "", 20, "of OpenGL"),
    Resource("programs", "", 4, "of OpenGL"),
    Resource("files", "", 4, "handles that are open"),
    Resource("threads", "", 2, "of the process"),
    Resource("children", "", 1, "processes that it has started"),
    Resource("temporary", "files", 4, "left in the folder for temporary files"),
    Resource("recovery", "files", 3, "in the recovery folder"),
)
