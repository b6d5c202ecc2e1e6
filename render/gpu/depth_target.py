"""Framebuffers of a depth texture and no colours: for shadow maps, and for the depths of a view."""

from __future__ import annotations

import ctypes

import moderngl

from tumble.render.gpu.context import gl_function

_FRAMEBUFFER, _DEPTH_ATTACHMENT, _FLAT, _NONE = 0x8D40, 0x8D00, 0x0DE1, 0


class DepthTarget:
    """A framebuffer that draws into a depth texture, which stays another's.

    moderngl makes one that is to read colours from an attachment that it does not have: incomplete before OpenGL 4.1, or to be
    exact before ARB_ES2_compatibility. So it is made here, and moderngl finds it.
    """

    def __init__(self, depth: moderngl.Texture) -> None:
        """It is bound from now on."""
        self._name = ctypes.c_uint()
        self._pointer = ctypes.POINTER(ctypes.c_uint)
        gl_function("glGenFramebuffers", ctypes.c_int, self._pointer)(1, self._name)
        gl_function("glBindFramebuffer", ctypes.c_uint, ctypes.c_uint)(_FRAMEBUFFER, self._name)
        attach = gl_function("glFramebufferTexture2D", *[ctypes.c_uint] * 4, ctypes.c_int)
        attach(_FRAMEBUFFER, _DEPTH_ATTACHMENT, _FLAT, depth.glo, 0)
        gl_function("glDrawBuffer", ctypes.c_uint)(_NONE)
        gl_function("glReadBuffer", ctypes.c_uint)(_NONE)
        self.framebuffer = depth.ctx.detect_framebuffer(self._name.value)
        self.framebuffer.viewport = (0, 0, *depth.size)
        self.framebuffer.use()

    def begin(self) -> None:
        """Bind it, with all of it as far away as depths go."""
        self.framebuffer.use()
        self.framebuffer.clear(depth=1.0)

    def release(self) -> None:
        """Release the framebuffer, not the texture."""
        self.framebuffer.release()
        gl_function("glDeleteFramebuffers", ctypes.c_int, self._pointer)(1, self._name)
