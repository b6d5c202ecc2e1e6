"""OpenGL contexts: our own, for pictures without a window, and those that a program has made current."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, Protocol, Self, TypeVar
from weakref import WeakSet

import moderngl
from _moderngl import DefaultLoader  # type: ignore[import-untyped]

_DRAW, _READ = 0x3059, 0x305A  # EGL's two surfaces
_ELSEWHERE = 0x3002  # EGL_BAD_ACCESS: it is current in another thread
_FRAMEBUFFER, _DEPTH_ATTACHMENT, _FLAT, _NONE = 0x8D40, 0x8D00, 0x0DE1, 0


def make_context() -> moderngl.Context:
    """A context without a window, current in this thread. Raises what moderngl raises when the machine has no OpenGL 3.3."""
    # Elsewhere than on Linux, the system's own way makes one without a window.
    settings: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    return moderngl.create_context(standalone=True, require=330, **settings)


def fact(context: moderngl.Context, name: str) -> Any:  # noqa: ANN401  # a number or a text
    """A fact about the OpenGL context, by its name there. Clears the error state: moderngl queries everything, and enums
    newer than 3.3 are invalid.
    """
    value = context.info[name]
    _ = context.error
    return value


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


# Libraries of Linux by name: ctypes.util.find_library starts a program to look for them, and elsewhere there are none.
_LIB_EGL, _LIB_GL = "libEGL.so.1", "libGL.so.1"


@cache
def _egl() -> Any:  # noqa: ANN401  # a library
    """EGL, or None where missing."""
    try:
        egl = ctypes.CDLL(_LIB_EGL)
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


class FunctionFinder:
    """Finds functions of OpenGL by their names; moderngl uses it for a context owned by others."""

    def __init__(self, find: Callable[[str], int]) -> None:
        """find: the address of a function, 0 if missing."""
        self.load_opengl_function = self.load = find

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def release(self) -> None:
        """Nothing: the context belongs to others."""


def _finder() -> FunctionFinder:
    """Function loader of the current context."""
    egl = _egl()
    return _egl_finder() if egl is not None and egl.eglGetCurrentContext() else _system_finder()


@cache  # moderngl never lets go of one
def _egl_finder() -> FunctionFinder:
    find = _egl().eglGetProcAddress
    return FunctionFinder(lambda name: find(name.encode()) or 0)


@cache
def _system_finder() -> FunctionFinder:
    """Function loader of contexts other than EGL's: by GLX, or the system's own way."""
    try:
        gl = ctypes.CDLL(_LIB_GL)
    except OSError:
        return FunctionFinder(DefaultLoader().load_opengl_function)
    find = gl.glXGetProcAddress
    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    return FunctionFinder(lambda name: find(name.encode()) or 0)


def gl_function(name: str, *takes: Any) -> Callable[..., None]:  # noqa: ANN401  # types of C
    """A function of OpenGL that moderngl has none for, and that returns nothing, of the context that is current."""
    function: Callable[..., None] = ctypes.CFUNCTYPE(None, *takes)(_finder().load_opengl_function(name))
    return function


def current_context() -> moderngl.Context:
    """The context that is current, for moderngl to draw with while its owner has made it current."""
    finder: Any = _finder()  # its stub knows dictionaries only
    return moderngl.create_context(require=330, context=finder)


class Anchor:
    """A framebuffer of one pixel in a context that others draw in too; bound where the last framebuffer may be deleted.

    moderngl rebinds that whenever it creates or queries a framebuffer: an error of OpenGL when Qt has replaced its own.
    """

    def __init__(self) -> None:
        self._target: DrawTarget | None = None

    def make(self, context: moderngl.Context) -> None:
        """Create it once in the current context."""
        self._target = DrawTarget(context, context.texture((1, 1), 4, bytes(4)))

    def use(self) -> None:
        """Bind it."""
        if self._target is not None:
            self._target.framebuffer.use()

    def set_rows_of_words(self) -> None:
        """Have uploads begin each row at a multiple of 4 bytes, as Qt uploads its glyphs without setting it; OpenGL has
        heard otherwise from texture uploads. Writing a pixel is moderngl's only way to set that state.
        """
        if self._target is not None:
            pixel: Any = self._target.colour
            pixel.write(bytes(4), alignment=4)

    def release(self) -> None:
        """Release it."""
        if self._target is not None:
            self._target.release()
            self._target = None


class Adopted:
    """The context that is current when this is made, which can be made current again; it belongs to its creator.

    alive: it is not known to have been destroyed.
    """

    def __init__(self) -> None:
        egl = _egl()
        self.handle = egl.eglGetCurrentContext() if egl is not None else None
        self.alive = True
        if self.handle:
            self._place = egl.eglGetCurrentDisplay(), egl.eglGetCurrentSurface(_DRAW), egl.eglGetCurrentSurface(_READ)
        self.load_opengl_function = _finder().load_opengl_function
        self.gl = current_context()
        _adopted.add(self)

    def activate(self) -> bool:
        """Make it current in this thread where possible; False if it is destroyed, or current in another thread."""
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


_adopted: WeakSet[Adopted] = WeakSet()


class DrawTarget:
    """A framebuffer and what it draws into."""

    def __init__(
        self,
        context: moderngl.Context,
        colour: moderngl.Texture | moderngl.Renderbuffer,
        depth: moderngl.Renderbuffer | None = None,
    ) -> None:
        self.colour, self.depth = colour, depth
        self.framebuffer = context.framebuffer([colour], depth)

    def release(self) -> None:
        """Release all of it."""
        self.framebuffer.release()
        self.colour.release()
        if self.depth is not None:
            self.depth.release()


def pixel_target(context: moderngl.Context, width: int, height: int) -> DrawTarget:
    """A framebuffer of colours and depths, of at least one pixel."""
    size = max(int(width), 1), max(int(height), 1)
    return DrawTarget(context, context.renderbuffer(size, 4), context.depth_renderbuffer(size))


class Releasable(Protocol):
    """A resource on the graphics card."""

    def release(self) -> None:
        """Free it."""


T = TypeVar("T", bound=Releasable)


class Recent(Generic[T]):
    """Buffers of the two most recently requested sizes: pictures of two sizes may take turns.

    make: creates those of a size, and leaves a framebuffer of them in use: moderngl rebinds the last one, which must still exist.
    """

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        self._made: dict[tuple[int, ...], T] = {}

    def get(self, *size: int) -> T:
        """The buffers of a size."""
        found = self._made.pop(size, None)
        if found is None:
            found = self._make(*size)
            while len(self._made) > 1:
                self._made.pop(next(iter(self._made))).release()
        self._made[size] = found
        return found

    @property
    def last(self) -> T:
        """The buffers that were requested last."""
        return next(reversed(self._made.values()))

    def release(self) -> None:
        """Release all of them."""
        for made in self._made.values():
            made.release()
        self._made.clear()


class DepthTarget:
    """A framebuffer that draws into a depth texture, which stays another's.

    moderngl makes one that is to read colours from an attachment that it does not have: incomplete before OpenGL 4.1, or to be
    exact before ARB_ES2_compatibility. So it is made here, and moderngl finds it.
    """

    def __init__(self, depth: moderngl.Texture) -> None:
        """Create it, and leave it bound."""
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
