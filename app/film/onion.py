"""Ghosts of the past and trails in pictures of a simulation: onion skins, as the view has them while time runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.render.frame import Frame, Trail
from tumble.render.scene.motion import PastPoses, moments_before
from tumble.render.scene.strokes import INKS

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Floats = NDArray[np.float64]

POINTS = 600  # of a trail, about


class OnionSkins(Struct, frozen=True):
    """Ghosts and trails in each picture. ghosts: how many, interval: the time between two [s]; trails: points (3,) of bodies,
    in their frames [m], that leave trails of so many seconds."""

    ghosts: int = 0
    interval: float = 0.25
    trails: tuple[tuple[int, tuple[float, float, float]], ...] = ()
    seconds: float = 2.0

    @property
    def wanted(self) -> bool:
        """True if pictures show ghosts or trails."""
        return self.ghosts > 0 or bool(self.trails)


class SkinRecord:
    """Follows a simulation step by step, and adds its past poses to a frame."""

    def __init__(self, model: MjModel, skins: OnionSkins) -> None:
        self._model, self._skins = model, skins
        self._poses = PastPoses()
        self._times: list[float] = []
        self._points: list[Floats] = []  # (trails, 3)
        self._last = -np.inf

    def note(self, time: float, data: MjData) -> None:
        """Store poses at a time since the beginning [s]; a reset of the data discards earlier ones."""
        if float(data.time) < self._last:
            self._poses.clear()
            self._times, self._points = [], []
        self._last = float(data.time)
        if self._skins.ghosts:
            pos, mat, soft = (np.asarray(values) for values in (data.geom_xpos, data.geom_xmat, data.flexvert_xpos))
            self._poses.note(time, Frame(geom_xpos=pos, geom_xmat=mat, flexvert_xpos=soft))
        spacing = self._skins.seconds / POINTS
        if self._skins.trails and (not self._times or np.floor(time / spacing) > np.floor(self._times[-1] / spacing)):
            self._times.append(time)
            self._points.append(self._now(np.asarray(data.xpos), np.asarray(data.xmat)))
            if len(self._times) > 4 * POINTS:
                del self._times[: 2 * POINTS], self._points[: 2 * POINTS]

    def _now(self, xpos: Floats, xmat: Floats) -> Floats:
        return np.array([xpos[b] + xmat[b].reshape(3, 3) @ np.asarray(local) for b, local in self._skins.trails])

    def over(self, frame: Frame, time: float) -> Frame:
        """The frame of a time since the beginning [s] with ghosts and trails of before."""
        skins = self._skins
        ghosts = self._poses.ghosts(moments_before(time, skins.ghosts, skins.interval)) if skins.ghosts else ()
        trails: tuple[Trail, ...] = ()
        if skins.trails:
            times = np.array([*self._times, time])
            chosen = np.flatnonzero((times > time - skins.seconds) & (times <= time))
            points = np.array([*self._points, self._now(frame.xpos, frame.xmat)])[chosen]
            age = (time - times[chosen]) / skins.seconds
            trails = tuple(Trail(points[:, k], age, INKS[k % len(INKS)]) for k in range(len(skins.trails)))
        return replace(frame, ghosts=ghosts, trails=trails)
