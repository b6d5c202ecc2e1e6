"""Buffers of a context: which is drawn into, their sizes, copies from one to another, and pixels read and written.

Rows of pixels come from below, as OpenGL has them.
"""

from __future__ import annotations

import ctypes
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.state.enums import mjtDepthMap, mjtFontScale, mjtFramebuffer
from tumble.render.gpu.context import gl_function
from tumble.render.mjr.context import NAUX, MjrContext, MjrRect, current

_READ_TARGET, _DRAW_TARGET = 0x8CA8, 0x8CA9  # of framebuffers
_COLOUR_BIT, _DEPTH_BIT, _NEAREST, _LINEAR = 0x4000, 0x0100, 0x2600, 0x2601
_WINDOW, _OFFSCREEN = int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)
Corners = tuple[int, int, int, int]  # left, bottom, right, top


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Draw from now on into the window's buffer (mjFB_WINDOW) or the one that no window shows (mjFB_OFFSCREEN).

    Where there is no window, the other is used in any case. Raises ModelError for another number.
    """
    if int(framebuffer) not in (_WINDOW, _OFFSCREEN):
        raise ModelError(f"mjr_setBuffer: invalid framebuffer {int(framebuffer)}: mjFB_WINDOW or mjFB_OFFSCREEN")
    con.gl()
    con.currentBuffer = int(framebuffer) if con.windowAvailable else _OFFSCREEN
    con.use()


def mjr_restoreBuffer(con: MjrContext) -> None:
    """Draw into con.currentBuffer again."""
    con.use()


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Resize the off-screen buffer [pixels]. Raises ModelError for a size that is not positive."""
    if width < 1 or height < 1:
        raise ModelError(f"mjr_resizeOffscreen: width and height are at least 1 pixel, got {width} x {height}")
    con.resize(int(width), int(height))
    con.use()


def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:
    """Make an auxiliary buffer, replacing one of the same index; samples are only stored, it has one per pixel.

    Raises ModelError for an index outside 0 to 9 and a size that is not positive.
    """
    if not 0 <= index < NAUX:
        raise ModelError(f"mjr_addAux: invalid auxiliary buffer index {index}: 0 to {NAUX - 1}")
    if width < 1 or height < 1:
        raise ModelError(f"mjr_addAux: width and height are at least 1 pixel, got {width} x {height}")
    con.add_auxiliary(int(index), int(width), int(height), int(samples))


def mjr_setAux(index: int, con: MjrContext) -> None:
    """Draw into an auxiliary buffer, until mjr_restoreBuffer. Raises ModelError for an unknown index."""
    con.gl()
    con.auxiliary(int(index)).framebuffer.use()
    con.aux = int(index)


def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:
    """Copy a rectangle of an auxiliary buffer to a place of the current buffer."""
    con.gl()
    source = con.auxiliary(int(index)).framebuffer
    place = (int(left), int(bottom), int(left) + src.width, int(bottom) + src.height)
    copy(con, source, con.buffer(con.currentBuffer), _corners(src), place, colour=True, depth=False)
    con.target().use()


def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None:
    """Copy a rectangle of the current buffer to the other one, scaled; no effect without a window."""
    con.gl()
    if con.windowAvailable:
        source, other = con.buffer(con.currentBuffer), con.buffer(_WINDOW + _OFFSCREEN - con.currentBuffer)
        copy(con, source, other, _corners(src), _corners(dst), colour=bool(flg_color), depth=bool(flg_depth))
        con.target().use()


def _corners(rect: MjrRect) -> Corners:
    return rect.left, rect.bottom, rect.left + rect.width, rect.bottom + rect.height


