"""Rays at one geom, one shape or some triangles: where they meet them, by geometry and as the reference says."""

from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.physics.collision.flex.scenes import SoftTwins, grid
from tests.physics.reference import posed
from tumble import physics
from tumble.physics.errors import ModelError, PhysicsError, ShapeError
from tumble.physics.state.enums import mjtGeom

RANDOM = np.random.default_rng(3)
SCENE = """
<mujoco>
  <asset>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="4" ncol="5" size="1 1 0.5 0.2" elevation="0 1 2 1 0  1 2 3 2 1  0 2 1 1 0  0 0 1 0 0"/>
  </asset>
  <worldbody>
    <geom name="hills" type="hfield" hfield="hills" pos="0 0 -2" euler="5 3 0"/>
    <body pos="0.2 0 0.5" euler="30 20 10"><freejoint/><geom name="tetra" type="mesh" mesh="tetra" rgba="1 1 1 0"/></body>
  </worldbody>
</mujoco>
"""
SHAPES = (0, 2, 3, 4, 5, 6)  # plane, sphere, capsule, ellipsoid, cylinder, box


@pytest.fixture(scope="module")
def both():
    return [(module, *posed(SCENE, module)) for module in (physics, mujoco)]


@pytest.mark.parametrize(("geom", "name"), [(0, "mj_rayHfield"), (1, "mj_rayMesh")])
def test_a_ray_at_one_geom_meets_it_where_the_references_does(both, geom, name):
    met = 0
    for _ in range(200):
        start = RANDOM.uniform(-2, 2, 3)
        vec = both[1][2].geom_xpos[geom] + RANDOM.uniform(-0.7, 0.7, 3) - start
        normals = [np.full(3, np.nan), np.full(3, np.nan)]
        distances = [getattr(module, name)(m, d, geom, start, vec, n) for (module, m, d), n in zip(both, normals, strict=True)]
        assert distances[0] == pytest.approx(distances[1], rel=1e-7, abs=1e-9)  # vertices have 32 bits
        np.testing.assert_allclose(*normals, atol=1e-6)
        assert distances[0] == getattr(physics, name)(both[0][1], both[0][2], geom, start, vec)
        met += distances[0] >= 0
    assert 20 < met < 200


NOWHERE, ALONG = np.zeros(3), np.ones(3)


@pytest.mark.parametrize(("error", "says", "call"), [
    (ModelError, "geom 0 should be of type mesh; it is of type hfield", lambda m, d: physics.mj_rayMesh(m, d, 0, NOWHERE, ALONG)),
    (ModelError, "geom 7 does not exist", lambda m, d: physics.mj_rayHfield(m, d, 7, NOWHERE, ALONG)),
    (PhysicsError, "no length", lambda m, d: physics.mj_rayHfield(m, d, 0, NOWHERE, NOWHERE)),
    (ModelError, "geomtype 7", lambda m, d: physics.mju_rayGeom(NOWHERE, np.eye(3).ravel(), ALONG, NOWHERE, ALONG, 7)),
    (PhysicsError, "row without length", lambda m, d: cast_many(physics, np.array([[1.0, 0, 0], [0, 0, 0]]), 1.0)),
    (ModelError, "flex 1", lambda m, d: physics.mj_rayFlex(m, d, 0, 1, 0, 0, 0, 1, NOWHERE, ALONG)),
])  # fmt: skip
def test_rays_that_cannot_be_are_refused(both, error, says, call):
    with pytest.raises(error, match=says):
        call(*both[0][1:])


