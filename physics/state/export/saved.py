"""A compiled model as a file: plain numbers behind a header that says what they are. See docs/decisions/models.md.

    16 bytes  magic            the program, and bytes that a transfer as text would spoil
     4        version          of this format
     4        head             bytes of the header
     8        total            bytes of the whole file
    32        digest           SHA-256 of all that follows
     head     header           JSON: sizes by name, and name, type and shape of every field, in order
              fields           each in order, little endian, by rows, filled up to a multiple of 8 bytes

All numbers are little endian. Nothing in a file is run, and nothing is allocated before digest and sizes are right.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.physics.base.files import write_whole
from tumble.physics.errors import ModelError
from tumble.physics.state.arguments import checked
from tumble.physics.state.block import MOST_BYTES, extent, gigabytes
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL
from tumble.physics.state.model import Model

SUFFIX = ".tumble-model"
MAGIC = b"Tumble model\r\n\x1a\n"
VERSION = 1
FOREIGN = (
    "a binary model of MuJoCo (.mjb): the memory of one of its versions, without the MJCF, which no program gets back from it. "
    "Open the XML or URDF file that it was compiled from; the program that wrote it can save that, after it has loaded it, with "
    'mujoco.mj_saveLastXML("model.xml", model), or of an MjSpec with spec.to_xml()'
)
_HEAD = struct.Struct("<16sIIQ32s")
_ROUND = 8
_REFERENCE = b"1\xd4\x00\x00"  # how MuJoCo's own binary files begin

M = TypeVar("M", bound=Model)

# What is found out before the first step is left out: stages and their addresses, and which geoms can collide.
_INTERNAL = {f.name for f in MODEL_INTERNAL}
_SAVED = tuple(f for f in MODEL if f.name not in _INTERNAL)
_SIZES = tuple(f.name for f in _SAVED if f.shape == () and f.name.startswith("n"))


@checked
def mj_sizeModel(m: Model) -> int:
    """Number of bytes that mj_saveModel writes."""
    return _HEAD.size + len(_header(m)) + _body_bytes({f.name: m._arrays[f.name].shape for f in _SAVED if f.shape})


@checked
def mj_saveModel(m: Model, filename: str | None = None, buffer: NDArray[np.uint8] | None = None) -> None:
    """Write the compiled model, names and assets included, to the beginning of a buffer where one is given, else to a file.

    MjModel.from_binary_path reads it; it steps as this one does, bit for bit. Raises OSError, and ModelError for a buffer of
    fewer bytes than mj_sizeModel says, or for neither.
    """
    if buffer is None and filename is None:
        raise ModelError("mj_saveModel needs a filename or a buffer")
    data = packed(m)
    if buffer is None:
        write_whole(str(filename), data)
        return
    if not isinstance(buffer, np.ndarray) or buffer.dtype != np.uint8 or buffer.ndim != 1 or len(buffer) < len(data):
        raise ModelError(f"buffer should be an array of at least {len(data)} bytes (uint8), as mj_sizeModel says")
    buffer[: len(data)] = np.frombuffer(data, np.uint8)


def packed(m: Model) -> bytes:
    """The bytes of the file of a model."""
    header = _header(m)
    parts = [header]
    for f in _SAVED:
        array = m._arrays[f.name] if f.shape else np.array(getattr(m, f.name))
        raw = array.astype(np.dtype(f.dtype).newbyteorder("<"), copy=False).tobytes()
        parts.append(raw + bytes(-len(raw) % _ROUND))
    content = b"".join(parts)
    digest = hashlib.sha256(content).digest()
    return _HEAD.pack(MAGIC, VERSION, len(header), _HEAD.size + len(content), digest) + content


def is_saved(data: bytes) -> bool:
    """True if bytes begin as the file of a compiled model of ours or of the reference does, whatever comes then."""
    return data.startswith((MAGIC, _REFERENCE))


def unpacked(data: bytes, into: type[M], where: str) -> M:
    """The model in the bytes of a file. where: the file, for messages. Raises ModelError for anything that is not one."""
    try:
        return _read(data, into)
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from error


def _header(m: Model) -> bytes:
    text = json.dumps({"sizes": {name: getattr(m, name) for name in _SIZES}, "fields": _declared()}, separators=(",", ":"))
    return (text + " " * (-len(text) % _ROUND)).encode("ascii")


def _declared() -> list[list[Any]]:
    """Name, type and shape of every field in a file, in its order."""
    return [[f.name, f.dtype, list(f.shape)] for f in _SAVED]


def _body_bytes(shapes: dict[str, Any]) -> int:
    """Bytes of all fields, each filled up."""
    sizes = [math.prod(shapes.get(f.name, ())) * np.dtype(f.dtype).itemsize for f in _SAVED]
    return sum(size + -size % _ROUND for size in sizes)


def _read(data: bytes, into: type[M]) -> M:
    header = _checked(data)
    sizes = _sizes(header)
    shapes = {f.name: tuple(extent(n, sizes) for n in f.shape) for f in _SAVED if f.shape}
    begin = _HEAD.size + int(_HEAD.unpack_from(data)[2])
    if begin + _body_bytes(shapes) != len(data):
        raise ModelError(f"damaged: by its sizes it has {begin + _body_bytes(shapes)} bytes, and it has {len(data)}")
    m = into({name: size for name, size in sizes.items() if name not in ("nstage", "ncollide")})
    values: dict[str, Any] = {}
    for f in _SAVED:
        kind, shape = np.dtype(f.dtype).newbyteorder("<"), shapes.get(f.name, ())
        size = math.prod(shape) * kind.itemsize
        array = np.frombuffer(data, kind, math.prod(shape), begin).reshape(shape)
        values[f.name] = array if f.shape else array.item()
        begin += size + -size % _ROUND
    lying = [name for name, size in sizes.items() if values[name] != size and name in m._struct.fields]
    if lying:
        raise ModelError(f"damaged: {lying[0]} is {sizes[lying[0]]} in the header and {values[lying[0]]} behind it")
    for f in _SAVED:
        if f.valid is not None:
            f.require(*np.ravel(values[f.name]).tolist())
    m._take(values)
    if m.nnames and m.names[-1] != 0:  # the last byte of all names is the end of one
        raise ModelError("damaged: names does not end")
    for problem in m.strays():
        raise ModelError(f"damaged: {problem}")
    return m


def _checked(data: bytes) -> dict[str, Any]:
    """The header of a file that is whole and of this version. Raises ModelError."""
    if data.startswith(_REFERENCE):
        raise ModelError(FOREIGN)
    if not data.startswith(MAGIC):
        spoiled = data.startswith(MAGIC[: MAGIC.index(b"\r")])
        raise ModelError("spoiled by a transfer as text" if spoiled else "not a compiled model of Tumble")
    if len(data) < _HEAD.size:
        raise ModelError(f"cut off: it has {len(data)} bytes")
    _, version, head, total, digest = _HEAD.unpack_from(data)
    if version != VERSION:
        raise ModelError(f"it has version {version} of the format, this is {VERSION}: save the model again with this Tumble")
    if total != len(data):
        raise ModelError(f"{'cut off' if len(data) < total else 'damaged'}: it should have {total} bytes, it has {len(data)}")
    if total > MOST_BYTES:
        raise ModelError(f"it has {gigabytes(total)}; {gigabytes(MOST_BYTES)} are the most")
    if hashlib.sha256(memoryview(data)[_HEAD.size :]).digest() != digest:
        raise ModelError("damaged: its digest is that of other bytes")
    try:
        header = json.loads(data[_HEAD.size : _HEAD.size + head])
    except (ValueError, RecursionError) as error:
        raise ModelError(f"damaged: its header cannot be read: {type(error).__name__}") from None
    if not isinstance(header, dict) or not isinstance(header.get("sizes"), dict):
        raise ModelError("damaged: its header does not say what it holds")
    if header.get("fields") != _declared():
        raise ModelError("saved by a Tumble with other fields: save the model again with this one")
    return header


def _sizes(header: dict[str, Any]) -> dict[str, int]:
    """The sizes of the model. Raises ModelError for what cannot be a size."""
    sizes = header["sizes"]
    if sizes.keys() != set(_SIZES) or not all(type(n) is int and -1 <= n <= MOST_BYTES for n in sizes.values()):
        raise ModelError("damaged: its sizes are none")
    extents = {str(n).rpartition("*")[2] for f in _SAVED for n in f.shape if isinstance(n, str)}
    negative = sorted(name for name in extents if sizes[name] < 0)
    if negative:
        raise ModelError(f"damaged: {negative[0]} is negative")
    return {name: int(size) for name, size in sizes.items()}
