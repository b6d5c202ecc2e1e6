"""Connections of other programs: one thread reads and writes all of them, so that no other thread waits.

Only this computer can connect, by its loopback interface, and only with the token: the first message of a connection
is {"token": "..."}, and nothing else of his is read before. A peer that sends no token in time, too much before it, a message
that is too long, or that does not read its messages is dropped.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
import threading
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress

from tumble import __version__
from tumble.app.remote.protocol import LineError, Message, decoded, encoded

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
PROTOCOL = 1
PATIENCE = 5.0  # time in which a stranger has to send the token [s]
MOST_PEERS = 16
MOST_LINE = 16 * 2**20  # bytes of a message: the state of a model of 600,000 numbers
MOST_GREETING = 4096  # most bytes of the first message, sent before authentication
SOME_UNREAD = 2**20  # bytes that may wait for a peer while its next command begins
MOST_UNREAD = 64 * 2**20  # bytes that wait for a peer to read them
FAREWELL = 1.0  # time in which the last messages leave when the hub closes [s]


class Peer:
    """One connection. Its methods may be called in any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, writer: StreamWriter) -> None:
        self._loop, self.writer = loop, writer
        self._waiting: set[asyncio.Task[None]] = set()
        writer.transport.set_write_buffer_limits(high=SOME_UNREAD)

    def send(self, message: Message, then: Callable[[], None] | None = None) -> None:
        """Send a message, without waiting; messages to a closed connection are lost.

        then: called in the hub's thread once the peer has read it but for SOME_UNREAD bytes; never if the connection ends first.
        """
        with suppress(RuntimeError):  # the hub has closed
            self._loop.call_soon_threadsafe(self.write, message, then)

    def write(self, message: Message, then: Callable[[], None] | None = None) -> None:
        """Send a message; in the hub's thread."""
        transport = self.writer.transport
        if transport.is_closing():
            return
        self.writer.write(encoded(message))
        if transport.get_write_buffer_size() > MOST_UNREAD:
            log.warning("a remote program does not read its messages, and is disconnected")
            transport.abort()
        elif then is not None:
            task = self._loop.create_task(self._when_read(then))
            self._waiting.add(task)  # which the loop does not keep
            task.add_done_callback(self._waiting.discard)

    async def _when_read(self, then: Callable[[], None]) -> None:
        with suppress(OSError):  # it is gone
            await self.writer.drain()
            then()


class Hub:
    """hear: called with each message, in the hub's thread; gone: of peers that knew the token. The number of peers is limited."""

    def __init__(
        self, token: str, hear: Callable[[Peer, Message], None], gone: Callable[[Peer], None] = lambda peer: None
    ) -> None:
        """Accept connections from now on, at `port`. Raises OSError."""
        self._token, self._hear, self._gone = token, hear, gone
        self._peers: set[Peer] = set()
        self._socket = socket.create_server((HOST, 0), backlog=MOST_PEERS)
        self.port = int(self._socket.getsockname()[1])
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="remote", daemon=True)
        self._thread.start()

    def close(self, timeout: float = 2.0) -> bool:
        """Send what waits, as far as it is read, and end all connections; returns True if the thread has ended in time [s]."""
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # ---- in the hub's thread

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._attend, sock=self._socket, limit=MOST_GREETING)
        await self._closing.wait()
        server.close()
        for peer in self._peers:
            peer.writer.close()  # once all is sent
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self._peers:
                    await asyncio.sleep(0.01)
        for peer in self._peers:
            peer.writer.transport.abort()

    async def _attend(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve a connection, from its beginning to its end."""
        peer = Peer(self._loop, writer)
        if len(self._peers) >= MOST_PEERS or self._closing.is_set():
            writer.transport.abort()
            return
        self._peers.add(peer)
        try:
            await self._converse(peer, reader)
        except LineError as error:
            await _refuse(peer, reader, str(error))
        except (OSError, IncompleteReadError, TimeoutError):
            log.debug("a remote program has ended, or does not respond")
        except Exception as error:  # a bug of the program; the other connections must live on
            log.exception("a remote message failed")
            await _refuse(peer, reader, f"internal error: {type(error).__name__}")
        finally:
            await _end(writer)
            self._peers.discard(peer)

    async def _converse(self, peer: Peer, reader: StreamReader) -> None:
        async with asyncio.timeout(PATIENCE):
            token = decoded(await _line(reader, MOST_GREETING)).get("token")
        if not isinstance(token, str) or not hmac.compare_digest(token.encode(), self._token.encode()):
            log.warning("a program without the right token tried to connect to this window")
            raise LineError('wrong token: the first message is {"token": "..."}, with the token of the file of this window')
        peer.write({"ok": True, "program": "Tumble", "version": __version__, "protocol": PROTOCOL})
        try:
            while True:
                line = await _line(reader, MOST_LINE)
                if line.strip():
                    self._hear(peer, decoded(line))
        finally:
            self._gone(peer)


async def _end(writer: StreamWriter) -> None:
    """Close a connection, once what waits is sent, if that is soon."""
    writer.close()
    try:
        async with asyncio.timeout(PATIENCE):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()
    except OSError:
        log.debug("a remote program has ended")


async def _line(reader: StreamReader, most: int) -> bytes:
    """The next line. Raises LineError for one that is longer than `most` bytes, IncompleteReadError at the end."""
    line = bytearray()
    while not line.endswith(b"\n"):
        try:
            line += await reader.readuntil(b"\n")
        except LimitOverrunError as rest:
            line += await reader.readexactly(rest.consumed)
        if len(line) > most:
            raise LineError(f"a message has {most} bytes at most")
    return bytes(line)


async def _refuse(peer: Peer, reader: StreamReader, why: str) -> None:
    """Say why the connection ends, and let the peer read that before it does."""
    peer.write({"ok": False, "error": why})
    with suppress(OSError, TimeoutError):
        peer.writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            while await reader.read(MOST_GREETING):  # unread input would discard the answer
                pass
