"""Remote control of one window: off until allowed, then by anyone who can read the file with its token."""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.remote import protocol
from tumble.app.remote.commands import ControlledWindow, RemoteCommands
from tumble.app.remote.hub import Hub, Peer
from tumble.app.remote.protocol import Message
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport

log = logging.getLogger(__name__)

CLOSING = 5.0  # [s]
MOST_WAITING = 64  # commands of one program that are not answered yet


class RemoteDesk(QObject):
    """Listens while it is on. said: status messages."""

    said = pyqtSignal(str)
    _heard = pyqtSignal(object, object)

    def __init__(self, window: ControlledWindow, session: Session, viewport: Viewport, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = RemoteCommands(window, session, viewport, self)
        self._hub: Hub | None = None
        self._path: Path | None = None
        self._waiting: dict[Peer, int] = {}
        self._heard.connect(self._obey)

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
            self._hub = Hub(token, self._heard.emit, self._forget)
            self._path = protocol.write_place(protocol.WindowPlace(self._hub.port, token, os.getpid()), path)
        except (OSError, protocol.PlaceError) as error:
            self._stop()
            log.error("remote control is not possible: %s", error)
            self.said.emit(f"Remote control is not possible: {error}")
            return
        log.info("remote control is on: %s", self._path)
        self.said.emit("Remote control is on: programs of yours can control this window")

    def _obey(self, peer: Peer, message: Message) -> None:
        number = message.get("id")
        if self._waiting.get(peer, 0) >= MOST_WAITING:
            peer.send({"id": number, "ok": False, "error": f"more than {MOST_WAITING} commands wait for their answers"})
            return
        self._waiting[peer] = self._waiting.get(peer, 0) + 1

        def answer(said: Message) -> None:
            if peer in self._waiting:
                self._waiting[peer] -= 1
            peer.send({"id": number, **said})

        self._commands.obey(message, answer)

    def _forget(self, peer: Peer) -> None:
        self._waiting.pop(peer, None)

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
