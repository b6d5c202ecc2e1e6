"""Files that appear complete or not at all: written under another name in the same folder, then renamed."""

from __future__ import annotations

import csv
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any

from tumble.physics.base import files as physics_files
from tumble.physics.base.files import hidden_next_to


class FileError(Exception):
    """A file that cannot be written; the message names it and the reason."""


def reason(error: OSError) -> str:
    """Why the system refused, in a few words."""
    return error.strerror or str(error)


def _is_stream(path: Path) -> bool:
    """True for a device or a pipe: these are written in place, and must never be replaced by a file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """An error of the system as a FileError."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {reason(error)}") from error


def beside(path: Path) -> Path:
    """A new empty file in the folder of `path`, hidden and with a unique name. Raises FileError."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise FileError(f"{target}: cannot be written: this is a folder")
    if _is_stream(target):
        raise FileError(f"{target}: cannot be written: this is a device or a pipe, and only files can be replaced")
    with _reported(target):
        return hidden_next_to(target)


def put_in_place(made: Path, path: Path, *, synced: bool = True) -> None:
    """Rename a file made by `beside` to its final name; an existing file is replaced and keeps its mode. Raises FileError.

    synced: on the disk before, so that a power cut leaves the one or the other.
    """
    target = Path(os.path.realpath(path))
    with _reported(target):
        physics_files.put_in_place(made, target, synced=synced)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file to be written, which takes the place of `path` if all goes well. Raises FileError."""
    temporary = beside(path)
    try:
        with _reported(path):
            yield temporary
        put_in_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """Raise FileError if a file cannot be created: called before long work for its content."""
    if not (_is_stream(path) and os.access(path, os.W_OK)):
        beside(path).unlink(missing_ok=True)


@contextmanager
def _growing(path: Path, mode: str, newline: str | None = None, encoding: str | None = None) -> Iterator[IO[Any]]:
    """A file that takes the place of `path` once all is written; a device is written. Raises FileError."""
    if _is_stream(path):
        with _reported(path), path.open(mode, newline=newline, encoding=encoding) as file:
            yield file
        return
    with replacing(path) as temporary, temporary.open(mode, newline=newline, encoding=encoding) as file:
        yield file


def text_file(path: Path) -> AbstractContextManager[IO[str]]:
    """A text to be written line by line; the file before stays until all is written. Raises FileError."""
    return _growing(path, mode="w", newline="", encoding="utf-8")


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file's contents atomically: a reader sees the old or the new, never a part. Raises FileError."""
    with _growing(path, mode="wb") as file:
        file.write(data)


def write_rows(path: Path, rows: Iterable[Sequence[str]]) -> int:
    """Write a table as CSV, the headings first; how many rows below them. Raises FileError."""
    count = -1
    with text_file(path) as file:
        writer = csv.writer(file)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count
