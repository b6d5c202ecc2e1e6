"""MSH files, MuJoCo's own format of before: four counts, then vertices, normals, texture coordinates and triangles."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import LEAST_VERTICES, MeshProblem, RawMesh

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
