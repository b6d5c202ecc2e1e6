"""The renderer: one model's pictures, pass by pass, into a framebuffer that the caller owns.

The order: upload instances; maps of shadows; mirrored picture; opaque instances, nearest meshes before floors; sky; transparent
instances, farthest first; resolve the multisamples. All OpenGL state is set for each picture, so that others may draw in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.render.camera import Camera, View, view_of
from tumble.render.constants import Category, MeshId, is_floor
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.gpu.quality import Quality
from tumble.render.gpu.shaders import UNITS, Shaders
from tumble.render.gpu.soft import Bent
from tumble.render.gpu.solids import Solid, Solids
from tumble.render.gpu.textures import Image, Kept, Textures, horizon_colour, image_bytes, sky_index, surroundings
from tumble.render.mesh.simplifier import Simplifier
from tumble.render.options import PictureMode, RenderOptions, Selection
from tumble.render.passes import reflection as mirror
from tumble.render.passes import shadow
from tumble.render.passes.detail import coarsen, inside, orders, pixel_size
from tumble.render.passes.geom import Batch, Geometry, draw
from tumble.render.passes.multisampled import Multisampled
from tumble.render.passes.occlusion import Occlusion
from tumble.render.passes.plain import Ink, PlainPass, SeenObjects, draw_sky
from tumble.render.scene.lights import LIGHT, MAX_LIGHTS, Lights, Surroundings, as_light, collect
from tumble.render.scene.scene import Pieces, Scene

if TYPE_CHECKING:
    from tumble.physics import MjModel

_FRAME = np.dtype(
    [
        ("view_projection", "f4", 16),
        ("inverse", "f4", 16),
        ("shadow_matrix", "f4", (shadow.MAX_MAPS, 16)),
        ("shadow_map", "f4", (shadow.MAX_MAPS, 4)),
        *((name, "f4", 4) for name in ("eye", "forward", "fog", "haze", "range", "mirror", "shadow_info", "viewport")),
        *((name, "f4", 4) for name in ("above", "below", "from_above", "from_below")),
        ("lights", LIGHT, MAX_LIGHTS),
    ]
)
_SEAMLESS_CUBES, _MULTISAMPLE = 0x884F, 0x809D
_PLAIN_BACKGROUND = (0.13, 0.15, 0.18)
_DAY_HORIZON = (0.80, 0.86, 0.91)
# Where the reference ends an endless floor, in units of zfar.
_CLASSIC_HORIZON = math.sqrt(0.5)
# A shadow and a mirrored picture are blurred: half as many pixels do, and fewer triangles.
_BLURRED, _BLURRED_BUDGET = 0.5, 25_000
_FAINT = 0.45  # opacity of hidden objects that show through


class Renderer:
    """Draws one model with one OpenGL context (3.3 core or later), which must be current in every call.

    samples: multisamples a pixel in the renderer's own framebuffer; 0 draws straight into the target; None: from `Quality`.
    quality: everything else that costs time, samples included; None for the measured choice.
    """

    def __init__(self, ctx: moderngl.Context, model: MjModel, samples: int | None = None, quality: Quality | None = None) -> None:
        self.quality = quality if quality is not None else Quality.of(ctx, samples)
        self._ctx = ctx
        self.full_detail = False  # draw all meshes in full detail: nothing moves, or the picture is saved
        self.shows_motion = True  # the last picture shows something that can move, or there is no such thing
        self.plain = _PLAIN_BACKGROUND  # background where neither the model nor a sky is
        self._shaders = Shaders(ctx)
        self._meshes: Kept[Solid] = Kept()
        self._images: Kept[Image] = Kept()
        self.simplifier = Simplifier() if self.quality.simplify else None
        self._reflection = mirror.Reflection(ctx)
        self._plain = PlainPass(ctx, self._shaders)
        self._uniforms = [ctx.buffer(reserve=_FRAME.itemsize, dynamic=True) for _ in range(2)]
        self._shadow: shadow.ShadowMaps | None = None
        self._occlusion = Occlusion(ctx, self.quality.occlusion) if self.quality.occlusion > 0.0 else None
        self._multisampled = Multisampled(ctx)
        self._open(model)

    def _open(self, model: MjModel) -> None:
        quality = model.vis.quality
        slices = min(max(int(quality.numslices), self.quality.min_slices), 256)
        stacks = min(max(int(quality.numstacks), self.quality.min_slices // 2), 256)
        self.scene = Scene(model)
        self._textures = Textures(self._ctx, model, self._images, anisotropic=self.quality.anisotropic)
        self._geometry = Geometry(self._ctx, Solids(self._ctx, model, self._meshes, self.simplifier, slices, stacks))
        self._sky_texture = sky_index(model)
        self._horizon, self._around = np.asarray(_DAY_HORIZON), Surroundings.day(_DAY_HORIZON)
        if self._sky_texture >= 0:
            self._horizon = horizon_colour(model, self._sky_texture)
            self._around = surroundings(model, self._sky_texture)

    def set_model(self, model: MjModel) -> None:
        """Show another model; framebuffers, recently used shaders, and unchanged resources of the model are kept."""
        self._geometry.release()
        self._shaders.trim()
        self._meshes.next_model()
        self._images.next_model()
        self._open(model)

    @property
    def card_bytes(self) -> tuple[int, int]:
        """Memory of meshes and of textures on the card, of the model before this one too [bytes]."""
        return self._meshes.total(lambda solid: solid.nbytes), self._images.total(image_bytes)

    def show_pieces(self, pieces: Pieces | None) -> None:
        """Draw a geom as these parts, until others or none are shown, or another model."""
        if pieces is not self.scene.pieces:
            self.scene.pieces = pieces
            self._geometry.solids.show_pieces(() if pieces is None else pieces.meshes)

    def render(
        self,
        target: moderngl.Framebuffer,
        frame: Frame,
        camera: Camera | View,
        options: RenderOptions,
        width: int,
        height: int,
        selection: Selection = Selection(),  # noqa: B008 - immutable
        *,
        direct: bool = False,
        more: Callable[[View, int], DrawList] | None = None,
        corner: tuple[int, int] = (0, 0),
    ) -> View | None:
        """Draw one picture into width x height pixels of the target, which begin at its corner, from the lower left.

        more: gives instances that are drawn with the model's, for a view and a picture so high [pixels].
        direct: without multisamples, so that a small picture now and then leaves their framebuffer at the size of the others.
        Returns the view it was taken with, for labels and picking, or None if there is no pixel to draw.
        """
        if width <= 0 or height <= 0:
            return None
        view = camera if isinstance(camera, View) else view_of(camera, self.scene.model, frame, width / height)
        drawlist = self.scene.build(frame, view, options, selection)
        if more is not None:
            drawlist = DrawList.join([drawlist, more(view, height)])
        lights = collect(self.scene.model, frame, view, options)
        bent = self._bent(frame)
        if options.mode in (PictureMode.DEPTH, PictureMode.SEGMENTATION):
            self._reset_state()
            shown = self._coarse(drawlist, view, height)
            self._plain.picture(self._geometry, target, self.scene.model, shown, bent, view, (*corner, width, height), options)
            self._restore(target)
        else:
            self.draw(target, drawlist, lights, bent, view, options, width, height, direct=direct, corner=corner)
        return view

    def look(
        self,
        frame: Frame,
        view: View,
        options: RenderOptions,
        size: tuple[int, int],
        box: tuple[int, int, int, int] | None = None,
        kinds: Collection[int] | None = None,
    ) -> SeenObjects:
        """Objects that a picture shows, in every pixel or in those of a box: left, top, width and height.

        size: width and height of the picture; kinds: of mjtObj, and CONTACT, that are looked for, through all others; None: all.
        Leaves its own framebuffer in use.
        """
        self._reset_state()
        drawlist = self.scene.build(frame, view, options, Selection())
        if kinds is not None:
            drawlist = drawlist.pick(np.flatnonzero(np.isin(drawlist.objtype, list(kinds))))
        shown = self._coarse(drawlist, view, size[1])
        return self._plain.objects(self._geometry, shown, self._bent(frame), view, size, box or (0, 0, *size))

    def _coarse(self, drawlist: DrawList, view: View, height: int) -> DrawList:
        """The instances with simplified meshes for a picture of this height [pixels], with their full outlines."""
        return drawlist.drawn_as(coarsen(drawlist, pixel_size(drawlist, view, height), self._levels, outlines=True))

    def _bent(self, frame: Frame) -> Bent:
        """Vertices of a frame's skins and flexes."""
        bones = [bones.poses(frame) for bones in self.scene.bones] if len(frame.xpos) == self.scene.model.nbody else []
        return Bent(bones, [frame.flexvert_xpos, *(ghost.flexvert_xpos for ghost in frame.ghosts)], frame.flexelem_rgba)

    def draw(
        self,
        target: moderngl.Framebuffer,
        drawlist: DrawList,
        lights: Lights,
        bent: Bent,
        view: View,
        options: RenderOptions,
        width: int,
        height: int,
        *,
        direct: bool = False,
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        """Draw instances in this light into width x height pixels of the target, which begin at its corner, from the lower left.

        bent: where skins and flexes are.
        """
        self._reset_state()
        self._geometry.solids.collect()
        size = pixel_size(drawlist, view, height)
        mesh = coarsen(drawlist, size, self._levels)
        shown = inside(drawlist, view.matrix)
        movable = drawlist.category == Category.DYNAMIC
        self.shows_motion = bool(shown[movable].any() or not movable.any())
        opaque, transparent = orders(drawlist, mesh, shown, view)
        shiny = mirror.find_mirror(drawlist, view) if options.reflection else -1
        self._geometry.bend(drawlist, bent)
        meshed = drawlist.drawn_as(mesh)
        solid = self._geometry.upload("opaque", meshed, opaque, shiny)
        glassy = self._geometry.upload("glass", meshed, transparent)
        hidden = self._covered(meshed, transparent, opaque)
        shadows = self._cast_shadows(drawlist, mesh, lights, options, view, shiny)
        glows = bool(np.any(drawlist.instances["extra"][:, 1] > 0))
        maps = len(shadows.fitted)
        taps = self.quality.shadow_taps if maps else 0
        physical = not options.classic
        metals = physical and bool(np.any(drawlist.instances["extra"][:, 3] > 0))
        environment = physical and options.skybox and self.quality.environment and self._sky_texture >= 0
        occluded = self._occlusion is not None and physical and not direct
        shading = {
            "LIGHTS": len(lights), "POSITIONAL": lights.positional, "SHADOW_COUNTS": shadows.counts, "SHADOW_MAPS": maps,
            "SHADOW_TAPS": taps, "FOG": int(options.fog), "GLOWS": int(glows), "CLASSIC": int(options.classic),
            "METALS": int(metals), "GRAZING": int(self.quality.grazing), "ENVIRONMENT": int(environment),
            "OCCLUDED": int(occluded), "MIRRORED": 0,
        }  # fmt: skip
        uniforms = self._frame_uniforms(view, lights, shadows, options, (width, height), _floor(drawlist))
        if shiny >= 0:
            size *= self.quality.reflection_scale * _BLURRED
            mirrored = coarsen(drawlist, size, self._levels, _BLURRED_BUDGET)
            self._reflect(drawlist.drawn_as(mirrored), shiny, view, uniforms, shading, (width, height))
        if self._occlusion is not None and occluded:
            solids = opaque[drawlist.category[opaque] != Category.DECOR]
            depths = self._geometry.upload("depth", drawlist.drawn_as(mesh, textured=False), solids)
            extent = float(self.scene.model.stat.extent)
            self._occlusion.draw(depths, self._geometry, self._shaders, view, (width, height), extent)
        if environment:
            self._textures.get(self._sky_texture).use(UNITS["u_sky"])
        screen = self._begin(target, (width, height), corner, options, self.quality.samples if not direct else 0)
        if screen is target:
            uniforms["viewport"][0, 2:] = corner[0] / width, corner[1] / height
        self._uniforms[0].write(uniforms.tobytes())
        self._uniforms[0].bind_to_uniform_block(0)
        self._draw(solid, glassy, hidden, shading, options)
        if screen is not target:
            self._multisampled.show(target, corner, self._shaders)
        self._restore(target)

    def draw_plain(
        self,
        target: moderngl.Framebuffer,
        drawlist: DrawList,
        bent: Bent,
        view: View,
        width: int,
        height: int,
        *,
        ink: Ink = Ink.COLOUR,
    ) -> None:
        """Draw instances in their bare colours, opaque, on black: no light, no texture, no blended edge; or in another ink."""
        self._reset_state()
        self._plain.draw(self._geometry, target, drawlist, bent, view, (0, 0, width, height), ink)
        self._restore(target)

    def forget(self, mesh: int = -1, texture: int = -1) -> None:
        """Read a mesh (MeshId) or texture of the model again, when it is next drawn."""
        self._geometry.solids.forget(mesh)
        self._textures.forget(texture)

    def _reset_state(self) -> None:
        """Set the state that every pass relies on, regardless of earlier use of the context."""
        ctx = self._ctx
        ctx.enable_direct(_SEAMLESS_CUBES)
        ctx.enable_direct(_MULTISAMPLE)  # which Qt's painter turns off with its own smooth edges
        ctx.depth_func, ctx.front_face, ctx.cull_face = "<", "ccw", "back"
        ctx.polygon_offset = 0.0, 0.0
        ctx.wireframe = False

    def _begin(
        self, target: moderngl.Framebuffer, size: tuple[int, int], corner: tuple[int, int], options: RenderOptions, samples: int
    ) -> moderngl.Framebuffer:
        """The framebuffer to draw into, in use and cleared where the picture will be."""
        screen = self._multisampled.begin(*size, samples) if samples > 0 else target
        area = (*(corner if screen is target else (0, 0)), *size)
        screen.use()
        screen.viewport = area
        screen.scissor = None  # type: ignore[assignment]  # its stub knows rectangles only
        back = (*self.plain, 1.0) if options.background else (0.0, 0.0, 0.0, 0.0)
        screen.clear(*back, depth=1.0, viewport=area)
        return screen

    def _draw_lit(self, batches: list[Batch], shading: dict[str, int]) -> None:
        draw(self._geometry, self._shaders, self._textures, batches, shading)

    def _draw(
        self, solid: list[Batch], glassy: list[Batch], hidden: list[Batch], shading: dict[str, int], options: RenderOptions
    ) -> None:
        ctx = self._ctx
        ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        ctx.wireframe = options.mode is PictureMode.WIREFRAME
        self._draw_lit(solid, shading)
        ctx.wireframe = False
        if options.skybox and options.background:
            draw_sky(ctx, self._shaders, self._textures, self._sky_texture, classic=options.classic)
        seen_through = shading | {"OCCLUDED": 0}  # openness is known of opaque objects
        if glassy:
            # Both sides of a transparent object are drawn, the far one first; no depth is written, so objects behind it show.
            ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
            behind = moderngl.ONE if options.additive else moderngl.ONE_MINUS_SRC_ALPHA
            blend: Any = (moderngl.SRC_ALPHA, behind, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)  # its stub knows two only
            ctx.blend_func = blend
            ctx.wireframe = options.mode is PictureMode.WIREFRAME
            ctx.fbo.depth_mask = False
            for batch in glassy:
                for side in ("front", "back"):
                    ctx.cull_face = side
                    self._draw_lit([batch], seen_through)
            ctx.fbo.depth_mask = True
            ctx.wireframe = False
        if hidden:
            ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
            ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
            ctx.cull_face, ctx.depth_func, ctx.fbo.depth_mask = "back", ">", False
            self._draw_lit(hidden, seen_through)
            ctx.depth_func, ctx.fbo.depth_mask = "<", True

    def _restore(self, target: moderngl.Framebuffer) -> None:
        """Leave the state in which a painter or another renderer expects it."""
        target.use()
        self._ctx.clear_samplers(UNITS["u_blockers"], UNITS["u_blockers"] + 1)
        self._ctx.enable_only(0)
        self._ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA

    def _covered(self, drawlist: DrawList, *orders: NDArray[Any]) -> list[Batch]:
        """Rows of these that are seen faintly through occluding objects."""
        if not drawlist.through.any():
            return []
        chosen = np.concatenate([order[drawlist.through[order]] for order in orders])
        return self._geometry.upload("hidden", drawlist.faint(_FAINT), chosen)

    def _cast_shadows(
        self,
        drawlist: DrawList,
        mesh: NDArray[np.int64],
        lights: Lights,
        options: RenderOptions,
        view: View,
        shiny: int,
    ) -> shadow.Shadows:
        """Fill the maps of shadows. mesh: as seen in the picture; shiny: index of the mirror, or -1."""
        if not (options.shadow and lights.casting):
            return shadow.Shadows()
        if self._shadow is None:
            size = min(self.quality.shadow_size, max(int(self.scene.model.vis.quality.shadowsize), 256))
            self._shadow = shadow.ShadowMaps(self._ctx, size)
        views = [view] if shiny < 0 else [view, mirror.mirrored(view, *mirror.plane_of(drawlist.instances[shiny]))]
        shadows = self._shadow.fit(lights, drawlist, views)

        def coarsened(texel: float) -> NDArray[np.int64]:
            coarse = coarsen(drawlist, np.full(len(drawlist), _BLURRED / texel), self._levels, _BLURRED_BUDGET)
            # A round surface with more facets bulges out of one with fewer, and would cast its shadow on it: never more here.
            return np.maximum(coarse, mesh)

        self._shadow.fill(shadows, drawlist, coarsened, self._geometry, self._shaders)
        return shadows

    @property
    def _levels(self) -> Solids | None:
        """The source of simplified meshes; None if none are used."""
        return self._geometry.solids if self.simplifier is not None and not self.full_detail else None

    def _reflect(
        self,
        drawlist: DrawList,
        shiny: int,
        view: View,
        uniforms: NDArray[Any],
        shading: dict[str, int],
        size: tuple[int, int],
    ) -> None:
        normal, offset = mirror.plane_of(drawlist.instances[shiny])
        turn = mirror.mirror_matrix(normal, offset)
        mirrored = uniforms.copy()
        matrix = mirrored["view_projection"][0].reshape(4, 4).T.astype(float) @ turn
        mirrored["view_projection"][0] = matrix.T.ravel()
        mirrored["eye"][0, :3] = (turn @ np.append(mirrored["eye"][0, :3], 1.0))[:3]
        mirrored["forward"][0, :3] = turn[:3, :3] @ mirrored["forward"][0, :3]
        mirrored["mirror"][0] = (*normal, offset)
        self._uniforms[1].write(mirrored.tobytes())
        self._uniforms[1].bind_to_uniform_block(0)
        # The mirror shows everything above it, whether the camera sees it or not.
        wanted = ~is_floor(drawlist.mesh) & (drawlist.category != Category.DECOR)
        wanted &= drawlist.instances["pos"] @ normal + offset > -drawlist.radius
        wanted &= inside(drawlist, matrix)
        shown, _ = orders(drawlist, drawlist.mesh, wanted, view)
        batches = self._geometry.upload("mirror", drawlist, shown)
        width, height = (max(1, round(side * self.quality.reflection_scale)) for side in size)
        self._reflection.begin(width, height)
        simple = {"SHADOW_TAPS": min(shading["SHADOW_TAPS"], 1), "ENVIRONMENT": 0, "OCCLUDED": 0, "MIRRORED": 1}
        self._draw_lit(batches, shading | simple)
        self._reflection.end()

    def _frame_uniforms(
        self, view: View, lights: Lights, shadows: shadow.Shadows, options: RenderOptions, size: tuple[int, int], floor: float
    ) -> NDArray[Any]:
        model = self.scene.model
        extent = float(model.stat.extent)
        matrix = view.matrix
        block = np.zeros(1, _FRAME)
        row = block[0]
        row["view_projection"], row["inverse"] = matrix.T.ravel(), np.linalg.inv(matrix).T.ravel()
        row["eye"] = (*view.eye, float(view.orthographic))
        row["forward"] = (*view.forward, floor)
        row["fog"] = (*np.asarray(model.vis.rgba.fog)[:3], float(options.fog))
        row["haze"] = self._haze(options)
        # A floor dissolves into the horizon where its tiles would be finer than a pixel anyway.
        far = float(model.vis.map.zfar) * extent * min(max(1.0 - float(model.vis.map.haze), 0.0), 1.0)
        start, end = (0.03 * far, 0.7 * far) if options.haze else (500.0 * extent, 1000.0 * extent)
        if options.classic:
            end = _CLASSIC_HORIZON * float(model.vis.map.zfar) * extent
            start = end * min(max(1.0 - float(model.vis.map.haze), 0.0), 1.0)
        row["range"] = (float(model.vis.map.fogstart) * extent, float(model.vis.map.fogend) * extent, start, end)
        row["range"] += view.back
        for number, (one, corner) in enumerate(zip(shadows.fitted, shadows.corners, strict=True)):
            row["shadow_matrix"][number] = one.texture_matrix().T.ravel()
            row["shadow_map"][number] = (*corner, 1.5 * one.texel, one.softness)
        row["shadow_info"][:2] = (shadows.texel, shadows.side)
        row["shadow_info"][3] = 0.6 * extent
        row["viewport"][:2] = 1.0 / size[0], 1.0 / size[1]
        row["lights"][: len(lights)] = lights.rows if options.classic else as_light(lights.rows)
        if not options.classic:
            around = self._around if options.skybox else Surroundings.plain(self.plain)
            row["above"][:3], row["below"][:3] = around.sky, around.ground
            row["from_above"][:3], row["from_below"][:3] = around.scattered
        return block

    def _haze(self, options: RenderOptions) -> NDArray[np.float64]:
        """Colour of the horizon and how strongly the sky fades into it."""
        if options.classic:
            shown = options.haze and options.skybox and self._sky_texture >= 0
            return np.append(np.asarray(self.scene.model.vis.rgba.haze, float)[:3], float(shown))
        if not options.skybox:
            return np.append(self.plain, 0.0)
        if options.fog:
            return np.append(np.asarray(self.scene.model.vis.rgba.fog, float)[:3], 0.9)
        if not options.haze or self._sky_texture < 0:
            return np.append(self._horizon, 0.0)
        tint = np.asarray(self.scene.model.vis.rgba.haze, float)
        share = 0.35 * float(tint[3])
        return np.append((1.0 - share) * self._horizon + share * tint[:3], 0.8)

    def release(self) -> None:
        """Release every OpenGL object; the renderer must not be used after."""
        if self.simplifier is not None:
            self.simplifier.close()
        owners: list[Any] = [self._geometry, self._meshes, self._images, self._reflection, self._plain, self._shaders]
        owners += [self._multisampled, *self._uniforms, self._shadow, self._occlusion]
        for owner in owners:
            if owner is not None:
                owner.release()


def _floor(drawlist: DrawList) -> float:
    """The height of the highest level floor without an edge [m]; infinite if missing."""
    level = (drawlist.mesh == int(MeshId.HORIZON)) & (drawlist.instances["mat"][:, 8] > 0.999)
    return float(drawlist.instances["pos"][level, 2].max()) if level.any() else math.inf