@pytest.mark.parametrize("kind", SHAPES)
def test_a_ray_at_a_shape_meets_it_where_the_references_does(kind):
    for _ in range(100):
        quat, mat, size = RANDOM.normal(size=4), np.empty(9), RANDOM.uniform(0.3, 1, 3)
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
        pos, start, vec = RANDOM.normal(size=3), 2 * RANDOM.normal(size=3), RANDOM.normal(size=3)
        normals = [np.full(3, np.nan), np.full(3, np.nan)]
        ray = (pos, mat, size, start, vec, kind)
        distances = [physics.mju_rayGeom(*ray, normals[0]), mujoco.mju_rayGeom(*ray, normals[1])]
        assert distances[0] == pytest.approx(distances[1], rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(*normals, atol=1e-9)


def test_ray_skin_finds_nearest_triangle_and_vertex():
    vert = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1.0]])
    face, vertex = np.array([[0, 1, 2], [3, 4, 5]], np.int32), np.zeros(1, np.int32)
    assert physics.mju_raySkin(2, 6, face, vert, [0.7, 0.1, 3], [0, 0, -2], vertex) == pytest.approx(1.0)
    assert vertex[0] == 4
    assert physics.mju_raySkin(2, 6, face.ravel(), vert.ravel(), [0.1, 0.7, -1], [0, 0, 1], vertex) == pytest.approx(1.0)
    assert vertex[0] == 2
    assert physics.mju_raySkin(2, 6, face, vert, [2, 2, 3], [0, 0, -1], vertex) == -1
    assert vertex[0] == -1
    with pytest.raises(ModelError, match="vertices from 0 to 5"):
        physics.mju_raySkin(1, 6, [0, 1, 6], vert, [0, 0, 3], [0, 0, -1], None)
    with pytest.raises(ShapeError, match="vert"):
        physics.mju_raySkin(1, 5, [0, 1, 2], vert, [0, 0, 3], [0, 0, -1], None)


TYPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
SHAPE, SIZES = {"mesh": 'mesh="rock"'}, 'size=".2 .3 .25"'
PLACES = np.random.default_rng(5)
GEOMS = "".join(
    f'<body pos="{x} {y} {z}" euler="{a} {b} {c}"><geom type="{kind}" {SHAPE.get(kind, SIZES)} group="{k % 3}"/></body>'
    for k, (kind, (x, y, z), (a, b, c)) in enumerate(
        zip(TYPES * 6, PLACES.uniform([-3, -3, 0.3], [3, 3, 3], (36, 3)), PLACES.uniform(0, 180, (36, 3)), strict=True))
)  # fmt: skip
CROWD = f"""<mujoco>
  <asset>
    <mesh name="rock" vertex="0 0 0  .5 0 0  0 .5 0  0 0 .5  .4 .4 .3"/>
    <hfield name="hills" nrow="3" ncol="3" size="2 2 .5 .1" elevation="0 1 2 1 0 1 2 0 1"/>
  </asset>
  <worldbody>{GEOMS}<geom type="hfield" hfield="hills" pos="1 1 .1"/><geom type="plane" size="0 0 1"/>
    <geom size=".3" pos="0 0 1.8" rgba="1 1 1 0"/></worldbody></mujoco>"""


def cast_many(module: Any, vec: np.ndarray, cutoff: float, **kinds: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    m, d = posed(CROWD, module)
    n = len(vec)
    geom, dist, normal = np.full(n, -9, np.int32), np.zeros(n), np.zeros(3 * n)
    settings = {"geomgroup": None, "flg_static": 1, "bodyexclude": -1} | kinds
    module.mj_multiRay(m, d, np.array([0, 0, 1.8]), vec.ravel(), *settings.values(), geom, dist, normal, n, cutoff)
    return geom, dist, normal


@pytest.mark.parametrize(("cutoff", "kinds"), [
    (1e10, {}), (1.2, {}), (2.0, {"geomgroup": np.array([1, 0, 1, 0, 0, 0], np.uint8)}), (1e10, {"flg_static": 0}),
    (1e10, {"bodyexclude": 0}),
])  # fmt: skip
def test_many_rays_meet_what_the_references_do(cutoff: float, kinds: dict[str, Any]) -> None:
    """Among them which geoms the cutoff leaves out; of the plane, see the next test."""
    vec = np.random.default_rng(1).normal(size=(600, 3))
    ours, theirs = cast_many(physics, vec, cutoff, **kinds), cast_many(mujoco, vec, cutoff, **kinds)
    assert (ours[0] >= 0).any() == ("flg_static" not in kinds)
    if cutoff == 1.2:
        assert 0 < (ours[0] >= 0).sum() < 200  # few geoms are so near
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-9)
    np.testing.assert_allclose(ours[2], theirs[2], atol=1e-7)  # vertices have 32 bits


