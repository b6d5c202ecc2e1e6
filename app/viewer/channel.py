"""Messages between a script and its window: Python objects, in either direction, and none waits for the other.

Messages are pickled at once, so that it may be changed afterwards, and written by a thread. Either side ends the conversation
with None, which the other answers with its own; a process that ends, however it does, ends it too.
"""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Protocol

log = logging.getLogger(__name__)

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
