"""Length of the arrows of forces, and darkness of a pressure: scales that fit the picture, and hold from one to the next."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.physics.observe.pressure import pressure_patches
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics.observe.pressure import PressurePatch

Vec = NDArray[np.float64]

LONGEST = 1.0 / 3.0  # of the picture's height: the longest arrow at size 1
_STEPS = (1.0, 2.0, 5.0, 10.0)


def nice(value: float) -> float:
    """The least of 1, 2, 5, 10, ... that is no less than a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in _STEPS if step * power >= value * (1.0 - 1e-9))


class Scale(Struct, frozen=True):
    """newtons: the force of an arrow that is LONGEST of the picture high; length: of an arrow of one newton [m/N]."""

    newtons: float
    length: float


class Steady:
    """A number that follows another in steps of 1, 2, 5: up at once, and down after a while."""

    LOW, AFTER = 0.3, 1.5  # of the present number, and for so long [s]

    def __init__(self) -> None:
        self._value, self._low_since = 0.0, math.inf

    def follow(self, found: float, now: float, *, hold: bool = False) -> float:
        """The number for one that was found, positive, or 0 where missing; now: wall time [s]; hold: do not go down."""
        if found <= 0:
            return self._value
        wanted = nice(found)
        if wanted > self._value:
            self._value, self._low_since = wanted, math.inf
        elif wanted >= self.LOW * self._value or hold:
            self._low_since = math.inf
        elif now - self._low_since > self.AFTER:
            self._value, self._low_since = wanted, math.inf
        else:
            self._low_since = min(self._low_since, now)
        return self._value


class SteadyScale:
    """Force of an arrow of a third of the picture, and the darkest pressure, from picture to picture."""

    def __init__(self) -> None:
        self._newtons, self._pascals = Steady(), Steady()

    def follow(self, frame: Frame, view: View, options: RenderOptions, now: float, *, hold: bool = False) -> float:
        """The force of an arrow that is LONGEST of a picture [N]; now: wall time [s]; hold: it does not shrink now."""
        scale = force_scale(frame, view, replace(options, force_newtons=0.0))
        return self._newtons.follow(0.0 if scale is None else scale.newtons, now, hold=hold)

    def follow_pressure(self, frame: Frame, now: float, *, hold: bool = False) -> float:
        """The pressure with the darkest colour [Pa]."""
        return self._pascals.follow(pressure_scale(patches_of(frame), RenderOptions()), now, hold=hold)


def height_at(view: View, points: Vec) -> Vec:
    """(n,) the visible height at the depth of each point [m]."""
    height = np.full(len(points), view.top - view.bottom)
    if not view.orthographic:
        height *= np.maximum((points - view.eye) @ view.forward, view.near) / view.near
    return height


def force_scale(frame: Frame, view: View, options: RenderOptions) -> Scale | None:
    """The scale of the arrows of one picture; None without a force in view.

    The strongest contact in view decides, unless options.force_newtons gives the force of a third of the picture's height.
    """
    pos, force = frame.contact_pos, frame.contact_force
    count = min(len(pos), len(force))
    strength = np.linalg.norm(force[:count, :3], axis=1)
    seen = _in_view(view, pos[:count]) & (strength > 0) & np.isfinite(strength)
    if not seen.any():
        return None
    strongest = int(np.argmax(np.where(seen, strength, 0.0)))
    newtons = options.force_newtons or float(strength[strongest])
    height = float(height_at(view, pos[strongest : strongest + 1])[0])
    return Scale(newtons, options.force_size * LONGEST * height / newtons)


def patches_of(frame: Frame) -> list[PressurePatch]:
    """The contact patches of a frame."""
    if len(frame.contact_force) != len(frame.contact_pos):
        return []
    return pressure_patches(frame.contact_geom, frame.contact_pos, frame.contact_frame, frame.contact_force[:, 0])


def pressure_scale(patches: list[PressurePatch], options: RenderOptions) -> float:
    """The pressure with the darkest colour [Pa], 0 where missing: options.patch_pressure, else the greatest."""
    return options.patch_pressure or max((patch.pressure for patch in patches), default=0.0)


def _in_view(view: View, points: Vec) -> NDArray[np.bool_]:
    clip = np.c_[points, np.ones(len(points))] @ view.matrix.T
    return np.asarray(np.all(np.abs(clip[:, :2]) <= clip[:, 3:], axis=1) & (clip[:, 3] > 0))
