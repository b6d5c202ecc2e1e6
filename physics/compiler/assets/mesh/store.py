"""Meshes that were made before on this computer: each in a file named by the digest of all that it is made from.

A file holds arrays, after a line with the digest of its bytes. Whatever is wrong with one, it counts as missing and is
made again. Failures to write are logged once. The least recently used files are deleted when there are too many.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from physics.archive import Archive, ArchiveError, packed_arrays
from physics.compiler.assets.mesh.polygons import Polygons
from physics.compiler.assets.mesh.process import MeshShape, Recipe
from physics.compiler.assets.sdf.octree import Octree
from physics.compiler.bvh import Tree
from physics.compiler.pose import Quat, vec3
from physics.kernel import cache
from physics.state.arguments import checked

log = logging.getLogger(__name__)

VERSION = 2  # of the processing: increase it whenever the same file would give another result
MOST_BYTES = 512 * 2**20  # of all files together, unless the process has set another capacity
SUFFIX = ".mesh"
_MAGIC = b"tumble mesh 1 "
_WORTH = 20_000  # bytes of a mesh's source below which it is made faster than it is found
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
_NUMBERS = 24
_FORMS = _ARRAYS | {
    f"{part}.{name}": form
    for part, forms in (("polygons", _POLYGONS), ("tree", _TREE), ("octree", _OCTREE)) for name, form in forms.items()
}  # fmt: skip

_said: set[str] = set()
_capacity = MOST_BYTES


def directory() -> Path:
    """The folder of cached meshes."""
    return cache.directory().parent / "meshes" if "TUMBLE_CACHE" not in os.environ else cache.directory() / "meshes"


def key(data: bytes, kind: str, recipe: Recipe, more: str) -> str:
    """The key of a mesh: a digest of its file's bytes and all processing parameters; "" for one not worth caching.

    kind: how the bytes are read; more: numbers that the element adds to those of its file.
    """
    if len(data) < _WORTH or not _capacity:
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
    except (OSError, ValueError, LookupError, ArchiveError):
        return None
    return shape


def write(name: str, shape: MeshShape) -> None:
    """Keep a mesh for later processes, and let the least recently used ones go if there are too many."""
    if not name:
        return
    content = _pack(shape)
    try:
        directory().mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=directory(), prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
            os.replace(temporary, _path(name))
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _forget(_capacity)
    except OSError as error:
        _say(f"meshes cannot be kept in {directory()} ({error.strerror or error}); every start will make them")


class AssetCache:
    """The meshes that this computer's processes share: one folder, whose capacity holds for this process."""


_CACHE = AssetCache()


def mj_getCache() -> AssetCache:
    """The cache of assets: meshes that were made before, in a folder of this user's."""
    return _CACHE


def mj_getCacheCapacity(cache: AssetCache) -> int:
    """How many bytes this process lets the cache have."""
    return _capacity


def mj_getCacheSize(cache: AssetCache) -> int:
    """How many bytes the cache has now."""
    return sum(status.st_size for status, _ in _known())


@checked
def mj_setCacheCapacity(cache: AssetCache, size: int) -> int:
    """Let the cache have at most `size` bytes, 0: use none; returns that. What is beyond it is deleted, the least used first."""
    global _capacity
    _capacity = max(0, int(size))
    _forget(_capacity)
    return _capacity


def mj_clearCache(cache: AssetCache) -> None:
    """Delete all that the cache has, for other processes too: what they need is made again."""
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
    arrays = {name: getattr(shape, name) for name in _ARRAYS}
    arrays |= {f"polygons.{name}": getattr(shape.polygons, name) for name in _POLYGONS}
    arrays |= {f"tree.{name}": getattr(shape.tree, name) for name in _TREE}
    arrays |= {f"octree.{name}": getattr(shape.octree, name) for name in _OCTREE}
    arrays["numbers"] = np.array([*shape.pos, *shape.quat, shape.amount, *shape.inertia, *shape.low, *shape.high,
                                   *shape.mass_pos, *shape.mass_quat])  # fmt: skip
    return packed_arrays(arrays)


def _unpack(content: bytes) -> MeshShape:
    """The mesh of a file's content. Raises ArchiveError, ValueError or KeyError if it is none."""
    with Archive(io.BytesIO(content)) as archive:
        arrays = archive.arrays()
        _require_forms(arrays)
        numbers = arrays["numbers"]
        return MeshShape(
            **{name: arrays[name] for name in _ARRAYS},
            pos=vec3(numbers[:3]), quat=_quat(numbers[3:7]), amount=float(numbers[7]),
            inertia=vec3(numbers[8:11]), low=vec3(numbers[11:14]), high=vec3(numbers[14:17]), mass_pos=vec3(numbers[17:20]),
            mass_quat=_quat(numbers[20:24]),
            polygons=Polygons(**{name: arrays[f"polygons.{name}"] for name in _POLYGONS}),
            tree=Tree(**{name: arrays[f"tree.{name}"] for name in _TREE}),
            octree=Octree(**{name: arrays[f"octree.{name}"] for name in _OCTREE}),
        )  # fmt: skip


def _require_forms(arrays: dict[str, np.ndarray]) -> None:
    """Raise ValueError or KeyError for arrays that are not those of one mesh: of another type, width or number of rows."""
    rows: dict[str, int] = {}
    for name, (kind, word, width) in _FORMS.items():
        array = arrays[name]
        fits = array.dtype == kind and array.ndim and array.shape[1:] == ((width,) if width else ())
        if not fits or rows.setdefault(word, len(array)) != len(array):
            raise ValueError(f"{name} is {array.dtype} {array.shape}")
    if arrays["numbers"].dtype != np.float64 or arrays["numbers"].shape != (_NUMBERS,):
        raise ValueError("its numbers are others")


def _quat(numbers: np.ndarray) -> Quat:
    w, x, y, z = (float(v) for v in numbers)
    return w, x, y, z


def _say(text: str) -> None:
    """Say it, once in a process."""
    if text not in _said:
        _said.add(text)
        log.warning("%s", text)
