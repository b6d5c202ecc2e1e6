"""What the window shows at first, before its contents are imported and made: the name of what is opened."""

from __future__ import annotations

from PyQt6.QtCore import QEventLoop, Qt, QTimer
from PyQt6.QtGui import QPainter
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QMainWindow

from app.look import theme

PATIENCE = 200  # a window that is minimized is not painted [ms]


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


def raise_on(window: QMainWindow, name: str) -> None:
    """Show a window without contents, painted once. Whatever the user does with it waits in the queue until it is complete."""
    curtain = Curtain(f"Opening {name}…" if name else "Opening…")
    window.setCentralWidget(curtain)
    painted = QEventLoop()
    curtain.frameSwapped.connect(painted.quit)
    QTimer.singleShot(PATIENCE, painted.quit)
    window.show()
    painted.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
