"""OpenGL contexts: our own, for pictures without a window, and those that a program has made current."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakSet

import moderngl
from _moderngl import DefaultLoader  # type: ignore[import-untyped]

_DRAW, _READ = 0x3059, 0x305A  # EGL's two surfaces
_ELSEWHERE = 0x3002  # EGL_BAD_ACCESS: it is current in another thread


def make_context() -> moderngl.Context:
    """A context without a window, current in this thread. Raises what moderngl raises when the machine has no OpenGL 3.3."""
    # Elsewhere than on Linux, the system's own way makes one without a window.
    settings: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    return moderngl.create_context(standalone=True, require=330, **settings)


def release_context(context: moderngl.Context) -> None:
    """Destroy it, and leave no context current: moderngl leaves its own current, and painting a window would then crash."""
    egl = _egl()
    if egl is not None:
        with context:
            handle = egl.eglGetCurrentContext()
        for adopted in list(_adopted):
            adopted.alive &= adopted.handle != handle
    context.release()
    if egl is not None:
        egl.eglReleaseThread()


@cache
def _egl() -> Any:  # noqa: ANN401  # a library
    """EGL, or None where there is none."""
    try:
        egl = ctypes.CDLL(ctypes.util.find_library("EGL") or "libEGL.so.1")
    except OSError:
        return None
    for name, takes in (
        ("eglGetProcAddress", [ctypes.c_char_p]),
        ("eglGetCurrentContext", []),
        ("eglGetCurrentDisplay", []),
        ("eglGetCurrentSurface", [ctypes.c_int]),
    ):
        function = getattr(egl, name)
        function.restype, function.argtypes = ctypes.c_void_p, takes
    egl.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
    return egl


def gl_function(name: str, *takes: Any) -> Callable[..., None]:  # noqa: ANN401  # types of C
    """A function of OpenGL that moderngl has none for, and that returns nothing, of the context that is current."""
    egl = _egl()
    if egl is not None and egl.eglGetCurrentContext():
        address = egl.eglGetProcAddress(name.encode())
    else:
        address = DefaultLoader().load_opengl_function(name)
    made: Callable[..., None] = ctypes.CFUNCTYPE(None, *takes)(int(address))
    return made


class Anchor:
    """A framebuffer of one pixel in a context that others draw in too; bound where what was bound last may be gone.

    moderngl binds that again whenever it makes or asks for a framebuffer: an error of OpenGL when Qt has replaced its own.
    """

    def __init__(self) -> None:
        self._framebuffer: moderngl.Framebuffer | None = None

    def make(self, context: moderngl.Context) -> None:
        """In this context, which is current, once."""
        self._framebuffer = context.framebuffer([context.texture((1, 1), 4, bytes(4))])

    def use(self) -> None:
        """Bind it."""
        if self._framebuffer is not None:
            self._framebuffer.use()

    def set_rows_of_words(self) -> None:
        """Have uploads begin each row at a multiple of 4 bytes, as Qt uploads its glyphs: it does not say so to OpenGL, which has
        heard otherwise from texture uploads. Writing a pixel is moderngl's only way to set that state.
        """
        if self._framebuffer is not None:
            pixel: Any = self._framebuffer.color_attachments[0]
            pixel.write(bytes(4), alignment=4)

    def release(self) -> None:
        """Release it."""
        if self._framebuffer is not None:
            pixel = self._framebuffer.color_attachments[0]
            self._framebuffer.release()
            pixel.release()
            self._framebuffer = None


class Adopted:
    """The context that is current when this is made, for moderngl to draw with; it belongs to whoever made it.

    alive: it is not known to have been destroyed.
    """

    def __init__(self) -> None:
        egl = _egl()
        self.handle = egl.eglGetCurrentContext() if egl is not None else None
        self.alive = True
        if self.handle:
            self._place = egl.eglGetCurrentDisplay(), egl.eglGetCurrentSurface(_DRAW), egl.eglGetCurrentSurface(_READ)
            self._find: Callable[[str], int] = lambda name: egl.eglGetProcAddress(name.encode()) or 0
        else:
            self._find = DefaultLoader().load_opengl_function
        own: Any = self  # its stub knows dictionaries only
        self.gl = moderngl.create_context(context=own)
        _adopted.add(self)

    def load_opengl_function(self, name: str) -> int:
        """The address of a function of OpenGL; moderngl asks for it."""
        return int(self._find(name))

    load = load_opengl_function

    def activate(self) -> bool:
        """Make it current in this thread where that can be done from outside; False if it is gone, or another thread has it."""
        if not self.alive:
            return False
        if not self.handle:
            return True  # a window's: its owner makes it current
        egl = _egl()
        if egl.eglGetCurrentContext() == self.handle:
            return True
        display, draw, read = self._place
        if egl.eglMakeCurrent(display, draw, read, self.handle):
            return True
        self.alive = egl.eglGetError() == _ELSEWHERE
        return False

    def __enter__(self) -> Adopted:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def release(self) -> None:
        """Nothing: the context is another's."""


_adopted: WeakSet[Adopted] = WeakSet()
