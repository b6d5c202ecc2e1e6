"""Sources of a mesh: a file of one of six kinds, the element's own numbers, or a builtin shape."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tumble.physics.compiler.assets.asset_files import file_name, open_file
from tumble.physics.compiler.assets.mesh.builtin import make_builtin
from tumble.physics.compiler.assets.mesh.obj import read_dae, read_glb, read_gltf, read_obj, read_stl
from tumble.physics.compiler.assets.mesh.raw import LEAST_VERTICES, MeshProblem, RawMesh, check, rows
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.document import Document, read_bytes
from tumble.physics.mjcf.spec import Element


def contents(document: Document, element: Element) -> bytes:
    """The contents of the file that a <mesh> names; nothing if it names none. Raises MjcfError."""
    file = file_name(element)
    return open_file(document, element, file, element.settings.meshdir) if file else b""


def problem_of(element: Element, problem: MeshProblem) -> MjcfError:
    """The problem of a mesh, as an error at its element."""
    file = file_name(element)
    return element.error(f'file "{file}" {problem}' if file else str(problem))


def read_raw(element: Element, data: bytes) -> RawMesh:
    """The mesh of a <mesh> as it is given; data: of its file, if it has one. Raises MeshProblem."""
    file = file_name(element)
    if element.get("builtin", "none") != "none":
        return make_builtin(element)
    if not file:
        return read_inline(element)
    if element.has("vertex"):
        raise MeshProblem("is given besides vertex; valid is one of them")
    mesh = _READERS[kind_of(element, file)](data)
    mesh.from_file = len(mesh.faces) > 0
    return add_inline(mesh, element)


def kind_of(element: Element, file: str) -> str:
    """The kind of an element's file, by the type it declares or else its ending. Raises MeshProblem."""
    asked = str(element.get("content_type") or "").lower()
    return asked if asked in _READERS else _kind(file)


def _kind(file: str) -> str:
    ending = os.path.splitext(file)[1].lower()
    if ending not in _ENDINGS:
        raise MeshProblem(f'ends with "{ending}"; valid are {", ".join(_ENDINGS)}, or content_type {", ".join(_READERS)}')
    return _ENDINGS[ending]


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) f8 and triangles (m, 3) i4 of a mesh file, in its own units.

    Raises MeshProblem for what is no mesh, and FileProblem for what cannot be read.
    """
    raw = _READERS[_kind(path.name)](read_bytes(str(path)))
    check(raw)
    return triangles(raw)


def read_triangle_file(element: Element, file: str, data: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vertices (n, 3) f8, triangles (m, 3) i8 and texture coordinates (n, 2) f8 or (0, 2) of a file that an element names.

    Raises MeshProblem.
    """
    raw = _READERS[kind_of(element, file)](data)
    check(raw)
    texcoord = raw.texcoords if len(raw.texcoords) == len(raw.vertices) else raw.texcoords[:0]
    return raw.vertices.astype(np.float64), raw.faces.astype(np.int64), texcoord.astype(np.float64)


def triangles(raw: RawMesh) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) f8 and triangles (m, 3) i4 of a mesh."""
    return raw.vertices.astype(np.float64), raw.faces


def read_inline(element: Element) -> RawMesh:
    """The mesh of `vertex`, `normal`, `texcoord` and `face`. Raises MeshProblem if they do not fit together."""
    mesh = RawMesh(rows(_numbers(element, "vertex"), 3, "vertex", np.float32))
    return add_inline(mesh, element)


def add_inline(mesh: RawMesh, element: Element) -> RawMesh:
    """A mesh with the further data of its element: texture coordinates, and whatever the mesh still lacks."""
    for name, given in (("normal", len(mesh.normals)), ("face", len(mesh.faces))):
        if given and element.has(name):
            raise MeshProblem(f"has {name} both in its file and in the text; valid is one of them")
    if element.has("normal"):
        mesh.normals = rows(_numbers(element, "normal"), 3, "normal", np.float32)
        each, rest = divmod(len(mesh.normals), max(1, len(mesh.vertices)))
        if not rest:  # as builtin shapes have them, when they are written
            mesh.normals_each = max(1, each)
    if element.has("face"):
        mesh.faces = rows(_numbers(element, "face"), 3, "face", np.int32)
    if element.has("texcoord"):
        mesh.texcoords = rows(_numbers(element, "texcoord"), 2, "texcoord", np.float32)
        mesh.face_texcoords = np.empty((0, 3), np.int32)
        if len(mesh.texcoords) != len(mesh.vertices):
            raise MeshProblem(f"texcoord needs 2 numbers for each of {len(mesh.vertices)} vertices, has {mesh.texcoords.size}")
    return mesh


def _numbers(element: Element, name: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.atleast_1d(np.asarray(element.get(name, ())))


_COUNTS = 16  # bytes


def read_msh(data: bytes) -> RawMesh:
    """The mesh of an MSH file. Raises MeshProblem, at a byte, if its counts and its size do not agree."""
    if len(data) < _COUNTS:
        raise MeshProblem(f"byte {len(data)}: ends within the four counts that an MSH file begins with" if data else "is empty")
    nvert, nnormal, ntexcoord, nface = (int(n) for n in np.frombuffer(data, "<i4", 4))
    if nvert < LEAST_VERTICES or nface < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise MeshProblem(f"byte 0: has counts of {nvert} vertices, {nnormal} normals, {ntexcoord} texcoords and {nface} faces; "
                          f"valid: {LEAST_VERTICES} or more vertices, as many normals and texcoords or none")  # fmt: skip
    size = _COUNTS + 12 * (nvert + nnormal + nface) + 8 * ntexcoord
    if len(data) != size:
        raise MeshProblem(f"byte {min(size, len(data))}: its counts make a file of {size} bytes, it has {len(data)}")
    at, parts = _COUNTS, []
    for count, columns, kind in ((nvert, 3, "<f4"), (nnormal, 3, "<f4"), (ntexcoord, 2, "<f4"), (nface, 3, "<i4")):
        parts.append(np.frombuffer(data, kind, count * columns, at).reshape(-1, columns).copy())
        at += parts[-1].nbytes
    vertices, normals, texcoords, faces = parts
    return RawMesh(vertices, faces, normals, texcoords)


_READERS = {
    "model/stl": read_stl, "model/obj": read_obj, "model/vnd.mujoco.msh": read_msh,
    "model/vnd.collada+xml": read_dae, "model/gltf-binary": read_glb, "model/gltf+json": read_gltf,
}  # fmt: skip
_ENDINGS = dict(zip((".stl", ".obj", ".msh", ".dae", ".glb", ".gltf"), _READERS, strict=True))
