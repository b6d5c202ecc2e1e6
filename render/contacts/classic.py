"""Contacts as the reference draws them: sizes, scale and colours are the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.render.constants import CONTACT
from tumble.render.drawlist import Decor
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel


def draw_classic(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """Discs and arrows."""
    scale, colours, size = model.vis.scale, model.vis.rgba, float(model.stat.meansize)
    length = float(model.vis.map.force) / max(float(model.stat.meanmass), 1e-9)
    width = float(scale.forcewidth) * size
    for c, pos in enumerate(frame.contact_pos):
        axes = frame.contact_frame[c].reshape(3, 3)
        if options.contact_point:
            pressed = c < len(frame.contact_dist) and frame.contact_dist[c] <= 0
            rgba = colours.contactpoint if pressed else colours.contactgap
            radius, half = float(scale.contactwidth) * size, float(scale.contactheight) * size
            decor.cylinder(pos, np.stack([axes[1], axes[2], axes[0]], axis=1), radius, half, rgba, CONTACT, c)
        if options.contact_force and c < len(frame.contact_force):
            force = length * frame.contact_force[c, :3]
            if options.contact_split:
                decor.arrow(pos, force[0] * axes[0], width, colours.contactforce, CONTACT, c)
                decor.arrow(pos, force[1] * axes[1] + force[2] * axes[2], width, colours.contactfriction, CONTACT, c)
            else:
                decor.arrow(pos, force @ axes, width, colours.contactforce, CONTACT, c)