def test_a_plane_is_as_far_away_as_its_surface() -> None:
    """The reference measures to its middle, which a plane without end does not have."""
    m, d = posed('<mujoco><worldbody><geom type="plane" size="0 0 1" pos="10 0 0"/></worldbody></mujoco>')
    geom, dist = np.zeros(1, np.int32), np.zeros(1)
    for cutoff, met in ((1.9, -1), (2.1, 0)):
        physics.mj_multiRay(m, d, [0, 0, 2], [0, 0, -1], None, 1, -1, geom, dist, None, 1, cutoff)
        assert geom[0] == met


Floats = NDArray[np.float64]
HALF = np.array([1.2, 1.0, 0.5])
ROUGH = np.random.default_rng(0).random((6, 7))


def field(heights: Floats, place: str = "") -> str:
    """A height field of half lengths 1.2 and 1, up to 0.5 high, on a base of 0.3."""
    nrow, ncol = heights.shape
    samples = f'elevation="{" ".join(f"{h:.17g}" for h in heights.ravel())}"' if np.ptp(heights) else ""
    return (f'<mujoco><asset><hfield name="h" nrow="{nrow}" ncol="{ncol}" size="1.2 1 .5 .3" {samples}/></asset>'
            f'<worldbody><geom type="hfield" hfield="h" {place}/></worldbody></mujoco>')  # fmt: skip


def cast(m: physics.MjModel, d: physics.MjData, start: object, way: object) -> tuple[float, int, Floats]:
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    return physics.mj_ray(m, d, start, way, None, 1, -1, geom, normal), int(geom[0]), normal


@pytest.mark.parametrize("place", ["", 'pos=".1 .2 .05" euler="50 7 30"'])
@pytest.mark.parametrize("heights", [ROUGH, np.zeros((4, 9))], ids=["rough", "level"])
def test_rays_from_everywhere_meet_what_the_reference_meets(heights: Floats, place: str) -> None:
    xml = field(heights, place)
    m, d = posed(xml)
    theirs, data = posed(xml, mujoco)
    rng = np.random.default_rng(3)
    met, geom, normal = 0, np.zeros(1, np.int32), np.zeros(3)
    for k in range(400):
        start = rng.uniform(-1.5 * HALF, 1.5 * HALF + [0, 0, 1])
        way = (rng.uniform(-HALF, HALF) - start) * rng.uniform(0.1, 3) if k % 2 else rng.normal(size=3)
        if k % 10 == 4:
            way[rng.integers(3)] = 0  # along the grid
        if k % 10 == 5:
            way[:2] = 0
        dist = mujoco.mj_ray(theirs, data, start, way, None, 1, -1, geom, normal)
        ours, found, surface = cast(m, d, start, way)
        assert (ours, found) == (pytest.approx(dist, rel=1e-9, abs=1e-12), geom[0]), (start, way)
        np.testing.assert_allclose(surface, normal, atol=1e-6)  # of heights in single precision
        met += dist >= 0
    assert met > 100


def test_a_field_of_one_row_is_not_met() -> None:
    m, d = posed(field(np.array([[0.0, 1.0, 0.5]])))
    assert cast(m, d, [0, 0, 2], [0, 0, -1])[0] == -1


def test_no_ray_slips_between_triangles() -> None:
    """Straight through samples, edges and diagonals, where rounding decides between neighbours."""
    m, d = posed(field(ROUGH))
    for x in np.linspace(-1.2, 1.2, 7)[1:-1]:
        for y in np.linspace(-1, 1, 6)[1:-1]:
            for way in ([0, 0, -1], [1e-9, 0, -1], [0.4, 0.4, -1], [-0.4, 0.4, -1], [0, 1e-17, -1]):
                assert 0 <= cast(m, d, [x - way[0], y - way[1], 1], way)[0] <= 1


Long = np.longdouble
ROUND = ("sphere", "capsule", "ellipsoid", "cylinder", "box")


