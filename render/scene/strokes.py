"""Lines, rods, discs and triangles in batches, whose colours carry meaning and so depend little on the light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Ghost, Trail
from tumble.render.scene.contact_legend import height_at

Vec = NDArray[np.float64]

# Glows, so that its colour is the same in shadow and on either side: emission, specular, shininess, reflectance.
_MATERIAL = (0.75, 0.0, 1.0, 0.0)
_FLAT = 0.05  # thickness of a ribbon in its width
_LEAST = 1e-12
_LIT = 0.2  # share of a colour that is light; the rest is emitted


def strokes(start: Vec, end: Vec, half: ArrayLike, rgba: ArrayLike, view: View) -> DrawList:
    """Ribbons that face the eye from each start to its end, (n, 3) [m]; lines without length are omitted.

    half: half its width [m], rgba: (4,) its colour, one for all or one a line.
    """
    way = end - start
    length = np.linalg.norm(way, axis=1)
    kept = np.flatnonzero((length > _LEAST) & np.isfinite(length))
    count = len(kept)
    half, rgba = np.broadcast_to(half, len(way))[kept], np.broadcast_to(rgba, (len(way), 4))[kept]
    along, middle = way[kept] / length[kept, None], 0.5 * (start[kept] + end[kept])
    ahead = np.broadcast_to(view.forward, middle.shape) if view.orthographic else middle - view.eye
    across = np.cross(along, ahead)
    size = np.linalg.norm(across, axis=1)
    straight = size < 1e-9  # seen from its end
    across[straight] = np.cross(along[straight], view.up + 0.5 * view.right)
    size[straight] = np.linalg.norm(across[straight], axis=1)
    across /= np.maximum(size, _LEAST)[:, None]
    part = DrawList.blank(count, mjtObj.mjOBJ_UNKNOWN, Category.DECOR)
    instances = part.instances
    instances["pos"] = middle
    instances["mat"] = np.stack([across, np.cross(along, across), along], axis=2).reshape(count, 9)
    # A little longer than the line, so that lines that follow each other round a bend leave no gap.
    instances["scale"] = np.stack([half, _FLAT * half, 0.5 * length[kept] + 0.1 * half, np.zeros(count)], axis=1)
    instances["rgba"], instances["material"] = rgba, _MATERIAL
    part.mesh[:], part.objid[:] = int(MeshId.BOX), -1
    part.radius = 0.5 * length[kept] + 2.0 * half
    return part


def rods(start: Vec, end: Vec, radius: ArrayLike, rgba: ArrayLike) -> DrawList:
    """Rods between points (n, 3), which show through occluding objects; radius: (n,) or one; rgba: (n, 4) or one."""
    along = end - start
    length = np.linalg.norm(along, axis=1)
    z = along / np.maximum(length, 1e-300)[:, None]
    z[length <= 0] = (0.0, 0.0, 1.0)
    helper = np.where(np.abs(z[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    items = _blank(len(start), MeshId.CAPSULE, rgba)
    items.instances["pos"] = 0.5 * (start + end)
    items.instances["mat"] = np.stack([x, np.cross(z, x), z], axis=2).reshape(-1, 9)
    items.instances["scale"][:, :3] = np.broadcast_to(np.asarray(radius, float), (len(start),))[:, None]
    items.instances["scale"][:, 3] = 0.5 * length
    items.radius[:] = items.instances["scale"][:, 0] + 0.5 * length
    return items


def loop(points: Vec, radius: float, rgba: ArrayLike) -> DrawList:
    """A closed line through points (n, 3)."""
    return rods(points, np.roll(points, -1, axis=0), radius, rgba)


def triangles(corners: Vec, rgba: ArrayLike) -> DrawList:
    """Triangles (n, 3, 3), seen from both sides, which show through occluding objects; rgba: (n, 4) or one."""
    items = _blank(len(corners), MeshId.TRIANGLE, rgba)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(first, second)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    items.instances["pos"] = corners[:, 0]
    items.instances["mat"] = np.stack([first, second, normal], axis=2).reshape(-1, 9)
    items.radius[:] = np.maximum(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
    return items


def solid(mesh: MeshId, pos: Vec, axes: Vec, scale: tuple[float, float, float], rgba: ArrayLike) -> DrawList:
    """One body, visible through occluding objects; axes: (3, 3), the columns of the unit mesh, scaled by scale."""
    items = _blank(1, mesh, rgba)
    items.instances["pos"], items.instances["mat"], items.instances["scale"][:, :3] = pos, axes.ravel(), scale
    items.radius[:] = max(scale)
    return items


def discs(pos: Vec, axes: Vec, radius: Vec, half: Vec, rgba: ArrayLike) -> DrawList:
    """Discs at pos (n, 3), which show through occluding objects.

    axes: (n, 3, 3), the first row across the disc; radius, half its thickness: (n,); rgba: (n, 4) or one.
    """
    items = _blank(len(pos), MeshId.CYLINDER, rgba)
    items.instances["pos"], items.instances["mat"] = pos, np.stack([axes[:, 1], axes[:, 2], axes[:, 0]], axis=2).reshape(-1, 9)
    items.instances["scale"][:, 0] = items.instances["scale"][:, 1] = radius
    items.instances["scale"][:, 2] = half
    items.radius[:] = np.maximum(radius, half)
    return items


def _blank(count: int, mesh: MeshId, rgba: ArrayLike) -> DrawList:
    items = DrawList.blank(count, mjtObj.mjOBJ_UNKNOWN, Category.DECOR)
    items.objid[:], items.through[:], items.mesh[:] = -1, True, int(mesh)
    items.instances["rgba"] = rgba
    items.instances["rgba"][:, :3] *= _LIT
    items.instances["material"][:, :2] = (1.0 - _LIT) / _LIT, 0.0  # no highlight
    return items


Floats = NDArray[np.float64]

ALPHA = 0.55
LEAST_ALPHA = 0.02
# While a ghost coincides with its original, the two would fight for each pixel: it appears as they separate, and is
# all there at this share of the model's extent.
PARTED = 0.004
# A box that has sunk in has its sides in one plane with its ghost's: those of the ghost go inside, out of the fight.
SHRUNK = 0.995
MATERIAL = (0.3, 0.2, 16.0, 0.0)  # glows a little, so that it is visible in shadows

_WIDTH = 0.0022  # half a line's, in heights of the picture
_NEWEST = 0.95  # alpha
# Inks of several bodies, Okabe and Ito's, which differ for every kind of colour vision.
INKS = ((0.95, 0.60, 0.0), (0.34, 0.71, 0.91), (0.0, 0.62, 0.45), (0.94, 0.89, 0.26), (0.80, 0.47, 0.65), (0.84, 0.37, 0.0))


def haunt(part: DrawList, ghost: Ghost, extent: float) -> DrawList:
    """The geoms of a part in a ghost's poses; those without a pose, or in the model's pose, are omitted.

    part: the model's, its objid the geoms; extent [m]: of the model.
    """
    here, pos, mat = part.instances, ghost.geom_xpos[part.objid], ghost.geom_xmat[part.objid]
    turned = np.linalg.norm(mat - here["mat"], axis=1) / np.sqrt(2.0)  # 2 sin(angle / 2): displacement of a point at radius 1
    apart = np.linalg.norm(pos - here["pos"], axis=1) + part.radius * turned
    alpha = ghost.strength * ALPHA * np.minimum(1.0, apart / (PARTED * extent))
    seen = np.flatnonzero((alpha > LEAST_ALPHA) & np.isfinite(apart))
    result = part.pick(seen)
    result.instances["pos"], result.instances["mat"] = pos[seen], mat[seen]
    result.instances["scale"] *= SHRUNK
    result.instances["rgba"][:, :3], result.instances["rgba"][:, 3] = ghost.rgb, alpha[seen]
    result.instances["material"], result.instances["extra"][:, :2] = MATERIAL, 0.0
    result.texture[:] = -1
    result.category[:], result.objtype[:] = int(Category.DECOR), int(mjtObj.mjOBJ_UNKNOWN)
    return result


def draw_trails(trails: Sequence[Trail], view: View) -> list[DrawList]:
    """The lines of all trails; one with a number that is not finite is interrupted there."""
    parts = []
    for trail in trails:
        start, end = trail.points[:-1], trail.points[1:]
        with np.errstate(invalid="ignore"):
            middle = 0.5 * (start + end)
            alpha = _NEWEST * np.clip(1.0 - 0.5 * (trail.age[:-1] + trail.age[1:]), 0.0, 1.0)
            rgba = np.column_stack([np.tile(trail.rgb, (len(alpha), 1)), alpha])
            parts.append(strokes(start, end, _WIDTH * height_at(view, middle), rgba, view))
    return parts
