"""Where a window says how it can be controlled: a file with its port and token that only its user can read."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tumble.app.base import plain_json

PREFIX, SUFFIX = "remote-", ".json"


class PlaceError(Exception):
    """No window can be found, or its file cannot be read or written; the message says why."""


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """How to reach a window."""

    port: int
    token: str
    pid: int


def folder() -> Path:
    """The folder of these files, the same for all programs of a user."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "Tumble" / "remote"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tumble" / "remote"
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and os.path.isdir(runtime):
        return Path(runtime) / "tumble"
    return Path(tempfile.gettempdir()) / f"tumble-{os.getuid()}"


def write(place: WindowPlace, path: Path | None = None) -> Path:
    """Write the file of this process's window; path: where, None: in `folder`. Raises PlaceError."""
    own = path is None
    path = path or folder() / f"{PREFIX}{place.pid}{SUFFIX}"
    try:
        if own:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _require_private(path.parent)
        if path.exists():
            read(path)  # nothing else is replaced
        text = json.dumps({"port": place.port, "token": place.token, "pid": place.pid})
        with suppress(FileNotFoundError):
            path.unlink()  # a new file has our mode: of one that is there others may have the descriptor
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise PlaceError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def _require_private(path: Path) -> None:
    """Raise PlaceError for a folder that is another user's, or that others may write to."""
    if sys.platform == "win32":
        return
    found = path.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PlaceError(f"{path}: belongs to another user, or others may write to it")


def read(path: Path) -> WindowPlace:
    """What a file says. Raises PlaceError."""
    try:
        said = plain_json.read(path.read_text(encoding="utf-8"))
        return WindowPlace(int(said["port"]), str(said["token"]), int(said["pid"]))
    except OSError as error:
        raise PlaceError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise PlaceError(f"{path}: is not a file of a window: {type(error).__name__}") from error


def windows() -> list[Path]:
    """The files of all windows that can be controlled, the one opened last first."""
    with suppress(OSError):
        return sorted(folder().glob(f"{PREFIX}*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return []
