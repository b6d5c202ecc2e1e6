"""OBJ files: `v`, `vt`, `vn` and `f`. Of several groups or objects the first that has faces is the mesh, as in the reference.

Polygons become triangles.
"""

from __future__ import annotations

import re

import numpy as np

from tumble.physics.compiler.assets.mesh.polygons import triangles
from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MeshProblem, RawMesh
from tumble.physics.compiler.kernels import read_lines
from tumble.physics.compiler.kernels.obj import CORNER, FACE, LARGEST, NORMAL, SIZES, SPARE, TEXCOORD, TOO_LARGE, VERT, WIDTH
from tumble.physics.compiler.kernels.parse_numbers import POWERS

_NUMBER = re.compile(rb"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE)
_GAP = -1  # stands for an index that a corner does not have
_POWERS = np.array([float(f"1e{k}") for k in range(POWERS)])
_END = b"\n\n"  # what the kernel needs behind a text


def read_obj(data: bytes) -> RawMesh:
    """The mesh of an OBJ file. Raises MeshProblem, at a line, if a face cannot be read."""
    if len(data) > MOST_BYTES:
        raise MeshProblem(f"has {len(data)} bytes; of an OBJ file {MOST_BYTES} are read")
    text = np.frombuffer(data + _END, np.uint8)
    sizes, wrong = np.zeros(SIZES, np.int64), np.zeros(4, np.int64)
    read_lines.run(text, len(text), 0, _POWERS, sizes, 0, 0, 0, 0, 0, 0, wrong)
    total = sum(width * int(size) for width, size in zip(WIDTH, sizes, strict=False))
    found, hard = np.zeros(total), np.zeros(total, np.int64)
    corners, counts, lines = (np.empty(shape, np.int64) for shape in ((sizes[CORNER] + SPARE, 3), sizes[FACE], sizes[FACE]))
    read_lines.run(text, len(text), 1, _POWERS, sizes, total, found, hard, corners, counts, lines, wrong)
    if wrong[0]:
        raise _problem(data, *wrong.tolist())
    vertices, texcoords, normals = _rows(data, sizes, found, hard)
    texcoords[:, 1] = 1 - texcoords[:, 1]  # from the top, as in the model
    if not len(counts):
        return RawMesh(vertices, normals=normals, texcoords=texcoords)
    corners = corners[:-SPARE]
    bad = (corners[:, VERT] < 0) | (corners[:, VERT] >= len(vertices))
    if bad.any():
        first = int(np.argmax(bad))
        raise MeshProblem(f"line {np.repeat(lines, counts)[first]}: the face has vertex {corners[first, VERT] + 1}; "
                          f"there are vertices 1 to {len(vertices)}")  # fmt: skip
    flat = corners[triangles(vertices, counts, corners[:, VERT])].astype(np.int32)
    mesh = RawMesh(vertices, np.ascontiguousarray(flat[..., VERT]), normals, texcoords)
    if len(normals):
        mesh.face_normals = _known(flat[..., NORMAL], len(normals))
    if len(texcoords):
        mesh.face_texcoords = _known(flat[..., TEXCOORD], len(texcoords))
    return mesh


def _problem(data: bytes, kind: int, line: int, begin: int, end: int) -> MeshProblem:
    if kind == TOO_LARGE:
        return MeshProblem(f"line {line}: the face has an index beyond {LARGEST}")
    word = data[begin : min(end, begin + 40)].decode(errors="replace")
    return MeshProblem(f'line {line}: corner "{word}" of the face cannot be read; '
                       "valid are v, v/vt, v//vn and v/vt/vn, counted from 1, or from -1 backwards")  # fmt: skip


def _rows(data: bytes, sizes: np.ndarray, found: np.ndarray, hard: np.ndarray) -> list[np.ndarray]:
    """Vertices, texture coordinates and normals, (n, width) f4 each.

    From a word that is no number on, a row is 0, as in the reference.
    """
    rows, at = [], 0
    for width, size in zip(WIDTH, sizes.tolist(), strict=False):
        numbers, begins = (one[at : at + width * size].reshape(size, width) for one in (found, hard))
        for row in np.flatnonzero(begins.any(axis=1)):
            for column in np.flatnonzero(begins[row]):
                number = _NUMBER.match(data, begins[row, column] - 1)
                if number is None:
                    numbers[row, column:] = 0
                    break
                numbers[row, column] = float(number[0])
        with np.errstate(over="ignore"):
            rows.append(numbers.astype(np.float32))
        at += width * size
    return rows


def _known(indices: np.ndarray, count: int) -> np.ndarray:
    """Indices of normals or texture coordinates, with a gap if there is none such."""
    return np.ascontiguousarray(np.where((indices >= 0) & (indices < count), indices, _GAP), np.int32)
