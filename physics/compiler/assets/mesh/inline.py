"""Meshes whose numbers stand in the model's text."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh, rows
from tumble.physics.mjcf.spec import Element


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
