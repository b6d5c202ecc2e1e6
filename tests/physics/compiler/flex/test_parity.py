"""Compiled flexes are those of the reference, field by field."""

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.flex.scenes import flexcomp, further, generated, on_world
from tests.physics.compiler.parity import both, differences
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel
from tumble.physics.spec import MjSpec

SCENES = dict([*generated(), *further()])
# Solved for, with masses of grams in a body of tons: the last digits are those of the factorization.
SOLVED = ("body_invweight0", "dof_invweight0", "flexedge_invweight0")
# Sums in which larger numbers cancel: measured against the largest of the field.
SUMS = ("flex_stiffness", "flex_bending", "flex_vertmetric")
# The measure of `differences`: of the larger of 1 and the value. Sums of another order leave some units of the last place.
CLOSE = 1e-12


def strictly(ours: MjModel, theirs: mujoco.MjModel) -> list[str]:
    """All that differs but visual settings, which ours keeps in double precision."""
    fields = [line for line in differences(ours, theirs, CLOSE) if not line.startswith((*SOLVED, *SUMS, "vis_"))]
    scales = {field: np.abs(getattr(theirs, field)).max(initial=0) for field in SUMS}
    return fields + [field for field, scale in scales.items()
                     if np.abs(getattr(ours, field) - getattr(theirs, field)).max(initial=0) > CLOSE * scale]  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_a_flex_compiles_to_the_arrays_of_the_reference(name: str) -> None:
    ours, theirs = both(SCENES[name])
    turned = ["flex_stiffness"] if name == "nodes that resist, turned" else []  # the reference has that of another box
    assert strictly(ours, theirs) == turned
    for field in SOLVED:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-9, atol=1e-12)
    assert (ours.nbvhdynamic, ours.flex_bvhadr.tolist()) == (theirs.nbvhdynamic, theirs.flex_bvhadr.tolist())


@pytest.mark.parametrize(("dim", "count"), [(1, "9 1 1"), (2, "5 4 1"), (3, "4 3 5")])
def test_the_tree_over_the_elements_is_that_of_the_reference(dim: int, count: str) -> None:
    ours, theirs = both(on_world(flexcomp(dim=dim, count=count, spacing="0.1 0.12 0.17")))
    for field in ("bvh_child", "bvh_depth", "bvh_nodeid"):
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field))


@pytest.mark.parametrize("turn", ['quat="0.5 0.5 0.5 0.5"', 'quat="0.6 0 0.8 0"', 'axisangle="0 1 0 90"', 'quat="0 0.6 0 -0.8"'])
def test_turned_flexcomp_points_match_reference_exactly(turn: str) -> None:
    """What touches a plane, an end or an edge exactly then does so in both engines."""
    flex = flexcomp(dim=3, count="6 5 4", spacing="0.07 0.063 0.0711", pos="0.3 0.1 0.77").replace(' pos="', f' {turn} pos="')
    ours, theirs = both(on_world(flex))
    np.testing.assert_array_equal(ours.body_pos, theirs.body_pos)


def test_texture_coordinates_go_with_the_corners_of_elements() -> None:
    """As in the reference for surfaces; of solids it fills a part of them, and those of tetrahedra that it turns are swapped."""
    for kind, dim, count in (("grid", 2, "4 3 1"), ("disc", 2, "4 4 1")):
        ours, theirs = both(on_world(flexcomp(type=kind, dim=dim, count=count, material="m")).replace(
            "<worldbody>", '<asset><material name="m"/></asset><worldbody>'))  # fmt: skip
        assert strictly(ours, theirs) == []
    ours, theirs = both(on_world(flexcomp(type="box", dim=3, count="3 3 3", material="m")).replace(
        "<worldbody>", '<asset><material name="m"/></asset><worldbody>'))  # fmt: skip
    np.testing.assert_array_equal(ours.flex_texcoord, theirs.flex_texcoord)
    np.testing.assert_array_equal(ours.flex_elemtexcoord, ours.flex_elem)


@pytest.mark.parametrize("name", [
    "grid 2 full 0", "grid 2 full 2", "circle 1 full 1", "box 3 trilinear 4", "collides 2", "neighbourhoods", "defaults",
    'written 4 <flex flex="X"/> <edge da'])  # fmt: skip
def test_a_spec_and_its_text_give_the_same_flex(name: str) -> None:
    ours = MjModel.from_xml_string(SCENES[name])
    spec = MjSpec.from_string(SCENES[name])
    for again in (spec.compile(), MjModel.from_xml_string(spec.to_xml())):
        assert again.sizes() == ours.sizes()
        for field, array in ours._arrays.items():
            if not field.startswith("stage"):
                np.testing.assert_allclose(again._arrays[field], array, rtol=1e-13, atol=1e-15, err_msg=field)


POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
TETRAHEDRA, TRIANGLES = [(1, 2, 3, 4), (2, 3, 4, 5)], [(1, 2, 3), (2, 4, 3), (2, 5, 4)]
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
_HEAD = b"$MeshFormat\n%s %d 8\n%s$EndMeshFormat\n$Nodes\n%s$EndNodes\n$Elements\n%s$EndElements\n"


