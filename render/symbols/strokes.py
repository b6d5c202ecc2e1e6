"""Many straight lines at once, as thin ribbons that face the eye: a width is the same from everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList

Vec = NDArray[np.float64]

# Glows, so that its colour is the same in shadow and on either side: emission, specular, shininess, reflectance.
_MATERIAL = (0.75, 0.0, 1.0, 0.0)
_FLAT = 0.05  # thickness of a ribbon in its width
_LEAST = 1e-12


def strokes(start: Vec, end: Vec, half: ArrayLike, rgba: ArrayLike, view: View) -> DrawList:
    """A line from each start to its end, (n, 3) [m]; lines without length are left out.

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
