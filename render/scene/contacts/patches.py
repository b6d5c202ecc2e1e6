"""Patches of pressure: the area between the contacts of a pair of geoms, darker where it is pressed harder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.render.camera import View
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.scene.canvas import Decor
from tumble.render.scene.contacts.legend import OPEN, pressure_colours
from tumble.render.scene.contacts.scale import height_at, patches_of, pressure_scale
from tumble.render.scene.strokes import rods, solid, triangles

if TYPE_CHECKING:
    from tumble.physics.observe.pressure import PressurePatch

ALPHA = 0.72
_RIM, _CENTRE, _LIFT = 0.0016, 0.0085, 0.0015  # of the picture's height: the rim's half thickness, the centre's radius, and above
_RIM_RGBA, _CENTRE_RGBA, _DOT_RGBA = (0.97, 0.95, 1.0, 1.0), (0.16, 0.05, 0.28, 1.0), (1.0, 1.0, 1.0, 1.0)


def draw_patches(decor: Decor, frame: Frame, view: View, options: RenderOptions) -> None:
    """Draw the contact patches of a frame with their rims, and a mark at each centre of pressure."""
    patches = patches_of(frame)
    if not patches:
        return
    most = pressure_scale(patches, options)
    shades = pressure_colours([patch.pressure / most if most > 0 else 0.0 for patch in patches])
    middles = np.array([patch.outline.mean(axis=0) for patch in patches])
    heights = height_at(view, middles)
    starts, ends, widths, corners, colours = [], [], [], [], []
    for patch, rgb, middle, height in zip(patches, shades, middles, heights, strict=True):
        outline = patch.outline + _lift(patch, view, middle, float(height))
        starts.append(outline)
        ends.append(np.roll(outline, -1, axis=0))
        widths.append(np.full(len(outline), _RIM * height))
        shade = (*rgb, ALPHA) if patch.centre is not None else (*OPEN[:3], 0.5 * ALPHA)
        if patch.area > 0:
            fan = np.stack([np.broadcast_to(outline[0], outline[2:].shape), outline[1:-1], outline[2:]], axis=1)
            corners.append(fan)
            colours.append(np.tile(shade, (len(fan), 1)))
        if patch.centre is not None:
            _mark(decor, patch.centre, view, float(height))
    decor.extend(rods(np.concatenate(starts), np.concatenate(ends), np.concatenate(widths), _RIM_RGBA))
    if corners:
        decor.extend(triangles(np.concatenate(corners), np.concatenate(colours)))


def _lift(patch: PressurePatch, view: View, middle: np.ndarray, height: float) -> np.ndarray:
    """A little towards the eye along the normal: else patch and surface would fight for each pixel."""
    towards = -view.forward if view.orthographic else view.eye - middle
    return np.asarray((_LIFT * height if float(towards @ patch.normal) >= 0 else -_LIFT * height) * patch.normal)


def _mark(decor: Decor, centre: np.ndarray, view: View, height: float) -> None:
    """A dark ball with a white one in front of it: seen on any ground, and unlike a disc of a contact."""
    decor.extend(solid(MeshId.SPHERE, centre, np.eye(3), (_CENTRE * height,) * 3, _CENTRE_RGBA))
    towards = -view.forward if view.orthographic else view.eye - centre
    nearer = centre + 0.9 * _CENTRE * height * towards / max(float(np.linalg.norm(towards)), 1e-300)
    decor.extend(solid(MeshId.SPHERE, nearer, np.eye(3), (0.55 * _CENTRE * height,) * 3, _DOT_RGBA))
