"""The cache of code compiled on this computer, in files that are checked before their code is run.

A file holds the object code of one function under its digest, after a line with the digest of the code itself. Whatever
is wrong with one (empty, cut off, altered, a folder, unreadable), it counts as missing: it is moved aside, and what takes
its place is compiled again. If the cache cannot be written, code is kept in memory, with one message.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tumble.physics.base.files import write_whole
from tumble.physics.base.system import cache_folder
from tumble.physics.kernel.target import Target, target, variant

log = logging.getLogger(__name__)

VERSIONS = 6  # of each function that are kept besides the newest: of other branches, or before an edit
SUFFIX = ".kernel"
ASIDE = ".damaged"
_MAGIC = b"tumble kernel 1 "
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH

_memory: dict[Path, bytes] = {}
_said: set[str] = set()


def directory() -> Path:
    """The folder of compiled kernels: $TUMBLE_CACHE, else the user's cache folder."""
    named = os.environ.get("TUMBLE_CACHE")
    if named:
        return Path(named)
    return cache_folder() / "compiled"


def read(key: str, digest: str, wanted: Target | None = None) -> bytes | None:
    """The object code of a function, if there is one that is whole; key: its module:name; wanted: None is this computer."""
    path = _path(key, digest, wanted)
    known = _memory.get(path)
    if known is not None:
        return known
    if not digest or not _is_trusted(directory()) or not _is_trusted(path.parent):
        return None
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a folder, or something stranger still
            _set_aside(path, "not a file")
            return None
        code = _checked(path.read_bytes())
    except FileNotFoundError:
        return None  # not kept yet, or another process has just deleted an old version
    except OSError as error:
        _say(f"the kernel cache cannot be read ({error}); kernels are compiled again")
        return None
    if code is None:
        _set_aside(path, "damaged")
        return None
    _memory[path] = code
    return code


def write(key: str, digest: str, code: bytes, wanted: Target | None = None) -> None:
    """Keep the object code of a function, here and, where that can be, for later processes."""
    path = _path(key, digest, wanted)
    _memory[path] = code
    if not digest or not all(map(_make_trusted, (directory(), path.parent.parent, path.parent))):
        return
    try:
        write_whole(path, _MAGIC + hashlib.sha256(code).hexdigest().encode() + b"\n" + code, synced=False)
        _forget_old(path)
    except OSError as error:
        _say(f"compiled kernels cannot be kept in {directory()} ({error.strerror or error}); every start will compile them")


def keep_file(name: str, digest: str, make: Callable[[], bytes]) -> Path | None:
    """A file of the cache, written if it is not there with the contents of this SHA-256; None if that cannot be."""
    path = directory() / name
    if not _make_trusted(directory()):
        return None
    try:
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            return path
        if path.exists():
            _set_aside(path, "damaged")
        write_whole(path, make(), synced=False)
    except OSError as error:
        _say(f"{path} cannot be kept ({error.strerror or error})")
        return None
    return path


def _path(key: str, digest: str, wanted: Target | None) -> Path:
    module, _, name = key.partition(":")
    return directory() / variant(wanted or target()) / module / f"{name}-{digest}{SUFFIX}"


def _checked(content: bytes) -> bytes | None:
    """The code of a file's content; None if it is not what was written."""
    head, _, code = content.partition(b"\n")
    return code if head == _MAGIC + hashlib.sha256(code).hexdigest().encode() else None


def _set_aside(path: Path, why: str) -> None:
    """Put what is no kernel out of the way; what cannot be moved stays, and is found wrong again."""
    aside = path.with_name(path.name + ASIDE)
    try:
        if aside.is_dir() and not aside.is_symlink():
            shutil.rmtree(aside)
        os.replace(path, aside)
    except OSError as error:
        _say(f"{path} is {why} and cannot be put aside ({error.strerror or error})")
    else:
        _say(f"a file of the kernel cache was {why}: it is now {aside}, and its kernel is compiled again")


def _forget_old(path: Path) -> None:
    """Delete the oldest of the versions of a function, where there are many."""
    name = path.name.rpartition("-")[0]
    others = [p for p in path.parent.glob(f"{name}-*") if p != path]
    others.sort(key=_age)
    for old in others[:-VERSIONS]:
        with suppress(OSError):  # another process may be deleting it too
            shutil.rmtree(old) if old.is_dir() else old.unlink()


def _age(path: Path) -> float:
    """Time of the last write [s since the epoch]; 0 if another process has deleted it meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _make_trusted(folder: Path) -> bool:
    """Have a folder of the cache, open to its owner only; whether it is one that may be used."""
    try:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        _say(f"compiled kernels cannot be kept in {folder} ({error.strerror or error}); every start will compile them")
        return False
    return _is_trusted(folder)


def _is_trusted(folder: Path) -> bool:
    """True if it is a folder where only this user (or root) can have put files; systems without owners are trusted."""
    try:
        status = folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if hasattr(os, "getuid") and (status.st_uid not in (os.getuid(), 0) or status.st_mode & _WRITABLE):
        _say(f"others may write to {folder}: what is kept there is not used, and kernels are compiled in memory")
        return False
    return True


def _say(text: str) -> None:
    """Say it, once in a process."""
    if text.partition("(")[0] not in _said:
        _said.add(text.partition("(")[0])
        log.warning("%s", text)
