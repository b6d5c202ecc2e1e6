"""MSH files as OBJ: the compiled mesh is the same, and what is no MSH file is said with its byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tumble import physics
from tumble.mujoco import msh2obj

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], np.int32)


@pytest.mark.parametrize(("normals", "texcoords"), [(True, True), (True, False), (False, True), (False, False)])
def test_the_mesh_is_the_same(normals: bool, texcoords: bool, tmp_path: Path) -> None:
    normal = np.float32([[-0.6, -0.8, 0], [1, 0, 0], [0, 1, 0], [0, 0.6, 0.8]])[: 4 * normals]
    texture = np.float32([[0, 0.25], [1, 0.1], [0.3, 0.7], [0.5, 1]])[: 4 * texcoords]
    counts = np.int32([len(CORNERS), len(normal), len(texture), len(FACES)])
    (tmp_path / "a.msh").write_bytes(b"".join(part.tobytes() for part in (counts, CORNERS, normal, texture, FACES)))
    (tmp_path / "b.obj").write_text(msh2obj.msh_to_obj(tmp_path / "a.msh"))
    meshes = []
    for name in ("a.msh", "b.obj"):
        (tmp_path / "m.xml").write_text(f"""<mujoco><asset><mesh name="m" file="{name}"/></asset>
            <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>""")
        meshes.append(physics.MjModel.from_xml_path(str(tmp_path / "m.xml")))
    for field in ("mesh_vert", "mesh_normal", "mesh_texcoord", "mesh_face", "mesh_facenormal", "mesh_facetexcoord"):
        turned_over = 1e-7 if field == "mesh_texcoord" else 0  # v is 1 - v in OBJ, in single precision
        np.testing.assert_allclose(getattr(meshes[0], field), getattr(meshes[1], field), rtol=0, atol=turned_over, err_msg=field)


def test_what_is_no_msh_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.msh").write_bytes(b"abc")
    with pytest.raises(ValueError, match=r"a\.msh: byte 3: ends within the four counts"):
        msh2obj.msh_to_obj(tmp_path / "a.msh")
