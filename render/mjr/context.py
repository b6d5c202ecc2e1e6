"""Target of a program's drawing: the buffers and resources of one model in the OpenGL context that is current."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any
from weakref import ref

import moderngl
import numpy as np
from msgspec.structs import replace

from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtFontScale, mjtFramebuffer
from tumble.render.gpu.context import Adopted, DrawTarget, pixel_target
from tumble.render.gpu.quality import Quality
from tumble.render.mjr.flat import Flat
from tumble.render.mjr.listing import Materials
from tumble.render.mjv.structs import ArrayField, RealField, VisualStruct, WholeField
from tumble.render.renderer import Renderer

if TYPE_CHECKING:
    from tumble.physics import MjModel

NAUX, MAXTEXTURE, MAXMATERIAL, NTEXROLE, CHARACTERS = 10, 1000, 1000, 10, 127
_RGB = 0x1907  # GL_RGB
_WINDOW, _OFFSCREEN = int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)
_BLACK = (0.0, 0.0, 0.0)
_NO_MODEL = "this MjrContext has been freed, or was made without a model: it cannot draw"


class MjrRect(VisualStruct):
    """A rectangle of pixels, from the lower left."""

    __slots__ = ()
    left = WholeField()
    bottom = WholeField()
    width = WholeField()
    height = WholeField()

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        """left, bottom: of the lower left pixel; width, height: in pixels."""
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


class MjrContext(VisualStruct):
    """Everything that a program needs to draw one model: buffers, meshes, textures, fonts. It is drawn in at least OpenGL 3.3.

    Fields hold sizes and OpenGL names; those of display lists are 0, as there are none. currentBuffer: the
    target, mjFB_WINDOW or mjFB_OFFSCREEN. readDepthMap: which depth is 0, mjDEPTH_ZERONEAR or mjDEPTH_ZEROFAR.
    """

    __slots__ = ("__weakref__", "_adopted", "_aux", "_buffers", "_model", "_tile", "aux", "flat", "materials", "renderer")
    lineWidth = RealField()
    shadowClip = RealField()
    shadowScale = RealField()
    fogStart = RealField()
    fogEnd = RealField()
    fogRGBA = ArrayField("f4", 4)
    shadowSize = WholeField()
    offWidth = WholeField()
    offHeight = WholeField()
    offSamples = WholeField()
    fontScale = WholeField()
    auxWidth = ArrayField("i4", NAUX)
    auxHeight = ArrayField("i4", NAUX)
    auxSamples = ArrayField("i4", NAUX)
    offFBO = WholeField(0, "u4")
    offFBO_r = WholeField(0, "u4")
    offColor = WholeField(0, "u4")
    offColor_r = WholeField(0, "u4")
    offDepthStencil = WholeField(0, "u4")
    offDepthStencil_r = WholeField(0, "u4")
    shadowFBO = WholeField(0, "u4")
    shadowTex = WholeField(0, "u4")
    auxFBO = ArrayField("u4", NAUX)
    auxFBO_r = ArrayField("u4", NAUX)
    auxColor = ArrayField("u4", NAUX)
    auxColor_r = ArrayField("u4", NAUX)
    mat_texid = ArrayField("i4", MAXMATERIAL * NTEXROLE, default=-1)
    mat_texuniform = ArrayField("i4", MAXMATERIAL)
    mat_texrepeat = ArrayField("f4", MAXMATERIAL * 2)
    ntexture = WholeField()
    textureType = ArrayField("i4", MAXTEXTURE)
    texture = ArrayField("u4", MAXTEXTURE)
    basePlane = WholeField(0, "u4")
    baseMesh = WholeField(0, "u4")
    baseHField = WholeField(0, "u4")
    baseBuiltin = WholeField(0, "u4")
    baseFontNormal = WholeField(0, "u4")
    baseFontShadow = WholeField(0, "u4")
    baseFontBig = WholeField(0, "u4")
    rangePlane = WholeField()
    rangeMesh = WholeField()
    rangeHField = WholeField()
    rangeBuiltin = WholeField()
    rangeFont = WholeField()
    nskin = WholeField()
    charWidth = ArrayField("i4", CHARACTERS)
    charWidthBig = ArrayField("i4", CHARACTERS)
    charHeight = WholeField()
    charHeightBig = WholeField()
    glInitialized = WholeField()
    windowAvailable = WholeField()
    windowSamples = WholeField()
    windowStereo = WholeField()
    windowDoublebuffer = WholeField()
    currentBuffer = WholeField()
    readPixelFormat = WholeField(_RGB)
    readDepthMap = WholeField()

    skinvertVBO = skinnormalVBO = skintexcoordVBO = skinfaceVBO = ()  # bones move skins on the card

    def __init__(self, model: MjModel | None = None, fontscale: int = int(mjtFontScale.mjFONTSCALE_100)) -> None:
        """model: source of meshes and textures, None for an empty context; fontscale: mjtFontScale.

        Raises ModelError for another fontscale, and if no OpenGL context is current.
        """
        super().__init__()
        if int(fontscale) not in tuple(mjtFontScale):
            raise ModelError(f"fontscale {int(fontscale)} is none of mjtFontScale: {[int(scale) for scale in mjtFontScale]}")
        self._adopted: Adopted | None = None
        self.renderer: Renderer | None = None
        self._buffers: dict[int, DrawTarget] = {}
        self._aux: dict[int, DrawTarget] = {}
        self._tile: DrawTarget | None = None
        self.aux = -1  # the auxiliary buffer in use, -1: currentBuffer
        self._model = model
        self.fontScale = int(fontscale)
        if model is not None:
            self._open(model)

    def _open(self, model: MjModel) -> None:
        try:
            self._adopted = Adopted()
        except Exception as error:
            raise ModelError(
                "MjrContext: no OpenGL 3.3 context is current: make one with GLContext, then make_current()"
            ) from error
        gl, look, extent = self._adopted.gl, model.vis, float(model.stat.extent)
        self.renderer = Renderer(gl, model, quality=_quality(gl, int(look.quality.offsamples)))
        self.renderer.plain = _BLACK
        self.flat, self.materials = Flat(gl), Materials(model)
        self.lineWidth, self.shadowScale = float(look.global_.linewidth), float(look.map.shadowscale)
        self.shadowClip = float(look.map.shadowclip) * extent
        self.fogStart, self.fogEnd, self.fogRGBA = look.map.fogstart * extent, look.map.fogend * extent, look.rgba.fog
        self.shadowSize, self.offSamples = int(look.quality.shadowsize), self.renderer.quality.samples
        self.ntexture, self.nskin, self.glInitialized = min(int(model.ntex), MAXTEXTURE), int(model.nskin), 1
        if model.ntex:
            self.textureType[: self.ntexture] = np.asarray(model.tex_type)[: self.ntexture]
        if model.nmat:
            count = min(int(model.nmat), MAXMATERIAL)
            self.mat_texid[: count * NTEXROLE] = np.asarray(model.mat_texid)[:count].ravel()
            self.mat_texuniform[:count] = np.asarray(model.mat_texuniform)[:count]
            self.mat_texrepeat[: 2 * count] = np.asarray(model.mat_texrepeat)[:count].ravel()
        self.measure_font()
        self._find_window(gl)
        self.resize(int(look.global_.offwidth), int(look.global_.offheight))
        self.currentBuffer = _WINDOW if self.windowAvailable else _OFFSCREEN
        self.use()

    def _find_window(self, gl: moderngl.Context) -> None:
        """True if the context has a window's buffer."""
        assert self._adopted is not None
        check = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_uint)(self._adopted.load_opengl_function("glCheckFramebufferStatus"))
        gl.screen.use()
        self.windowAvailable = int(check(0x8D40) == 0x8CD5)  # GL_FRAMEBUFFER is GL_FRAMEBUFFER_COMPLETE
        self.windowDoublebuffer = self.windowAvailable

    def measure_font(self) -> None:
        """Write the sizes of characters at this scale of fonts [pixels]."""
        for big, widths, height in ((False, "charWidth", "charHeight"), (True, "charWidthBig", "charHeightBig")):
            sizes = self.flat.character_sizes(self.fontScale, big=big)
            getattr(self, widths)[32:CHARACTERS] = sizes[0]
            setattr(self, height, sizes[1])

    @property
    def model(self) -> MjModel:
        """The model it draws. Raises ModelError if it has been freed or was made without one."""
        if self._model is None or self._adopted is None:
            raise ModelError(_NO_MODEL)
        return self._model

    def gl(self) -> moderngl.Context:
        """The OpenGL context, made current. Raises ModelError if it has been freed."""
        global _current  # as OpenGL has it: functions without a context draw where the last one did
        adopted = self._adopted
        if adopted is None:
            raise ModelError(_NO_MODEL)
        if not adopted.activate():
            what = "is current in another thread: free it there first" if adopted.alive else "has been freed"
            raise ModelError(f"the OpenGL context of this MjrContext {what}")
        _current = ref(self)
        return adopted.gl

    def target(self) -> moderngl.Framebuffer:
        """The present target: the auxiliary buffer in use, or the current one."""
        self.gl()
        return self._aux[self.aux].framebuffer if self.aux >= 0 else self.buffer(self.currentBuffer)

    def buffer(self, which: int) -> moderngl.Framebuffer:
        """The window's buffer or the other; the one there is where there is no window."""
        if which == _WINDOW and self.windowAvailable:
            return self.gl().screen
        return self._buffers[_OFFSCREEN].framebuffer

    def auxiliary(self, index: int) -> DrawTarget:
        """An auxiliary buffer. Raises ModelError for an unknown index."""
        if index not in self._aux:
            raise ModelError(f"auxiliary buffer {index} does not exist: mjr_addAux makes one")
        return self._aux[index]

    def use(self) -> None:
        """Draw into the current buffer from now on."""
        self.aux = -1
        self.target().use()

    def resize(self, width: int, height: int) -> None:
        """Resize the off-screen buffer [pixels]."""
        gl = self.gl()
        if (width, height) == (self.offWidth, self.offHeight) and _OFFSCREEN in self._buffers:
            return
        if _OFFSCREEN in self._buffers:
            self._buffers.pop(_OFFSCREEN).release()
        buffer = self._buffers[_OFFSCREEN] = pixel_target(gl, width, height)
        self.offWidth, self.offHeight = buffer.framebuffer.size
        self.offFBO = self.offFBO_r = buffer.framebuffer.glo
        self.offColor = self.offColor_r = buffer.colour.glo
        assert buffer.depth is not None
        self.offDepthStencil = self.offDepthStencil_r = buffer.depth.glo

    def add_auxiliary(self, index: int, width: int, height: int, samples: int) -> None:
        """Make an auxiliary buffer, replacing one of the same index."""
        gl = self.gl()
        if index in self._aux:
            self._aux.pop(index).release()
        buffer = self._aux[index] = pixel_target(gl, width, height)
        self.auxWidth[index], self.auxHeight[index], self.auxSamples[index] = *buffer.framebuffer.size, samples
        self.auxFBO[index] = self.auxFBO_r[index] = buffer.framebuffer.glo
        self.auxColor[index] = self.auxColor_r[index] = buffer.colour.glo

    def tile(self, width: int, height: int) -> DrawTarget:
        """A buffer for a picture that will be a part of another."""
        gl = self.gl()
        if self._tile is None or self._tile.framebuffer.size != (width, height):
            if self._tile is not None:
                self._tile.release()
            self._tile = pixel_target(gl, width, height)
        return self._tile

    def free(self) -> None:
        """Free all resources; a second call has no effect."""
        adopted, self._adopted = self._adopted, None
        if adopted is None or not adopted.activate():
            return
        owned: list[Any] = [self.renderer, self.flat, self._tile, *self._buffers.values(), *self._aux.values()]
        for thing in owned:
            if thing is not None:
                thing.release()
        self._buffers, self._aux, self._tile, self.renderer, self.glInitialized = {}, {}, None, None, 0

    def __copy__(self) -> MjrContext:
        raise TypeError("an MjrContext holds resources of OpenGL and cannot be copied")

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an MjrContext holds resources of OpenGL and cannot be pickled")

    def __repr__(self) -> str:
        return f"<MjrContext: {self.offWidth} x {self.offHeight}>"


def _quality(gl: moderngl.Context, samples: int) -> Quality:
    """The measured choice, with the model's multisamples where there is a graphics card, and the same picture each time."""
    measured = Quality.of(gl)
    return replace(measured, samples=min(samples, gl.max_samples) if measured.samples else 0, simplify=False)


_current: ref[MjrContext] | None = None


def current() -> MjrContext:
    """The context that was drawn with last. Raises ModelError if missing."""
    context = _current() if _current is not None else None
    if context is None:
        raise ModelError("no MjrContext is there to draw with: make one, and call mjr_setBuffer")
    return context
