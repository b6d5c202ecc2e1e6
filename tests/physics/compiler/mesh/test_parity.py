"""Meshes are what the reference makes of the same file: vertices, normals, frames, masses, hulls and primitives."""

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.mesh.shapes import BOX, lumpy, msh, numbers, obj, stl
from tests.physics.compiler.parity import differences
from tumble.physics.model import MjModel

VERTICES, FACES = lumpy()
RNG = np.random.default_rng(4)
NORMALS, TEXCOORDS = RNG.normal(size=VERTICES.shape), RNG.random((len(VERTICES), 2))
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
L_SHAPE = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in ((0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2))])
L_FACES = [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *((k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6) for k in range(6))]
# Polygons that are not flat, and some that cross themselves: which triangles they become is a matter of taste.
SKEW = RNG.normal(size=(400, 3)) * np.repeat(10.0 ** -np.arange(4), 100)[:, None]
SKEW_FACES = [*FACES, *(len(VERTICES) + np.arange(k, k + 4 + k % 9) for k in range(0, 388, 3))]
LOOKS = "vt 0 0\nvt 1 0.25\nvt 0.5 1\nvn 0 0 1\nvn 0 2 0\n"
CORNERS = "".join(f"f {a + 1}/1/1 {b + 1}/2/1 {c + 1}/3/2\n" for a, b, c in FACES)
INLINE = f'vertex="{numbers(VERTICES)}" face="{numbers(FACES)}"'
FILES = {
    "a.stl": stl(VERTICES[FACES]), "a.obj": obj(VERTICES, FACES), "boxes.OBJ": obj(BOX, QUADS, "g one"),
    "l.obj": obj(L_SHAPE, L_FACES), "skew.obj": obj(np.concatenate([VERTICES, SKEW]), SKEW_FACES),
    "looks.obj": obj(VERTICES, [], LOOKS) + CORNERS, "back.obj": obj(VERTICES, FACES - len(VERTICES) - 1),
    "two.obj": obj(VERTICES, FACES, "o one") + "o two\nf 1 2 3\n", "windows.obj": obj(VERTICES, FACES).replace("\n", " \r\n"),
    "a.msh": msh(VERTICES, NORMALS, TEXCOORDS, FACES), "points.msh": msh(VERTICES, [], [], []),
    "odd": msh(VERTICES, [], [], FACES),
}  # fmt: skip
MESHES = [
    INLINE, f'{INLINE} normal="{numbers(NORMALS)}" texcoord="{numbers(TEXCOORDS)}"', f'vertex="{numbers(VERTICES)}"',
    f'{INLINE} smoothnormal="true"', f'vertex="{numbers(VERTICES)}" maxhullvert="6"',
    *(f'file="{name}"' for name in FILES if name != "odd"), 'file="odd" content_type="model/vnd.mujoco.msh"',
    *(f'{INLINE} inertia="{mode}"' for mode in ("convex", "exact", "shell")), f'{INLINE} scale="2 2 2"',
    f'{INLINE} refpos="0.1 -0.2 0.3" refquat="1 0.2 -0.3 0.5" inertia="exact"', 'file="a.stl" inertia="exact" scale="2 2 2"',
    *(f'builtin="{kind}" params="{params}"' for kind, params in (
        ("sphere", "0"), ("sphere", "1"), ("hemisphere", "0"), ("hemisphere", "3"), ("cone", "5 0.5"), ("cone", "7 0"),
        ("supersphere", "5 0.7 1.3"), ("supertorus", "6 0.4 0.8 1.5"), ("wedge", "5 4 90 45 0.5"))),
]  # fmt: skip
# Orders and joins that hang on the last bit where faces of a hull lie in a plane; both have tests of their own.
LOOSE = ("mesh_graph", "mesh_poly", "nmeshpoly")


def load(text: str) -> tuple[MjModel, mujoco.MjModel]:
    assets = {name: data if isinstance(data, bytes) else data.encode() for name, data in FILES.items()}
    return MjModel.from_xml_string(text, assets), mujoco.MjModel.from_xml_string(text, assets)


def scene(meshes: list[str], geoms: str, compiler: str = "") -> str:
    listed = "".join(f'<mesh name="m{k}" {mesh}/>' for k, mesh in enumerate(meshes))
    return (f'<mujoco><compiler {compiler}/><asset><material name="red"/>{listed}</asset><worldbody>{geoms}</worldbody></mujoco>')


def test_builtin_plate_has_shell_mass_for_any_inertia_mode() -> None:
    plates = [f'builtin="plate" params="{n} 2" {mode}' for n, mode in ((2, ""), (3, 'inertia="shell"'), (5, 'inertia="exact"'))]
    geoms = "".join(f'<geom type="mesh" mesh="m{k}" contype="0" conaffinity="0"/>' for k in range(3))
    geoms += '<body><freejoint/><geom type="mesh" mesh="m0" contype="0" conaffinity="0"/></body>'
    lines = [line for line in differences(*load(scene(plates, geoms)), rtol=2e-6) if not line.startswith(LOOSE)]
    assert not lines


