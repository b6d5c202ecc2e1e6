"""Pictures without light: bare colours, depth, and which instance is seen in each pixel."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.constants import CONTACT, MeshId
from tumble.render.drawlist import DrawList
from tumble.render.gpu.context import DrawTarget, Recent
from tumble.render.gpu.shaders import UNITS, Shaders
from tumble.render.gpu.soft import Bent
from tumble.render.gpu.textures import Textures
from tumble.render.options import PictureMode, RenderOptions
from tumble.render.passes.detail import inside
from tumble.render.passes.geom import Geometry

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Brightness of the farthest bounded object; an endless floor behind it continues towards black.
FAR_GREY = 0.2
_GLANCE = 96  # pixels of the longer side of the picture that finds the depth range
_ALONE = 4.0  # far distance where only an endless floor is visible, in multiples of its least distance


Box = tuple[int, int, int, int]  # left, top (of a target: bottom), width, height


class Ink(IntEnum):
    """Values written into each pixel.

    COLOUR: the instance's. DEPTH: that of the depth buffer, white where nearest. GREY: bright where near, even in metres from
    the near to the far end of a span. IDENTITY: the number of the instance, from 1, and metres ahead of the eye.
    """

    COLOUR = 0
    DEPTH = 1
    GREY = 2
    IDENTITY = 3


class Sight(Struct, frozen=True):
    """Instances in each pixel, first row on top. row: (height, width) of the draw list, -1 for nothing.

    depth: (height, width) how far ahead of the eye it is, along the view [m]; 0 for nothing.
    """

    row: NDArray[np.int64]
    depth: NDArray[np.float32]


class PlainPass:
    """Draws instances without light. State that every pass relies on is set before each call."""

    def __init__(self, ctx: moderngl.Context, shaders: Shaders) -> None:
        self._ctx, self._shaders = ctx, shaders
        self._sights = Recent(self._make)

    def picture(
        self,
        geometry: Geometry,
        target: moderngl.Framebuffer,
        model: MjModel,
        drawlist: DrawList,
        bent: Bent,
        view: View,
        area: Box,
        options: RenderOptions,
    ) -> None:
        """Objects of the model and contacts, each in its own colour, or as depth in grey, scaled to what is seen.

        area: of the target, from its lower left. The options choose the mode, and the value of the background.
        """
        drawlist = segmented(drawlist, model)
        ink, span = Ink.COLOUR, (0.0, 1.0)
        if options.mode is PictureMode.DEPTH:
            ink, span = Ink.GREY, options.depth_range or self._span(geometry, drawlist, bent, view, area[2:])
        self.draw(geometry, target, drawlist, bent, view, area, ink, span, background=options.background)

    def _span(
        self, geometry: Geometry, drawlist: DrawList, bent: Bent, view: View, size: tuple[int, int]
    ) -> tuple[float, float]:
        """Near and far end of the visible range [m]: at a glance, or if that shows nothing, by a close look."""
        shrink = min(1.0, _GLANCE / max(size))
        few = max(1, round(shrink * size[0])), max(1, round(shrink * size[1]))
        sight = self.sight(geometry, drawlist, bent, view, few)
        if len(drawlist) and not (sight.row >= 0).any():
            sight = self.sight(geometry, drawlist, bent, view, size)
        return span_of(sight, drawlist)

    def objects(
        self, geometry: Geometry, drawlist: DrawList, bent: Bent, view: View, size: tuple[int, int], box: Box
    ) -> SeenObjects:
        """The objects that a box (left, top, width, height) of a picture of this size shows, in every pixel of the box."""
        drawlist = drawlist.pick(np.flatnonzero(identified(drawlist)))
        sight = self.sight(geometry, drawlist, bent, view.part(*box, size), box[2:])
        seen = sight.row >= 0
        objtype, objid = (np.append(column, -1)[sight.row] for column in (drawlist.objtype, drawlist.objid))
        return SeenObjects(np.where(seen, objtype, -1), np.where(seen, objid, -1), sight.depth)

    def sight(self, geometry: Geometry, drawlist: DrawList, bent: Bent, view: View, size: tuple[int, int]) -> Sight:
        """Instances that a view of so many pixels shows, and their distances. Leaves its own framebuffer in use."""
        framebuffer = self._sights.get(*size).framebuffer
        self.draw(geometry, framebuffer, numbered(drawlist), bent, view, (0, 0, *size), Ink.IDENTITY, background=False)
        self._ctx.enable_only(0)
        pixels = np.frombuffer(framebuffer.read(components=2, dtype="f4"), np.float32).reshape(size[1], size[0], 2)[::-1]
        return Sight(pixels[:, :, 0].astype(np.int64) - 1, pixels[:, :, 1].copy())

    def draw(
        self,
        geometry: Geometry,
        target: moderngl.Framebuffer,
        drawlist: DrawList,
        bent: Bent,
        view: View,
        area: Box,
        ink: Ink,
        span: tuple[float, float] = (0.0, 1.0),
        *,
        background: bool = True,
    ) -> None:
        """Draw instances, opaque, into an area of the target, from its lower left; span: near and far end of GREY [m].

        background: nothing is black, else transparent.
        """
        ctx, matrix = self._ctx, view.matrix
        order = np.flatnonzero(inside(drawlist, matrix))
        order = order[np.argsort(drawlist.mesh[order], kind="stable")]
        geometry.bend(drawlist, bent)
        batches = geometry.upload("plain", drawlist.drawn_as(drawlist.mesh, textured=False), order)
        target.use()
        target.viewport = area
        target.scissor = None  # type: ignore[assignment]  # its stub knows rectangles only
        target.clear(0.0, 0.0, 0.0, float(background), depth=1.0, viewport=area)
        ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        ctx.depth_func = "<="  # of two in the same place the later is seen, as in the reference
        for batch in batches:
            program = self._shaders.get("plain", SKIN=int(batch.skinned), SOFT=batch.soft, INK=int(ink))
            uniforms: Any = program
            uniforms["u_light"].write(np.asarray(matrix.T, np.float32).tobytes())
            if ink in (Ink.GREY, Ink.IDENTITY):
                uniforms["u_ahead"] = (*view.forward, -float(view.forward @ view.eye))
            if ink is Ink.GREY:
                uniforms["u_span"] = (*span, FAR_GREY)
            geometry.render(batch, program)
        ctx.depth_func = "<"

    def _make(self, width: int, height: int) -> DrawTarget:
        """A framebuffer of ids and depths [m]."""
        colour = self._ctx.renderbuffer((width, height), 2, dtype="f4")
        target = DrawTarget(self._ctx, colour, self._ctx.depth_renderbuffer((width, height)))
        target.framebuffer.use()
        return target

    def release(self) -> None:
        """Release the framebuffers."""
        self._sights.release()


def numbered(drawlist: DrawList) -> DrawList:
    """The instances with their numbers, from 1, in place of colours."""
    instances = drawlist.instances.copy()
    instances["rgba"][:, 0] = np.arange(1, len(drawlist) + 1)
    return replace(drawlist, instances=instances)


def segmented(drawlist: DrawList, model: MjModel) -> DrawList:
    """The instances that show an object of the model or a contact, each object in its own colour."""
    result = drawlist.pick(np.flatnonzero(identified(drawlist)))
    result.instances["rgba"][:, :3] = colours(numbers(model, result.objtype, result.objid))
    return result


def span_of(sight: Sight, drawlist: DrawList) -> tuple[float, float]:
    """Distances of the nearest and the farthest visible object, without endless floors [m]."""
    seen = sight.row >= 0
    if not seen.any():
        return 0.0, 1.0
    endless = np.isinf(drawlist.radius) & np.isin(drawlist.mesh, (int(MeshId.PLANE), int(MeshId.HORIZON)))
    depth, ends = sight.depth[seen], ~endless[sight.row[seen]]
    near = float(depth.min())
    far = float(depth[ends].max()) if ends.any() else _ALONE * near
    return near, max(far, near * (1.0 + 1e-3))


def draw_sky(ctx: moderngl.Context, shaders: Shaders, textures: Textures, texture: int, *, classic: bool) -> None:
    """Fill the pixels that are not covered yet, as far away as depths go; texture: the sky's, -1 for the built-in day."""
    if texture >= 0:
        textures.get(texture).use(UNITS["u_sky"])
    ctx.enable_only(moderngl.DEPTH_TEST)
    ctx.depth_func = "<="
    shaders.cover(shaders.get("sky", CUBE=int(texture >= 0), CLASSIC=int(classic)))
    ctx.depth_func = "<"


