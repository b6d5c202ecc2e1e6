"""Meshes cut into convex parts: the parts fill the mesh, and a model that uses them collides as the mesh looks."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from tests.app.conftest import open_and_wait, written
from tumble import physics
from tumble.__main__ import main
from tumble.app.decompose import parts as text
from tumble.app.decompose.parts import ConvexPart, DecomposeError, Fineness, decompose
from tumble.app.decompose.patch import cut, mesh_of, triangles_of
from tumble.app.editing.attribute_text import PatchError
from tumble.physics.compiler.assets.mesh.read import read_triangles

ROOT = Path(__file__).parents[3]
# An angle of two bars, 3 x 1 x 1 and 1 x 1 x 2: volume 5, its hull has 7.
OUTLINE = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], float)
MODEL = """<mujoco>
  <compiler meshdir="shapes"/>
  <asset>
    <!-- as it came from the drawing, in centimetres -->
    <mesh name="angle" file="angle.obj" scale="0.01 0.01 0.01"/>
  </asset>
  <worldbody>
    <geom name="stand" type="mesh" mesh="angle" friction="0.7" rgba="1 0 0 1"/>
    <body pos="0.0165 0.0165 0.05"><freejoint/><geom name="ball" size="0.005"/></body>
  </worldbody>
</mujoco>
"""


def _angle():
    """The angle as a closed mesh, counter-clockwise from outside."""
    n = len(OUTLINE)
    vertices = np.concatenate([np.c_[OUTLINE, np.zeros(n)], np.c_[OUTLINE, np.ones(n)]])
    lid = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [(a, c, b) for a, b, c in lid] + [(a + n, b + n, c + n) for a, b, c in lid]
    for k in range(n):
        j = (k + 1) % n
        faces += [(k, j, j + n), (k, j + n, k + n)]
    return ConvexPart(vertices, np.array(faces, np.int32))


@pytest.fixture(scope="module")
def parts():
    angle = _angle()
    return decompose(angle.vertices, angle.faces, Fineness(0.05))


@pytest.fixture
def model(tmp_path):
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes" / "angle.obj").write_bytes(text.obj(_angle()))
    return written(tmp_path / "angle.xml", MODEL)


def test_the_parts_are_convex_and_fill_what_the_mesh_fills(parts):
    assert _angle().volume == pytest.approx(5.0)
    assert len(parts) >= 2
    for part in parts:
        assert ConvexHull(part.vertices).volume == pytest.approx(part.volume, rel=1e-9)
    # coacd cuts along planes, within a hundredth of the mesh's size
    assert sum(part.volume for part in parts) == pytest.approx(5.0, rel=0.05)


def test_a_part_written_as_a_file_is_read_as_it_was(parts, tmp_path):
    (tmp_path / "part.obj").write_bytes(text.obj(parts[0]))
    vertices, faces = read_triangles(tmp_path / "part.obj")
    assert np.allclose(vertices, parts[0].vertices, atol=1e-6)  # single precision, coordinates up to 3
    assert np.array_equal(faces, parts[0].faces)


def test_what_cannot_be_cut_is_refused_with_what_is_valid():
    with pytest.raises(DecomposeError, match=r"concavity must be 0\.01 to 1, is 0"):
        Fineness(0.0)
    with pytest.raises(DecomposeError, match="encloses no volume"):
        decompose(np.zeros((3, 3)), np.zeros((1, 3), np.int32), Fineness())
    with pytest.raises(DecomposeError, match="no extent"):
        decompose(np.zeros((4, 3)), np.zeros((4, 3), np.int32), Fineness())


def test_the_patch_adds_the_parts_and_changes_nothing_else(model, parts):
    decomposition = cut(model, 0, parts)
    (patch,) = decomposition.patches
    lines = patch.after.decode().splitlines()
    added = [line.strip() for line in lines if line.strip() not in MODEL]
    assert [line for line in lines if line.strip() in MODEL] == [line for line in MODEL.splitlines() if "stand" not in line]
    assert added[: len(parts)] == [
        f'<mesh name="angle_{k}" file="angle_parts/angle_{k}.obj" scale="0.01 0.01 0.01"/>' for k in range(len(parts))
    ]
    assert added[len(parts)] == (
        '<geom name="stand" type="mesh" mesh="angle" friction="0.7" rgba="1 0 0 1" contype="0" conaffinity="0"/>'
    )
    assert added[len(parts) + 1] == '<geom name="stand_0" type="mesh" mesh="angle_0" friction="0.7" group="3" mass="0"/>'
    assert [file.parent for file in decomposition.files] == [model.parent / "shapes" / "angle_parts"] * len(parts)
    assert model.read_text() == MODEL  # nothing is written yet


def test_a_ball_falls_into_the_corner_that_the_hull_had_filled(model, parts):
    def height_after_a_second():
        m = physics.MjModel.from_xml_path(str(model))
        d = physics.MjData(m)
        physics.mj_step(m, d, 500)
        return float(d.qpos[2])

    assert height_after_a_second() == pytest.approx(0.015, abs=1e-3)  # on the hull's top at 1 cm, radius 5 mm
    decomposition = cut(model, 0, parts)
    for file, data in decomposition.files.items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    decomposition.patches[0].path.write_bytes(decomposition.patches[0].after)
    assert height_after_a_second() < -1.0  # through the corner, and on


def test_decompose_reports_pairs_and_refuses_primitive_geoms(model, parts):
    paired = MODEL.replace("</mujoco>", '<contact><pair geom1="ball" geom2="stand"/></contact></mujoco>')
    model.write_text(paired)
    assert any("<pair> names this geom" in line for line in cut(model, 0, parts).left)
    document, _, mesh = mesh_of(model, 0)
    assert np.array_equal(triangles_of(document, mesh)[0], _angle().vertices)  # small whole numbers are exact
    with pytest.raises(DecomposeError, match="only a geom whose type is mesh"):
        mesh_of(model, 1)
    model.write_text(MODEL.replace("<mujoco>", "<mujoco><nonsense/>"))
    with pytest.raises(PatchError, match="no longer loads"):
        mesh_of(model, 0)


def test_the_command_writes_the_parts_and_prints_what_uses_them(model, tmp_path, capsys):
    line = [sys.executable, "-m", "tumble", "decompose", str(tmp_path / "shapes" / "angle.obj"), "-o", str(tmp_path / "out")]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert all(f'file="{name}"' in done.stdout for name in names)
    assert len(names) >= 2
    bad = written(tmp_path / "bad.stl", "solid")
    assert main(["decompose", str(bad)]) == 2
    refused = capsys.readouterr().err
    assert (refused.count("\n"), "bad.stl" in refused) == (1, True)


def test_decompose_previews_parts_before_saving(window, qtbot, model):
    window.session.set_paused(True)
    open_and_wait(qtbot, window.session, model)
    panel = window.panels.inspector
    panel.dock.bring()
    qtbot.waitUntil(lambda: bool(panel.view.nodes.nodes))
    node = next(n for n in panel.view.nodes.nodes if n.kind.prefix == "geom" and n.name == "stand")
    other = next(n for n in panel.view.nodes.nodes if n.kind.prefix == "geom" and n.name == "ball")
    assert all(entry.text() != "Decompose…" for entry in panel.node_menu(other).actions())
    (action,) = (entry for entry in panel.node_menu(node).actions() if entry.text() == "Decompose…")
    action.trigger()
    desk = panel.decomposition
    qtbot.waitUntil(lambda: desk.dialog is not None and desk.dialog.isVisible())
    view = window.viewport
    desk.dialog.go.click()
    qtbot.waitUntil(lambda: view.pieces is not None)
    assert desk.dialog.save.isEnabled()
    view.repaint()
    assert not view._broken
    desk.dialog.save.click()
    qtbot.waitUntil(lambda: desk.view is not None and desk.view.isVisible())
    desk.view.save.click()
    qtbot.waitUntil(lambda: window.session.model.ngeom > 2)
    assert view.pieces is None
    assert not desk.dialog.isVisible()
    assert "<!-- as it came from the drawing" in model.read_text()
