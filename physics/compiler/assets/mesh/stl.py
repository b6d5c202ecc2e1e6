"""STL files, binary and in text: triangles, each with corners of its own. Corners at the same place become one vertex."""

from __future__ import annotations

import re

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MOST_FACES, MeshProblem, RawMesh, first_bad_vertex
from tumble.physics.compiler.kernels import weld_corners

_HEADER, _RECORD = 84, 50  # bytes: a comment of 80 and the number of triangles; a triangle
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_FIRST_CORNER = 12  # bytes of a record before its corners
_VERTEX = re.compile(rb"\bvertex\b([^a-zA-Z]*(?:[eE][-+0-9][^a-zA-Z]*)*)")


def read_stl(data: bytes) -> RawMesh:
    """The mesh of an STL file. Raises MeshProblem, at a byte or line, for anything else."""
    if not data:
        raise MeshProblem("is empty")
    claimed = int.from_bytes(data[80:_HEADER], "little") if len(data) >= _HEADER else -1
    if len(data) == _HEADER + _RECORD * claimed:
        return _weld(_read_binary(data, claimed))
    if data.lstrip()[:5].lower() == b"solid" and b"facet" in data[:MOST_BYTES]:
        return _weld(_read_text(data))
    if claimed < 0:
        raise MeshProblem(f"byte {len(data)}: ends within the header of an STL file, which has {_HEADER} bytes")
    raise MeshProblem(f"byte 80: {claimed} triangles are claimed, a file of {_HEADER + _RECORD * claimed} bytes; "
                      f"it has {len(data)}, and it is no STL file in text")  # fmt: skip


def _read_binary(data: bytes, count: int) -> np.ndarray:
    """The corners of all triangles, (3 n, 3)."""
    if not 1 <= count <= MOST_FACES:
        raise MeshProblem(f"byte 80: has {count} triangles; valid are 1 to {MOST_FACES}")
    corners = np.frombuffer(data, _TRIANGLE, count, _HEADER)["corners"].reshape(-1, 3).copy()
    bad = first_bad_vertex(corners)
    if bad >= 0:
        triangle, corner = divmod(bad, 3)
        x, y, z = corners[bad]
        raise MeshProblem(f"byte {_HEADER + _RECORD * triangle + _FIRST_CORNER + 12 * corner}: a corner of triangle {triangle} "
                          f"is {x:g} {y:g} {z:g}; coordinates must be finite and of a sensible size")  # fmt: skip
    return corners


def _read_text(data: bytes) -> np.ndarray:
    if len(data) > MOST_BYTES:
        raise MeshProblem(f"has {len(data)} bytes; of an STL file in text {MOST_BYTES} are read")
    numbers = []
    for found in _VERTEX.finditer(data):
        words = found[1].split()
        try:
            x, y, z = (float(word) for word in words)
        except ValueError:
            raise MeshProblem(f"{_line(data, found.start())}: vertex needs three numbers") from None
        if not abs(x) + abs(y) + abs(z) < np.inf:
            raise MeshProblem(f"{_line(data, found.start())}: vertex {x:g} {y:g} {z:g} is not finite")
        numbers += [x, y, z]
    count = len(numbers) // 9
    if not count or len(numbers) % 9 or data.lower().count(b"endloop") != count:
        raise MeshProblem(f"{_line(data, len(data))}: ends with {len(numbers) // 3} vertices; each facet needs three")
    return np.array(numbers, np.float32).reshape(-1, 3)


def _line(data: bytes, at: int) -> str:
    lines = data.count(b"\n", 0, at) + 1
    return f"line {lines}"


def _weld(corners: np.ndarray) -> RawMesh:
    """Corners at the same place as one vertex, in the order in which they first appear."""
    bits = (corners + np.float32(0)).view(np.int32)  # the sum makes one zero of both
    count = len(bits)
    room = 1 << (2 * count).bit_length()
    first, vertex, found = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(1, np.int32)
    weld_corners.run(np.ascontiguousarray(bits), count, np.full(room, -1, np.int32), room, first, vertex, found)
    return RawMesh(corners[first[: found[0]]], vertex.reshape(-1, 3))
