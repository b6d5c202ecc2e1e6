"""The way to a window: a file with its port and token, and messages, one JSON object a line, in UTF-8."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tumble.app.base import plain_json
from tumble.physics.base import system

Message = dict[str, Any]
PREFIX, SUFFIX = "remote-", ".json"


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


class PlaceError(Exception):
    """No window can be found, or its file cannot be read or written; the message gives the reason."""


class WindowPlace(Struct, frozen=True):
    """Address of a window."""

    port: int
    token: str
    pid: int


def write_place(place: WindowPlace, path: Path | None = None) -> Path:
    """Write the file of this process's window; path: where, None: in the runtime folder. Raises PlaceError."""
    own = path is None
    path = path or system.runtime_folder() / f"{PREFIX}{place.pid}{SUFFIX}"
    try:
        if own:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not system.is_private(path.parent):
                raise PlaceError(f"{path.parent}: belongs to another user, or others may write to it")
        if path.exists():
            read_place(path)  # nothing else is replaced
        # A new file has our mode, and appears with its contents: programs may wait for it.
        temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(msgspec.json.encode(place))
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise PlaceError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def read_place(path: Path) -> WindowPlace:
    """Read the address in a file. Raises PlaceError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=WindowPlace)
    except OSError as error:
        raise PlaceError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise PlaceError(f"{path}: is not a file of a window: {type(error).__name__}") from error


def windows() -> list[Path]:
    """The files of all windows that can be controlled, the one opened last first."""
    with suppress(OSError):
        return sorted(system.runtime_folder().glob(f"{PREFIX}*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return []
