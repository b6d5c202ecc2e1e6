"""Connections between processes of one user: a thread that reads and writes all of them, so that nobody else ever waits.

Only this computer can connect, by its loopback interface, and only who knows the token: the first message of whoever connects
is {"token": "..."}, and nothing else of his is read before. A peer that sends no token in time, too much before it, a message
that is too long, or that does not read what it is sent is dropped.
"""

from __future__ import annotations

import hmac
import logging
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

from tumble import __version__
from tumble.app.remote.lines import MOST_GREETING, MOST_LINE, LineCutter, LineError, Message, decoded, encoded

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
PROTOCOL = 1
PATIENCE = 5.0  # time in which a stranger has to send the token [s]
MOST_PEERS = 16
MOST_UNREAD = 64 * 2**20  # bytes that wait for a peer to read them
CHUNK = 1 << 16
FAREWELL = 1.0  # time in which the last messages leave when the hub closes [s]


class Peer:
    """One connection. known: whether it has shown the token; ask for `send` in any thread."""

    def __init__(self, hub: Hub, sock: socket.socket, *, known: bool) -> None:
        self.sock, self.known = sock, known
        self.lines = LineCutter(MOST_LINE if known else MOST_GREETING)
        self.waiting: deque[bytes] = deque()
        self.unread = 0
        self.since = monotonic()
        self.ending = False  # nothing of it is read any more, and once all is sent it is closed
        self._hub = hub

    def send(self, message: Message) -> None:
        """Send a message, in any thread, without waiting; what is sent to a peer that is gone is lost."""
        self._hub.queue(self, encoded(message))


