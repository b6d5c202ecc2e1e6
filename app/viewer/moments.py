"""Moments of a simulation in memory that two processes share: one writes them, the other takes the newest.

The memory is that of a file that has no name any more once both have it open, so that nothing is left behind however a process
ends. Three moments fit in it. The writer fills the one after the last that it counted, and counts it when it is whole; the
reader copies the last that is counted, and takes it if the writer has not come near meanwhile, else the one after. No side waits.
Processors of ARM may show the count before what was written ahead of it: a checksum detects incomplete moments.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.state import SPEC, State
from tumble.render.mjv.structs import MjvGeom

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[Any]

SLOTS = 3
MOST_GEOMS = 20_000  # of the user's, drawn with the model
GEOM = MjvGeom.RECORD
_HEAD = np.dtype([("count", "i8"), ("sums", "i8", SLOTS), ("rest", "i8", 7 - SLOTS)])


def _folder() -> str | None:
    """A folder in memory, where the system has one."""
    memory = "/dev/shm"
    return memory if os.path.isdir(memory) and os.access(memory, os.W_OK) else None


def _forget(path: Path) -> None:
    """Unlink a file; processes that have it open keep it. Where the system does not allow it yet, it stays."""
    with suppress(OSError):  # Windows, while it is open
        path.unlink(missing_ok=True)


class SharedMoment(Struct):
    """state: as the tape keeps it; warning: (2, nwarning) numbers and latest infos; obeyed: commands that the writer had obeyed.

    geoms: (n,) records of MjvGeom, drawn with the model.
    """

    state: State
    warning: Array
    obeyed: int
    geoms: Array


class MomentRing:
    """The memory, for a model. path: of its file, until another process opens it."""

    def __init__(self, model: MjModel, path: Path | None = None) -> None:
        """path: of another process's ring to be opened and unlinked; None: a new one. Raises OSError."""
        slot = np.dtype(
            [
                ("values", "f8", physics.mj_stateSize(model, SPEC)),
                ("mocap", "f8", 7 * model.nmocap),
                ("asleep", "i4", model.ntree),
                ("warning", "i8", (2, int(physics.mjtWarning.mjNWARNING))),
                ("obeyed", "i8"),
                ("ngeom", "i8"),
                ("geoms", GEOM, MOST_GEOMS),
            ]
        )
        size = _HEAD.itemsize + SLOTS * slot.itemsize
        if path is None:
            number, name = tempfile.mkstemp("", "tumble-", _folder())  # that only this user can read
            os.ftruncate(number, size)
            os.close(number)
        self.path = path or Path(name)
        # Windows, where a file that is open cannot be deleted, deletes it with the last process that has opened it so.
        number = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_TEMPORARY", 0))
        try:
            if os.fstat(number).st_size != size:
                raise OSError(f"{self.path}: it has {os.fstat(number).st_size} bytes, and this model needs {size}")
            self._memory = mmap.mmap(number, size)
        finally:
            os.close(number)
        self._head = np.frombuffer(self._memory, _HEAD, 1)
        self._slots = np.frombuffer(self._memory, slot, SLOTS, _HEAD.itemsize)
        self._seen = 0
        if path is None:
            weakref.finalize(self, _forget, self.path)
        else:
            _forget(path)

    def write(self, state: State, warning: Array, obeyed: int, geoms: Array) -> None:
        """Show a moment."""
        count = int(self._head["count"][0]) + 1
        slot = self._slots[count % SLOTS]
        slot["values"], slot["mocap"], slot["asleep"], slot["warning"] = state.values, state.mocap, state.asleep, warning
        slot["obeyed"], slot["ngeom"] = obeyed, len(geoms)
        if len(geoms):
            slot["geoms"][: len(geoms)] = geoms
        self._head["sums"][0, count % SLOTS] = _sum(count, self._moment(slot))
        self._head["count"][0] = count

    @staticmethod
    def _moment(slot: Array) -> SharedMoment:
        """A copy of a slot."""
        state = State(slot["values"].copy(), slot["asleep"].copy(), slot["mocap"].copy())
        number = min(max(int(slot["ngeom"]), 0), MOST_GEOMS)
        return SharedMoment(state, slot["warning"].copy(), int(slot["obeyed"]), slot["geoms"][:number].copy())

    def newest(self) -> SharedMoment | None:
        """The newest moment, in its own memory; None if unchanged since the last call."""
        while (count := int(self._head["count"][0])) != self._seen:
            moment = self._moment(self._slots[count % SLOTS])
            if int(self._head["count"][0]) > count + SLOTS - 2:
                continue  # it was being written to
            if _sum(count, moment) != int(self._head["sums"][0, count % SLOTS]):
                return None  # the next look finds it whole
            self._seen = count
            return moment
        return None


def _sum(count: int, moment: SharedMoment) -> int:
    """A checksum of a moment and its number."""
    state = moment.state
    result = zlib.crc32(b"%d %d" % (count, moment.obeyed))
    for part in (state.values, state.asleep, state.mocap, moment.warning, moment.geoms):
        result = zlib.crc32(part.tobytes(), result)
    return result
