"""Start of the window: a splash with the name of the file while its contents are imported in a thread, and built."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from PyQt6.QtCore import QEventLoop, QObject, Qt, QTimer
from PyQt6.QtGui import QPainter
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QMainWindow

from tumble.app.look import theme
from tumble.app.rescue import graphics

if TYPE_CHECKING:
    from tumble.app.viewport.widget import Viewport

PATIENCE = 200  # a window that is minimized is not painted [ms]
PICTURES = 8  # of the model that are drawn before panels are made: one sees that it moves by then
LATEST = 300  # then they are made all the same [ms]


class Opening(NamedTuple):
    """File or scene opened at the start."""

    name: str = ""
    imports: Thread | None = None  # of what will be in the window, at work


class Curtain(QOpenGLWidget):
    """An empty view. It is one of OpenGL: a window that gets its first one when it is seen already is closed and opened again."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def paintGL(self) -> None:
        """Called by Qt with the context current."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("back"))
        painter.setFont(theme.sans(11))
        painter.setPen(theme.colour("dim"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()


def raise_on(window: QMainWindow, opening: Opening) -> None:
    """Show a window without contents, painted once. Whatever the user does with it waits in the queue until it is complete.

    Raises NoOpenGL, and hides it, where OpenGL cannot draw the view.
    """
    curtain = Curtain(f"Opening {opening.name}…" if opening.name else "Opening…")
    window.setCentralWidget(curtain)
    painted = QEventLoop()
    curtain.frameSwapped.connect(painted.quit)
    QTimer.singleShot(PATIENCE, painted.quit)
    window.show()
    painted.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    if problem := graphics.no_opengl(curtain):
        window.hide()
        raise graphics.NoOpenGL(problem)
    if opening.imports is not None:
        opening.imports.join()
    window.setUpdatesEnabled(False)  # until unveiled: its parts would be painted as they come


class Unveiling(QObject):
    """Shows the contents with the next event, and has the panels in sight made after the first pictures of a model."""

    def __init__(self, window: QMainWindow, view: Viewport, furnish: Callable[[], None]) -> None:
        super().__init__(window)
        self._window, self._view, self._furnish = window, view, furnish
        self._left = PICTURES
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        self._latest.timeout.connect(self._end)
        view.frameSwapped.connect(self._count)
        QTimer.singleShot(0, self._begin)

    def _begin(self) -> None:
        self._window.setUpdatesEnabled(True)
        self._latest.start(LATEST)

    def _count(self) -> None:
        if self._view.is_drawn:
            self._left -= 1
            if self._left == 0:
                self._end()

    def _end(self) -> None:
        self._latest.stop()
        self._view.frameSwapped.disconnect(self._count)
        self._furnish()
        self.deleteLater()


# Slow imports, with their dependencies. Others are imported where they are needed.
CONTENTS = (
    "tumble.app.viewport.widget",
    "tumble.app.shell.window_actions",
    "tumble.app.panels.table",
    "tumble.app.shell.layouts.layout_desk",
    "tumble.app.shell.state_paste",
    "tumble.app.film.camera_keys",
)


def import_contents() -> Thread:
    """Begin, in a thread. Nothing else may be imported until it has ended: two threads that enter a package whose modules import
    each other from two sides would be refused one of them."""
    imports = Thread(target=_import_contents, name="imports")
    imports.start()
    return imports


def _import_contents() -> None:
    for name in CONTENTS:
        import_module(name)
    from tumble import physics

    physics.MjModel  # noqa: B018  # imported on first use, with the compiler
    physics.loads_at_once()  # compares the kernels with their sources
