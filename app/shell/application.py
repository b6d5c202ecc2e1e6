"""The application around the window: OpenGL's format, the theme, and where errors go."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import traceback
from types import FrameType, TracebackType

from PyQt6.QtCore import QCoreApplication, QObject, QSocketNotifier, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QSurfaceFormat
from PyQt6.QtWidgets import QApplication

from tumble import __version__
from tumble.app.look import theme
from tumble.app.rescue.error_dialog import ErrorDesk

log = logging.getLogger(__name__)


def configure_gl() -> None:
    """Ask for OpenGL 3.3 core; to be called before the QApplication is made.

    Without deprecated functions, as Qt's formats are at first: a forward-compatible context, and the only one of 3.3 that macOS
    has. Not OpenGL ES, which Qt may prefer on ARM and on Windows.
    Contexts are shared, else docking or floating a widget would recreate the view's. Samples stay 0: the renderer
    has its own multisample framebuffer, which is faster. Drivers are to report a reset, which loses all contexts: without
    that, drawing would go on into nothing, or the driver would end the process.
    """
    wanted = QSurfaceFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSamples(0)
    wanted.setOption(QSurfaceFormat.FormatOption.ResetNotification)
    QSurfaceFormat.setDefaultFormat(wanted)
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


def create(argv: list[str]) -> QApplication:
    """The application, themed, its errors caught."""
    configure_gl()
    app = QApplication(argv)
    QCoreApplication.setOrganizationName("Tumble")
    QCoreApplication.setApplicationName("Tumble")
    QCoreApplication.setApplicationVersion(__version__)
    app.setDesktopFileName("tumble")
    theme.apply(app)
    app.setWindowIcon(theme.app_icon())
    return app


class EndSignals(QObject):
    """Reports when the system ends the program, as at the end of a desktop's session: SIGTERM, SIGHUP. asked: it does.

    Python handles signals between its own instructions only, and Qt waits in the system: a byte in a socket wakes it.
    """

    asked = pyqtSignal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        # PyQt's stubs take a handle for a pointer.
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)  # type: ignore[call-overload]
        self._notifier.activated.connect(lambda: self._read.recv(4096))
        self._woken = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        self._before = {number: signal.signal(number, self._hear) for number in numbers}

    def _hear(self, number: int, frame: FrameType | None) -> None:
        log.info("the program is ended by the signal %s", signal.Signals(number).name)
        QTimer.singleShot(0, self.asked.emit)  # not in the midst of whatever Python does now

    def close(self) -> None:
        """Handle signals as before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._woken)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()


class ErrorCatcher(QObject):
    """Brings uncaught exceptions to the log and to a dialog; without it PyQt would abort.

    They may come from any thread, and one a frame. desk: shows them; the window puts its own there.
    """

    _caught = pyqtSignal(str, str)  # the exception, its traceback

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.desk = ErrorDesk()
        self._caught.connect(self._show_soon)

    def install(self) -> None:
        """Catch from now on."""
        sys.excepthook = self.catch
        threading.excepthook = lambda args: self.catch(args.exc_type, args.exc_value, args.exc_traceback)

    def catch(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        """Take an exception."""
        if issubclass(kind, KeyboardInterrupt):
            QTimer.singleShot(0, QCoreApplication.quit)
            return
        log.critical("an error of the program: %s", error, exc_info=(kind, error or kind(), trace))
        lines = traceback.format_exception(kind, error, trace)
        self._caught.emit("".join(traceback.format_exception_only(kind, error)).strip(), "".join(lines))

    def _show_soon(self, text: str, trace: str) -> None:
        # Qt queues the signal of another thread; the timer takes one of this thread out of a paint event or the like.
        QTimer.singleShot(0, lambda: self.desk.show("Something went wrong inside Tumble. The window stays usable.", text, trace))
