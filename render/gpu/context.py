"""OpenGL contexts of our own, through EGL: for pictures without a window."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

import moderngl


def make_context() -> moderngl.Context:
    """A context without a window, current in this thread. Raises what moderngl raises when the machine has no OpenGL 3.3."""
    settings: dict[str, Any] = {"backend": "egl"}
    return moderngl.create_context(standalone=True, require=330, **settings)


def release_context(context: moderngl.Context) -> None:
    """Destroy it, and leave no context current: moderngl leaves its own current, and painting a window would then crash."""
    context.release()
    egl = ctypes.CDLL(ctypes.util.find_library("EGL") or "libEGL.so.1")
    egl.eglReleaseThread()
