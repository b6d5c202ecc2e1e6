"""What makes a Python function a kernel, and the cache that keeps compiled ones.

A *kernel* is a leaf: it is compiled into whatever calls it. A *stage* is a part of the pipeline with
the signature `(m, d)`; it is compiled on its own, on first use, to a plain function pointer, so that
a model pays only for what it uses, no caller re-optimizes it, and the step calls it through a table.

numba stamps a cached function with its file's time and size. That goes wrong twice: a caller in one
file keeps running the old callee of another file after an edit, and a cache built on one machine
never matches on the next. Here the stamp is a digest of the source of the function's module and of
every module of ours that it imports, directly or not: edit a kernel and exactly its callers are
rebuilt; copy the cache to another machine of the same kind and it hits.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import njit, types
from numba.core import caching
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from physics.state.block import Block
from physics.state.view import DataType, ModelType

_PACKAGE = Path(__file__).resolve().parent
_IMPORT = re.compile(r"^(?:from|import)\s+(physics[\w.]*)(?:\s+import\s+(?:\(([^)]*)\)|([\w ,]*)))?", re.MULTILINE)

# Sums may be re-ordered and fused, the same way on every run: this is what lets loops vectorize.
# Not-a-number and infinity keep their meaning: divergence must stay visible.
_FAST = {"reassoc", "contract", "nsz"}
_OPTIONS = {"nopython": True, "error_model": "numpy", "fastmath": _FAST}


def cache_directory() -> Path:
    """Where compiled kernels are kept: $TUMBLE_CACHE, else the user's cache folder."""
    named = os.environ.get("TUMBLE_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble" / "kernels"


_VERSIONS = 6  # of each module whose kernels are kept beside the newest


@cache
def _read(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Source of a module of ours and the modules of ours that it imports."""
    path = _PACKAGE.parent.joinpath(*module.split("."))
    source = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()
    found = set()
    for name, listed, inline in _IMPORT.findall(source.decode()):
        found.add(name)
        for part in re.findall(r"\w+", listed or inline):
            deeper = _PACKAGE.parent.joinpath(*name.split("."), part)
            if deeper.is_dir() or deeper.with_suffix(".py").is_file():
                found.add(f"{name}.{part}")
    return source, tuple(sorted(found - {"physics"}))


@cache
def digest(module: str) -> str:
    """Digest of a module's source and of all it imports from this package."""
    seen, todo = set(), [module]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(_read(name)[1])
    total = hashlib.sha256(f"numba {numba.__version__}".encode())
    for name in sorted(seen):
        total.update(_read(name)[0])
    return total.hexdigest()[:16]


def _forget_old(path: Path) -> None:
    """Delete the oldest of the kernels that other versions of a module left, where there are many."""
    others = [p for p in path.parent.iterdir() if p.is_dir() and p != path]
    others.sort(key=lambda p: p.stat().st_mtime)
    for old in others[: -_VERSIONS]:
        shutil.rmtree(old, ignore_errors=True)  # another process may be deleting it too


class _DigestLocator(caching._CacheLocator):
    """Stamps this package's functions with what they say, not when they were saved."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def get_cache_path(self) -> str:
        """A folder for each digest: two checkouts, or two branches, do not push each other out of the cache."""
        return str(cache_directory() / self._function.__module__ / digest(self._function.__module__))

    def ensure_cache_path(self) -> None:
        path = Path(self.get_cache_path())
        new = not path.is_dir()
        super().ensure_cache_path()
        if new:
            _forget_old(path)

    def get_source_stamp(self) -> str:
        return digest(self._function.__module__)

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, function: Any, path: str) -> _DigestLocator | None:
        return cls(function) if _PACKAGE in Path(path).resolve().parents else None


_locators: list[Any] = caching.CacheImpl._locator_classes
_locators.insert(0, _DigestLocator)


def kernel(function: Callable[..., Any]) -> Any:
    """A leaf: takes arrays and scalars (or m, d), and is compiled into the stages that call it."""
    return njit(function, nogil=True, error_model="numpy", fastmath=_FAST)


def exact(function: Callable[..., Any]) -> Any:
    """A kernel whose sums are rounded as they are written: where a sign at rounding level decides, as in collisions."""
    return njit(function, nogil=True, error_model="numpy", fastmath=False)  # where it says nothing, numba takes the caller's


class Compiled:
    """A function compiled on its own to a pointer, on first use, and kept in the cache."""

    compiling: threading.local = threading.local()

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self.function = function
        self.signature = signature
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.seconds = 0.0
        self.cached = False

    @cached_property
    def address(self) -> int:
        """The function pointer; the first read compiles, or loads from the cache."""
        start = time.perf_counter()
        self._native.compile()
        self.seconds = time.perf_counter() - start
        self.cached = bool(self._native.cache_hits)
        return int(self._native.address)

    @cached_property
    def _native(self) -> Any:
        """numba's callback, not compiled yet; it keeps the code alive."""
        made: Any = CFunc(self.function, (self.signature.args, self.signature.return_type), locals={}, options=_OPTIONS)
        made.enable_caching()
        return made

    @property
    def kept(self) -> bool:
        """Whether the cache holds it."""
        cache = self._native._cache
        key = cache._index_key(self._native._sig, self._native._targetdescr.target_context.codegen())
        return cache._cache_file.load(key) is not None

    @property
    def ready(self) -> bool:
        """Whether the pointer is there already."""
        return "address" in self.__dict__


class Stage(Compiled):
    """A part of the pipeline: `stage(m, d)` runs it, from Python or (through its address) from other stages."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, types.void(ModelType, DataType))

    def __call__(self, m: Block, d: Block) -> None:
        _invoke(self.address, m.address, d.address)


def stage(function: Callable[..., Any]) -> Stage:
    """A part of the pipeline with the signature (m, d), returning nothing."""
    return Stage(function)


def _pointer_call(context: Any, builder: Any, address: Any, arguments: list[Any], kinds: list[Any]) -> None:
    """Call a void function by its address."""
    function = ir.FunctionType(ir.VoidType(), kinds)
    builder.call(builder.inttoptr(address, function.as_pointer()), arguments)


@intrinsic
def run(typing: Any, address: Any, m: Any, d: Any) -> Any:
    """`run(address, m, d)` inside a kernel: call a stage through its pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = [argument.type for argument in arguments[1:]]
        _pointer_call(context, builder, arguments[0], arguments[1:], kinds)
        return context.get_dummy_value()

    return types.void(types.int64, m, d), generate


@njit(types.void(types.int64, types.int64, types.int64), nogil=True, error_model="numpy", cache=True)
def _invoke(address, m, d):  # integers: numba dispatches on them twenty times faster than on a class of ours
    run(address, m, d)