@pytest.mark.parametrize("kind", ROUND)
def test_a_ray_from_afar_meets_a_shape_of_any_scale_as_from_nearby(kind: str) -> None:
    """The error is that of rounding the start, more where the ray grazes or the shape is flat; not of the direction's length."""
    rng, number, met = np.random.default_rng(7), getattr(mjtGeom, f"mjGEOM_{kind.upper()}"), 0
    for _ in range(300):
        scale, far, length = 10.0 ** rng.uniform([-6, -3, -6], [6, 5, 6])
        size = scale * 10.0 ** rng.uniform(-1, 0, 3)
        target = rng.uniform(-0.6, 0.6, 3) * (size if kind != "capsule" else size[[0, 0, 1]])
        start = target + far * scale * rng.normal(size=3) if rng.random() < 0.8 else target * 0.9
        vec = target - start if np.linalg.norm(target - start) > 0.5 * scale else rng.normal(size=3)
        vec *= length / np.linalg.norm(vec)
        normal, outward, frame = np.zeros(3), np.zeros(3), (np.zeros(3), np.eye(3).ravel())
        t = physics.mju_rayGeom(*frame, size, start, vec, number, normal)
        begin = max(Long(0), -(start.astype(Long) @ vec) / length**2 - 4 * Long(scale) / length)
        near = ((start + begin * vec) / scale).astype(float)
        distance = mujoco.mju_rayGeom(*frame, size / scale, near, vec / length, number, outward)
        if distance < 0:
            assert t == -1
            continue
        met += 1
        incidence = max(abs(outward @ vec) / length, 1e-3)
        flat = float(size.max() / size.min()) if kind == "ellipsoid" else 1.0
        tolerance = 4e-14 * flat * (np.linalg.norm(start) + scale) / incidence
        assert abs(float((t - begin) * length - distance * scale)) <= tolerance
        if incidence > 1e-2:
            np.testing.assert_allclose(normal, outward, atol=1e-6 + 10 * tolerance / size.min())
    assert met > 200


@pytest.mark.parametrize(("dim", "count"), [(1, "5 1 1"), (2, "4 4 1"), (3, "5 5 5")])
def test_distance_vertex_and_normal_are_the_references(dim, count):
    twins, rng = SoftTwins(grid("a", dim, count, 'selfcollide="none"').replace('".01"', '".02"')), np.random.default_rng(0)
    twins.pose(twins.near(rng, 0.01))
    corners = twins.rd.flexvert_xpos
    met = 0
    for k in range(300):
        point = corners.mean(axis=0) + rng.normal(size=3) * (0.5 if k % 3 else 0.1)
        way = 2.0 * (corners[rng.integers(len(corners))] + rng.normal(size=3) * 0.05 - point)
        what, layer = [int(x) for x in rng.integers(0, 2, size=4)], int(rng.integers(0, 2))
        vertex, normal = np.full(1, -1, np.int32), np.zeros(3)
        theirs, direction = np.full((1, 1), -1, np.int32), np.zeros((3, 1))
        distance = physics.mj_rayFlex(twins.m, twins.d, layer, *what, 0, point, way, vertex, normal)
        expected = mujoco.mj_rayFlex(
            twins.rm, twins.rd, layer, *what, 0, point.reshape(3, 1), way.reshape(3, 1), theirs, direction
        )
        assert distance == pytest.approx(expected, abs=1e-9)
        assert vertex[0] == theirs[0, 0]
        if distance >= 0:
            np.testing.assert_allclose(normal, direction.ravel(), atol=1e-6)
            met += 1
    assert met > 50


def test_other_rays_do_not_see_flexes():
    twins = SoftTwins(grid("a", 2, "4 4 1"))
    twins.pose(twins.rm.qpos0)
    assert physics.mj_ray(twins.m, twins.d, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]) == -1.0


ROD = "0 0 0 4 0 0 0 1 0 0 0 .5 4 1 .5"


