"""Files of the user: written whole or not at all, in a home that need not be there."""

from __future__ import annotations

import os
import re
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

_MOST_NAMED = 240  # bytes
_MOST_LETTERS = 50  # of 4 bytes at most
_DEVICES = frozenset(["CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))])


def home() -> Path:
    """The user's folder; where the system knows of none, as for a user that only a container has, that of temporary files."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(tempfile.gettempdir())


def hidden_next_to(target: Path) -> Path:
    """A new name in the folder of a file, made of the file's: hidden, and not longer than the 255 bytes that systems allow."""
    name = target.name.encode("utf-8", "surrogateescape")[:_MOST_NAMED].decode("utf-8", "ignore")
    return target.with_name(f".{name}.{secrets.token_hex(4)}")


def file_stem(text: str) -> str:
    """A text as the beginning of a file's name on any system, where it is not a path, and none of Windows's devices."""
    stem = re.sub(r"[^\w\- ]", "_", text)[:_MOST_LETTERS].strip()
    return f"_{stem}" if stem.upper() in _DEVICES or not stem else stem


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace a file's contents: where that fails, the file before stays. Devices and pipes are written into. Raises OSError."""
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else stat.S_IFREG
        if stat.S_ISREG(mode):
            _replace(target, data, mode)
        else:
            target.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _replace(target: Path, data: bytes, mode: int) -> None:
    made = hidden_next_to(target)
    try:
        with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(data)
        if target.exists():
            os.chmod(made, stat.S_IMODE(mode))
        os.replace(made, target)
    finally:
        with suppress(OSError):  # it has its name by now, or was never made
            made.unlink()
