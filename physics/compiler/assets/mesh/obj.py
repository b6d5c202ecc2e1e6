"""OBJ files: `v`, `vt`, `vn` and `f`. Of several groups or objects the first that has faces is the mesh, as in the reference.

Polygons become triangles. Where all lines of a kind look the same, as programs write them, they are read in one piece;
else one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from physics.compiler.assets.mesh.polygon import triangles
from physics.compiler.assets.mesh.raw import MOST_BYTES, MeshProblem, RawMesh
from physics.compiler.kernels import read_numbers
from physics.compiler.kernels.numbers import POWERS

_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf|nan)[a-z]*", re.IGNORECASE)
_INDEX = re.compile(rb"[-+]?\d+")
_GAP = -1  # stands for an index that a corner does not have
_POWERS = np.array([float(f"1e{k}") for k in range(POWERS)])


class Lines(NamedTuple):
    """The lines of a kind: their numbers, counted from 0, and their text without the keyword, each ended."""

    numbers: np.ndarray
    text: bytes


def read_obj(data: bytes) -> RawMesh:
    """The mesh of an OBJ file. Raises MeshProblem, at a line, if a face cannot be read."""
    if len(data) > MOST_BYTES:
        raise MeshProblem(f"has {len(data)} bytes; of an OBJ file {MOST_BYTES} are read")
    kinds = _sort_lines(_plain(data))
    vertices, texcoords, normals = (_numbers(kinds[kind], n) for kind, n in ((b"v", 3), (b"vt", 2), (b"vn", 3)))
    faces = _first_group(kinds)
    if not len(faces.numbers):
        return RawMesh(vertices, normals=normals, texcoords=_upright(texcoords))
    counts, corners = _corners(faces)
    lines = np.repeat(faces.numbers, counts)
    for column, kind in enumerate((b"v", b"vt", b"vn")):
        corners[:, column] = _absolute(corners[:, column], lines, kinds[kind])
    if (corners[:, 0] >= len(vertices)).any() or (corners[:, 0] < 0).any():
        wrong = int(np.argmax((corners[:, 0] >= len(vertices)) | (corners[:, 0] < 0)))
        raise MeshProblem(f"line {lines[wrong] + 1}: the face has vertex {corners[wrong, 0] + 1}; "
                          f"there are vertices 1 to {len(vertices)}")  # fmt: skip
    flat = corners[triangles(vertices, counts, corners[:, 0])].astype(np.int32)
    mesh = RawMesh(vertices, np.ascontiguousarray(flat[..., 0]), normals, _upright(texcoords))
    if len(normals):
        mesh.face_normals = _known(flat[..., 2], len(normals))
    if len(texcoords):
        mesh.face_texcoords = _known(flat[..., 1], len(texcoords))
    return mesh


def _plain(data: bytes) -> bytes:
    """The text with one end of line, and without tabs, comments, indentation and ends that are no ends."""
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\t", b" ")
    text = text.replace(b"\\\n", b" ")
    if b"#" in text:
        text = re.sub(rb"#[^\n]*", b"", text)
    if text.startswith(b" ") or b"\n " in text:
        text = re.sub(rb"(?m)^ +", b"", text)
    return text + b"\n"


def _sort_lines(text: bytes) -> dict[bytes, Lines]:
    """The lines of each kind; those that do not concern the mesh are left out."""
    letters = np.frombuffer(text + b"\n\n", np.uint8)
    ends = np.flatnonzero(letters[:-2] == ord("\n"))
    starts = np.concatenate([[0], ends[:-1] + 1])
    kinds = {}
    for kind in (b"v", b"vt", b"vn", b"f", b"g", b"o"):
        match = letters[starts + len(kind)] <= ord(" ")
        for k, letter in enumerate(kind):
            match &= letters[starts + k] == letter
        numbers = np.flatnonzero(match)
        breaks = np.flatnonzero(np.diff(numbers) != 1)
        first, last = np.concatenate([[0], breaks + 1]), np.concatenate([breaks, [len(numbers) - 1]])
        runs = zip(starts[numbers[first]], ends[numbers[last]], strict=True) if len(numbers) else ()
        joined = b"".join([text[begin : end + 1] for begin, end in runs]) if kind not in (b"g", b"o") else b""
        kinds[kind] = Lines(numbers, joined.replace(kind, b" " * len(kind)))
    return kinds


def _first_group(kinds: dict[bytes, Lines]) -> Lines:
    """The faces up to where the first group or object that has any ends; faces of fewer than three corners do not count."""
    faces = kinds[b"f"]
    keep = _words_a_line(faces) > 2
    if keep.any():
        ends = np.concatenate([kinds[b"g"].numbers, kinds[b"o"].numbers])
        after = ends[ends > faces.numbers[keep][0]]
        keep &= faces.numbers < (after.min() if len(after) else np.inf)
    if keep.all():
        return faces
    lines = faces.text.splitlines(keepends=True)
    return Lines(faces.numbers[keep], b"".join([lines[i] for i in np.flatnonzero(keep)]))


# ---------------------------------------------------------------- numbers


def _numbers(lines: Lines, columns: int) -> np.ndarray:
    """The first numbers of every line, (n, columns) f4; if one is missing or is none, it is 0, as in the reference."""
    count, words = len(lines.numbers), _words_a_line(lines)
    if count and (words == words[0]).all() and words[0] >= columns:
        found = _parse(lines.text, float, int(words.sum()))
        if found.size == words[0] * count:
            with np.errstate(over="ignore"):
                return np.ascontiguousarray(found.reshape(count, -1)[:, :columns], np.float32)
    table = np.zeros((count, columns), np.float32)
    for row, rest in zip(table, lines.text.splitlines(), strict=True):
        for column, word in enumerate(rest.split()[:columns]):
            number = _NUMBER.match(word)
            if number is None:
                break
            with np.errstate(over="ignore"):
                row[column] = float(number[0])
    return table


def _words_a_line(lines: Lines) -> np.ndarray:
    """Number of words of each line."""
    letters = np.frombuffer(lines.text, np.uint8)
    begins = letters > ord(" ")
    begins[1:] &= letters[:-1] <= ord(" ")
    return np.diff(np.concatenate([[0], np.cumsum(begins)[letters == ord("\n")]]))


def _parse(text: bytes, number: type[float] | type[int], most: int) -> np.ndarray:
    """All numbers of a text, which has `most` words or fewer; none if one is no number."""
    values, hard, counts = np.empty(most), np.empty((most, 3), np.int64), np.empty(2, np.int64)
    letters = np.frombuffer(text, np.uint8)
    read_numbers.run(letters, len(letters), int(number is int), _POWERS, values, most, hard, counts)
    kind = np.float64 if number is float else np.int64
    found = values[: counts[0]].astype(kind)
    try:
        for word, begin, end in hard[: counts[1]].tolist():
            found[word] = number(text[begin:end])
    except (ValueError, OverflowError):
        return np.empty(0)
    return found


# ---------------------------------------------------------------- faces


def _corners(faces: Lines) -> tuple[np.ndarray, np.ndarray]:
    """Number of corners of each face, and the indices of all corners as written: vertex, texcoord, normal; 0: missing."""
    text, counts = faces.text, _words_a_line(faces)
    total, slashes, doubles = int(counts.sum()), text.count(b"/"), text.count(b"//")
    columns: Sequence[int] = ()
    if not slashes:
        columns = (0,)
    elif doubles == total and slashes == 2 * total:
        columns = (0, 2)
    elif not doubles:
        columns = (0, 1) if slashes == total else (0, 1, 2)
    found = _parse(text.replace(b"/", b" "), int, total * len(columns) + 1) if columns else np.empty(0)
    if not columns or found.size != total * len(columns):
        return _corners_one_by_one(faces)
    corners = np.zeros((total, 3), np.int64)
    corners[:, columns] = found.reshape(total, -1)
    if (corners[:, columns] == 0).any():
        return _corners_one_by_one(faces)
    return counts, corners


def _corners_one_by_one(faces: Lines) -> tuple[np.ndarray, np.ndarray]:
    """As `_corners`, of faces whose corners do not all have the same indices."""
    counts, corners = [], []
    for line, rest in zip(faces.numbers, faces.text.splitlines(), strict=True):
        words = rest.split()
        counts.append(len(words))
        for word in words:
            parts = word.split(b"/")
            found = [_INDEX.match(part) for part in parts]
            if len(parts) > 3 or found[0] is None or int(found[0][0]) == 0:
                raise MeshProblem(f'line {line + 1}: corner "{word[:40].decode(errors="replace")}" of the face cannot be read; '
                                  "valid are v, v/vt, v//vn and v/vt/vn, counted from 1, or from -1 backwards")  # fmt: skip
            values = [int(one[0]) if one else 0 for one in found]
            corners.append([*values, 0, 0][:3])
    if any(abs(index) > 2**31 for corner in corners for index in corner):
        raise MeshProblem("a face has an index beyond 2147483648")
    return np.array(counts), np.array(corners, np.int64)


def _absolute(written: np.ndarray, lines: np.ndarray, known: Lines) -> np.ndarray:
    """Indices counted from 0: those that are written are counted from 1, or from what was last before their line backwards."""
    if (written >= 0).all():
        return written - 1
    before = np.searchsorted(known.numbers, lines)
    return np.where(written < 0, before + written, written - 1)


def _known(indices: np.ndarray, count: int) -> np.ndarray:
    """Indices of normals or texture coordinates, with a gap if there is none such."""
    return np.ascontiguousarray(np.where((indices >= 0) & (indices < count), indices, _GAP), np.int32)


def _upright(texcoords: np.ndarray) -> np.ndarray:
    """Texture coordinates whose origin is at the top, as in the model, for those from the bottom, as in the file."""
    texcoords[:, 1] = 1 - texcoords[:, 1]
    return texcoords
