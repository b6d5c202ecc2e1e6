"""What a camera with a sensor sees: the four sides of its frustum, as triangles and lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom, mjtObj
from tumble.render.abstract.lister import Lister
from tumble.render.camera import sides_of

_PIXELS = 3.0
Vec = NDArray[np.float64]


def add_frustum(out: Lister, camera: int) -> None:
    """The frustum of a model camera, from the near plane to `visual/scale frustum` mean sizes of bodies away."""
    m, d = out.m, out.d
    near, far = float(m.vis.map.znear) * float(m.stat.extent), float(m.vis.scale.frustum) * out.size
    (below, above), (left, right) = sides_of(m, camera, near)
    pos, axes = np.asarray(d.cam_xpos[camera]), np.asarray(d.cam_xmat[camera]).reshape(3, 3)
    corners = np.array([[-left, -below, -near], [right, -below, -near], [right, above, -near], [-left, above, -near]])
    close = pos + corners @ axes.T
    wide = corners * (far / near) if not m.cam_projection[camera] else corners * (1.0, 1.0, far / near)
    distant = pos + wide @ axes.T
    for i in range(4):
        j = (i + 1) % 4
        _triangle(out, camera, close[i], distant[i], close[j])
        _triangle(out, camera, distant[i], distant[j], close[j])
        for start, end in ((close[i], close[j]), (distant[i], distant[j]), (close[i], distant[i])):
            out.join(mjtGeom.mjGEOM_LINE, _PIXELS, start, end, m.vis.rgba.frustum, mjtObj.mjOBJ_CAMERA, camera)


def _triangle(out: Lister, camera: int, corner: Vec, first: Vec, second: Vec) -> None:
    """A triangle: its rotation's columns are the ways to the two other corners, and its normal; its sizes how far they are."""
    ways = first - corner, second - corner
    normal = np.cross(*ways)
    sizes = np.array([np.linalg.norm(way) for way in (*ways, normal)])
    mat = np.stack([*ways, normal], axis=1) / np.maximum(sizes, 1e-15)
    look: dict[str, Any] = {"type": int(mjtGeom.mjGEOM_TRIANGLE), "rgba": out.m.vis.rgba.frustum}
    out.decor(mjtObj.mjOBJ_CAMERA, camera, pos=corner, mat=mat, size=sizes, **look)