def bumpy(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """A closed surface about the origin, open at its poles: vertices and triangles, their corners anticlockwise from outside."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, rings, endpoint=False), np.linspace(0.05, np.pi - 0.05, rings))
    unit = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1)
    vert = (unit * (1 + 0.2 * np.sin(3 * u) * np.sin(2 * v))[..., None]).reshape(-1, 3)
    i = np.arange(rings * rings).reshape(rings, rings)
    a, b, c, e = i[:-1], np.roll(i, -1, 1)[:-1], i[1:], np.roll(i, -1, 1)[1:]
    return vert, np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, e], -1).reshape(-1, 3)])


def meshes(vert: np.ndarray, face: np.ndarray, more: str = "") -> str:
    """A mesh of one geom, which stands where its vertices say."""
    numbers = " ".join(f"{x:.9g}" for x in vert.ravel())
    corners = " ".join(map(str, face.ravel()))
    return f"""<mujoco><asset><mesh name="bumpy" inertia="shell" vertex="{numbers}" face="{corners}"/>
        <mesh name="rod" vertex="{ROD}" scale="-.2 .3 .4"/></asset>
        <worldbody><geom type="mesh" mesh="bumpy"/>{more}</worldbody></mujoco>"""


def test_no_ray_slips_through_edges_and_corners() -> None:
    """From inside a closed box, whose tree has boxes without thickness, to all points of a grid on it."""
    corners = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
    world = '<worldbody><geom type="mesh" mesh="box"/></worldbody>'
    m, d = posed(f'<mujoco><asset><mesh name="box" vertex="{corners}"/></asset>{world}</mujoco>')
    for start in ((0, 0, 0), (0.5, 0.25, -0.5), (-0.5, 0, 0)):
        for point in np.array(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3)).reshape(3, -1).T:
            along = point - start
            if np.abs(point).max() == 1 and along.any():
                assert 0 <= physics.mj_ray(m, d, start, along) <= 1 + 1e-6  # the mesh's frame is turned in 32 bits


def test_rays_and_rangefinders_are_those_of_the_reference() -> None:
    vert, face = bumpy(20)
    sensors = '<rangefinder site="s" data="dist point normal"/><rangefinder camera="c" data="dist normal"/>'
    text = meshes(vert, face, """
        <geom type="mesh" mesh="rod" pos="2 0 0" euler="10 20 30"/><geom type="mesh" mesh="rod" pos="-2 0 0" rgba="1 1 1 0"/>
        <geom type="box" mesh="rod" pos="0 2 0" euler="50 0 0" group="1"/><geom type="plane" size="5 5 1" pos="0 0 -3"/>
        <site name="s" pos=".1 .2 0" euler="20 0 0"/><camera name="c" pos="1 2 3" xyaxes="2 -1 0 1 2 -3" resolution="6 5"/>""")
    text = text.replace("</mujoco>", f"<sensor>{sensors}</sensor></mujoco>")
    m, rm = physics.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    d, rd = physics.MjData(m), mujoco.MjData(rm)
    physics.mj_forward(m, d)
    mujoco.mj_forward(rm, rd)
    np.testing.assert_allclose(d.sensordata, rd.sensordata, atol=1e-6)  # the reference's vertices have 32 bits
    rng, ids, normals, seen = np.random.default_rng(1), np.zeros((2, 1), np.int32), np.zeros((2, 3)), set()
    for _ in range(300):
        p = 3 * rng.normal(size=3)
        v = rd.geom_xpos[rng.integers(rm.ngeom)] + 0.2 * rng.normal(size=3) - p
        groups = None if rng.random() < 0.5 else rng.integers(0, 2, 6).astype(np.uint8)
        theirs = mujoco.mj_ray(rm, rd, p, v, groups, 1, -1, ids[0], normals[0])
        assert physics.mj_ray(m, d, p, v, groups, 1, -1, ids[1], normals[1]) == pytest.approx(theirs, abs=1e-6)
        assert ids[0] == ids[1]
        np.testing.assert_allclose(normals[1], normals[0], atol=1e-4)
        seen.add(int(ids[0, 0]))
    assert seen == {-1, 0, 1, 3, 4}
