"""Meshes that were made before on this computer: each in a file named by the digest of all that it is made from.

A file holds a line with the digest of what follows, the lengths of its arrays, and the arrays. Whatever is wrong with one, it
counts as missing and is made again. Files are written in the background, each whole or not at all; a program that ends waits
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

import numpy as np

from tumble.physics.base.files import write_whole
from tumble.physics.compiler.assets.mesh.polygons import Polygons
from tumble.physics.compiler.assets.mesh.process import MeshShape, Recipe
from tumble.physics.compiler.assets.mesh.solid import CONVEX
from tumble.physics.compiler.assets.sdf.octree import Octree
from tumble.physics.compiler.bvh import Tree
from tumble.physics.compiler.pose import Quat, vec3
from tumble.physics.kernel import cache
from tumble.physics.state.arguments import checked

log = logging.getLogger(__name__)

VERSION = 4  # of the processing: increase it whenever the same file would give another result
MOST_BYTES = 512 * 2**20  # of all files together, unless the process has set another capacity
SUFFIX = ".mesh"
_MAGIC = b"tumble mesh 2 "
_WORTH = 20_000  # bytes of a mesh's source below which it is made faster than it is found, unless it needs a hull
# Type, how many rows, numbers in each: arrays with the same word have as many rows; 0: numbers without rows.
_ARRAYS = {
    "vertices": ("f4", "vertex", 3), "faces": ("i4", "face", 3), "normals": ("f4", "normal", 3),
    "face_normals": ("i4", "face", 3), "texcoords": ("f4", "texcoord", 2),
    "face_texcoords": ("i4", "face", 3), "graph": ("i4", "graph", 0),
}  # fmt: skip
_POLYGONS = {
    "normal": ("f8", "polygon", 3), "vertadr": ("i4", "polygon", 0), "vertnum": ("i4", "polygon", 0), "vert": ("i4", "corner", 0),
    "mapadr": ("i4", "hull vertex", 0), "mapnum": ("i4", "hull vertex", 0), "map": ("i4", "map", 0),
}  # fmt: skip
_TREE = {"depth": ("i4", "node", 0), "child": ("i4", "node", 2), "nodeid": ("i4", "node", 0), "aabb": ("f8", "node", 6)}
_OCTREE = {"depth": ("i4", "cell", 0), "child": ("i4", "cell", 8), "aabb": ("f8", "cell", 6), "coeff": ("f8", "cell", 8)}
_NUMBERS = 24  # besides the arrays: frame, amount, inertia, box, axes of the mass
_PARTS = {"": _ARRAYS, "polygons.": _POLYGONS, "tree.": _TREE, "octree.": _OCTREE}
# In the order in which they follow each other: numbers of 8 bytes first, so that all of them are aligned.
_FORMS = {
    part + name: (np.dtype(kind), word, width)
    for size in ("8", "4") for part, forms in _PARTS.items() for name, (kind, word, width) in forms.items() if kind[1] == size
}  # fmt: skip
_WORDS = tuple(dict.fromkeys(word for _, word, _ in _FORMS.values()))

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
        shape = _unpack(content)
        os.utime(path)
    except (OSError, ValueError):
        return None
    return shape


def write(shapes: Iterable[tuple[str, MeshShape]]) -> None:
    """Keep meshes by their keys for later processes, and let the least recently used ones go if there are too many."""
    try:
        directory().mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, shape in shapes:
            content = _pack(shape)
            write_whole(_path(name), _MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
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


def _pack(shape: MeshShape) -> bytes:
    """The content of a mesh's file: how many rows each word has, the numbers besides the arrays, the arrays."""
    holders = {"": shape, "polygons": shape.polygons, "tree": shape.tree, "octree": shape.octree}
    rows, arrays = dict.fromkeys(_WORDS, 0), []
    for name, (kind, word, _) in _FORMS.items():
        part, _, field = name.rpartition(".")
        array = np.ascontiguousarray(getattr(holders[part], field), kind)
        rows[word] = len(array)
        arrays.append(array.tobytes())
    numbers = np.array([*shape.pos, *shape.quat, shape.amount, *shape.inertia, *shape.low, *shape.high,
                        *shape.mass_pos, *shape.mass_quat])  # fmt: skip
    return b"".join([np.array([rows[word] for word in _WORDS], np.int64).tobytes(), numbers.tobytes(), *arrays])


def _unpack(content: bytes) -> MeshShape:
    """The mesh of a file's content. Raises ValueError if it is none."""
    rows = dict(zip(_WORDS, np.frombuffer(content, np.int64, len(_WORDS)).tolist(), strict=True))
    at = 8 * len(_WORDS)
    numbers = np.frombuffer(content, np.float64, _NUMBERS, at)
    at += numbers.nbytes
    sizes = {name: rows[word] * max(width, 1) for name, (_, word, width) in _FORMS.items()}
    if min(rows.values()) < 0 or at + sum(sizes[name] * kind.itemsize for name, (kind, _, _) in _FORMS.items()) != len(content):
        raise ValueError(f"its arrays have other lengths than {rows}")
    parts: dict[str, dict[str, np.ndarray]] = {"": {}, "polygons": {}, "tree": {}, "octree": {}}
    for name, (kind, _, width) in _FORMS.items():
        array = np.frombuffer(content, kind, sizes[name], at)
        at += array.nbytes
        part, _, field = name.rpartition(".")
        parts[part][field] = array.reshape(-1, width) if width else array
    return MeshShape(
        **parts[""],
        pos=vec3(numbers[:3]), quat=_quat(numbers[3:7]), amount=float(numbers[7]),
        inertia=vec3(numbers[8:11]), low=vec3(numbers[11:14]), high=vec3(numbers[14:17]), mass_pos=vec3(numbers[17:20]),
        mass_quat=_quat(numbers[20:24]),
        polygons=Polygons(**parts["polygons"]), tree=Tree(**parts["tree"]), octree=Octree(**parts["octree"]),
    )  # fmt: skip


def _quat(numbers: np.ndarray) -> Quat:
    w, x, y, z = (float(v) for v in numbers)
    return w, x, y, z


def _say(text: str) -> None:
    """Say it, once in a process."""
    if text not in _said:
        _said.add(text)
        log.warning("%s", text)
