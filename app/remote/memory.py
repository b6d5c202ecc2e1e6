"""Moments of a simulation in memory that two processes share: one writes them, the other takes the newest.

The memory is that of a file that has no name any more once both have it open, so that nothing is left behind however a process
ends. Three moments fit in it. The writer fills the one after the last that it counted, and counts it when it is whole; the
reader copies the last that is counted, and takes it if the writer has not come near meanwhile, else the one after. Nobody waits.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.state import SPEC, State
from tumble.render.abstract.structs import MjvGeom

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[Any]

SLOTS = 3
MOST_GEOMS = 20_000  # of the user's, drawn with the model
GEOM = MjvGeom.RECORD
_HEAD = np.dtype([("count", "i8"), ("rest", "i8", 7)])


def _folder() -> str | None:
    """A folder whose files stay in memory, where the system has one."""
    memory = "/dev/shm"
    return memory if os.path.isdir(memory) and os.access(memory, os.W_OK) else None


def new_file(suffix: str = "") -> tuple[int, Path]:
    """A new empty file that only this user can read: its descriptor and its path."""
    number, name = tempfile.mkstemp(suffix, "tumble-", _folder())
    return number, Path(name)


def forget(path: Path) -> None:
    """Take a file's name away; who has it open keeps it. Where the system does not allow it yet, it stays."""
    try:
        path.unlink(missing_ok=True)
    except OSError:  # Windows, while it is open
        return


def left_in_file(data: bytes | memoryview, suffix: str = "") -> Path:
    """A file with these bytes, which whoever reads it deletes."""
    number, path = new_file(suffix)
    with os.fdopen(number, "wb") as file:
        file.write(data)
    return path


def taken_from_file(path: Path) -> bytes:
    """The bytes of a file that `left_in_file` wrote, which is deleted. Raises OSError."""
    data = path.read_bytes()
    forget(path)
    return data


@dataclass(slots=True)
class SharedMoment:
    """state: as the tape keeps it; warning: (2, nwarning) numbers and latest infos; heard: messages that the writer had obeyed.

    geoms: (n,) records of MjvGeom, drawn with the model.
    """

    state: State
    warning: Array
    heard: int
    geoms: Array


class MomentRing:
    """The memory, for a model. path: of its file, until `forget`."""

    def __init__(self, model: MjModel, path: Path | None = None) -> None:
        """path: of a ring to be opened; None: a new one. Raises OSError."""
        slot = np.dtype(
            [
                ("values", "f8", physics.mj_stateSize(model, SPEC)),
                ("mocap", "f8", 7 * model.nmocap),
                ("asleep", "i4", model.ntree),
                ("warning", "i8", (2, int(physics.mjtWarning.mjNWARNING))),
                ("heard", "i8"),
                ("ngeom", "i8"),
                ("geoms", GEOM, MOST_GEOMS),
            ]
        )
        size = _HEAD.itemsize + SLOTS * slot.itemsize
        if path is None:
            number, path = new_file()
            os.ftruncate(number, size)
        else:
            number = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        self.path = path
        try:
            if os.fstat(number).st_size != size:
                raise OSError(f"{path}: it has {os.fstat(number).st_size} bytes, and this model needs {size}")
            self._memory = mmap.mmap(number, size)
        finally:
            os.close(number)
        self._head = np.frombuffer(self._memory, _HEAD, 1)
        self._slots = np.frombuffer(self._memory, slot, SLOTS, _HEAD.itemsize)
        self._seen = 0

    @classmethod
    def opened(cls, model: MjModel, path: Path) -> Self:
        """The ring that another process has made; its name is taken away. Raises OSError."""
        made = cls(model, path)
        forget(path)
        return made

    def forget(self) -> None:
        """Take the file's name away."""
        forget(self.path)

    def write(self, state: State, warning: Array, heard: int, geoms: Array) -> None:
        """Show a moment."""
        count = int(self._head["count"][0]) + 1
        slot = self._slots[count % SLOTS]
        slot["values"], slot["mocap"], slot["asleep"], slot["warning"] = state.values, state.mocap, state.asleep, warning
        slot["heard"], slot["ngeom"] = heard, len(geoms)
        if len(geoms):
            slot["geoms"][: len(geoms)] = geoms
        self._head["count"][0] = count

    def newest(self) -> SharedMoment | None:
        """The newest moment, in memory of its own; None if there is none since the last call."""
        while (count := int(self._head["count"][0])) != self._seen:
            slot = self._slots[count % SLOTS]
            state = State(slot["values"].copy(), slot["asleep"].copy(), slot["mocap"].copy())
            number = min(max(int(slot["ngeom"]), 0), MOST_GEOMS)
            moment = SharedMoment(state, slot["warning"].copy(), int(slot["heard"]), slot["geoms"][:number].copy())
            if int(self._head["count"][0]) <= count + SLOTS - 2:  # else it was being written to
                self._seen = count
                return moment
        return None
