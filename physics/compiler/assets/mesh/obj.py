"""OBJ files: `v`, `vt`, `vn` and `f`. Of several groups or objects the first that has faces is the mesh, as in the reference.

Polygons become triangles.
"""

from __future__ import annotations

import io
import logging
import re
from typing import Any

import numpy as np

from tumble.physics.compiler.assets.mesh.polygons import triangles
from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MOST_FACES, MeshProblem, RawMesh, first_bad_vertex
from tumble.physics.compiler.kernels import read_lines, weld_corners
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


_UNIT = re.compile(rb"""<unit\b[^>]*?\bmeter\s*=\s*["']\s*([0-9.eE+-]+)""")
_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


def read_dae(data: bytes) -> RawMesh:
    """The mesh of a COLLADA file, in metres. Raises MeshProblem."""
    if _ENTITY.search(data):
        raise MeshProblem("has a document type or an entity declaration, which is not read; remove it")
    mesh = _read(data, "dae")
    unit = _UNIT.search(data)
    if unit is not None:
        mesh.vertices = (mesh.vertices.astype(np.float64) * _meters(unit[1])).astype(np.float32)
    return mesh


def _meters(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:
        raise MeshProblem(f'has a unit of "{text.decode()}" metres; valid is one number') from None


def read_glb(data: bytes) -> RawMesh:
    """The mesh of a binary glTF file. Raises MeshProblem."""
    return _read(data, "glb")


def read_gltf(data: bytes) -> RawMesh:
    """The mesh of a glTF file that holds its own data. Raises MeshProblem."""
    return _read(data, "gltf")


def _read(data: bytes, kind: str) -> RawMesh:
    if not data:
        raise MeshProblem("is empty")
    if len(data) > MOST_BYTES:
        raise MeshProblem(f"has {len(data)} bytes; of such a file {MOST_BYTES} are read")
    try:
        import trimesh

        if kind == "dae":
            import collada  # noqa: F401  # which trimesh needs, and would do without in silence
    except ImportError as missing:
        what = f"needs {missing.name}, which is not installed: pip install 'tumble[urdf]', or convert it to .obj"
        raise MeshProblem(what) from None
    scene = _loaded(trimesh, data, kind)
    vertices, faces = np.asarray(scene.vertices, np.float32), np.asarray(scene.faces, np.int32)
    if not len(faces):
        raise MeshProblem("has no triangles")
    return RawMesh(np.ascontiguousarray(vertices), np.ascontiguousarray(faces))


def _loaded(trimesh: Any, data: bytes, kind: str) -> Any:
    """The one mesh of a file. What a damaged file makes the library raise is anything; it is the file's problem."""
    try:
        return trimesh.load_scene(io.BytesIO(data), file_type=kind).to_mesh()
    except Exception as problem:
        logging.getLogger(__name__).debug("trimesh refused a .%s file", kind, exc_info=True)
        elsewhere = kind == "gltf" and b'"uri"' in data
        hint = "; its data is in other files: convert it to .glb" if elsewhere else ""
        raise MeshProblem(f"cannot be read: {problem or type(problem).__name__}{hint}") from problem