class Hub:
    """hear: told each message, in the hub's thread; come, gone: of peers that are known.

    token: what a peer that connects must know. Numbers of peers, their first message and their patience are limited.
    """

    def __init__(
        self,
        token: str,
        hear: Callable[[Peer, Message], None],
        gone: Callable[[Peer], None] = lambda peer: None,
        come: Callable[[Peer], None] = lambda peer: None,
        name: str = "remote",
    ) -> None:
        self._token, self._hear, self._gone, self._come = token, hear, gone, come
        self._selector = selectors.DefaultSelector()
        self._wake, waker = socket.socketpair()
        self._waker = waker
        self._peers: dict[socket.socket, Peer] = {}
        self._queued: deque[tuple[Peer, bytes]] = deque()
        self._adopted: deque[Peer] = deque()
        self._listener: socket.socket | None = None
        self._closing = threading.Event()
        self._started = False
        for end in (self._wake, self._waker):
            end.setblocking(False)
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    # ---- from any thread

    def listen(self) -> int:
        """Accept connections from now on; the port. To be called once, before `start`. Raises OSError."""
        self._listener = socket.create_server((HOST, 0), backlog=MOST_PEERS)
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        return int(self._listener.getsockname()[1])

    def dial(self, port: int) -> Peer:
        """Connect to who listens there, and show the token. Raises OSError."""
        sock = socket.create_connection((HOST, port), timeout=PATIENCE)
        peer = Peer(self, sock, known=True)
        self._adopted.append(peer)
        peer.send({"token": self._token})
        return peer

    def start(self) -> None:
        """Begin to read and write."""
        self._started = True
        self._thread.start()

    def queue(self, peer: Peer, data: bytes) -> None:
        """Have bytes sent."""
        self._queued.append((peer, data))
        self._rouse()

    def close(self, timeout: float = 2.0) -> bool:
        """Send what waits, as far as it is read, and end all connections; whether the thread has ended in time [s]."""
        self._closing.set()
        self._rouse()
        if not self._started:
            self._started = True
            self._end()
        elif self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _rouse(self) -> None:
        try:
            self._waker.send(b"!")
        except (BlockingIOError, OSError):
            return  # it is awake, or has ended

    # ---- in the hub's thread

    def _run(self) -> None:
        until: float | None = None
        while True:
            self._take_queued()
            if self._closing.is_set():
                until = until or monotonic() + FAREWELL
                if monotonic() > until or not any(peer.waiting for peer in self._peers.values()):
                    break
            strangers = any(not peer.known for peer in self._peers.values())
            for key, mask in self._selector.select(0.1 if until else PATIENCE / 5 if strangers else None):
                self._serve(key.fileobj, mask)
            self._drop_silent()
        self._end()

    def _serve(self, source: object, mask: int) -> None:
        if source is self._wake:
            self._empty_wake()
        elif source is self._listener:
            self._accept()
        elif isinstance(source, socket.socket) and (peer := self._peers.get(source)) is not None:
            if mask & selectors.EVENT_READ:
                self._read(peer)
            if mask & selectors.EVENT_WRITE and source in self._peers:
                self._write(peer)

    def _empty_wake(self) -> None:
        try:
            while self._wake.recv(CHUNK):
                pass
        except BlockingIOError:
            return

    def _take_queued(self) -> None:
        while self._adopted:
            peer = self._adopted.popleft()
            peer.sock.setblocking(False)
            self._peers[peer.sock] = peer
            self._selector.register(peer.sock, selectors.EVENT_READ)
        while self._queued:
            peer, data = self._queued.popleft()
            if peer.sock not in self._peers:
                continue
            peer.waiting.append(data)
            peer.unread += len(data)
            if peer.unread > MOST_UNREAD:
                log.warning("a remote program does not read what it is sent, and is disconnected")
                self._drop(peer)
            else:
                self._attend(peer)

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            sock, _ = self._listener.accept()
        except OSError:  # it has gone again
            return
        if len(self._peers) >= MOST_PEERS:
            sock.close()
            return
        sock.setblocking(False)
        self._peers[sock] = Peer(self, sock, known=False)
        self._selector.register(sock, selectors.EVENT_READ)

    def _read(self, peer: Peer) -> None:
        try:
            data = peer.sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(peer)
            return
        if peer.ending:
            return
        try:
            for line in peer.lines.feed(data):
                if line.strip():
                    self._take(peer, decoded(line))
                if peer.ending or peer.sock not in self._peers:
                    return
        except LineError as error:
            self._refuse(peer, str(error))

    def _take(self, peer: Peer, message: Message) -> None:
        if peer.known:
            try:
                self._hear(peer, message)
            except Exception as error:  # a fault of ours; the other connections must live on
                log.exception("a remote message failed")
                self._refuse(peer, f"internal error: {type(error).__name__}")
            return
        given = message.get("token")
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), self._token.encode()):
            log.warning("a program without the right token tried to connect to this window")
            self._refuse(peer, 'wrong token: the first message is {"token": "..."}, with the token of the file of this window')
            return
        peer.known = True
        peer.lines.most = MOST_LINE
        self._post(peer, {"ok": True, "program": "Tumble", "version": __version__, "protocol": PROTOCOL})
        self._come(peer)

    def _post(self, peer: Peer, message: Message) -> None:
        peer.waiting.append(encoded(message))
        self._attend(peer)

    def _refuse(self, peer: Peer, why: str) -> None:
        """Say why, and end the connection."""
        peer.ending = True
        self._post(peer, {"ok": False, "error": why})

    def _attend(self, peer: Peer) -> None:
        mask = selectors.EVENT_READ | (selectors.EVENT_WRITE if peer.waiting else 0)
        self._selector.modify(peer.sock, mask)

    def _write(self, peer: Peer) -> None:
        try:
            while peer.waiting:
                sent = peer.sock.send(peer.waiting[0])
                peer.unread = max(0, peer.unread - sent)
                if sent < len(peer.waiting[0]):
                    peer.waiting[0] = peer.waiting[0][sent:]
                    break
                peer.waiting.popleft()
        except BlockingIOError:
            return
        except OSError:
            self._drop(peer)
            return
        if peer.ending and not peer.waiting:
            self._drop(peer)
        else:
            self._attend(peer)

    def _drop_silent(self) -> None:
        now = monotonic()
        for peer in [*self._peers.values()]:
            if (not peer.known or peer.ending) and now - peer.since > PATIENCE:
                self._drop(peer)

    def _drop(self, peer: Peer) -> None:
        if self._peers.pop(peer.sock, None) is None:
            return
        self._selector.unregister(peer.sock)
        peer.sock.close()
        peer.waiting.clear()
        if peer.known:
            self._gone(peer)

    def _end(self) -> None:
        for peer in [*self._peers.values()]:
            self._drop(peer)
        if self._listener is not None:
            self._selector.unregister(self._listener)
            self._listener.close()
        self._selector.close()
        self._wake.close()
        self._waker.close()
