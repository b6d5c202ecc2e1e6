"""Messages on a stream of bytes: one JSON object a line, in UTF-8, ended by a newline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tumble.app.base import plain_json

Message = dict[str, Any]

MOST_LINE = 16 * 2**20  # bytes of a message: the state of a model of 600,000 numbers
MOST_GREETING = 4096  # bytes of the first message, with which a stranger says who he is


class LineError(ValueError):
    """Bytes that are no message; the message says why."""


def encoded(message: Message) -> bytes:
    """A message as a line. Numbers that are not finite are written as Python does (NaN, Infinity)."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decoded(line: bytes) -> Message:
    """The message in a line. Raises LineError."""
    try:
        message = plain_json.read(line)
    except ValueError as error:
        raise LineError(f"this line is no JSON: {str(error)[:200]}") from None
    if not isinstance(message, dict):
        raise LineError(f"a message is a JSON object, and this is a {type(message).__name__}")
    return message


class LineCutter:
    """Cuts what arrives into lines; `most` bytes without a newline are refused."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that these bytes complete. Raises LineError where one is too long."""
        *complete, rest = data.split(b"\n")
        for end in complete:
            self._take(end)
            line = b"".join(self._parts)
            self._parts, self._size = [], 0
            yield line
        if rest:
            self._take(rest)

    def _take(self, part: bytes) -> None:
        self._parts.append(part)
        self._size += len(part)
        if self._size > self.most:
            raise LineError(f"a message has {self.most} bytes at most")
