"""The sources of machine code: a digest of a module and of every module of this project that it imports.

numba stamps a cached function with its file's time and size. That goes wrong twice: a caller in one file keeps running the
old callee of another file after an edit, and a cache built on one machine never matches on the next. A digest of all that
code follows from mends both: edit a kernel, and exactly its callers are made again.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache

from tumble import ROOT

_IMPORT = re.compile(r"^(?:from|import)\s+(tumble\.physics[\w.]*)(?:\s+import\s+(?:\(([^)]*)\)|([\w ,]*)))?", re.MULTILINE)

# How all kernels are compiled; what else is in this folder only looks for what was compiled.
_SEEKERS = "tumble.physics.kernel"
MAKERS = (f"{_SEEKERS}.compile", "tumble.physics.state.view", "tumble.physics.base.intrinsic")


def is_ours(module: str | None) -> bool:
    """True if a module is of this package, so that a digest tells its state; None: of a function that was made by `exec`."""
    return module is not None and module.startswith("tumble.physics.")


@cache
def read(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Source of a module of ours and the modules of ours that it imports."""
    path = _path(module)
    with open(f"{path}/__init__.py" if _is_package(module) else f"{path}.py", "rb") as file:
        source = file.read()
    found = set()
    head = source.partition(b"\ndef ")[0]  # where imports stand
    for name, listed, inline in _IMPORT.findall(head.decode()):
        found.add(name)
        if _is_package(name):
            found.update(deeper for part in re.findall(r"\w+", listed or inline) if _is_module(deeper := f"{name}.{part}"))
    return source, tuple(sorted(name for name in found if name != "tumble.physics" and not name.startswith(_SEEKERS)))


@cache
def _is_package(name: str) -> bool:
    return os.path.isdir(_path(name))


@cache
def _is_module(name: str) -> bool:
    folder, _, last = name.rpartition(".")
    held = _names(folder)  # a class Model is no module model, though some systems would open its file for it
    return f"{last}.py" in held or (last in held and _is_package(name))


@cache
def _names(package: str) -> frozenset[str]:
    """Names in a package's folder; none for a module."""
    return frozenset(os.listdir(_path(package)) if _is_package(package) else ())


def _path(name: str) -> str:
    return os.path.join(ROOT, *name.split("."))


@cache
def _own(module: str) -> bytes:
    """Name and digest of a module's source."""
    return module.encode() + hashlib.sha256(read(module)[0]).digest()


@cache
def digest(module: str) -> str:
    """Digest of a module's source and of all it imports from this package."""
    seen, todo = set(), [module, *MAKERS]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(read(name)[1])
    return hashlib.sha256(b"".join(map(_own, sorted(seen)))).hexdigest()[:16]


def forget() -> None:
    """Read all sources again when they are next needed."""
    for known in (read, _own, digest, _is_package, _is_module, _names):
        known.cache_clear()
