"""Files of the user: written whole or not at all, in a home that need not be there."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


def file_stem(text: str) -> str:
    """A text as the beginning of a file's name on any system, where it is not a path, and none of Windows's devices."""
    stem = re.sub(r"[^\w\- ]", "_", text)[:_MOST_LETTERS].strip()
    return f"_{stem}" if stem.upper() in _DEVICES or not stem else stem


def hidden_next_to(target: Path) -> Path:
    """A new empty file in the folder of another, hidden and with a unique name. Raises OSError.

    The name is made of the file's, and not longer than the 255 bytes that systems allow.
    """
    name = target.name.encode("utf-8", "surrogateescape")[:_MOST_NAMED].decode("utf-8", "ignore")
    path = target.with_name(f".{name}.{os.urandom(4).hex()}")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    return path


def put_in_place(path: Path, target: Path, *, synced: bool = True) -> None:
    """Give a file made by `hidden_next_to` its name; one of that name is replaced and keeps its mode. Raises OSError.

    synced: written to the disk first, so that a power cut leaves the one or the other, whole; without, for what is checked when
    it is read, it may leave neither.
    """
    if synced:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    with suppress(FileNotFoundError):  # there is none, or another process has just deleted it
        os.chmod(path, stat.S_IMODE(target.stat().st_mode))
    os.replace(path, target)
    if synced:
        _sync_names(target.parent)


def _sync_names(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can be asked to: Windows cannot, and some file systems refuse."""
    if hasattr(os, "O_DIRECTORY"):
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(number)
            finally:
                os.close(number)


@contextmanager
def replacing(target: Path, *, synced: bool = True) -> Iterator[Path]:
    """A new file, which takes the place of `target` once it is written; synced: as for put_in_place. Raises OSError."""
    path = hidden_next_to(target)
    try:
        yield path
        put_in_place(path, target, synced=synced)
    finally:
        with suppress(OSError):  # it has its name by now
            path.unlink()


def write_whole(path: str | os.PathLike[str], data: bytes, *, synced: bool = True) -> None:
    """Replace a file's contents: where that fails, the file before stays. Devices and pipes are written into. Raises OSError.

    synced: as for put_in_place.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        with replacing(target, synced=synced) as made:
            made.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