Ints = NDArray[np.int64]

# In this order objects are numbered: the main ones of a picture first, so that a model's colours stay when decoration is shown.
_COUNTS = (
    (mjtObj.mjOBJ_GEOM, "ngeom"), (mjtObj.mjOBJ_SITE, "nsite"), (mjtObj.mjOBJ_SKIN, "nskin"), (mjtObj.mjOBJ_FLEX, "nflex"),
    (mjtObj.mjOBJ_TENDON, "ntendon"), (mjtObj.mjOBJ_BODY, "nbody"), (mjtObj.mjOBJ_JOINT, "njnt"), (mjtObj.mjOBJ_CAMERA, "ncam"),
    (mjtObj.mjOBJ_LIGHT, "nlight"), (mjtObj.mjOBJ_ACTUATOR, "nu"), (mjtObj.mjOBJ_EQUALITY, "neq"),
    (mjtObj.mjOBJ_SENSOR, "nsensor"),
)  # fmt: skip
# Of candidates on a grid, each colour is the one farthest from all before it, to the eye: the first ones are the most distinct.
_STEPS, _FIRST, _PICKED = 16, (68, 119, 170), 256
_WEIGHT = np.sqrt((2.0, 4.0, 3.0))  # weights of red, green and blue in perceived differences
_DARKEST = 190.0  # the least distance from black, which is behind
_SCATTER = 0x9E3779B1  # spreads the numbers that come after those over all colours


