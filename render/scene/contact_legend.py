"""Colours and arrows of contacts, by stick, slip and separation, and the legend that explains them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tumble.physics.dynamics.contact_force import ContactMode, cone_share, contact_mode
from tumble.physics.observe.pressure import pressure_patches
from tumble.physics.state.enums import mjtCone
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel
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


Rgba = tuple[float, float, float, float]

# Okabe and Ito's colours, which people with any kind of colour vision can distinguish; also by brightness: slip, stick, open.
STICK: Rgba = (0.0, 0.62, 0.45, 1.0)
SLIP: Rgba = (0.95, 0.60, 0.0, 1.0)
OPEN: Rgba = (0.80, 0.83, 0.90, 1.0)
SMOOTH: Rgba = (0.34, 0.71, 0.91, 1.0)
OF_MODE: dict[ContactMode, Rgba] = {
    ContactMode.STICK: STICK, ContactMode.SLIP: SLIP, ContactMode.OPEN: OPEN, ContactMode.SMOOTH: SMOOTH,
}  # fmt: skip
# The whole force, or its normal part; the part of friction.
FORCE: Rgba = (0.93, 0.93, 0.75, 1.0)
FRICTION: Rgba = (0.80, 0.47, 0.65, 1.0)
# From no pressure to the most: darker and stronger, so that brightness alone distinguishes them.
PRESSURE = ((0.95, 0.92, 1.0), (0.72, 0.56, 0.93), (0.38, 0.12, 0.66))


def pressure_colours(share: ArrayLike) -> NDArray[np.float64]:
    """(n, 3) colours 0..1 of pressures, given as shares (n,) of that with the darkest colour."""
    at = np.clip(np.asarray(share, float), 0.0, 1.0)
    stops = np.linspace(0.0, 1.0, len(PRESSURE))
    return np.stack([np.interp(at, stops, [rgb[k] for rgb in PRESSURE]) for k in range(3)], axis=-1)


def is_elliptic(model: MjModel) -> bool:
    """True if friction cones are ellipses, rather than pyramids."""
    return int(model.opt.cone) == mjtCone.mjCONE_ELLIPTIC


def modes(model: MjModel, frame: Frame) -> NDArray[np.int64]:
    """(ncon,) ContactMode of each contact; OPEN where it is not known."""
    count = len(frame.contact_pos)
    if not len(frame.contact_force) == len(frame.contact_friction) == len(frame.contact_dim) == count:
        return np.zeros(count, np.int64)
    force = frame.contact_force.T
    share = cone_share(force, frame.contact_friction.T, is_elliptic(model))
    return np.asarray(contact_mode(force[0], share, frame.contact_dim), np.int64)


class ContactLegend(Struct, frozen=True):
    """share: length of an arrow of so many newtons, in heights of the picture; both 0 where none is drawn; modes: that occur.

    split: whether arrows are those of the normal part and of friction apart. pascals: the pressure with the darkest colour, 0
    where no patch has an area; patch: the one to give the numbers of, None where missing.
    """

    newtons: float
    share: float
    modes: tuple[tuple[ContactMode, Rgba], ...]
    split: bool = False
    pascals: float = 0.0
    patch: PressurePatch | None = None


def legend(
    model: MjModel, frame: Frame, view: View, options: RenderOptions, pair: tuple[int, int] | None = None
) -> ContactLegend | None:
    """Legend of the discs, arrows and patches of a picture; None where there are none, or the classic ones.

    pair: two geoms whose patch is described; else the one with the largest force.
    """
    wanted = options.contact_point or options.contact_force or options.contact_patch
    if options.classic or not len(frame.contact_pos) or not wanted:
        return None
    present = sorted(set(map(int, modes(model, frame)))) if options.contact_point else []
    shown = tuple((ContactMode(mode), OF_MODE[ContactMode(mode)]) for mode in present)
    scale = force_scale(frame, view, options) if options.contact_force else None
    newtons = 0.0 if scale is None else nice(0.35 * scale.newtons / options.force_size)
    share = 0.0 if scale is None else LONGEST * options.force_size * newtons / scale.newtons
    patches = patches_of(frame) if options.contact_patch else []
    labelled = next((patch for patch in patches if patch.pair == pair), None) or max(patches, key=lambda p: p.force, default=None)
    split = scale is not None and options.contact_split
    return ContactLegend(newtons, share, shown, split, pressure_scale(patches, options), labelled)
