"""The library of all kernels that the program comes with: `make kernels` builds it, and nothing has to be compiled.

A shared library for each of target.TARGETS, and one list of what is in them: by function the digest of the sources that it was
made from. What does not fit the sources here, after an edit, is not taken from it. A wheel holds the one library of its
platform. It is packed; unpacked it is in the user's cache, or if that fails, in memory.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import logging
import lzma
import os
import sys
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from tumble.physics.kernel.cache import keep_file
from tumble.physics.kernel.target import SWITCH, bundled, checks_bounds

log = logging.getLogger(__name__)

FOLDER = Path(__file__).with_name("built")
LIST = "kernels.json"  # in it
COMPILE = "compile"  # a word for SWITCH: as if there were no library


class KernelEntry(Struct, frozen=True):
    """A function of the library: the digest of its sources, and the processor time that compiling it took [s]."""

    digest: str
    seconds: float


class KernelList(Struct, frozen=True):
    """The list of what the libraries hold. sha256: of each unpacked library, by target; entries: by module:name."""

    sha256: dict[str, str] = field(default_factory=dict)
    entries: dict[str, KernelEntry] = field(default_factory=dict)


def address(key: str, digest: str) -> int | None:
    """Address of a function in the library, if it was built from these sources; key: its module:name."""
    if not holds(key, digest):
        return None
    handle = _opened()
    if handle is None:
        return None
    return ctypes.cast(handle[symbol(key)], ctypes.c_void_p).value


def symbol(key: str) -> str:
    """The name of a function in object code, here and in the cache."""
    return key.replace(".", "_").replace(":", "__")


def holds(key: str, digest: str) -> bool:
    """True if the library that was opened, or can be, has a function made from these sources."""
    if os.environ.get(SWITCH) == COMPILE:
        return False
    entry = contents().entries.get(key)
    return entry is not None and (entry.digest == digest or is_frozen()) and _opened() is not None


def is_frozen() -> bool:
    """True if this is a frozen program, which has no sources to compare with: its library was built from them."""
    return bool(getattr(sys, "frozen", False))


@cache
def contents() -> KernelList:
    """List of the libraries' functions; empty if there are none."""
    return read_list(FOLDER / LIST)


def cost(key: str) -> float:
    """Processor time that compiling a function took where the libraries were built [s]; 0 if that is not known."""
    entry = contents().entries.get(key)
    return 0.0 if entry is None else entry.seconds


def read_list(path: Path) -> KernelList:
    """The contents of a list; empty if there is none, or (with a message) if it is damaged."""
    try:
        said = json.loads(path.read_text("utf-8"))
        entries = {key: KernelEntry(digest, seconds) for key, (digest, seconds) in said["kernels"].items()}
        return KernelList(dict(said["libraries"]), entries)
    except FileNotFoundError:
        return KernelList()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s is damaged (%s): kernels are compiled", path, error)
        return KernelList()


@cache
def _opened() -> ctypes.CDLL | None:
    """The library for this computer; None if there is none for it, and with a message if it cannot be opened."""
    here = bundled()
    if here is None or checks_bounds() or here.name not in contents().sha256:
        return None
    wanted, packed = contents().sha256[here.name], FOLDER / f"{here.name}{here.suffix}.xz"
    try:
        if not packed.is_file():
            log.warning("%s is missing: kernels are compiled", packed)
            return None
        kept = keep_file(f"kernels-{wanted[:16]}{here.suffix}", wanted, lambda: unpacked(packed, wanted))
        return ctypes.CDLL(str(kept)) if kept is not None else _open_in_memory(unpacked(packed, wanted))
    except (OSError, lzma.LZMAError, ValueError) as error:
        log.warning("the library of kernels cannot be used (%s): kernels are compiled", error)
        return None


def unpacked(packed: Path, sha256: str) -> bytes:
    """The library's bytes; raises ValueError if they are not those that the list speaks of, LZMAError, OSError."""
    content = lzma.decompress(packed.read_bytes())
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{packed} is not the file that its list speaks of")
    return content


def _open_in_memory(content: bytes) -> ctypes.CDLL:
    """Open a library that no file holds: where no cache can be written. Raises OSError if the system cannot."""
    if not hasattr(os, "memfd_create"):
        raise OSError("no place to unpack it")
    handle = os.memfd_create("tumble-kernels")
    try:
        with os.fdopen(os.dup(handle), "wb") as file:
            file.write(content)
        return ctypes.CDLL(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)
