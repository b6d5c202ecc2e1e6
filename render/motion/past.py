"""Poses of the past, kept in bounded memory, and the ghosts of some of them at equal intervals."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.render.frame import Frame
from tumble.render.ghosts import Ghost
from tumble.render.motion.between import straight, turned

Floats = NDArray[np.float64]

OFTEN = 1.0 / 30.0  # between two poses that are kept [s]
MOST_BYTES = 32 * 2**20
GAP = 0.5  # poses further apart than this are not joined [s]
RGB = (0.62, 0.72, 0.86)
_FAINTEST = 0.3  # strength of the oldest ghost


_Posed = tuple[Floats, Floats, tuple[float, float, float], Floats]  # as Ghost has them


@dataclass(frozen=True)
class PastPose:
    """Where geoms and the vertices of flexes were at a time [s]; in single precision."""

    time: float
    geom_xpos: NDArray[np.float32]
    geom_xmat: NDArray[np.float32]
    flexvert_xpos: NDArray[np.float32]

    @property
    def nbytes(self) -> int:
        return self.geom_xpos.nbytes + self.geom_xmat.nbytes + self.flexvert_xpos.nbytes


class PastPoses:
    """Poses in the order of their times."""

    def __init__(self) -> None:
        self._poses: deque[PastPose] = deque()
        self._nbytes = 0
        self._found: dict[float, _Posed] = {}  # of the last picture: ghosts stand still

    def __len__(self) -> int:
        return len(self._poses)

    def clear(self) -> None:
        """Forget all."""
        self._poses.clear()
        self._nbytes, self._found = 0, {}

    def cut(self, time: float) -> None:
        """Forget what came after a time [s]."""
        self._found = {}
        while self._poses and self._poses[-1].time > time + 1e-9:
            self._nbytes -= self._poses.pop().nbytes

    def note(self, time: float, frame: Frame) -> None:
        """Keep a frame of a later time than all that is kept, if the last is old enough; the oldest make room."""
        if self._poses and math.floor(time / OFTEN + 1e-6) <= math.floor(self._poses[-1].time / OFTEN + 1e-6):
            return
        arrays = (np.asarray(values, np.float32).copy() for values in (frame.geom_xpos, frame.geom_xmat, frame.flexvert_xpos))
        pose = PastPose(time, *arrays)
        self._poses.append(pose)
        self._nbytes += pose.nbytes
        while self._nbytes > MOST_BYTES and len(self._poses) > 2:
            self._nbytes -= self._poses.popleft().nbytes

    def ghosts(self, times: Sequence[float]) -> tuple[Ghost, ...]:
        """Ghosts of those moments of which poses are known, the oldest first and faintest."""
        known = {time: pose for time in times if (pose := self._found.get(time) or self._at(time)) is not None}
        found, self._found = [(k, known[time]) for k, time in enumerate(times) if time in known], known
        most = max(len(times) - 1, 1)
        return tuple(Ghost(*pose, strength=_FAINTEST + (1.0 - _FAINTEST) * k / most) for k, pose in found)

    def _at(self, time: float) -> _Posed | None:
        """geom_xpos, geom_xmat, colour, flexvert_xpos at a time; None: it is before or after all that is kept, or in a gap."""
        k = bisect_left(self._poses, time, key=lambda pose: pose.time)
        if k == len(self._poses) or (k == 0 and self._poses[0].time > time + OFTEN):
            return None
        after, before = self._poses[k], self._poses[max(k - 1, 0)]
        if after.time - before.time > GAP:
            return None
        share = 0.0 if after.time <= before.time else min(max((time - before.time) / (after.time - before.time), 0.0), 1.0)
        one, two = (pose.geom_xmat.astype(float).reshape(-1, 3, 3) for pose in (before, after))
        pos = straight(before.geom_xpos.astype(float), after.geom_xpos.astype(float), share)
        soft = straight(before.flexvert_xpos.astype(float), after.flexvert_xpos.astype(float), share)
        return pos, turned(one, two, share).reshape(-1, 9), RGB, soft


def moments_before(now: float, number: int, interval: float) -> list[float]:
    """The last multiples of an interval before a time [s], the oldest first: they stand still while time goes on."""
    last = math.ceil(now / interval - 1e-6) - 1
    return [k * interval for k in range(last - number + 1, last + 1) if k >= 0]
