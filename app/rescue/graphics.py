"""Checks that this computer can show the window: it needs a screen and OpenGL 3.3, or the view stays black."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping

from PyQt6.QtGui import QGuiApplication, QOpenGLContext
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QMessageBox

from tumble.app.look import theme

NEEDED = (3, 3)
_WANTED = "Tumble needs OpenGL 3.3"
RENDERER = 0x1F01  # GL_RENDERER
# Qt's platforms for widgets without a screen or a graphics card: they show no OpenGL widget, or nothing at all.
BLIND = ("offscreen", "minimal", "linuxfb", "vnc")
_WITHOUT = "Over ssh, try ssh -X; the commands render, simulate and check need no screen (tumble --help)"
NO_SCREEN = f"no screen to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. {_WITHOUT}"
NO_ANSWER = f"no screen to open a window on: no X server answers at DISPLAY={{display}}. {_WITHOUT}"
REMEDY = (
    "Update the driver of the graphics card. Without one, Mesa's software renderer will do: set LIBGL_ALWAYS_SOFTWARE=1, and "
    "install libgl1-mesa-dri on Debian or Ubuntu. The commands simulate, check and bench need no OpenGL."
)


LEFT = "The next start offers the model as it was; a recording is finished."
LOST = "The graphics driver was reset, and no picture can be drawn any more"
GONE = "The screen is gone: the X server has ended, or the connection to it"
SCREEN_GONE = 1  # with which Qt ends its event loop when the connection to the screen breaks
_io_errors: list[object] = []  # the handler that Xlib has


class NoOpenGL(Exception):
    """The view cannot be drawn; its text gives the reason."""


def no_screen(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Reason why no window can be opened, checked before Qt, which aborts without a screen; "" if one can."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return ""
    display = environment.get("DISPLAY")
    if environment.get("WAYLAND_DISPLAY"):
        return ""
    if not display:
        return NO_SCREEN
    return "" if _answers(display) else NO_ANSWER.format(display=display)


def _answers(display: str) -> bool:
    """True if there is an X server, checked as Qt does: without one, Qt aborts. If that cannot be checked, Qt decides."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


def no_platform() -> str:
    """Why Qt shows no OpenGL here, in one line; empty: it may. To be called once there is a QGuiApplication."""
    if QGuiApplication.platformName() not in BLIND:
        return ""
    return f"{_WANTED}, and Qt's platform {QGuiApplication.platformName()!r} (QT_QPA_PLATFORM) has none for windows"


def no_opengl(view: QOpenGLWidget) -> str:
    """Why views cannot be drawn, in one line; empty: they can. view: one that has been shown."""
    context = view.context()
    if not view.isValid() or context is None:
        return f"{_WANTED}, and this computer offers no OpenGL at all"
    version = context.format().version()
    if version >= NEEDED:
        return ""
    view.makeCurrent()
    return f"{_WANTED}, and this computer offers {version[0]}.{version[1]} ({renderer(context)})"


def renderer(context: QOpenGLContext) -> str:
    """Name of the graphics card, or of the software that does its work. The context is current."""
    address = context.getProcAddress(b"glGetString")
    if not address:
        return "unknown renderer"
    name = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(int(address))(RENDERER)
    return name.decode(errors="replace") if name else "unknown renderer"


def on_screen_gone(end: Callable[[], None]) -> None:
    """Have Xlib call `end`, which must not return, when the X server is gone: it would end the process itself."""
    try:
        xlib = ctypes.CDLL("libX11.so.6")
    except OSError:
        return
    handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

    def handle(display: int) -> int:
        end()
        return 0

    _io_errors[:] = [handler(handle)]
    xlib.XSetIOErrorHandler(_io_errors[0])


def tell(problem: str, remedy: str = REMEDY) -> None:
    """Report it both on the terminal and on the desktop."""
    blind = QGuiApplication.platformName() in BLIND
    sys.stderr.write(f"{problem}. {'Unset it.' if blind else remedy}\n")
    sys.stderr.flush()
    if blind:
        return  # a dialog would be invisible, and would wait forever
    box = QMessageBox(QMessageBox.Icon.Critical, "Tumble", problem + ".")
    box.setInformativeText(remedy)
    box.setWindowIcon(theme.app_icon())
    box.exec()
