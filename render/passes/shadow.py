"""The shadow map of the main light, fitted each picture to what casts shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from render.constants import Category, MeshId
from render.drawlist import DrawList, frame_along
from render.gpu.shaders import UNITS, Shaders
from render.passes.geom import Batch, Geometry

Mat = NDArray[np.float64]

# Fits grow in steps, so that a moving scene does not make every shadow's edge swim.
_STEPS_PER_OCTAVE = 8
# The region covered: this many times as wide as what moves, but no less than this share of the widest one.
_MOVING_MARGIN, _LEAST_SHARE = 2.5, 0.125
_WIDEST_HALF_ANGLE = math.radians(70.0)
# Clip space to texture space.
_TO_TEXTURE = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1.0]])


@dataclass(frozen=True)
class Fit:
    """matrix: (4, 4) world to the light's clip space; texel: a shadow-map texel's size at the scene [m]."""

    matrix: Mat
    texel: float

    def texture_matrix(self) -> Mat:
        """(4, 4) world to texture coordinates and depth, all in [0, 1]."""
        return _TO_TEXTURE @ self.matrix


def casters(drawlist: DrawList) -> NDArray[np.bool_]:
    """(n,) what casts shadows: opaque, bounded, placed where numbers are finite, and no decoration."""
    placed = np.isfinite(drawlist.instances["pos"].sum(axis=1)) & np.isfinite(drawlist.instances["mat"].sum(axis=1))
    opaque = drawlist.instances["rgba"][:, 3] > 0.99
    return np.asarray(np.isfinite(drawlist.radius) & placed & opaque & (drawlist.category != Category.DECOR))


def fit(light: np.void, drawlist: DrawList, mask: NDArray[np.bool_], reach: float, size: int) -> Fit | None:
    """The projection from a light (a LIGHT row) that holds the casters; None when there are none.

    reach: half the widest region covered [m], about the casters' centre; size: texels a side.
    """
    if not mask.any():
        return None
    pos = np.asarray(drawlist.instances["pos"][mask], float)
    mat = np.asarray(drawlist.instances["mat"][mask], float).reshape(-1, 3, 3)
    scale = np.asarray(drawlist.instances["scale"][mask], float)
    radius = drawlist.radius[mask]
    moving = drawlist.category[mask] == Category.DYNAMIC
    centre = pos[moving].mean(axis=0) if moving.any() else pos.mean(axis=0)
    if moving.any():
        # What moves decides how sharp shadows are: distant walls must not stretch the map.
        spread = float(np.max(np.linalg.norm(pos[moving] - centre, axis=1) + np.minimum(radius[moving], reach)))
        reach = min(reach, max(_MOVING_MARGIN * _step(spread), _LEAST_SHARE * reach))
    if light["position"][3] > 0.5:
        return _fit_spot(np.asarray(light["position"][:3], float), pos, radius, centre, reach, size)
    axes = frame_along(-np.asarray(light["direction"][:3], float))
    # Half extents along the light's axes: a box's, or the bounding sphere's where that is smaller. What the model brings has
    # no half sizes.
    turned = np.abs(np.einsum("ka,nkj->naj", axes, mat))
    half = np.einsum("naj,nj->na", turned, scale[:, :3]) + turned[:, :, 2] * scale[:, 3:]
    half = np.where(drawlist.mesh[mask, None] < int(MeshId.MODEL_MESH), np.minimum(half, radius[:, None]), radius[:, None])
    return _fit_sun(axes, (pos - centre) @ axes, half, centre, reach, size)


def _fit_sun(axes: Mat, place: Mat, half: Mat, centre: Mat, reach: float, size: int) -> Fit:
    low, high = (place - half).min(axis=0), (place + half).max(axis=0)
    depth_low, depth_high = low[2], high[2]
    low, high = np.maximum(low, -reach), np.minimum(high, reach)
    wide = _step(1.04 * 0.5 * float(max(high[0] - low[0], high[1] - low[1], 1e-6)))
    texel = 2.0 * wide / size
    middle = 0.5 * (low + high) + centre @ axes
    # Snapped to whole texels, so that a shadow's edge stands still while its caster does.
    x, y = np.round(middle[:2] / texel) * texel
    near, far = depth_high + centre @ axes[:, 2], depth_low + centre @ axes[:, 2]
    margin = 0.02 * (near - far) + texel
    near, far = near + margin, far - margin
    rotation = np.eye(4)
    rotation[:3, :3] = axes.T
    project = np.array(
        [
            [1 / wide, 0, 0, -x / wide],
            [0, 1 / wide, 0, -y / wide],
            [0, 0, -2 / (near - far), (near + far) / (near - far)],
            [0, 0, 0, 1.0],
        ]
    )
    return Fit(project @ rotation, texel)


def _fit_spot(eye: Mat, pos: Mat, radius: Mat, centre: Mat, reach: float, size: int) -> Fit:
    spread = float(np.max(np.linalg.norm(pos - centre, axis=1) + np.minimum(radius, reach)))
    spread = min(_step(spread), reach)
    offset = centre - eye
    distance = max(float(np.linalg.norm(offset)), 1e-6)
    half = math.asin(spread / distance) if spread < distance else _WIDEST_HALF_ANGLE
    half = min(1.05 * half, _WIDEST_HALF_ANGLE)
    axes = frame_along(-offset / distance)
    near = max(distance - spread, 0.02 * distance)
    far = distance + spread
    view = np.eye(4)
    view[:3, :3] = axes.T
    view[:3, 3] = -axes.T @ eye
    cot = 1.0 / math.tan(half)
    project = np.array(
        [
            [cot, 0, 0, 0],
            [0, cot, 0, 0],
            [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, -1.0, 0],
        ]
    )
    return Fit(project @ view, 2.0 * distance / (cot * size))


def _step(value: float) -> float:
    return float(2.0 ** (math.ceil(math.log2(max(value, 1e-9)) * _STEPS_PER_OCTAVE) / _STEPS_PER_OCTAVE))


class ShadowMap:
    """A depth texture that compares, and the pass that fills it."""

    def __init__(self, ctx: moderngl.Context, size: int) -> None:
        self._ctx, self.size = ctx, size
        self._depth = ctx.depth_texture((size, size))
        self._depth.compare_func = "<="
        self._depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._depth.repeat_x = self._depth.repeat_y = False
        self._framebuffer = ctx.framebuffer(depth_attachment=self._depth)

    def render(self, fitted: Fit | None, geometry: Geometry, shaders: Shaders, batches: list[Batch]) -> None:
        """Draw the casters' depth; an empty map, and so no shadow, without a fit."""
        self._framebuffer.use()
        self._framebuffer.clear(depth=1.0)
        if fitted is None:
            return
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._ctx.polygon_offset = 1.5, 2.0
        for skinned, soft in ((0, 0), (1, 0), (0, 1), (0, 2)):
            chosen = [batch for batch in batches if (batch.skinned, batch.soft) == (skinned, soft)]
            if chosen:
                program = shaders.get("shadow", SKIN=skinned, SOFT=soft)
                light: Any = program["u_light"]
                light.write(np.asarray(fitted.matrix.T, np.float32).tobytes())
                for batch in chosen:
                    geometry.render(batch, program)
        self._ctx.polygon_offset = 0.0, 0.0

    def use(self) -> None:
        """Bind the map for sampling."""
        self._depth.use(UNITS["u_shadow"])

    def release(self) -> None:
        """Release texture and framebuffer."""
        self._framebuffer.release()
        self._depth.release()