def text_22(elements: list[tuple[int, ...]], kind: int) -> bytes:
    nodes = "5\n" + "".join(f"{k + 1} {x} {y} {z}\n" for k, (x, y, z) in enumerate(POINTS))
    rows = "".join(f"{k + 1} {kind} 2 0 1 {' '.join(map(str, e))}\n" for k, e in enumerate(elements))
    return _HEAD % (b"2.2", 0, b"", nodes.encode(), f"{len(elements)}\n{rows}".encode())


def text_41(elements: list[tuple[int, ...]], kind: int) -> bytes:
    nodes = "1 5 1 5\n3 1 0 5\n" + "".join(f"{k}\n" for k in range(1, 6)) + "".join(f"{x} {y} {z}\n" for x, y, z in POINTS)
    rows = "".join(f"{k + 1} {' '.join(map(str, e))}\n" for k, e in enumerate(elements))
    n = len(elements)
    return _HEAD % (b"4.1", 0, b"", nodes.encode(), f"1 {n} 1 {n}\n{kind // 2 + 1} 1 {kind} {n}\n{rows}".encode())


def binary_41(elements: list[tuple[int, ...]], kind: int) -> bytes:
    n = len(elements)
    nodes = struct.pack("<4Q3iQ5Q", 1, 5, 1, 5, 3, 1, 0, 5, *range(1, 6)) + POINTS.astype("<f8").tobytes() + b"\n"
    rows = b"".join(struct.pack(f"<{1 + len(e)}Q", k + 1, *e) for k, e in enumerate(elements))
    blocks = struct.pack("<4Q3iQ", 1, n, 1, n, kind // 2 + 1, 1, kind, n) + rows + b"\n"
    return _HEAD % (b"4.1", 1, struct.pack("<i", 1) + b"\n", nodes, blocks)


def binary_22(elements: list[tuple[int, ...]], kind: int) -> bytes:
    nodes = b"5\n" + b"".join(struct.pack("<i3d", k + 1, *p) for k, p in enumerate(POINTS)) + b"\n"
    rows = b"".join(struct.pack(f"<{3 + len(e)}i", k + 1, 0, 1, *e) for k, e in enumerate(elements))
    blocks = b"%d\n" % len(elements) + struct.pack("<3i", kind, len(elements), 2) + rows + b"\n"
    return _HEAD % (b"2.2", 1, struct.pack("<i", 1) + b"\n", nodes, blocks)


FORMS = (text_22, text_41, binary_41, binary_22)


def scene(kind: str, file: str, **more: object) -> str:
    return on_world(flexcomp(type=kind, file=file, radius=0.01, **more))


@pytest.mark.parametrize("elements", [TETRAHEDRA, TRIANGLES])
def test_all_gmsh_formats_compile_as_in_reference(tmp_path: Path, elements: list[tuple[int, ...]]) -> None:
    kind = 4 if elements is TETRAHEDRA else 2
    (tmp_path / "model.xml").write_text(scene("gmsh", "mesh.any", scale="1 2 1", euler="0 0 30"))
    (tmp_path / "mesh.any").write_bytes(FORMS[0](elements, kind))
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    for form in FORMS:
        data = form(elements, kind).replace(b"2\n1 4 2 0", b"3\n9 15 2 0 1 1\n1 4 2 0")  # and a point of the drawing
        (tmp_path / "mesh.any").write_bytes(data)
        assert strictly(MjModel.from_xml_path(tmp_path / "model.xml"), theirs) == [], form.__name__


def test_a_surface_becomes_cloth_or_with_an_origin_a_solid(tmp_path: Path) -> None:
    (tmp_path / "tet.obj").write_bytes(OBJ)
    for more in ({"dim": 2}, {"dim": 3, "origin": "0.1 0.1 0.1"}, {"dim": 3, "origin": "1 1 1"}):
        (tmp_path / "model.xml").write_text(scene("mesh", "tet.obj", **more))
        ours, theirs = (load(str(tmp_path / "model.xml")) for load in (MjModel.from_xml_path, mujoco.MjModel.from_xml_path))
        assert strictly(ours, theirs) == []
    assert ours.nflexelem == 3  # from 1 1 1 one triangle shows its front


@pytest.mark.parametrize(("data", "says"), [
    (b"solid", "no GMSH file"), (text_22(TETRAHEDRA, 4).replace(b"2.2", b"3.0"), "format 3.0 0 8; valid: 2.2 or 4.1"),
    (text_22(TETRAHEDRA, 4).replace(b"1 2 3 4", b"1 2 3 9"), "element with point 9"),
    (text_22(TETRAHEDRA, 4)[:150], "has an element of 7 numbers"), (binary_41(TETRAHEDRA, 4)[:130], "no section"),
    (binary_41(TETRAHEDRA, 4).replace(struct.pack("<4Q", 1, 5, 1, 5), struct.pack("<4Q", 1, 1 << 60, 1, 5)), "at most 50000000"),
    (text_41(TETRAHEDRA, 4).replace(b"1 5 1 5", b"1 5 1 x"), "no number before byte"),
    (text_22([(1, 2)], 1), "neither triangles nor tetrahedra"), (text_22([(1, 2, 3, 4)], 99), "type 99"),
])  # fmt: skip
def test_a_file_that_is_no_mesh_says_why(data: bytes, says: str) -> None:
    with pytest.raises(MjcfError, match=rf'model.xml:1:\d+: <flexcomp> file "m" .*({says})'):
        MjModel.from_xml_string(scene("gmsh", "m"), {"m": data})
