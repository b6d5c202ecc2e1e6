"""A mesh as a file or an element gives it, before anything is computed from it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

MOST_FACES = 4_000_000  # the arrays computed from this many still fit in 2 GB
MOST_BYTES = 2**28  # of a file in text, whose numbers take several times the room while they are read
LEAST_VERTICES = 4
_FURTHEST = 2.0**30  # a coordinate of this size is a mistake in a file, and its cube leaves float32


class MeshProblem(Exception):
    """A problem with the data of a mesh, and at which byte, line or number, as a message."""


def _none(columns: int, dtype: type) -> np.ndarray:
    return np.empty((0, columns), dtype)


class RawMesh(Struct, eq=False):
    """Vertices, normals and texture coordinates, and the triangles between them.

    vertices: (nvert, 3) f4. faces: (nface, 3) i4; none: those of the convex hull. normals: (nnormal, 3) f4; none: made from
    the faces. texcoords: (ntexcoord, 2) f4. face_normals, face_texcoords: (nface, 3) i4, -1 if a corner has none; none
    at all: the vertices' own, of which each vertex has `normals_each`, the first for its triangles. from_file: whether its
    triangles are those of a file.
    """

    vertices: np.ndarray
    faces: np.ndarray = field(default_factory=lambda: _none(3, np.int32))
    normals: np.ndarray = field(default_factory=lambda: _none(3, np.float32))
    texcoords: np.ndarray = field(default_factory=lambda: _none(2, np.float32))
    face_normals: np.ndarray = field(default_factory=lambda: _none(3, np.int32))
    face_texcoords: np.ndarray = field(default_factory=lambda: _none(3, np.int32))
    normals_each: int = 1
    from_file: bool = False


def rows(values: np.ndarray, columns: int, what: str, dtype: type) -> np.ndarray:
    """A list of numbers as rows. Raises MeshProblem if it does not divide."""
    if values.size % columns:
        raise MeshProblem(f"{what} needs a multiple of {columns} numbers, has {values.size}")
    return np.ascontiguousarray(values.reshape(-1, columns), dtype)


def first_bad_vertex(vertices: np.ndarray) -> int:
    """The first of these rows that is not finite or far out of any proportion; -1: none."""
    with np.errstate(invalid="ignore"):
        good = (np.abs(vertices) < _FURTHEST).all(axis=1)
    return -1 if good.all() else int(np.argmin(good))


def check(mesh: RawMesh) -> None:
    """Raise MeshProblem if vertices and indices do not make a mesh."""
    count = len(mesh.vertices)
    if count < LEAST_VERTICES:
        raise MeshProblem(f"has {count} vertices; a mesh needs {LEAST_VERTICES} or more")
    if len(mesh.faces) > MOST_FACES or count > 3 * MOST_FACES:
        raise MeshProblem(f"has {len(mesh.faces)} triangles and {count} vertices; {MOST_FACES} triangles are the most")
    bad = first_bad_vertex(mesh.vertices)
    if bad >= 0:
        x, y, z = mesh.vertices[bad]
        raise MeshProblem(f"vertex {bad} is {x:g} {y:g} {z:g}; coordinates must be finite and below {_FURTHEST:g}")
    check_faces(mesh.faces, count)
    for normals in (mesh.normals, mesh.texcoords):
        if not np.isfinite(normals).all():
            kind = "normal" if normals is mesh.normals else "texcoord"
            raise MeshProblem(f"{kind} {int(np.argmin(np.isfinite(normals).all(axis=1)))} is not finite")


def check_faces(faces: np.ndarray, count: int) -> None:
    """Raise MeshProblem at the first triangle whose corner is none of `count` vertices."""
    wrong = (faces < 0) | (faces >= count)
    if wrong.any():
        face, corner = (int(i[0]) for i in np.nonzero(wrong))
        raise MeshProblem(f"face {face} has vertex {faces[face, corner]}; there are vertices 0 to {count - 1}")
