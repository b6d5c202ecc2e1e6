"""GMSH files of versions 2.2 and 4.1, as text or binary: the points, and the triangles or tetrahedra between them.

A file holds elements of several kinds. Those of the highest dimension that it has count, if they are triangles or tetrahedra of
first order; edges and points of the drawing are left out. Points keep the order of the file, so their tags need not.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MeshProblem

Points = NDArray[np.float64]
Indices = NDArray[np.int64]

_POINTS_OF = {1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 15: 1}  # corners of each kind of element
_TRIANGLE, _TETRAHEDRON = 2, 4
_MOST = 50_000_000  # points or elements


def read_gmsh(data: bytes) -> tuple[Points, Indices]:
    """The points (n, 3) and elements (k, 3 or 4) of a file. Raises MeshProblem for what is none, or has none of them."""
    if len(data) > MOST_BYTES:
        raise MeshProblem(f"has {len(data)} bytes; at most {MOST_BYTES} are read")
    start = data.find(b"$MeshFormat")
    if start < 0:
        raise MeshProblem("is no GMSH file: it has no $MeshFormat")
    words = _Text(data, data.find(b"\n", start) + 1 or len(data)).line().split()
    if len(words) != 3 or words[0] not in (b"2.2", b"4.1") or words[1] not in (b"0", b"1"):
        raise MeshProblem(f"has format {b' '.join(words)[:40].decode(errors='replace')}; valid: 2.2 or 4.1, text or binary")
    old, binary = words[0] == b"2.2", words[1] == b"1"
    if binary:
        _check_order(data, start)
    nodes, elements = (_Binary(data, _section(data, name)) if binary else _Text(data, _section(data, name))
                       for name in (b"$Nodes", b"$Elements"))  # fmt: skip
    tags, points = (_old_nodes if old else _nodes)(nodes)
    if not np.isfinite(points).all():
        raise MeshProblem(f"has point {int(np.argmin(np.isfinite(points).all(axis=1)))} that is not finite")
    kinds = (_old_elements if old else _elements)(elements)
    kind = next((kind for kind in (_TETRAHEDRON, _TRIANGLE) if kind in kinds), None)
    if kind is None:
        raise MeshProblem("has neither triangles nor tetrahedra of first order, GMSH elements of type 2 and 4")
    return points, _placed(tags, np.concatenate(kinds[kind]))


def _check_order(data: bytes, start: int) -> None:
    """Raise MeshProblem for a file of a machine with the other order of bytes: it holds a 1 to tell."""
    at = data.find(b"\n", data.find(b"\n", start) + 1) + 1
    if data[at : at + 4] != b"\x01\x00\x00\x00":
        raise MeshProblem("is binary with its bytes in big-endian order; save it on another machine, or as text")


def _section(data: bytes, name: bytes) -> int:
    at = data.find(name + b"\n")
    at = data.find(name + b"\r\n") if at < 0 else at
    if at < 0:
        raise MeshProblem(f"has no section {name.decode()}")
    return data.find(b"\n", at) + 1


def _placed(tags: Indices, elements: Indices) -> Indices:
    """Elements by the places of points, not by their tags."""
    order = np.argsort(tags, kind="stable")
    place = np.searchsorted(tags[order], elements)
    found = order[np.minimum(place, len(tags) - 1)]
    wrong = tags[found] != elements
    if wrong.any():
        raise MeshProblem(f"has an element with point {elements[wrong][0]}, which it does not have")
    return found


# ---------------------------------------------------------------- where numbers come from


class _Source(Struct):
    """Takes numbers from a file, from a byte on."""

    data: bytes
    at: int

    def integers(self, number: int) -> Indices:
        """The next numbers, whole ones."""
        raise NotImplementedError

    def reals(self, rows: int) -> Points:
        """The next points."""
        raise NotImplementedError

    def entity(self) -> list[int]:
        """Dimension, tag, kind and number of a block."""
        return [int(v) for v in self.integers(4)]

    def counts(self, number: int) -> list[int]:
        """Numbers of things to come."""
        return _checked(self.integers(number))

    def table(self, rows: int, columns: int) -> Indices:
        """The next rows of whole numbers."""
        return self.integers(rows * columns).reshape(rows, columns)

    def line(self) -> bytes:
        """The next line, which is text also between numbers in binary."""
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        found, self.at = self.data[self.at : end].strip(), end + 1
        if not found and self.at > len(self.data):
            raise MeshProblem("ends in the middle of its points or elements")
        return found


class _Text(_Source):
    """Numbers in text."""

    def integers(self, number: int) -> Indices:
        return self._numbers(number, np.int64)

    def reals(self, rows: int) -> Points:
        return self.rows(rows, 3)

    def rows(self, rows: int, columns: int) -> Points:
        """The next rows of numbers."""
        return self._numbers(rows * columns, np.float64).reshape(rows, columns)

    def _numbers(self, number: int, dtype: type) -> np.ndarray:
        found: list[bytes] = []
        while len(found) < number:
            found += self.line().split()
        if len(found) > number:
            raise MeshProblem(f"has {len(found)} numbers where {number} are due, before byte {self.at}")
        try:
            return np.array(found, dtype)
        except ValueError:
            raise MeshProblem(f"has something that is no number before byte {self.at}") from None


class _Binary(_Source):
    """Numbers in bytes."""

    def take(self, dtype: str, number: int) -> np.ndarray:
        """The next numbers of a type."""
        size = number * np.dtype(dtype).itemsize
        if self.at + size > len(self.data):
            raise MeshProblem(f"ends in the middle of its points or elements: byte {self.at} needs {size} more")
        found = np.frombuffer(self.data, dtype, number, self.at)
        self.at += size
        return found

    def integers(self, number: int) -> Indices:
        return self.take("<u8", number).astype(np.int64)

    def entity(self) -> list[int]:
        return [*self.take("<i4", 3).tolist(), *self.counts(1)]

    def reals(self, rows: int) -> Points:
        return self.take("<f8", 3 * rows).reshape(-1, 3).astype(np.float64)


def _checked(counts: Indices) -> list[int]:
    for count in counts:
        if not 0 <= count <= _MOST:
            raise MeshProblem(f"says that it has {count} points or elements; at most {_MOST} are read")
    return [int(count) for count in counts]


# ---------------------------------------------------------------- version 4.1


def _nodes(source: _Source) -> tuple[Indices, Points]:
    blocks, number, _, _ = source.counts(4)
    tags, points = [np.empty(0, np.int64)], [np.empty((0, 3))]
    for _ in range(blocks):
        _, _, parametric, count = source.entity()
        if parametric:
            raise MeshProblem("has points with parameters; save it without them")
        tags.append(source.integers(count))
        points.append(source.reals(count))
    found = np.concatenate(tags)
    if len(found) != number or not number:
        raise MeshProblem(f"has {len(found)} points, and says that it has {number}")
    return found, np.concatenate(points)


def _elements(source: _Source) -> dict[int, list[Indices]]:
    blocks, _, _, _ = source.counts(4)
    found: dict[int, list[Indices]] = {}
    for _ in range(blocks):
        _, _, kind, count = source.entity()
        found.setdefault(kind, []).append(source.table(count, 1 + _corners(kind))[:, 1:])
    return {kind: tables for kind, tables in found.items() if sum(map(len, tables))}


def _corners(kind: int) -> int:
    if kind not in _POINTS_OF:
        raise MeshProblem(f"has elements of type {kind}, which are not known; valid: triangles and tetrahedra")
    return _POINTS_OF[kind]


# ---------------------------------------------------------------- version 2.2


def _old_nodes(source: _Source) -> tuple[Indices, Points]:
    number = _old_count(source)
    if isinstance(source, _Binary):
        table = source.take("i4,3f8", number)
        return table["f0"].astype(np.int64), table["f1"].astype(np.float64)
    assert isinstance(source, _Text)
    rows = source.rows(number, 4)
    return rows[:, 0].astype(np.int64), rows[:, 1:]


def _old_count(source: _Source) -> int:
    try:
        number = int(source.line())
    except ValueError:
        raise MeshProblem("does not say how many points or elements it has") from None
    if not 0 < number <= _MOST:
        raise MeshProblem(f"says that it has {number} points or elements; 1 to {_MOST} are read")
    return number


def _old_elements(source: _Source) -> dict[int, list[Indices]]:
    if isinstance(source, _Binary):
        return _old_binary_elements(source)
    found: dict[int, list[list[int]]] = {}
    for _ in range(_old_count(source)):
        try:
            row = [int(word) for word in source.line().split()]
        except ValueError:
            raise MeshProblem(f"has something that is no number before byte {source.at}") from None
        corners = _corners(row[1]) if len(row) > 2 else 0
        if len(row) < 3 or len(row) != 3 + row[2] + corners:
            raise MeshProblem(f"has an element of {len(row)} numbers before byte {source.at}")
        found.setdefault(row[1], []).append(row[3 + row[2] :])
    return {kind: [np.array(rows, np.int64)] for kind, rows in found.items()}


def _old_binary_elements(source: _Binary) -> dict[int, list[Indices]]:
    left, found = _old_count(source), dict[int, list[Indices]]()
    while left > 0:
        kind, count, tags = (int(v) for v in source.take("<i4", 3))
        if not 0 < count <= left or not 0 <= tags <= 100:
            raise MeshProblem(f"has a block of {count} elements where {left} are left")
        table = source.take("<i4", count * (1 + tags + _corners(kind))).reshape(count, -1)
        found.setdefault(kind, []).append(table[:, 1 + tags :].astype(np.int64))
        left -= count
    return found
