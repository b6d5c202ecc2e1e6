"""OpenGL contexts without a window, for programs that draw by themselves.

The variable MUJOCO_GL is read as the package reads it: a name it knows is taken, whatever it is, since one kind serves all;
off, disable, disabled, false or 0 leave the namespace without GLContext.
"""

from __future__ import annotations

import os

from tumble.render.gpu.context import make_context, release_context

_OFF = ("disable", "disabled", "off", "false", "0")
_KNOWN = ("", "enable", "enabled", "on", "true", "1", "glfw", "egl", "osmesa", "cgl")
_wanted = os.environ.get("MUJOCO_GL", "").lower().strip()

if _wanted not in (*_OFF, *_KNOWN):
    raise RuntimeError(
        f"the variable MUJOCO_GL is {_wanted!r}: not one of {', '.join(name for name in (*_KNOWN, *_OFF) if name)}"
    )

if _wanted not in _OFF:

    class GLContext:
        """A context without a window. max_width, max_height: the pictures' largest size; there is none here."""

        def __init__(self, max_width: int, max_height: int) -> None:
            """Raises what moderngl raises when the machine has no OpenGL 3.3."""
            self._context = make_context()
            self._freed = False

        def make_current(self) -> None:
            """Draw with this one from now on, in this thread. Raises RuntimeError if it has been freed."""
            if self._freed:
                raise RuntimeError("this GLContext has been freed")
            self._context.__enter__()

        def free(self) -> None:
            """Destroy it; a second time does nothing."""
            if not self._freed:
                self._freed = True
                release_context(self._context)

        def __del__(self) -> None:
            if getattr(self, "_freed", True) is False:
                self.free()
