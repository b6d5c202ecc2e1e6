"""Remote control of one window: off until allowed, then by anyone who can read the file with its token."""

from __future__ import annotations

import logging
import os
import secrets
from collections import deque
from contextlib import suppress
from pathlib import Path

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.remote import protocol
from tumble.app.remote.commands import ControlledWindow, RemoteCommands
from tumble.app.remote.hub import Hub, Peer
from tumble.app.remote.protocol import Message
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport

log = logging.getLogger(__name__)

CLOSING = 2.0  # [s]
MOST_WAITING = 64  # commands of one program that are not answered yet
QUITTING = 2000  # time after which a program that wants the window closed does not wait for its other commands [ms]


class _Queue:
    """Commands of a program that have not begun. busy: one has, and its answer was not read yet."""

    def __init__(self) -> None:
        self.messages: deque[Message] = deque()
        self.busy = False


class RemoteDesk(QObject):
    """Listens while it is on. said: status messages."""

    said = pyqtSignal(str)
    _heard = pyqtSignal(object, object)
    _read = pyqtSignal(object)  # a peer has read the answer to its command
    _gone = pyqtSignal(object)

    def __init__(self, window: ControlledWindow, session: Session, viewport: Viewport, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = RemoteCommands(window, session, viewport, self)
        self._hub: Hub | None = None
        self._path: Path | None = None
        self._queues: dict[Peer, _Queue] = {}
        self._heard.connect(self._take)
        self._read.connect(self._go_on)
        self._gone.connect(self._forget)

    @property
    def on(self) -> bool:
        """True if programs can connect."""
        return self._hub is not None

    def set_on(self, on: bool, path: Path | None = None) -> None:
        """Accept connections or not; path: of the file with port and token, None: the default place."""
        if on == self.on:
            return
        if not on:
            self._stop()
            self.said.emit("Remote control is off")
            return
        token = secrets.token_hex(32)
        try:
            self._hub = Hub(token, self._heard.emit, self._gone.emit)
            self._path = protocol.write_place(protocol.WindowPlace(self._hub.port, token, os.getpid()), path)
        except (OSError, protocol.PlaceError) as error:
            self._stop()
            log.error("remote control is not possible: %s", error)
            self.said.emit(f"Remote control is not possible: {error}")
            return
        log.info("remote control is on: %s", self._path)
        self.said.emit("Remote control is on: programs of yours can control this window")

    # Programs take turns: one command of each at a time, and its next when it has read the answer. So many pictures for one that
    # reads nothing take little memory, and nobody waits for more than one of them.

    def _take(self, peer: Peer, message: Message) -> None:
        queue, quits = self._queues.setdefault(peer, _Queue()), message.get("do") == "quit"
        if len(queue.messages) + queue.busy >= MOST_WAITING and not quits:
            peer.send(_with_id(message, {"ok": False, "error": f"more than {MOST_WAITING} commands wait for their answers"}))
            return
        queue.messages.append(message)
        if not queue.busy:
            self._begin(peer, queue)
        elif quits:
            QTimer.singleShot(QUITTING, lambda: self._begin_now(peer, message))

    def _go_on(self, peer: Peer) -> None:
        queue = self._queues.get(peer)
        if queue is not None:
            queue.busy = False
            if queue.messages:
                self._begin(peer, queue)

    def _begin(self, peer: Peer, queue: _Queue) -> None:
        queue.busy, message = True, queue.messages.popleft()
        self._commands.obey(message, lambda said: peer.send(_with_id(message, said), lambda: self._read.emit(peer)))

    def _begin_now(self, peer: Peer, message: Message) -> None:
        """Obey a command before others, if it still waits."""
        queue = self._queues.get(peer)
        if queue is not None and any(message is waiting for waiting in queue.messages):
            queue.messages = deque([message])
            self._begin(peer, queue)

    def _forget(self, peer: Peer) -> None:
        self._queues.pop(peer, None)

    def _stop(self) -> bool:
        hub, self._hub = self._hub, None
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._path = None
        return hub is None or hub.close()

    def close(self) -> bool:
        """The window closes; returns True if all threads have ended."""
        return all([self._stop(), self._commands.close(CLOSING)])


def _with_id(message: Message, said: Message) -> Message:
    """The answer to a message."""
    return {"id": message.get("id"), **said}
