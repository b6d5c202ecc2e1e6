"""Shadows: of every light that casts them, maps side by side in one texture, made again for each picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import moderngl
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.render.camera import View
from tumble.render.constants import MeshId
from tumble.render.drawlist import DrawList
from tumble.render.gpu.context import DepthTarget
from tumble.render.gpu.shaders import UNITS, Shaders
from tumble.render.passes.detail import inside
from tumble.render.passes.geom import Batch, Geometry
from tumble.render.passes.reflection import plane_of
from tumble.render.passes.shadow_fit import Casters, Fit, casters, fits
from tumble.render.scene.lights import Lights

Mat = NDArray[np.float64]

MAX_MAPS = 8
_FULL_SIZE = 2  # lights with maps of the full size; those of more have half as many texels a side


class Shadows(Struct, frozen=True):
    """The maps of one picture. counts: how many belong to each light, two bits a light; corners: (n, 2) of each in the texture.

    texel, side: the size of a texel and of a map, in the texture's width; casting: which instances cast shadows.
    """

    fitted: tuple[Fit, ...] = ()
    counts: int = 0
    corners: Sequence[tuple[float, float]] = ()
    texel: float = 0.0
    side: float = 0.0
    casting: NDArray[np.bool_] | None = None


class ShadowMaps:
    """A depth texture that compares, and the pass that fills it. size: texels a side of a map."""

    def __init__(self, ctx: moderngl.Context, size: int) -> None:
        self._ctx, self._size = ctx, size
        self._depth: moderngl.Texture | None = None
        self._target: DepthTarget | None = None
        self._plain = ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))  # reads depths as they are
        self._maps = 0  # along a side of the texture

    def fit(self, lights: Lights, drawlist: DrawList, views: Sequence[View]) -> Shadows:
        """Maps that a picture needs. views: that of the eye first, then that of a mirror."""
        mask = casters(drawlist)
        blockers = Casters.of(drawlist, mask)
        endless = np.flatnonzero(np.isinf(drawlist.radius) & (drawlist.mesh == int(MeshId.HORIZON)))
        floors = [plane_of(drawlist.instances[i]) for i in endless]
        casting = [i for i in range(len(lights)) if lights.casting >> i & 1]
        size = self._size if len(casting) <= _FULL_SIZE else self._size // 2
        of = [(i, one) for i in casting for one in fits(lights.rows[i], blockers, floors, views, size)][:MAX_MAPS]
        if not of:
            return Shadows()
        self._room(len(of), size)
        counts = sum(1 << 2 * i for i, _ in of)
        side = 1.0 / self._maps
        corners = [(k % self._maps * side, k // self._maps * side) for k in range(len(of))]
        return Shadows(tuple(one for _, one in of), counts, corners, side / size, side, mask)

    def fill(
        self,
        shadows: Shadows,
        drawlist: DrawList,
        coarsened: Callable[[float], NDArray[np.int64]],
        geometry: Geometry,
        shaders: Shaders,
    ) -> None:
        """Draw the casters' depths into the maps, and bind them. coarsened: the meshes to draw where a texel is so large [m]."""
        opaque = shadows.casting
        if self._target is None or self._depth is None or opaque is None:
            return
        self._target.begin()
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._ctx.polygon_offset = 1.5, 2.0
        texels = self._depth.width
        for number, (one, (x, y)) in enumerate(zip(shadows.fitted, shadows.corners, strict=True)):
            mask = opaque & inside(drawlist, one.matrix, depth=False)
            shown = drawlist.drawn_as(coarsened(one.texel), textured=False)
            order = np.flatnonzero(mask)
            order = order[np.argsort(shown.mesh[order], kind="stable")]
            side = round(shadows.side * texels)
            self._target.framebuffer.viewport = (round(x * texels), round(y * texels), side, side)
            self._draw(one, geometry, shaders, geometry.upload(f"shadow {number}", shown, order))
        self._ctx.polygon_offset = 0.0, 0.0
        self._depth.use(UNITS["u_shadow"])
        self._depth.use(UNITS["u_blockers"])
        self._plain.use(UNITS["u_blockers"])

    def _draw(self, one: Fit, geometry: Geometry, shaders: Shaders, batches: list[Batch]) -> None:
        for skinned, soft in ((0, 0), (1, 0), (0, 1), (0, 2)):
            chosen = [batch for batch in batches if (batch.skinned, batch.soft) == (skinned, soft)]
            if chosen:
                program = shaders.get("shadow", SKIN=skinned, SOFT=soft)
                light: Any = program["u_light"]
                light.write(np.asarray(one.matrix.T, np.float32).tobytes())
                for batch in chosen:
                    geometry.render(batch, program)

    def _room(self, count: int, size: int) -> None:
        """A texture for a number of maps of a given size [texels]; it does not shrink while the size is the same."""
        maps = math.ceil(math.sqrt(count))
        if self._depth is not None and self._maps >= maps and self._depth.width == self._maps * size:
            return
        self._release_depth()
        self._maps = maps
        self._depth = self._ctx.depth_texture((maps * size, maps * size))
        self._depth.compare_func = "<="
        self._depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._depth.repeat_x = self._depth.repeat_y = False
        self._target = DepthTarget(self._depth)

    def release(self) -> None:
        """Release every OpenGL object."""
        self._release_depth()
        self._plain.release()

    def _release_depth(self) -> None:
        for owned in (self._target, self._depth):
            if owned is not None:
                owned.release()
        self._target = self._depth = None
