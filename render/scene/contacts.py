"""Contacts in the picture: discs coloured by stick, slip and separation, scaled force arrows, patches of pressure, a cone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_force import ContactMode
from tumble.physics.observe.friction_cone import cone_section
from tumble.render.camera import View
from tumble.render.constants import CONTACT, MeshId
from tumble.render.frame import Frame, Gone
from tumble.render.options import RenderOptions
from tumble.render.scene.canvas import Decor, Mark
from tumble.render.scene.contact_legend import (
    FORCE,
    FRICTION,
    OF_MODE,
    OPEN,
    Scale,
    force_scale,
    height_at,
    is_elliptic,
    modes,
    patches_of,
    pressure_colours,
    pressure_scale,
)
from tumble.render.scene.strokes import discs, loop, rods, solid, triangles
from tumble.render.scene.symbols import draw_contact_disc, draw_contact_force, force_length

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.pressure import PressurePatch

Vec = NDArray[np.float64]

# Of the picture's height: a disc's radius at most and at least, and half an arrow's thickness.
_WIDEST, _LEAST, _THICK = 0.014, 0.004, 0.004
_OF_BODY = 0.35  # a disc's radius in that of the smaller body, at most
_CORNERS = 12  # of a ring
_RING = 0.16  # half the thickness of a ring, in its radius
MOST = 200  # rings of contacts that have just ended in a picture
ALPHA = 0.72
# Of the picture's height: half the thickness of a patch's rim, the radius of its centre, and how far it lies above the surface.
_RIM, _CENTRE, _LIFT = 0.0016, 0.0085, 0.0015
_RIM_RGBA, _CENTRE_RGBA, _DOT_RGBA = (0.97, 0.95, 1.0, 1.0), (0.16, 0.05, 0.28, 1.0), (1.0, 1.0, 1.0, 1.0)


def draw_contacts(decor: Decor, model: MjModel, frame: Frame, view: View, options: RenderOptions, chosen: int = -1) -> None:
    """Discs at contact points, arrows along contact forces, patches and a cone, which all show through occluding objects.

    chosen: the contact whose friction cone is drawn, with its force; -1: none.
    """
    if options.classic:
        _draw_classic(decor, model, frame, options)
        return
    gone, pos = frame.gone, frame.contact_pos
    if gone is not None and options.contact_point and options.contact_past:
        draw_gone(decor, gone, disc_radius(model, gone.pos, gone.geom, view))
    if not len(pos):
        return
    if options.contact_point:
        _draw_discs(decor, model, frame, view)
    cone = options.friction_cone and 0 <= chosen < min(len(pos), len(frame.contact_force), len(frame.contact_dim))
    scale = force_scale(frame, view, options) if options.contact_force or cone else None
    if options.contact_patch:
        draw_patches(decor, frame, view, options)
    if cone:
        smaller = float(_bounds(model, len(pos), frame.contact_geom)[chosen])
        draw_cone(decor, model, frame, view, chosen, scale, 2.0 * smaller)
    if scale is not None:
        pressing = range(min(len(pos), len(frame.contact_force)))
        _draw_arrows(decor, frame, view, options, scale, pressing if options.contact_force else (chosen,))


def _draw_classic(decor: Decor, model: MjModel, frame: Frame, options: RenderOptions) -> None:
    """Discs and arrows as the reference draws them: sizes, scale and colours are the model's."""
    for c in range(len(frame.contact_pos)):
        if options.contact_point:
            draw_contact_disc(decor, model, frame, c, gap=c >= len(frame.contact_dist) or frame.contact_dist[c] > 0)
        if options.contact_force and c < len(frame.contact_force):
            draw_contact_force(decor, model, frame, c, 2.0 * force_length(model), split=options.contact_split)


def _draw_discs(decor: Decor, model: MjModel, frame: Frame, view: View) -> None:
    """Discs coloured by the state of their contacts."""
    radius = disc_radius(model, frame.contact_pos, frame.contact_geom, view)
    rgba = np.array([OF_MODE[ContactMode(mode)] for mode in modes(model, frame).tolist()])
    axes = frame.contact_frame.reshape(-1, 3, 3)
    drawlist = discs(frame.contact_pos, axes, radius, 0.25 * radius, rgba)
    drawlist.objtype[:], drawlist.objid[:] = CONTACT, np.arange(len(drawlist))
    decor.extend(drawlist)


def _draw_arrows(
    decor: Decor, frame: Frame, view: View, options: RenderOptions, scale: Scale, which: range | tuple[int, ...]
) -> None:
    """The arrows of some contacts, as forces on their second geoms."""
    pos, thick = frame.contact_pos, _THICK * height_at(view, frame.contact_pos)
    for c in which:
        axes, force = frame.contact_frame[c].reshape(3, 3), scale.length * frame.contact_force[c, :3]
        if options.contact_split:
            decor.arrow(pos[c], force[0] * axes[0], thick[c], Mark(FORCE, CONTACT, c), through=True)
            decor.arrow(pos[c], force[1] * axes[1] + force[2] * axes[2], thick[c], Mark(FRICTION, CONTACT, c), through=True)
        else:
            decor.arrow(pos[c], force @ axes, thick[c], Mark(FORCE, CONTACT, c), through=True)


def disc_radius(model: MjModel, pos: Vec, geoms: NDArray[Any], view: View) -> Vec:
    """(n,) the radius of the discs of contacts at pos (n, 3) [m], between geoms (n, 2)."""
    height = height_at(view, pos)
    return np.asarray(np.clip(_OF_BODY * _bounds(model, len(pos), geoms), _LEAST * height, _WIDEST * height))


