"""Archives unpacked into the user's cache, so that includes, meshes, reloading and messages work as with any file.

Each has a folder named by the digest of its bytes: `files/` with its members, and `archive.json` with its origin.
It appears complete or not at all; an archive that was opened before is available immediately. It is a copy: nothing writes to it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
from pathlib import Path

import msgspec
from msgspec import Struct

from tumble.app.base.files import FileError, reason, write_whole
from tumble.app.library import archive as archives
from tumble.app.library.folders import only_model
from tumble.app.replay.bundle import LoadError
from tumble.physics.base.system import cache_folder

log = logging.getLogger(__name__)

FILES, RECORD = "files", "archive.json"
DIGITS = 32  # of the digest in a folder's name
MOST_KEPT = 8 * 2**30  # of unpacked archives [bytes]; those not opened for longest go first
_UNPACKED = re.compile(rf"([0-9a-f]{{{DIGITS}}})/{FILES}/")


class Unpacked(Struct, frozen=True):
    """The record of an unpacked archive: its path when it was last opened, its files with their sizes, its models."""

    archive: str
    sizes: dict[str, int]
    models: list[str]


def file_of(path: Path) -> Path:
    """The model file that a path names: itself, the only one in a folder, or the one in an archive, unpacked.

    Raises LoadError, also where it is unclear which.
    """
    path = only_model(path) if path.is_dir() else path
    parts = archives.split(path)
    if parts is None:
        return path
    archive, member = parts[0].absolute(), parts[1]
    with archives.opened(archive):  # a file that is no archive is reported before it is read through
        folder = root() / _digest(archive)
    try:
        record = _record(folder)
        if record is None or not _intact(folder, record):
            record = _unpack(archive, member, folder)
        chosen = archives.choose(archive, record.models, member)
        _remember(folder, Unpacked(str(archive), record.sizes, record.models))
        return folder / FILES / chosen
    except (OSError, FileError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise LoadError(f"{archive}: cannot be unpacked into {root()}: {why}") from error


def root() -> Path:
    """The folder of unpacked archives."""
    return cache_folder() / "archives"


def folder_of(path: Path) -> Path | None:
    """The folder that holds all files of the archive which an unpacked file is of; None: it is of none."""
    if not path.is_relative_to(root()):
        return None
    parts = path.relative_to(root()).parts
    return root().joinpath(*parts[:2]) if len(parts) > 2 and parts[1] == FILES else None


def as_named(path: Path) -> Path:
    """A file as the user knows it: one from an archive as archive:member, any other unchanged."""
    folder = folder_of(path)
    record = None if folder is None else _record(folder.parent)
    return path if folder is None or record is None else Path(f"{record.archive}:{path.relative_to(folder).as_posix()}")


def in_words(message: str) -> str:
    """A message about unpacked files, in which they are called archive:member."""

    def name(found: re.Match[str]) -> str:
        record = _record(root() / found[1])
        return found[0] if record is None else f"{record.archive}:"

    where = re.escape(f"{root().as_posix()}/")
    return re.sub(where + _UNPACKED.pattern, name, message)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:DIGITS]
    except OSError as error:
        raise LoadError(f"{path}: cannot be read: {reason(error)}") from error


def _record(folder: Path) -> Unpacked | None:
    try:
        record = msgspec.json.decode((folder / RECORD).read_bytes(), type=Unpacked)
        return record if record.models and set(record.models) <= set(record.sizes) else None
    except (OSError, ValueError, RecursionError, msgspec.DecodeError):
        return None  # never unpacked, or damaged: either way it is unpacked again


def _intact(folder: Path, record: Unpacked) -> bool:
    """True if all files exist, in case the cache was tidied."""
    try:
        return all((folder / FILES / name).stat().st_size == size for name, size in record.sizes.items())
    except OSError:
        return False


def _remember(folder: Path, record: Unpacked) -> None:
    """Store the archive's present path; this also records when it was opened last."""
    write_whole(folder / RECORD, msgspec.json.encode(record))


def _unpack(path: Path, member: str, folder: Path) -> Unpacked:
    """Unpack to a temporary folder, then rename it. Raises LoadError, OSError."""
    with archives.opened(path) as archive:
        models = archives.models(archive)
        archives.choose(path, models, member)  # an archive that cannot be opened is not unpacked either
        record = Unpacked(str(path), {name: archive.size(name) for name in archive.members}, models)
    root().mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = root() / f".{os.urandom(8).hex()}"
    temporary.mkdir(mode=0o700)
    try:
        _write_all(path, temporary / FILES)
        _remember(temporary, record)
        _put_in_place(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)  # gone already if all went well
    _forget_old(folder)
    return record


def _write_all(path: Path, target: Path) -> None:
    with archives.opened(path) as archive:
        for name in archive.members:
            file = target / name
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with file.open("xb") as stream:
                archive.copy(name, stream)


def _put_in_place(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        record = _record(folder)  # another process was faster, or the existing copy is damaged
        if record is not None and _intact(folder, record):
            return
        folder.rename(made.with_name(f"{made.name}.old"))
        made.rename(folder)
        shutil.rmtree(made.with_name(f"{made.name}.old"), ignore_errors=True)


def _forget_old(keep: Path) -> None:
    """Delete the unpacked archives that were not opened for longest, where all together are too large."""
    records = []
    for folder in root().iterdir():
        record = _record(folder)
        if record is not None and folder != keep:
            records.append(((folder / RECORD).stat().st_mtime, sum(record.sizes.values()), folder))
    total = 0
    for _, size, folder in sorted(records, reverse=True):
        total += size
        if total > MOST_KEPT:
            log.info("forgetting the unpacked archive in %s", folder)
            shutil.rmtree(folder, ignore_errors=True)
