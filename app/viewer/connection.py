"""The window of a script, in its own process, and the messages between the two: connected to this process alone.

Messages are Python objects, in either direction, and none waits for the other: those below, and commands of the simulation,
which are sent as they are. They are pickled at once, so that they may be changed afterwards, and written by a thread. Either
side ends the conversation with None, which the other answers with its own; a process that ends, however it does, ends it too.
"""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import ROOT, command_line
from tumble.physics.base.system import own_group

if TYPE_CHECKING:
    from tumble.app.simulation.commands import Command

Colour = tuple[float, float, float, float]
Rect = tuple[int, int, int, int]  # left, bottom, width, height [pixels of the view], from its lower left corner


# ---- from the script


class ShowModel(Struct, frozen=True):
    """Show a model. model: as `saved.packed` gives it; ring: path of the memory with its moments; hidden: sides of panels.

    follows: the window takes no steps; driven: and controls when the script does. reloads: the script can load the model again;
    keys: it listens to them.
    """

    model: bytes
    ring: str
    name: str
    title: str
    follows: bool
    driven: bool
    reloads: bool
    keys: bool
    hidden: tuple[str, ...]


class ScriptText(Struct, frozen=True):
    """Two columns of lines over the view. font: of mjtFont; place: of mjtGridPos."""

    font: int
    place: int
    left: str
    right: str


class ScriptPicture(Struct, frozen=True, eq=False):
    """pixels: (height, width, 3) uint8."""

    rect: Rect
    pixels: NDArray[np.uint8]


class ScriptFigure(Struct, frozen=True, eq=False):
    """Lines in a frame. lines: points (n, 2) of each; low, high: (2,) of x and y; grid: number of ticks of x and y."""

    rect: Rect
    title: str
    xlabel: str
    names: list[str]
    colours: list[Colour]
    lines: list[NDArray[np.float64]]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    back: Colour
    grid: tuple[int, int]


class DrawOver(Struct, frozen=True):
    """All that is drawn over the view of one kind; None: as before."""

    texts: list[ScriptText] | None = None
    pictures: list[ScriptPicture] | None = None
    figures: list[ScriptFigure] | None = None


# ---- from either


class ViewChange(Struct, frozen=True):
    """Changes: `camera`, `options`, and from the window `viewport` and `select`; number: of the script's last change."""

    number: int
    changed: dict[str, Any]


# ---- from the window


class Ask(Struct, frozen=True):
    """Request that the script execute a command. number: of commands up to this one."""

    number: int
    command: Command


class Key(Struct, frozen=True):
    """A key was pressed in the view; number: GLFW code."""

    number: int


class Failed(Struct, frozen=True):
    """The model cannot be shown."""

    why: str


class Reload(Struct, frozen=True):
    """The user wants the model to be loaded again."""


log = logging.getLogger(__name__)

PATIENCE = 120.0  # for a window to open [s]
TOKEN = "TUMBLE_SCRIPT_TOKEN"
_NO_SCREEN = 3  # the exit code of a program that cannot show a window
MOST_UNREAD = 64 * 2**20  # bytes that wait for the other side to read them
FAREWELL = 1.0  # time in which the last messages leave [s]


class Wire(Protocol):
    """A connection of `multiprocessing.connection`."""

    def recv(self) -> Any: ...  # noqa: ANN401

    def send_bytes(self, buf: bytes, /) -> None: ...

    def close(self) -> None: ...


