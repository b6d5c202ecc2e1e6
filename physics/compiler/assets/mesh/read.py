"""Where a mesh's data comes from: a file of one of three kinds, the element's own numbers, or a builtin shape."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from physics.compiler.assets.files import file_name, open_file
from physics.compiler.assets.mesh.builtin import make_builtin
from physics.compiler.assets.mesh.inline import add_inline, read_inline
from physics.compiler.assets.mesh.msh import read_msh
from physics.compiler.assets.mesh.obj import read_obj
from physics.compiler.assets.mesh.raw import MeshProblem, RawMesh, check
from physics.compiler.assets.mesh.stl import read_stl
from physics.errors import MjcfError
from physics.mjcf.document import Document, read_bytes
from physics.mjcf.spec import Element

_READERS = {"model/stl": read_stl, "model/obj": read_obj, "model/vnd.mujoco.msh": read_msh}
_ENDINGS = {".stl": "model/stl", ".obj": "model/obj", ".msh": "model/vnd.mujoco.msh"}


def contents(document: Document, element: Element) -> bytes:
    """The contents of the file that a <mesh> names; nothing where it names none. Raises MjcfError."""
    file = file_name(element)
    return open_file(document, element, file, element.settings.meshdir) if file else b""


def read_raw(element: Element, data: bytes) -> RawMesh:
    """The mesh of a <mesh> as it is given; data: of its file, if it has one. Raises MjcfError."""
    file = file_name(element)
    try:
        return _raw(element, file, data)
    except MeshProblem as problem:
        raise problem_of(element, problem) from None


def problem_of(element: Element, problem: MeshProblem) -> MjcfError:
    """What is wrong with a mesh, as an error at its element."""
    file = file_name(element)
    return element.error(f'file "{file}" {problem}' if file else str(problem))


def _raw(element: Element, file: str, data: bytes) -> RawMesh:
    if element.get("builtin", "none") != "none":
        return make_builtin(element)
    if not file:
        return read_inline(element)
    if element.has("vertex"):
        raise MeshProblem("is given besides vertex; valid is one of them")
    return add_inline(_READERS[_kind(file, str(element.get("content_type") or ""))](data), element)


def _kind(file: str, asked: str = "") -> str:
    """The kind of a mesh file, by its declared type or else its ending."""
    ending = os.path.splitext(file)[1].lower()
    kind = asked.lower() if asked.lower() in _READERS else _ENDINGS.get(ending, "")
    if not kind:
        raise MeshProblem(f'ends with "{ending}"; valid are {", ".join(_ENDINGS)}, or content_type {", ".join(_READERS)}')
    return kind


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) f8 and triangles (m, 3) i4 of a mesh file, in its own units.

    Raises MeshProblem for what is no mesh, and FileProblem for what cannot be read.
    """
    raw = _READERS[_kind(path.name)](read_bytes(str(path)))
    check(raw)
    return triangles(raw)


def triangles(raw: RawMesh) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) f8 and triangles (m, 3) i4 of a mesh."""
    return raw.vertices.astype(np.float64), raw.faces
