"""Poses at other times, for pictures alone: interpolated ones, and past ones in bounded memory.

Between two, positions move on straight lines and orientations on the shortest turn. Bodies move so; attached elements stay
fixed to them. Everything else of a picture is of the first moment.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.render.frame import Frame, Ghost

if TYPE_CHECKING:
    from tumble.physics import MjModel

Floats = NDArray[np.float64]

_STRAIGHT = ("subtree_com", "cam_xpos", "light_xpos", "xanchor", "flexvert_xpos", "bvh_aabb_dyn")
OFTEN = 1.0 / 30.0  # between two stored poses [s]
MOST_BYTES = 32 * 2**20
GAP = 0.5  # poses further apart than this are not joined [s]
RGB = (0.62, 0.72, 0.86)
_FAINTEST = 0.3  # strength of the oldest ghost
_Posed = tuple[Floats, Floats, tuple[float, float, float], Floats]  # as Ghost has them


def turned(first: Floats, second: Floats, share: float) -> Floats:
    """(n, 3, 3) rotations a share of the way from the first to the second, on the shortest turn."""
    way = np.einsum("nji,njk->nik", first, second)
    sine = 0.5 * np.stack([way[:, 2, 1] - way[:, 1, 2], way[:, 0, 2] - way[:, 2, 0], way[:, 1, 0] - way[:, 0, 1]], axis=1)
    length = np.linalg.norm(sine, axis=1)
    angle = np.arctan2(length, 0.5 * (np.trace(way, axis1=1, axis2=2) - 1.0))
    axis = sine / np.maximum(length, 1e-15)[:, None]
    back = np.flatnonzero((length < 1e-6) & (angle > 1.0))  # half a turn: its axis is the direction that stays
    if len(back):
        same = 0.5 * (way[back] + np.eye(3))
        column = np.argmax(np.einsum("nii->ni", same), axis=1)
        stays = same[np.arange(len(back)), :, column]
        axis[back] = stays / np.linalg.norm(stays, axis=1)[:, None]
    part = share * angle
    x, y, z = axis.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    turn = np.eye(3) + np.sin(part)[:, None, None] * cross + (1.0 - np.cos(part))[:, None, None] * (cross @ cross)
    return np.asarray(first @ turn)


def straight(first: Floats, second: Floats, share: float) -> Floats:
    """Numbers a share of the way from the first to the second; the first where there are not as many."""
    return first + share * (second - first) if first.shape == second.shape else first


def between(model: MjModel, first: Frame, second: Frame, share: float) -> Frame:
    """The frame a share of the way from one moment to the next; share 0 is the first itself, 1 the second."""
    if share <= 0.0 or len(first.xpos) != model.nbody or len(second.xpos) != model.nbody:
        return first
    if share >= 1.0:
        return second
    place = straight(first.xpos, second.xpos, share)
    then = second.xmat.reshape(-1, 3, 3)
    mat = turned(first.xmat.reshape(-1, 3, 3), then, share)
    fields: dict[str, Any] = {name: straight(getattr(first, name), getattr(second, name), share) for name in _STRAIGHT}
    fields |= {"xpos": place, "xmat": mat.reshape(-1, 9)}
    owners = (np.arange(model.nbody), model.geom_bodyid, model.site_bodyid)
    for pos, turn, owner in zip(("xipos", "geom_xpos", "site_xpos"), ("ximat", "geom_xmat", "site_xmat"), owners, strict=True):
        body = np.asarray(owner, np.int64)
        if len(getattr(second, pos)) == len(getattr(second, turn)) == len(body):
            local = np.einsum("nji,nj->ni", then[body], getattr(second, pos) - second.xpos[body])
            fields[pos] = place[body] + np.einsum("nij,nj->ni", mat[body], local)
            own = np.einsum("nji,njk->nik", then[body], getattr(second, turn).reshape(-1, 3, 3))
            fields[turn] = (mat[body] @ own).reshape(-1, 9)
    if first.cam_xmat.shape == second.cam_xmat.shape:
        fields["cam_xmat"] = turned(first.cam_xmat.reshape(-1, 3, 3), second.cam_xmat.reshape(-1, 3, 3), share).reshape(-1, 9)
    for name in ("light_xdir", "xaxis"):
        way = straight(getattr(first, name), getattr(second, name), share)
        fields[name] = way / np.maximum(np.linalg.norm(way, axis=1), 1e-9)[:, None]
    if np.array_equal(first.ten_wrapnum, second.ten_wrapnum) and np.array_equal(first.wrap_obj, second.wrap_obj):
        fields["wrap_xpos"] = straight(first.wrap_xpos, second.wrap_xpos, share)
    return replace(first, **fields, time=first.time + share * (second.time - first.time))


class PastPose(Struct, frozen=True):
    """Positions of geoms and of the vertices of flexes at a time [s]; in single precision."""

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
        """Discard all."""
        self._poses.clear()
        self._nbytes, self._found = 0, {}

    def cut(self, time: float) -> None:
        """Discard frames after a time [s]."""
        self._found = {}
        while self._poses and self._poses[-1].time > time + 1e-9:
            self._nbytes -= self._poses.pop().nbytes

    def note(self, time: float, frame: Frame) -> None:
        """Store a frame later than all others, if the last is old enough; the oldest are dropped."""
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
        poses, self._found = [(k, known[time]) for k, time in enumerate(times) if time in known], known
        most = max(len(times) - 1, 1)
        return tuple(Ghost(*pose, strength=_FAINTEST + (1.0 - _FAINTEST) * k / most) for k, pose in poses)

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
    """The last multiples of an interval before a time [s], the oldest first: they do not move with time."""
    last = math.ceil(now / interval - 1e-6) - 1
    return [k * interval for k in range(last - number + 1, last + 1) if k >= 0]
