"""Messages on a stream of bytes: one JSON object a line, in UTF-8, ended by a newline."""

from __future__ import annotations

import json
from typing import Any

from tumble.app.base import plain_json

Message = dict[str, Any]


class LineError(ValueError):
    """Bytes that are no message; the message gives the reason."""


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
