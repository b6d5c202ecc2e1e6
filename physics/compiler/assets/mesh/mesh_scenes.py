"""Files of whole scenes, COLLADA (.dae) and glTF (.glb, .gltf), as one mesh: all their nodes, put in place.

The reference reads neither. Robots of URDF have them, so trimesh reads them here, where it is installed. As in RViz, a
COLLADA file's unit counts and its up axis does not; colours, textures and normals are left out.
"""

from __future__ import annotations

import io
import logging
import re
from typing import Any

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MeshProblem, RawMesh

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