def _bounds(model: MjModel, count: int, geoms: NDArray[Any]) -> Vec:
    """(count,) the radius of the smaller geom of each contact [m]; infinite where neither is a geom with an end."""
    bound = np.append(np.where(np.asarray(model.geom_rbound) > 0, np.asarray(model.geom_rbound), np.inf), np.inf)
    if len(geoms) != count:
        return np.full(count, np.inf)
    sides = np.asarray(geoms, np.int64)
    return np.asarray(bound[np.where(sides < 0, model.ngeom, sides)].min(axis=1))


def draw_gone(decor: Decor, gone: Gone, radius: NDArray[np.float64]) -> None:
    """Rings where contacts have just ended, so that chatter is seen though it is apart in every other step.

    They are the fainter the longer they are gone. radius: (n,) of the discs that they had [m].
    """
    shown = np.flatnonzero((gone.share > 0.02) & np.isfinite(gone.pos).all(axis=1))[-MOST:]
    if not len(shown):
        return
    axes, at, size = gone.axes[shown].reshape(-1, 3, 3), gone.pos[shown], radius[shown]
    turn = np.linspace(0.0, 2.0 * math.pi, _CORNERS, endpoint=False)
    way = np.cos(turn)[:, None, None] * axes[:, 1] + np.sin(turn)[:, None, None] * axes[:, 2]
    points = at + way * size[:, None]  # corner, contact, axis
    colour = np.array([OF_MODE[ContactMode(int(mode))] for mode in gone.mode[shown]])
    colour[:, 3] = 0.95 * gone.share[shown]
    starts, ends = points.reshape(-1, 3), np.roll(points, -1, axis=0).reshape(-1, 3)
    decor.extend(rods(starts, ends, np.tile(_RING * size, _CORNERS), np.tile(colour, (_CORNERS, 1))))


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



# The friction cone has its tip at the contact, and is cut where the normal force ends. It has the scale of the arrows, or a
# smaller one where it would be larger than the geoms. So the force ends in the plane of the cut: inside the rim while the contact
# sticks, on it when the contact slips. Torsion and rolling leave a smaller rim for sliding, which is drawn too.
SIDE, CUT = 0.18, 0.08  # alpha of the cone's side, and of the plane where a pyramid is cut
_ROUND = 48  # of a round rim
# Of the picture's height: half the thickness of rims, radius of the force's end.
_CONE_RIM, _INNER, _END = 0.0022, 0.0013, 0.0075
_IDLE = 0.07  # of the picture's height: that of a cone without a force
_END_RGBA = (1.0, 1.0, 1.0, 1.0)


def rim(axes: Vec, first: float, second: float, *, elliptic: bool) -> Vec:
    """(n, 3) the rim of a cut about its middle, in the world's directions: an ellipse, or a rhombus with corners on the tangents.

    axes: (3, 3), rows normal and tangents; first, second: half axes along the tangents.
    """
    turn = np.linspace(0.0, 2.0 * math.pi, _ROUND if elliptic else 4, endpoint=False)
    return np.asarray(first * np.cos(turn)[:, None] * axes[1] + second * np.sin(turn)[:, None] * axes[2])


def draw_cone(decor: Decor, model: MjModel, frame: Frame, view: View, contact: int, scale: Scale | None, most: float) -> None:
    """Draw the cone of a contact, and a ball where its force ends; nothing without friction.

    scale: of the arrows; None: no force is in view. Without its own force, the cone is small and shows its opening only.
    most: how high and wide it may be [m].
    """
    dim = int(frame.contact_dim[contact])
    if dim < 3 or not np.isfinite(frame.contact_force[contact]).all():
        return
    tip, axes = frame.contact_pos[contact], frame.contact_frame[contact].reshape(3, 3)
    force, friction = frame.contact_force[contact], frame.contact_friction[contact]
    elliptic, height = is_elliptic(model), float(height_at(view, tip[None])[0])
    pressed = scale is not None and force[0] > 0
    if not pressed:
        force = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    first, second, left = cone_section(force, friction, dim, elliptic=elliptic)
    length = scale.length if scale is not None and pressed else _IDLE * height
    length *= min(1.0, most / max(length * max(float(force[0]), 2.0 * first, 2.0 * second), 1e-300))
    depth, a, b = length * float(force[0]), length * first, length * second
    if min(a, b) <= 0:
        return
    rgb = OF_MODE[ContactMode(int(modes(model, frame)[contact])) if pressed else ContactMode.OPEN][:3]
    middle, edge = tip + depth * axes[0], rim(axes, a, b, elliptic=elliptic)
    if elliptic:
        # The mesh of a cone has its tip on its own z axis: here that is against the normal.
        turn = np.stack([axes[1], -axes[2], -axes[0]], axis=1)
        decor.extend(solid(MeshId.CONE, middle, turn, (a, b, depth), (*rgb, SIDE)))
    else:
        corners = middle + edge
        others = np.roll(corners, -1, axis=0)
        side = np.stack([np.broadcast_to(tip, corners.shape), corners, others], axis=1)
        decor.extend(triangles(side, (*rgb, SIDE)))
        decor.extend(triangles(np.stack([np.broadcast_to(middle, corners.shape), corners, others], axis=1), (*rgb, CUT)))
        decor.extend(rods(np.broadcast_to(tip, corners.shape), corners, _INNER * height, (*rgb, 1.0)))
    decor.extend(loop(middle + edge, _CONE_RIM * height, (*rgb, 1.0)))
    if left < 1.0 and pressed:
        decor.extend(loop(middle + left * edge, _INNER * height, (*rgb, 1.0)))
    if pressed:
        end = tip + length * force[:3] @ axes
        decor.extend(solid(MeshId.SPHERE, end, np.eye(3), (_END * height,) * 3, _END_RGBA))