class Channel:
    """One side. receive: called with each message; ended: at the end, once or twice; in other threads."""

    def __init__(self, connection: Wire, receive: Callable[[Any], None], ended: Callable[[], None]) -> None:
        """connection: of this object from now on."""
        self._connection, self._receive, self._ended = connection, receive, ended
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._unread = 0
        self._ending = False  # nothing more is sent
        self._writer = threading.Thread(target=self._write, name="viewer writer", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="viewer reader", daemon=True).start()

    def send(self, message: Any) -> None:  # noqa: ANN401 - anything that can be pickled
        """Send a message, in any thread, without waiting; a peer that does not read is disconnected."""
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            if self._ending:
                return
            full = self._unread > MOST_UNREAD
            self._unread += len(data)
            self._queue.put(data)
        if full:
            log.warning("the other process does not read its messages, and is disconnected")
            self._end()
            self._ended()

    def close(self) -> None:
        """End the conversation after a short time to flush the queue; messages of the other side until its end are received."""
        self._end()
        self._writer.join(FAREWELL)

    def _end(self) -> None:
        with self._lock:
            if not self._ending:
                self._ending = True
                self._queue.put(pickle.dumps(None))
                self._queue.put(None)

    def _write(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._connection.send_bytes(data)
            except (OSError, ValueError, TypeError):  # the connection is closed, at its other end or here
                return
            with self._lock:
                self._unread -= len(data)

    def _read(self) -> None:
        try:
            while (message := self._connection.recv()) is not None:
                try:
                    self._receive(message)
                except Exception:  # a bug of the program; the messages that follow count no less
                    log.exception("a message failed: %.200r", message)
        except (EOFError, OSError):
            log.debug("the other process has ended")
        except Exception:
            log.exception("the messages of the other process are invalid")
        self._ended()
        self.close()
        self._connection.close()


class WindowError(RuntimeError):
    """The window cannot be opened; the message gives the reason."""


class WindowProcess:
    """receive: called with each message of the window, in the thread that reads them."""

    def __init__(self, receive: Callable[[Any], None]) -> None:
        """Open the window; returns when it is connected, or raises WindowError."""
        self._over = threading.Event()
        token = secrets.token_bytes(32)
        with TemporaryDirectory(prefix="tumble-script-") as folder:  # only this user can connect
            address = None if sys.platform == "win32" else str(Path(folder) / "window")
            with Listener(address, authkey=token) as listener:
                connection = self._open(listener, token)
        self._channel = Channel(connection, receive, self._over.set)

    def _open(self, listener: Listener, token: bytes) -> Wire:
        """Start the window, and wait until it connects. Raises WindowError."""
        # Its own group: Ctrl+C in a terminal is meant for the script, which closes its window.
        self._process = subprocess.Popen(
            command_line("--script", str(listener.address)),
            cwd=ROOT,
            env={**os.environ, TOKEN: token.hex()},
            stdin=subprocess.DEVNULL,
            **own_group(),
        )
        threading.Thread(target=self._reap, args=[listener.address], name="viewer process", daemon=True).start()
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            return listener.accept()
        except (OSError, EOFError, AuthenticationError) as error:
            self._process.kill()
            raise WindowError(self._reason()) from error
        finally:
            patience.cancel()

    def _reason(self) -> str:
        code = self._process.wait()
        if code == _NO_SCREEN:
            return "the window cannot be opened: there is no screen, or no OpenGL 3.3 (see the message above)"
        if code < 0:
            return f"the window did not open within {PATIENCE:g} s, or was ended"
        return f"the window did not open: its process ended with code {code}"

    def _reap(self, address: str) -> None:
        self._process.wait()
        self._over.set()
        with suppress(OSError):
            Client(address).close()  # if it has not connected: nothing else ends the waiting for it

    @property
    def is_open(self) -> bool:
        """True if the window is there."""
        return not self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the window is closed; returns True if it is."""
        return self._over.wait(seconds)

    def send(self, message: Any) -> None:  # noqa: ANN401 - one of `messages`, or a command of the simulation
        """Send a message, without waiting; dropped if the window is closed."""
        if self.is_open:
            self._channel.send(message)

    def close(self) -> None:
        """Close the window; its messages until then are still received."""
        self._channel.close()
        if not self._over.wait(3.0):
            log.warning("the window does not close, and its process is ended")
            self._process.kill()  # it may be stopped, and not respond
            self._over.wait()
