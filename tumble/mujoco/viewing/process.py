"""The window of a script, in a process of its own: started with this interpreter, and connected to this process alone."""

from __future__ import annotations

import logging
import os
import secrets
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from tumble import ROOT
from tumble.app.base.program import command
from tumble.app.remote.hub import Hub, Peer
from tumble.app.remote.lines import Message
from tumble.app.remote.memory import forget, left_in_file
from tumble.physics.base.system import own_group

log = logging.getLogger(__name__)

PATIENCE = 120.0  # for a window to open [s]
MOST_LEFT = 1000  # files that a window has not taken: one that does not look for so long is not waited for
TOKEN = "TUMBLE_SCRIPT_TOKEN"
_NO_SCREEN = 3  # the exit code of a program that cannot show a window


class WindowError(RuntimeError):
    """The window cannot be opened; the message says why."""


class WindowProcess:
    """hear: told each message of the window, in the thread that reads them."""

    def __init__(self, hear: Callable[[Message], None]) -> None:
        """Open the window; returns when it is connected, or raises WindowError."""
        token = secrets.token_hex(32)
        self._hear = hear
        self._peer: Peer | None = None
        self._left: deque[Path] = deque()
        self._connected, self._over = threading.Event(), threading.Event()
        self._hub = Hub(token, lambda peer, message: self._take(message), self._on_gone, self._on_come, name="viewer")
        port = self._hub.listen()
        self._hub.start()
        # Its own group: Ctrl+C in a terminal is meant for the script, which closes its window.
        self._process = subprocess.Popen(
            command("--script", str(port)),
            cwd=ROOT,
            env={**os.environ, TOKEN: token},
            stdin=subprocess.DEVNULL,
            **own_group(),
        )
        threading.Thread(target=self._reap, name="viewer process", daemon=True).start()
        until = monotonic() + PATIENCE
        while not self._connected.wait(0.05):
            if self._over.is_set():
                self._hub.close()
                raise WindowError(self._reason())
            if monotonic() > until:
                self._process.kill()
                self._hub.close()
                raise WindowError(f"the window did not open within {PATIENCE:g} s")

    def _reason(self) -> str:
        code = self._process.returncode
        if code == _NO_SCREEN:
            return "the window cannot be opened: there is no screen, or no OpenGL 3.3 (see the message above)"
        return f"the window did not open: its process ended with code {code}"

    def _reap(self) -> None:
        self._process.wait()
        self._over.set()
        while self._left:  # what it has not taken
            forget(self._left.popleft())

    def leave(self, data: bytes | memoryview) -> str:
        """Leave bytes in a file, for the window to take; its path. Those that it does not take are deleted with its end."""
        path = left_in_file(data)
        self._left.append(path)
        if len(self._left) > MOST_LEFT:
            forget(self._left.popleft())
        return str(path)

    def _take(self, message: Message) -> None:
        if message.get("say") == "closed":
            self._over.set()
        self._hear(message)

    def _on_come(self, peer: Peer) -> None:
        self._peer = peer
        self._connected.set()

    def _on_gone(self, peer: Peer) -> None:
        if peer is self._peer:
            self._over.set()

    @property
    def is_open(self) -> bool:
        """True if the window is there."""
        return not self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the window is closed; whether it is."""
        return self._over.wait(seconds)

    def tell(self, message: Message) -> None:
        """Send a message, without waiting; to a window that is closed nothing is sent."""
        if self._peer is not None and self.is_open:
            self._peer.send(message)

    def close(self) -> None:
        """Close the window; what it says until then is still heard."""
        self.tell({"do": "close"})
        if not self._over.wait(3.0):
            log.warning("the window does not close, and its process is ended")
            self._process.kill()  # it may be stopped, and hear nothing else
        self._hub.close()
