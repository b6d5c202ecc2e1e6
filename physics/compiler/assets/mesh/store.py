"""Meshes that were made before on this computer: each in a file named by the digest of all that it is made from.

A file holds a line with the digest of what follows, and the mesh in msgpack. Whatever is wrong with one, it counts as missing and
is made again. Files are written in the background, each whole or not at all; a program that ends waits
for them. Failures to write are logged once. The least recently used files are deleted when there are too many.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tumble.physics.base.files import write_whole
from tumble.physics.compiler.assets.mesh.process import MeshShape, Recipe
from tumble.physics.compiler.assets.mesh.solid import CONVEX
from tumble.physics.kernel import cache
from tumble.physics.state.arguments import checked

log = logging.getLogger(__name__)

VERSION = 4  # of the processing: increase it whenever the same file would give another result
MOST_BYTES = 512 * 2**20  # of all files together, unless the process has set another capacity
SUFFIX = ".mesh"
_MAGIC = b"tumble mesh 3 "
_WORTH = 20_000  # bytes of a mesh's source below which it is made faster than it is found, unless it needs a hull

_said: set[str] = set()
_capacity = MOST_BYTES
_writers: list[threading.Thread] = []
_postponed: ContextVar[list[tuple[str, MeshShape]] | None] = ContextVar("meshes to keep", default=None)


def directory() -> Path:
    """The folder of cached meshes."""
    return cache.directory().parent / "meshes" if "TUMBLE_CACHE" not in os.environ else cache.directory() / "meshes"


def key(data: bytes, kind: str, recipe: Recipe, more: str) -> str:
    """The key of a mesh: a digest of its file's bytes and all processing parameters; "" for one not worth caching.

    kind: how the bytes are read; more: numbers that the element adds to those of its file.
    """
    needs_hull = recipe.hull or recipe.inertia == CONVEX
    if (len(data) < _WORTH and not needs_hull) or not _capacity:
        return ""
    told = f"{VERSION} {kind} {recipe!r} {more}"
    return hashlib.sha256(told.encode() + b"\0" + data).hexdigest()


def read(name: str) -> MeshShape | None:
    """The mesh of a key, if there is one that is whole."""
    if not name:
        return None
    path = _path(name)
    try:
        head, _, content = path.read_bytes().partition(b"\n")
        if head != _MAGIC + hashlib.sha256(content).hexdigest().encode():
            return None
        shape = msgspec.msgpack.decode(content, type=MeshShape, dec_hook=_array)
        os.utime(path)
    except (OSError, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return shape


def write(shapes: Iterable[tuple[str, MeshShape]]) -> None:
    """Keep meshes by their keys for later processes, and let the least recently used ones go if there are too many."""
    try:
        directory().mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, shape in shapes:
            content = msgspec.msgpack.encode(shape, enc_hook=_plain)
            write_whole(_path(name), _MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content, synced=False)
        _forget(_capacity)
    except OSError as error:
        _say(f"meshes cannot be kept in {directory()} ({error.strerror or error}); every start will make them")


@contextmanager
def postponed() -> Iterator[None]:
    """Begin what `write_later` is given only when this ends: it would take turns with what makes the model."""
    made: list[tuple[str, MeshShape]] = []
    token = _postponed.set(made)
    try:
        yield
    finally:
        _postponed.reset(token)
        write_later(made)


def write_later(shapes: list[tuple[str, MeshShape]]) -> None:
    """As `write`, in the background, in a thread that Python waits for before the process ends."""
    global _writers
    if (made := _postponed.get()) is not None:
        made += shapes
        return
    _writers = [writer for writer in _writers if writer.is_alive()]
    if shapes:
        _writers.append(threading.Thread(target=write, args=(shapes,), name="meshes to keep"))
        _writers[-1].start()


def settle() -> None:
    """Wait for what is written in the background."""
    for writer in list(_writers):
        writer.join()


class AssetCache:
    """The meshes that this computer's processes share: one folder, whose capacity holds for this process."""


_CACHE = AssetCache()


def mj_getCache() -> AssetCache:
    """The cache of assets: meshes that were made before, in a folder of this user's."""
    return _CACHE


def mj_getCacheCapacity(cache: AssetCache) -> int:
    """Capacity of the cache in this process [bytes]."""
    return _capacity


def mj_getCacheSize(cache: AssetCache) -> int:
    """Current size of the cache [bytes]."""
    settle()
    return sum(status.st_size for status, _ in _known())


@checked
def mj_setCacheCapacity(cache: AssetCache, size: int) -> int:
    """Let the cache have at most `size` bytes, 0: use none; returns that. What is beyond it is deleted, the least used first."""
    global _capacity
    settle()
    _capacity = max(0, int(size))
    _forget(_capacity)
    return _capacity


def mj_clearCache(cache: AssetCache) -> None:
    """Delete all that the cache has, for other processes too: what they need is made again."""
    settle()
    _forget(0)


def _path(name: str) -> Path:
    return directory() / f"{name}{SUFFIX}"


def _known() -> list[tuple[os.stat_result, str]]:
    """The files of the cache."""
    try:
        with os.scandir(directory()) as entries:
            return [(entry.stat(), entry.path) for entry in entries if entry.name.endswith(SUFFIX)]
    except FileNotFoundError:
        return []


def _forget(most: int) -> None:
    """Delete the least recently used files until the rest fits into a number of bytes."""
    known = _known()
    total = sum(status.st_size for status, _ in known)
    for status, path in sorted(known, key=lambda one: one[0].st_mtime):
        if total <= most:
            return
        with suppress(OSError):  # another process may be deleting it too
            os.unlink(path)
        total -= status.st_size


def _plain(value: Any) -> Any:
    """An array, or a number of numpy's, as msgpack has it."""
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value.item()


def _array(_: type, held: tuple[str, tuple[int, ...], bytes]) -> np.ndarray:
    kind, shape, data = held
    return np.frombuffer(data, kind).reshape(shape)


def _say(text: str) -> None:
    """Say it, once in a process."""
    if text not in _said:
        _said.add(text)
        log.warning("%s", text)