def copy(
    con: MjrContext, source: moderngl.Framebuffer, target: moderngl.Framebuffer, src: Corners, dst: Corners,
    *, colour: bool, depth: bool,
) -> None:  # fmt: skip
    """Copy a part of a framebuffer to another. Depths of another format than the target's stay."""
    gl = con.gl()
    bind = gl_function("glBindFramebuffer", ctypes.c_uint, ctypes.c_uint)
    blit = gl_function("glBlitFramebuffer", *([ctypes.c_int] * 8), ctypes.c_uint, ctypes.c_uint)
    target.use()
    target.scissor = None  # type: ignore[assignment]  # its stub knows rectangles only
    gl.enable_only(0)
    bind(_READ_TARGET, source.glo)
    bind(_DRAW_TARGET, target.glo)
    if colour:
        same = src[2] - src[0] == dst[2] - dst[0] and src[3] - src[1] == dst[3] - dst[1]
        blit(*src, *dst, _COLOUR_BIT, _NEAREST if same or depth else _LINEAR)
    if depth:
        blit(*src, *dst, _DEPTH_BIT, _NEAREST)
        _ = gl.error  # a window's depths may be of another format
    bind(_READ_TARGET, target.glo)


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The whole of the current buffer."""
    con.gl()
    if con.currentBuffer == _WINDOW and con.windowAvailable:
        width, height = con.buffer(_WINDOW).size
        return MjrRect(0, 0, width, height)
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_changeFont(fontscale: int, con: MjrContext) -> None:
    """Write in another size (mjtFontScale) from now on. Raises ModelError for another number."""
    if int(fontscale) not in tuple(mjtFontScale):
        raise ModelError(f"mjr_changeFont: {int(fontscale)} is none of mjtFontScale: {[int(scale) for scale in mjtFontScale]}")
    con.gl()
    con.fontScale = int(fontscale)
    con.measure_font()


def mjr_finish() -> None:
    """Wait until everything is drawn."""
    current().gl().finish()


_ERRORS = {
    "GL_NO_ERROR": 0,
    "GL_INVALID_ENUM": 0x0500,
    "GL_INVALID_VALUE": 0x0501,
    "GL_INVALID_OPERATION": 0x0502,
    "GL_INVALID_FRAMEBUFFER_OPERATION": 0x0506,
    "GL_OUT_OF_MEMORY": 0x0505,
}


def mjr_getError() -> int:
    """The number of OpenGL's last error, 0 if there was none."""
    return _ERRORS.get(current().gl().error, 1)


def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """0 if a rectangle holds a pixel, else -1. nrect: how many of a list of rectangles count; there is one here."""
    inside = 0 <= x - rect.left < rect.width and 0 <= y - rect.bottom < rect.height
    return 0 if nrect > 0 and inside else -1


def mjr_readPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Write colours and depths of a rectangle of the buffer into arrays of any shape, rows from below.

    rgb: width * height * 3 uint8; depth: width * height float32, 0 at the near and 1 at the far plane, or the other way round
    (con.readDepthMap). Raises ShapeError for arrays of another kind or size, or that are not contiguous.
    """
    target = con.target()
    box = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    count = max(viewport.width, 0) * max(viewport.height, 0)
    if rgb is not None:
        room = _flat("rgb", rgb, count * 3, np.dtype(np.uint8))
        if count:
            target.read_into(room, box, components=3, alignment=1)
    if depth is not None:
        room = _flat("depth", depth, count, np.dtype(np.float32))
        if count:
            target.read_into(room, box, components=1, attachment=-1, alignment=4, dtype="f4")
            if con.readDepthMap == int(mjtDepthMap.mjDEPTH_ZEROFAR):
                np.subtract(1.0, room, out=room)


def _flat(name: str, array: NDArray[Any], count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.size != count or not array.flags.c_contiguous:
        got = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ShapeError(f"mjr_readPixels: {name} is a contiguous array of {count} {kind}, got {got}")
    if not array.flags.writeable:
        raise ShapeError(f"mjr_readPixels: {name} cannot be written")
    return array.reshape(-1)


def mjr_drawPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Write colours and depths into a rectangle of the buffer, as mjr_readPixels reads them."""
    target = con.target()
    box = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    count = max(viewport.width, 0) * max(viewport.height, 0)
    if rgb is not None and count:
        pixels = np.full((viewport.height, viewport.width, 4), 255, np.uint8)
        pixels[:, :, :3] = _given("rgb", rgb, count * 3, np.dtype(np.uint8)).reshape(viewport.height, viewport.width, 3)
        con.flat.image(target, box, pixels[::-1])
    if depth is not None and count:
        values = _given("depth", depth, count, np.dtype(np.float32)).reshape(viewport.height, viewport.width)
        far = con.readDepthMap == int(mjtDepthMap.mjDEPTH_ZEROFAR)
        con.flat.depths(target, box, np.asarray(1.0 - values if far else values, np.float32))


def _given(name: str, array: NDArray[Any], count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    values = np.asarray(array)
    if values.dtype != kind or values.size != count:
        raise ShapeError(f"mjr_drawPixels: {name} is an array of {count} {kind}, got {values.dtype} of shape {values.shape}")
    return values.reshape(-1)
