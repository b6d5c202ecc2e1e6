"""Files of meshes: what each says is what the others say, and whatever is wrong is told with the file, and the byte or line."""

import random
import struct
import tracemalloc
from typing import Any

import numpy as np
import pytest

from tests.physics.compiler.mesh.shapes import BOX, BOX_FACES, lumpy, msh, numbers, obj, stl, stl_text
from tumble.physics.compiler.assets.mesh.obj import _POWERS as POWERS
from tumble.physics.compiler.assets.mesh.obj import read_obj, read_stl
from tumble.physics.compiler.assets.mesh.polygons import triangles
from tumble.physics.compiler.assets.mesh.raw import MOST_BYTES, MeshProblem
from tumble.physics.compiler.kernels.obj import CORNER, FACE, SIZES, SPARE, WIDTH, _read
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

VERTICES, FACES = lumpy()
LUMP = f'vertex="{numbers(VERTICES)}" face="{numbers(FACES)}"'


def scene(attributes: str, geom: str = "") -> str:
    return (f'<mujoco><asset>\n  <mesh name="m" {attributes}/></asset><worldbody><body><geom type="mesh" mesh="m" {geom}/></body>'
            "</worldbody></mujoco>")  # fmt: skip


def test_every_kind_of_file_gives_the_same_corners() -> None:
    corners = VERTICES[FACES].astype(np.float32)
    for mesh in (read_stl(stl(corners)), read_stl(stl_text(corners)), read_obj(obj(VERTICES, FACES).encode())):
        assert (mesh.vertices[mesh.faces] == corners).all()
    assert len(read_stl(stl(corners)).vertices) == len(VERTICES)  # corners at one place are one vertex


def test_an_obj_file_reads_the_same_however_it_is_written() -> None:
    plain = obj(VERTICES, FACES)
    expected = read_obj(plain.encode())
    for other in (
        plain.replace("\n", "\r\n"), plain.replace(" ", "\t"), "  " + plain.replace("\n", "\n  "), "\ufeff" + plain,
        plain.replace("\n", " # said\n"), plain.replace("f 1 ", "f 1 \\\n "), plain.replace("f ", "g none\nusemtl x\ns 1\nf ", 1),
        obj(VERTICES, FACES - len(VERTICES) - 1),
    ):  # fmt: skip
        result = read_obj(other.encode())
        assert (result.vertices == expected.vertices).all()
        assert (result.faces == expected.faces).all()


def test_mixed_corners_leave_gaps_where_an_index_is_missing() -> None:
    text = obj(BOX, [], "vt 0 0\nvn 0 0 1") + "f 1/1/1 2 3//1\nf 1/1 3/1/1 4\n"
    mesh = read_obj(text.encode())
    assert mesh.face_normals.tolist() == [[0, -1, 0], [-1, 0, -1]]
    assert mesh.face_texcoords.tolist() == [[0, -1, -1], [0, 0, -1]]


@pytest.mark.parametrize("corners", [5, 6, 9])
def test_polygon_triangulation_covers_it_in_either_winding(corners: int) -> None:
    rng = np.random.default_rng(corners)
    angle = 2 * np.pi * (np.arange(corners) + rng.uniform(-0.3, 0.3, corners)) / corners
    radius = rng.uniform(0.3, 2, corners)  # a star about its middle: concave, never crossing itself
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    area = 0.5 * (plane[:, 0] @ np.roll(plane[:, 1], -1) - np.roll(plane[:, 0], -1) @ plane[:, 1])
    for points in (np.insert(plane, 0, 1, axis=1), np.insert(plane, 2, -3, axis=1)):
        for order in (np.arange(corners), np.arange(corners)[::-1]):
            corner_points = points[order[triangles(points, np.array([corners]), order)]]
            pieces = 0.5 * np.cross(corner_points[:, 1] - corner_points[:, 0], corner_points[:, 2] - corner_points[:, 0])
            assert np.linalg.norm(pieces.sum(axis=0)) == pytest.approx(abs(area), rel=1e-9)
            assert np.linalg.norm(pieces, axis=1).sum() == pytest.approx(abs(area), rel=1e-9)  # none overlaps another


