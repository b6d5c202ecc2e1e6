"""Meshes in MuJoCo's binary format of before (*.msh) as OBJ text.

tumble run -m mujoco.msh2obj in.msh out.obj
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import read_msh


class Msh(Struct, frozen=True):
    """The contents of an MSH file, with texture coordinates as OBJ has them: v from below.

    vertex_positions, vertex_normals: (n, 3) float32; vertex_texcoords: (n, 2) float32; face_vertex_indices: (m, 3) int32, from 0.
    """

    vertex_positions: NDArray[np.float32]
    vertex_normals: NDArray[np.float32]
    vertex_texcoords: NDArray[np.float32]
    face_vertex_indices: NDArray[np.int32]

    @staticmethod
    def create(file: Path) -> Msh:
        """Read a file. Raises ValueError that says at which byte it is no MSH file, and OSError."""
        try:
            raw = read_msh(Path(file).read_bytes())
        except MeshProblem as problem:
            raise ValueError(f"{file}: {problem}") from problem
        texcoords = raw.texcoords.copy()
        texcoords[:, 1] = 1 - texcoords[:, 1]
        return Msh(raw.vertices, raw.normals, texcoords, raw.faces)


def msh_to_obj(msh_file: Path) -> str:
    """The OBJ text of an MSH file. Raises ValueError and OSError."""
    msh = Msh.create(msh_file)
    lines = [*_rows("v", msh.vertex_positions), *_rows("vt", msh.vertex_texcoords), *_rows("vn", msh.vertex_normals)]
    texture, normal = len(msh.vertex_texcoords) > 0, len(msh.vertex_normals) > 0
    for face in msh.face_vertex_indices + 1:
        lines.append(" ".join(["f", *(_corner(int(vertex), texture, normal) for vertex in face)]))
    return "\n".join(lines) + "\n"


def _rows(word: str, values: NDArray[Any]) -> Iterator[str]:
    for row in values.tolist():  # repr keeps every digit of a float32
        yield " ".join([word, *map(repr, row)])


def _corner(vertex: int, texture: bool, normal: bool) -> str:
    """A vertex of a face: its position, texture coordinates and normal have the same number."""
    if not normal:
        return f"{vertex}/{vertex}" if texture else f"{vertex}"
    return f"{vertex}/{vertex if texture else ''}/{vertex}"


def main() -> None:
    """Convert the file that the command line names."""
    parser = argparse.ArgumentParser(description="Convert a mesh from MSH to OBJ.")
    parser.add_argument("msh", type=Path, help="file to read")
    parser.add_argument("obj", type=Path, help="file to write")
    options = parser.parse_args()
    options.obj.write_text(msh_to_obj(options.msh), encoding="utf-8")


if __name__ == "__main__":
    main()
