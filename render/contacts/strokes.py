"""Signs in the world, made of instances: many at once, without a loop.

Their colours mean something, so light changes them little: most of it they emit themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList

Vec = NDArray[np.float64]

_LIT = 0.2  # of a colour at full light: what the light makes of it; the rest is emitted


def rods(start: Vec, end: Vec, radius: ArrayLike, rgba: ArrayLike) -> DrawList:
    """Rods between points (n, 3), which show through what covers them; radius: (n,) or one; rgba: (n, 4) or one."""
    along = end - start
    length = np.linalg.norm(along, axis=1)
    z = along / np.maximum(length, 1e-300)[:, None]
    z[length <= 0] = (0.0, 0.0, 1.0)
    helper = np.where(np.abs(z[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    made = _blank(len(start), MeshId.CAPSULE, rgba)
    made.instances["pos"] = 0.5 * (start + end)
    made.instances["mat"] = np.stack([x, np.cross(z, x), z], axis=2).reshape(-1, 9)
    made.instances["scale"][:, :3] = np.broadcast_to(np.asarray(radius, float), (len(start),))[:, None]
    made.instances["scale"][:, 3] = 0.5 * length
    made.radius[:] = made.instances["scale"][:, 0] + 0.5 * length
    return made


def loop(points: Vec, radius: float, rgba: ArrayLike) -> DrawList:
    """A closed line through points (n, 3)."""
    return rods(points, np.roll(points, -1, axis=0), radius, rgba)


def triangles(corners: Vec, rgba: ArrayLike) -> DrawList:
    """Triangles (n, 3, 3), seen from both sides, which show through what covers them; rgba: (n, 4) or one."""
    made = _blank(len(corners), MeshId.TRIANGLE, rgba)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(first, second)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    made.instances["pos"] = corners[:, 0]
    made.instances["mat"] = np.stack([first, second, normal], axis=2).reshape(-1, 9)
    made.radius[:] = np.maximum(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
    return made


def solid(mesh: MeshId, pos: Vec, axes: Vec, scale: tuple[float, float, float], rgba: ArrayLike) -> DrawList:
    """One body that shows through what covers it; axes: (3, 3), its columns those of the unit mesh, which scale stretches."""
    made = _blank(1, mesh, rgba)
    made.instances["pos"], made.instances["mat"], made.instances["scale"][:, :3] = pos, axes.ravel(), scale
    made.radius[:] = max(scale)
    return made


def discs(pos: Vec, axes: Vec, radius: Vec, half: Vec, rgba: ArrayLike) -> DrawList:
    """Discs at pos (n, 3), which show through what covers them.

    axes: (n, 3, 3), the first row across the disc; radius, half its thickness: (n,); rgba: (n, 4) or one.
    """
    made = _blank(len(pos), MeshId.CYLINDER, rgba)
    made.instances["pos"], made.instances["mat"] = pos, np.stack([axes[:, 1], axes[:, 2], axes[:, 0]], axis=2).reshape(-1, 9)
    made.instances["scale"][:, 0] = made.instances["scale"][:, 1] = radius
    made.instances["scale"][:, 2] = half
    made.radius[:] = np.maximum(radius, half)
    return made


def _blank(count: int, mesh: MeshId, rgba: ArrayLike) -> DrawList:
    made = DrawList.blank(count, mjtObj.mjOBJ_UNKNOWN, Category.DECOR)
    made.objid[:], made.through[:], made.mesh[:] = -1, True, int(mesh)
    made.instances["rgba"] = rgba
    made.instances["rgba"][:, :3] *= _LIT
    made.instances["material"][:, :2] = (1.0 - _LIT) / _LIT, 0.0  # no highlight
    return made