NAN = VERTICES.copy()
NAN[2, 1] = np.nan
BAD_FILES = [
    ("a.stl", b"", "is empty"), ("a.stl", b"abc", "byte 3: ends within the header"),
    ("a.stl", stl(VERTICES[FACES])[:-1], "byte 80: "), ("a.stl", stl(VERTICES[FACES], 400_000_000), "400000000 triangles"),
    ("a.stl", stl(VERTICES[FACES][:0]), "has 0 triangles"), ("a.stl", stl(NAN[FACES]), "nan"),
    ("a.stl", stl_text(VERTICES[FACES])[:300], "line "),
    ("a.stl", stl_text(VERTICES[FACES]).replace(b"vertex 0", b"vertex x 0"), ""),
    ("a.msh", b"", "is empty"), ("a.msh", b"12345", "byte 5: "), ("a.msh", msh(VERTICES, [], [], FACES)[:-4], "its counts make"),
    ("a.msh", msh(VERTICES, [], [], FACES, [2**30] * 4), "its counts make"),
    ("a.msh", msh(VERTICES, [], [], FACES, [-4, 0, 0, 1]), "counts"),
    ("a.msh", msh(VERTICES, [], [], [(0, 1, 99)]), "face 0 has vertex 99"), ("a.msh", msh(NAN, [], [], FACES), "vertex 2 is"),
    ("a.obj", b"", "has 0 vertices"), ("a.obj", obj(BOX, [(0, 1, 9)]).encode(), "line 10: the face has vertex 10"),
    ("a.obj", obj(BOX, [(-1, 1, 2)]).encode(), 'line 10: corner "0"'),
    ("a.obj", (obj(BOX, []) + "f 1 2 x\n").encode(), 'corner "x"'),
    ("a.obj", (obj(BOX, []) + "f 1 2 99999999999999999999\n").encode(), "index"),
    ("a.obj", obj(NAN, FACES).encode(), "vertex 2 is"),
    ("a.obj", bytes(range(256)) * 20, "vertices"), ("a.ply", b"ply", 'ends with ".ply"; valid are .stl, .obj, .msh'),
    ("a.obj", obj(BOX * (1, 1, 0), BOX_FACES).encode(), "plane"),
]  # fmt: skip
BAD_TEXTS = [
    ('vertex="0 0 0 1 0 0 0 1 0"', "has 3 vertices"), ('vertex="0 0 0 1"', "vertex needs a multiple of 3 numbers, has 4"),
    (f'{LUMP} texcoord="1 2"', "texcoord needs 2 numbers for each"),
    ('vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 7"', "face 0 has vertex 7"),
    (f'vertex="{numbers(BOX)}" face="0 1 2 0 2 1"', "volume"), (f'vertex="{numbers(BOX)}" face="0 0 0 1 1 1"', "area"),
    (f'vertex="{numbers(VERTICES)}" face="{numbers(FACES[:, ::-1])}" inertia="exact"', "the wrong way round"),
    (f'vertex="{numbers(VERTICES)}" face="{numbers(np.vstack([FACES[1:], FACES[:1, ::-1]]))}" inertia="exact"', "inconsistent"),
    (f'{LUMP} maxhullvert="3"', "maxhullvert must be 4 or more"), (f'{LUMP} scale="1e200 1e200 1e200"', "scale must be at most"),
    ('builtin="sphere"', "needs 1 params (subdivision), has 0"), ('builtin="sphere" params="9"', "subdivision must be 0 to 4"),
    ('builtin="plate" params="2 2"', "lie in a plane"), ('builtin="cone" params="1e9 1"', "nvert must be 3 to 1000"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "says"), BAD_FILES)
def test_mesh_file_errors_name_the_file_and_element(name: str, data: bytes, says: str) -> None:
    with pytest.raises(MjcfError) as error:
        MjModel.from_xml_string(scene(f'file="{name}"'), {name: data})
    assert str(error.value).startswith(f'model.xml:2:3: <mesh> file "{name}" ')
    assert says in str(error.value)


@pytest.mark.parametrize(("attributes", "says"), BAD_TEXTS)
def test_inline_mesh_errors_name_the_element(attributes: str, says: str) -> None:
    with pytest.raises(MjcfError) as error:
        MjModel.from_xml_string(scene(attributes))
    assert str(error.value).startswith("model.xml:2:3: <mesh> ")
    assert says in str(error.value)


@pytest.mark.parametrize(("geom", "says"), [
    ('shellinertia="true"', "shellinertia is for primitive shapes"), ('fromto="0 0 0 1 1 1"', "has both fromto and a mesh"),
])  # fmt: skip
def test_what_a_geom_of_a_mesh_cannot_have_is_told(geom: str, says: str) -> None:
    with pytest.raises(MjcfError, match=says):
        MjModel.from_xml_string(scene(LUMP, geom))