FLAT = 'vertex="0 0 0 1 0 0 1 1 0 0 1 0" face="0 1 2 0 2 3"'
IDLE = 'contype="0" conaffinity="0"'


@pytest.mark.parametrize(("mode", "geom", "loads"), [
    ("shell", IDLE, True), ("shell", "", False), ("legacy", IDLE, False), ("exact", IDLE, False), ("convex", IDLE, False),
    ("exact", 'mass="1" ' + IDLE, False), ("shell", 'mass="1" ' + IDLE, True),
])  # fmt: skip
def test_flat_mesh_loads_only_as_shell_without_collision(mode: str, geom: str, loads: bool) -> None:
    text = scene([f'{FLAT} inertia="{mode}"'], f'<body><freejoint/><geom type="mesh" mesh="m0" {geom}/></body>')
    for engine in (mujoco.MjModel, MjModel):
        if loads:
            assert engine.from_xml_string(text).nmesh == 1
        else:
            with pytest.raises(ValueError, match=r"volume|qhull error|plane"):
                engine.from_xml_string(text)


def test_meshes_of_every_source_are_those_of_the_reference() -> None:
    geoms = "".join(f'<body><geom type="mesh" mesh="m{k}" pos="0 {k} 1" euler="10 20 {k}"/></body>' for k in range(len(MESHES)))
    ours, theirs = load(scene(MESHES, geoms))
    lines = [line for line in differences(ours, theirs, rtol=2e-6) if not line.startswith(LOOSE)]
    assert not lines
    assert (ours.mesh_graphadr == theirs.mesh_graphadr).all()  # so the graphs are equally long


def test_visual_mesh_has_no_hull_and_unused_mesh_has_one() -> None:
    ours, theirs = load(scene([INLINE, INLINE, f'vertex="{numbers(VERTICES)}"'], '<body><geom type="mesh" mesh="m1" contype="0" '
                              'conaffinity="0"/></body>'))  # fmt: skip
    assert ours.nmesh == 3
    assert ours.mesh_graphadr.tolist() == theirs.mesh_graphadr.tolist() == [-1, -1, 0]


def test_a_pair_gives_the_mesh_of_its_geom_a_hull() -> None:
    geoms = '<geom name="g" type="mesh" mesh="m0" contype="0" conaffinity="0"/><body><geom name="h" size="1"/></body>'
    text = scene([INLINE], geoms).replace("</mujoco>", '<contact><pair geom1="g" geom2="h"/></contact></mujoco>')
    ours, theirs = load(text)
    assert ours.nmeshgraph == theirs.nmeshgraph > 0


@pytest.mark.parametrize("by_box", [False, True])
def test_primitives_fitted_to_a_mesh_are_those_of_the_reference(by_box: bool) -> None:
    geoms = "".join(
        f'<body><geom type="{kind}" mesh="m{k % 2}" fitscale="{scale}" pos="1 2 3" euler="10 20 30" size="9 8 7"/></body>'
        for k, (kind, scale) in enumerate((kind, scale) for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box")
                                          for scale in (1, 1.5))
    )
    ours, theirs = load(scene([INLINE, f'{INLINE} inertia="exact" material="red"'], geoms, f'fitaabb="{by_box}"'.lower()))
    assert not [line for line in differences(ours, theirs, rtol=1e-8) if not line.startswith(("mesh_", "nmeshpoly", "vis_"))]


def test_what_only_shows_is_discarded_with_its_mesh() -> None:
    geoms = '<body><joint/><geom type="mesh" mesh="m1" contype="0" conaffinity="0"/><geom type="mesh" mesh="m2"/></body>'
    ours, theirs = load(scene([INLINE] * 3, geoms, 'discardvisual="true"'))
    assert (ours.nmesh, ours.ngeom) == (theirs.nmesh, theirs.ngeom) == (1, 1)
    assert ours.body_mass[1] == pytest.approx(theirs.body_mass[1], rel=1e-12)  # the same sums


def test_mirroring_flips_faces_of_files_but_not_inline_ones() -> None:
    ours, theirs = load(scene(['file="a.stl" scale="-1 1 1"', f'{INLINE} scale="-1 1 1"'], '<body><geom type="mesh" mesh="m0"/>'
                              "</body>"))  # fmt: skip
    assert (ours.mesh_face == theirs.mesh_face).all()
    assert ours.mesh_vert == pytest.approx(theirs.mesh_vert, abs=1e-6)  # a last bit of single precision