class SeenObjects(Struct, frozen=True):
    """Object of each pixel, first row on top: mjtObj (or CONTACT) and id (height, width), both -1 for nothing.

    depth: (height, width) how far ahead of the eye it is, along the view [m]; 0 for nothing.
    """

    objtype: Ints
    objid: Ints
    depth: NDArray[np.float32]


def identified(drawlist: DrawList) -> NDArray[np.bool_]:
    """(n,) mask of instances that show an object of the model or a contact: not ghosts, axes of frames, programs' geoms."""
    return np.asarray((drawlist.objtype != int(mjtObj.mjOBJ_UNKNOWN)) & (drawlist.objid >= 0))


def numbers(model: MjModel, objtype: Ints, objid: Ints) -> Ints:
    """A number for each object, in the shape of both: contacts come last; -1 without an identity."""
    result = np.full(objtype.shape, -1, np.int64)
    first = 0
    for kind, count in _COUNTS:
        rows = objtype == int(kind)
        result[rows] = first + objid[rows]
        first += int(getattr(model, count))
    rows = objtype == CONTACT
    result[rows] = first + objid[rows]
    return np.where(objid < 0, -1, result)


def colours(number: Ints) -> NDArray[np.float32]:
    """(..., 3) rgb 0..1 of numbers of objects: no two have the same, and none is near black."""
    most = int(number.max(initial=0)) + 1
    return (_palette(1 << most.bit_length())[number] / 255.0).astype(np.float32)


@lru_cache(maxsize=4)
def _palette(count: int) -> NDArray[np.uint8]:
    """(count, 3) colours of the first numbers. A longer palette begins with the shorter one."""
    first = _distinct()
    if count <= len(first):
        return first[:count]
    taken = {int(red) << 16 | int(green) << 8 | int(blue) for red, green, blue in first}
    more: list[tuple[int, int, int]] = []
    seed = 0
    while len(more) < count - len(first):
        seed += 1
        packed = seed * _SCATTER & 0xFFFFFF  # another one for each seed: the factor is odd
        rgb = packed >> 16, packed >> 8 & 255, packed & 255
        if packed not in taken and np.dot(_WEIGHT**2, np.square(rgb)) > _DARKEST**2:
            more.append(rgb)
    return np.concatenate([first, np.array(more, np.uint8)])


@lru_cache(maxsize=1)
def _distinct() -> NDArray[np.uint8]:
    """(_PICKED, 3) colours that differ most from each other, and from black."""
    axis = np.linspace(0, 255, _STEPS).round()
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[np.linalg.norm(_WEIGHT * grid, axis=1) > _DARKEST]
    result = np.empty((_PICKED, 3))
    result[0] = _FIRST
    away = np.linalg.norm(_WEIGHT * (grid - result[0]), axis=1)
    for i in range(1, _PICKED):
        result[i] = grid[np.argmax(away)]
        away = np.minimum(away, np.linalg.norm(_WEIGHT * (grid - result[i]), axis=1))
    return result.astype(np.uint8)