def test_sizes_that_a_header_only_claims_take_no_memory() -> None:
    tracemalloc.start()
    with pytest.raises(MjcfError):
        MjModel.from_xml_string(scene('file="a.stl"'), {"a.stl": b"\0" * 80 + struct.pack("<I", 2**32 - 1)})
    assert tracemalloc.get_traced_memory()[1] < MOST_BYTES / 8
    tracemalloc.stop()


def test_numbers_of_a_text_are_those_that_python_reads() -> None:
    rng = np.random.default_rng(3)
    words = [f"{x:.{n}f}" for n in (1, 6, 9) for x in rng.normal(size=40) * 10.0 ** rng.integers(-6, 6, 40)]
    words += [repr(float(x)) for x in rng.normal(size=40)] + [f"{x:.3e}" for x in rng.normal(size=40)]
    words += ["0", "-0", "+1", "1.", ".5", "-.5e-3", "1E+02", "9007199254740993", "1e22", "1e23", "1e-22", "1e-23", "5e-324",
              "1e400", "inf", "nan", "0.1000000000000000055511151231257827"]  # fmt: skip
    words += words[: -len(words) % 3]
    lines = [f"v {' '.join(words[k : k + 3])}\n" for k in range(0, len(words), 3)]
    with np.errstate(over="ignore"):
        expected = np.array([float(word) for word in words]).astype(np.float32)
    assert read_obj("".join(lines).encode()).vertices.tobytes() == expected.tobytes()


def test_invalid_obj_numbers_parse_as_their_prefix_or_zero() -> None:
    for words, expected in (
        ("1.5x 2", [1.5, 2, 0]), ("1 x 3", [1, 0, 0]), ("1 - 3", [1, 0, 0]), ("1 . 3", [1, 0, 0]), ("1e 2e+ 3", [1, 2, 3]),
        ("1..5 --1 3", [1, 0, 0]), ("1_000 2 3", [1, 2, 3]), ("0vt -2\\\n3 4", [0, -2, 3]), ("1#2 3", [1, 0, 0]),
        ("infx nano 3", [np.inf, np.nan, 3]), ("1 2", [1, 2, 0]), ("", [0, 0, 0]), ("1 2 3 4 5", [1, 2, 3]),
    ):  # fmt: skip
        np.testing.assert_array_equal(read_obj(f"v {words}\nv 7 8 9".encode()).vertices, [expected, [7, 8, 9]], words)


def test_a_face_whose_words_are_no_corners_is_told_with_its_line() -> None:
    for face, message in (
        ("1 2 x", 'line 12: corner "x"'), ("1 2 0", 'corner "0"'), ("1 2 3/1/1/1", 'corner "3/1/1/1"'), ("1 2 /1", 'corner "/1"'),
        ("1 2 -2147483649", "line 12: the face has an index beyond 2147483648"), ("1 2 3//x", ""), ("1 2x 3", ""),
    ):  # fmt: skip
        text = (obj(BOX, []) + f"v 0 0 \\\n0\nf {face}\ng next\nf x y z\n").encode()
        if message:
            with pytest.raises(MeshProblem) as problem:
                read_obj(text)
            assert message in str(problem.value)
        else:
            read_obj(text)


class Guarded(list[Any]):
    """A list that has no places but its own: none is counted from its end."""

    def __getitem__(self, place: Any) -> Any:
        assert 0 <= place < len(self)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        assert 0 <= place < len(self)
        super().__setitem__(place, value)


def test_no_text_leads_the_reader_of_obj_files_out_of_its_arrays() -> None:
    rng = random.Random(9)
    pieces = [b"\n", b"\r\n", b"\r", b"\\\n", b"\\\r\n", b"\\", b" ", b"#", b"/", b"-", b"1", b"e", b".", b"x", b"\xef",
              b"99999999999", b"v ", b"f ", b"g ", b"vn ", b"v", b"f", b"f 1 2 3", b"f 1/1/1 2//1 3", b"v 1 2 3"]  # fmt: skip
    for _ in range(500):
        text = Guarded(b"".join(rng.choices(pieces, k=rng.randrange(40))) + b"\n\n")
        sizes, wrong, none = Guarded([0] * SIZES), Guarded([0] * 4), Guarded()
        _read(text, len(text), False, POWERS, sizes, none, none, none, none, none, wrong)
        counted, total = list(sizes), sum(width * size for width, size in zip(WIDTH, sizes, strict=False))
        faces, corners = sizes[FACE], 3 * (sizes[CORNER] + SPARE)
        rooms = [Guarded([0] * size) for size in (total, total, corners, faces, faces)]
        _read(text, len(text), True, POWERS, sizes, *rooms, wrong)
        assert wrong[0] or list(sizes) == counted
