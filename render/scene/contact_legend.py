"""Colours and arrows of contacts, by stick, slip and separation, and the legend that explains them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tumble.physics.dynamics.contact_force import ContactMode, cone_share, contact_mode
from tumble.physics.state.enums import mjtCone
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.scene.contact_scale import LONGEST, force_scale, nice, patches_of, pressure_scale

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.pressure import PressurePatch


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
