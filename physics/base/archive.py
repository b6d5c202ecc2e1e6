"""Zip files and arrays that come from anywhere: nothing that they say of themselves is believed before it is checked.

Every archive in the program is read here: models, replays, the last state of a process that died, cached meshes. What is read
into memory is bounded, by three things:

- A byte of deflate stands for at most 1032 bytes, and members do not share bytes. So all members together have at most 1032
  times the bytes of the file, and one that claims more lies.
- The limit that the caller gives for all members together, counted by name.
- Half of the memory that is left to the process.

Members are stored or deflated, which is what programs write; of other ways to pack none can be unpacked in bounded pieces.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from types import TracebackType
from typing import IO, Any

import numpy as np

from tumble.physics.base.system import memory_left
from tumble.physics.errors import PhysicsError

File = str | os.PathLike[str] | IO[bytes]

# Far above any published model; what is larger is a mistake or an attack.
MOST_MEMBERS = 50_000
MOST_BYTES = 2 * 2**30  # of all members, unpacked
MOST_JSON = 2**23  # bytes of a member that is read as JSON, which takes many times that once it is read
PIECE = 2**20  # bytes that are copied at a time

_RATIO = 1032  # bytes that one byte of deflate stands for, at most
_SLACK = 64  # bytes that a member may have beyond that: of an empty or tiny one
_LOCAL = 30  # bytes of the header before a member
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What Python raises for bytes that are no zip file any more; for a way of packing that it does not know, or a password.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, UnicodeDecodeError)
_REFUSED = (NotImplementedError, RuntimeError)

_NPY = b"\x93NUMPY"
_MOST_HEADER = 10_000  # bytes of the header of an array of plain numbers, by far
_MOST_ROWS = 2**31  # of an array: also one without numbers, as (n, 0) is, must not make others large
_PLAIN = re.compile(r"[<|=][biuf][1248]")  # as numpy writes the type of plain numbers


class ArchiveError(PhysicsError):
    """An archive or an array that cannot be read: `file: member: what is wrong, what is valid`."""


class Archive:
    """A zip file, open for reading.

    shown: its name in messages. members: its files by clean names, folders between slashes; links and folders are none.
    most: how many bytes may be read from it, all together.
    """

    def __init__(self, file: File, shown: str = "", kind: str = "zip archive", most_bytes: int = MOST_BYTES, *,
                 to_disk: bool = False) -> None:  # fmt: skip
        """kind: what it should be, in words. most_bytes: of all members; to_disk: they are copied, so memory does not matter.

        Raises ArchiveError for what is none, is encrypted, holds too much, or has members that would lie outside.
        """
        self.shown = shown or (os.fspath(file) if isinstance(file, str | os.PathLike) else str(getattr(file, "name", "archive")))
        self.most = most_bytes if to_disk else int(min(most_bytes, memory_left() / 2))
        self._kind, self._read = kind, 0
        self._file = self._open(file)
        self._owned = self._file is not file
        try:
            self._length = self._file.seek(0, os.SEEK_END)
            with self._told():
                self._zip = zipfile.ZipFile(self._file)
            self.members = self._listed()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if it was opened here."""
        if self._owned:
            self._file.close()

    def size(self, member: str) -> int:
        """The bytes of a member, unpacked. Raises ArchiveError if there is none."""
        return self._info(member).file_size

    def read(self, member: str) -> bytes:
        """The contents of a member. Raises ArchiveError."""
        info = self._info(member)
        self._read += info.file_size
        if self._read > self.most:
            raise self.error(member, f"is read again and again: {_amount(self._read)} in all; at most {_amount(self.most)} are")
        with self._told(member), self._zip.open(info) as packed:
            data = packed.read(info.file_size + 1)
        if len(data) != info.file_size:
            raise self.error(member, f"has {len(data)} bytes, not the {info.file_size} that the archive says")
        return data

    def glance(self, member: str, count: int) -> bytes:
        """The first bytes of a member, at most so many. Raises ArchiveError."""
        with self._told(member), self._zip.open(self._info(member)) as packed:
            return packed.read(count)

    def copy(self, member: str, file: IO[bytes]) -> None:
        """Write the contents of a member to a file. Raises ArchiveError, and OSError of the file."""
        info, done = self._info(member), 0
        with self._told(member):
            packed = self._zip.open(info)
        with packed:
            while True:
                with self._told(member):
                    piece = packed.read(PIECE)
                if not piece:
                    break
                done += len(piece)
                file.write(piece)
        if done != info.file_size:
            raise self.error(member, f"has {done} bytes, not the {info.file_size} that the archive says")

    def json(self, member: str) -> Any:
        """Parse a member as JSON. Raises ArchiveError."""
        if self.size(member) > MOST_JSON:
            raise self.error(member, f"has {_amount(self.size(member))}; at most {_amount(MOST_JSON)} are read")
        try:
            return json.loads(self.read(member))
        except (ValueError, RecursionError) as error:
            raise self.error(member, f"is damaged: {error}") from None

    def array(self, member: str, dtype: np.typing.DTypeLike, rank: int) -> np.ndarray:
        """The array in a member, as `array_of`. Raises ArchiveError."""
        return array_of(self.read(member), dtype, rank, f"{self.shown}: {member}")

    def error(self, member: str, what: str) -> ArchiveError:
        """Error in a member of an archive."""
        return ArchiveError(f"{self.shown}: {member} {what}")

    def _open(self, file: File) -> IO[bytes]:
        if not isinstance(file, str | os.PathLike):
            return file
        try:
            status = os.stat(file)
            if stat.S_ISDIR(status.st_mode):
                raise ArchiveError(f"{self.shown}: cannot be read: Is a directory")
            if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for somebody who writes
                raise ArchiveError(f"{self.shown}: cannot be read: it is a device or a pipe, not a file")
            return open(file, "rb")
        except FileNotFoundError:
            raise ArchiveError(f"{self.shown}: no such file") from None
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{self.shown}: cannot be read: {getattr(error, 'strerror', None) or error}") from error

    @contextmanager
    def _told(self, member: str = "") -> Iterator[None]:
        """Raise ArchiveError for all that Python raises for damage."""
        at = f"{self.shown}: {member}".rstrip(": ") + (":" if not member else "")
        try:
            yield
        except _DAMAGED as error:
            raise ArchiveError(f"{at} {self._damage(error)}") from error
        except _REFUSED as error:
            raise ArchiveError(f"{at} cannot be unpacked: {error}") from error
        except (MemoryError, OverflowError) as error:
            raise ArchiveError(f"{at} does not fit in this computer's memory") from error
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{at} cannot be read: {getattr(error, 'strerror', None) or error}") from error

    def _damage(self, error: Exception) -> str:
        self._file.seek(0)
        head = self._file.read(2)
        if not head:
            return "is empty"
        return f"is damaged or cut short: {error}" if head == b"PK" else f"is not a {self._kind}"

    def _info(self, member: str) -> zipfile.ZipInfo:
        if member not in self.members:
            raise ArchiveError(f"{self.shown}: is damaged: it has no {member}")
        return self.members[member]

    def _listed(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MOST_MEMBERS:
            raise ArchiveError(f"{self.shown}: holds {len(infos)} files; at most {MOST_MEMBERS} are read")
        total = sum(info.file_size for info in infos)
        if total > self.most:
            less = "" if total > MOST_BYTES else ", half of the memory that is left"
            raise ArchiveError(f"{self.shown}: unpacks to {_amount(total)}; at most {_amount(self.most)} are read{less}")
        self._require_apart(infos)
        found: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = self._clean(info)
            if not name or stat.S_ISLNK(info.external_attr >> 16):
                continue  # a folder, which its files bring along, or what would lead elsewhere
            self._require_plausible(name, info)
            if name in found:
                raise ArchiveError(f"{self.shown}: holds {name} twice")
            found[name] = info
        _require_tree(self.shown, found)
        return found

    def _require_apart(self, infos: list[zipfile.ZipInfo]) -> None:
        """Members that share bytes of the file unpack to any amount."""
        spans = sorted((info.header_offset, info.header_offset + _LOCAL + info.compress_size, info.filename) for info in infos)
        for (_, end, _), (begin, _, name) in pairwise(spans):
            if begin < end:
                raise self.error(name, "is damaged: it shares bytes of the archive with another member")
        if spans and spans[-1][1] > self._length:
            raise self.error(spans[-1][2], "is damaged or cut short: it ends beyond the archive")

    def _require_plausible(self, name: str, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise self.error(name, "is encrypted; archives with a password are not opened")
        if info.compress_type not in _METHODS:
            raise self.error(name, f"is packed by method {info.compress_type}; valid: stored (0), deflated (8)")
        most = info.compress_size * (_RATIO if info.compress_type == zipfile.ZIP_DEFLATED else 1)
        if info.file_size > most + _SLACK:
            raise self.error(name, f"claims {_amount(info.file_size)}, and has at most {_amount(most)}")

    def _clean(self, info: zipfile.ZipInfo) -> str:
        """The name of a member; "" for a folder. Raises ArchiveError if it would lie outside."""
        raw = info.filename.replace("\\", "/")  # as some programs of Windows write it
        parts = [part for part in raw.split("/") if part not in ("", ".")]
        if raw.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", raw):
            raise ArchiveError(f"{self.shown}: {info.filename!r} points outside the archive; nothing was unpacked")
        return "" if raw.endswith("/") else "/".join(parts)


def array_of(data: bytes, dtype: np.typing.DTypeLike, rank: int, shown: str) -> np.ndarray:
    """The array in the bytes of an .npy file: plain numbers by rows, of this type and rank. shown: for messages.

    Raises ArchiveError for any other, for objects, and where the numbers are not as many as the header says.
    """
    try:
        start = 10 if data[6:7] == b"\1" else 12
        length = int.from_bytes(data[8:start], "little")
        if not data.startswith(_NPY) or data[6:8] not in (b"\1\0", b"\2\0") or length > min(_MOST_HEADER, len(data) - start):
            raise ValueError("it is no array, or cut short")
        kind, fortran, shape = _described(_header(data[start : start + length]))
    except (ValueError, TypeError) as error:
        raise ArchiveError(f"{shown} is damaged: {error}") from None
    if kind != np.dtype(dtype) or len(shape) != rank:
        wanted = f"{np.dtype(dtype)} of rank {rank}"
        raise ArchiveError(f"{shown} is damaged: it is {kind} of rank {len(shape)}, not {wanted}")
    if fortran and len(shape) > 1:
        raise ArchiveError(f"{shown} is damaged: its numbers are by columns; valid: by rows")
    start += length
    if len(data) - start != math.prod(shape) * kind.itemsize:
        raise ArchiveError(f"{shown} is damaged: it says that its shape is {shape}, and has {len(data) - start} bytes of numbers")
    return np.frombuffer(data, kind, math.prod(shape), start).reshape(shape).copy()


def _header(data: bytes) -> object:
    """Parse a header of plain Python values. Raises ValueError if it is malformed."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of the text, which Python takes for a program of somebody's
            return ast.literal_eval(data.decode("latin-1"))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ValueError("its header does not say what it holds") from None


def _described(header: object) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    """Type, order and shape of an array, from its header. Raises ValueError, TypeError."""
    if not isinstance(header, dict) or header.keys() != {"descr", "fortran_order", "shape"}:
        raise ValueError("its header does not say what it holds")
    descr, shape = header["descr"], header["shape"]
    if not isinstance(descr, str) or not _PLAIN.fullmatch(descr):
        raise ValueError(f"its type is {str(descr)[:40]}; valid: plain numbers")
    if not isinstance(shape, tuple) or len(shape) > 8 or not all(type(n) is int and 0 <= n < _MOST_ROWS for n in shape):
        raise ValueError(f"its shape is {str(shape)[:40]}")
    return np.dtype(descr), bool(header["fortran_order"]), shape


def _require_tree(shown: str, names: Mapping[str, object]) -> None:
    for name in names:
        parts = name.split("/")
        for count in range(1, len(parts)):
            if (parent := "/".join(parts[:count])) in names:
                raise ArchiveError(f"{shown}: {parent} is both a file and a folder in it")


def _amount(count: int) -> str:
    """Bytes in words."""
    return f"{count / 2**30:.2g} GB" if count >= 2**29 else f"{count / 2**20:.2g} MB" if count >= 2**19 else f"{count} bytes"
