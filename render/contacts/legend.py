"""What a legend says of the contacts of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tumble.physics.dynamics.contact_mode import ContactMode
from tumble.render.camera import View
from tumble.render.contacts.colours import OF_MODE, Rgba
from tumble.render.contacts.modes import modes
from tumble.render.contacts.scale import LONGEST, force_scale, nice, patches_of, pressure_scale
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.pressure import PressurePatch


@dataclass(frozen=True)
class ContactLegend:
    """share: length of an arrow of so many newtons, in heights of the picture; both 0 where none is drawn; modes: that occur.

    split: whether arrows are those of the normal part and of friction apart. pascals: the pressure with the darkest colour, 0
    where no patch has an area; patch: the one to give the numbers of, None where there is none.
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
    """What the discs, arrows and patches of a picture mean; None where there are none, or the classic ones.

    pair: two geoms whose patch is to be told of; else it is that which is pressed hardest.
    """
    wanted = options.contact_point or options.contact_force or options.contact_patch
    if options.classic or not len(frame.contact_pos) or not wanted:
        return None
    found = sorted(set(map(int, modes(model, frame)))) if options.contact_point else []
    shown = tuple((ContactMode(mode), OF_MODE[ContactMode(mode)]) for mode in found)
    scale = force_scale(frame, view, options) if options.contact_force else None
    newtons = 0.0 if scale is None else nice(0.35 * scale.newtons / options.force_size)
    share = 0.0 if scale is None else LONGEST * options.force_size * newtons / scale.newtons
    patches = patches_of(frame) if options.contact_patch else []
    told = next((patch for patch in patches if patch.pair == pair), None) or max(patches, key=lambda p: p.force, default=None)
    split = scale is not None and options.contact_split
    return ContactLegend(newtons, share, shown, split, pressure_scale(patches, options), told)
