"""`mujoco.egl.egl_ext`: EGL as PyOpenGL has it, and the displays of graphics cards without a screen.

For programs that make contexts by themselves, with PyOpenGL, which they bring. Importing it raises ImportError where the driver
has no such displays. Sources: the specifications EGL_EXT_device_enumeration and EGL_EXT_platform_device.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from OpenGL import EGL, error
from OpenGL.EGL import *  # noqa: F403  # a program takes it for that module

EGL_PLATFORM_DEVICE_EXT = 0x313F

_QUERY = ctypes.CFUNCTYPE(EGL.EGLBoolean, EGL.EGLint, ctypes.POINTER(EGL.EGLDeviceEXT), ctypes.POINTER(EGL.EGLint))
_DISPLAY = ctypes.CFUNCTYPE(EGL.EGLDisplay, EGL.EGLenum, ctypes.c_void_p, ctypes.POINTER(EGL.EGLint))


def _function(name: str, kind: Callable[[int], Callable[..., Any]]) -> Callable[..., Any]:
    """A function of an extension. Raises ImportError where the driver does not have it."""
    address = ctypes.cast(EGL.eglGetProcAddress(name), ctypes.c_void_p).value
    if not address:
        raise ImportError(f"this computer's EGL does not have {name}")
    return kind(address)


_query = _function("eglQueryDevicesEXT", _QUERY)
eglGetPlatformDisplayEXT = _function("eglGetPlatformDisplayEXT", _DISPLAY)  # EGL's name


def eglQueryDevicesEXT(max_devices: int = 10) -> list[Any]:  # EGL's name
    """The graphics cards, at most max_devices. Raises GLError if EGL cannot say which there are."""
    devices, count = (EGL.EGLDeviceEXT * max_devices)(), EGL.EGLint()
    success = _query(max_devices, devices, count)
    if success != EGL.EGL_TRUE:
        raise error.GLError(err=EGL.eglGetError(), baseOperation=eglQueryDevicesEXT, result=success)
    return list(devices[: count.value])
