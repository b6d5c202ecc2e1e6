"""Sources of a mesh: a file of one of six kinds, the element's own numbers, or a builtin shape."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tumble.physics.compiler.assets.files import file_name, open_file
from tumble.physics.compiler.assets.mesh.builtin import make_builtin
from tumble.physics.compiler.assets.mesh.inline import add_inline, read_inline
from tumble.physics.compiler.assets.mesh.msh import read_msh
from tumble.physics.compiler.assets.mesh.obj import read_obj
from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh, check
from tumble.physics.compiler.assets.mesh.scene import read_dae, read_glb, read_gltf
from tumble.physics.compiler.assets.mesh.stl import read_stl
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.document import Document, read_bytes
from tumble.physics.mjcf.spec import Element

_READERS = {
    "model/stl": read_stl, "model/obj": read_obj, "model/vnd.mujoco.msh": read_msh,
    "model/vnd.collada+xml": read_dae, "model/gltf-binary": read_glb, "model/gltf+json": read_gltf,
}  # fmt: skip
_ENDINGS = dict(zip((".stl", ".obj", ".msh", ".dae", ".glb", ".gltf"), _READERS, strict=True))


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
