"""`mujoco.egl`: its GLContext is the only one there is, which needs no window."""

from __future__ import annotations

from tumble.mujoco.gl_context import GLContext

__all__ = ["GLContext"]
