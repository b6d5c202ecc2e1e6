"""Geoms with signed distance fields: their contacts, distances and rays are those of the same shapes known in closed form."""

import ctypes
import math
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load_sdf_plugins, posed
from tumble import physics
from tumble.physics.collision.sdf import registry

SMALL = 0.2  # radius of the ball that a torus is whose ring has no radius
BALL = f'<config key="radius1" value="0"/><config key="radius2" value="{SMALL}"/>'
RING, TUBE = 0.35, 0.15


def load(world: str, config: str = "", plugin: str = "mujoco.sdf.torus", asset: str = "", iterations: int = 10):
    """A scene whose mesh "it" and geoms of the instance "it" are of one function."""
    text = f"""<mujoco><option sdf_iterations="{iterations}" sdf_initpoints="40"/>
      <extension><plugin plugin="{plugin}"><instance name="it">{config}</instance></plugin></extension>
      <asset><mesh name="it"><plugin instance="it"/></mesh>{asset}</asset><worldbody>{world}</worldbody></mujoco>"""
    return posed(text)


def moving(geom: str, pos: str, more: str = "") -> str:
    return f'<body pos="{pos}" {more}><freejoint/>{geom}</body>'


IT = '<geom name="it" type="sdf" mesh="it"><plugin instance="it"/></geom>'

SHAPES = {
    "plane": ('<geom type="plane" size="2 2 1"/>', "0.3 0.2 0.17"),
    "sphere": ('<geom size="0.3"/>', "0.3 0.2 0.2"),
    "capsule": ('<geom type="capsule" size="0.1 0.4"/>', "0.2 0.1 0.1"),
    "cap of a cylinder": ('<geom type="cylinder" size="0.4 0.2"/>', "0.1 0.05 0.37"),
    "side of a cylinder": ('<geom type="cylinder" size="0.4 0.5"/>', "0.3 0.45 0.1"),
    "face of a box": ('<geom type="box" size="0.4 0.3 0.2"/>', "0.1 0.05 0.37"),
    "edge of a box": ('<geom type="box" size="0.4 0.3 0.2"/>', "0.1 0.42 0.31"),
    "mesh": ('<geom type="mesh" mesh="cube"/>', "0.1 0.05 0.47"),
}
CUBE = '<mesh name="cube" vertex="-.3 -.3 -.3 .3 -.3 -.3 -.3 .3 -.3 .3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 -.3 .3 .3 .3 .3 .3"/>'


@pytest.fixture(scope="module")
def on_shapes():
    """Data of two scenes, one shape above the other, each with a ball on it: of signed distances, and of type sphere."""

    def scene(ball: str) -> str:
        stories = enumerate(SHAPES.values())
        return "".join(f'<body pos="0 0 {3 * k}">{other}</body>' + raised(ball, pos, 3 * k) for k, (other, pos) in stories)

    def raised(ball: str, pos: str, height: float) -> str:
        x, y, z = map(float, pos.split())
        return moving(ball, f"{x} {y} {z + height}")

    _m, d = load(scene(IT.replace('name="it" ', '')), BALL, asset=CUBE, iterations=50)  # an edge takes most
    _twin, e = load(scene(f'<geom size="{SMALL}"/>'), BALL, asset=CUBE)
    return d, e


@pytest.mark.parametrize("name", SHAPES)
def test_a_ball_made_of_a_torus_touches_as_a_ball_does(name, on_shapes):
    shape = 2 * list(SHAPES).index(name)
    dist, pos, normal = zip(*(the_contact(d, shape, shape + 1) for d in on_shapes), strict=True)
    assert dist[0] == pytest.approx(dist[1], abs=1e-6)
    np.testing.assert_allclose(normal[0], normal[1], atol=1e-4)
    np.testing.assert_allclose(pos[0], pos[1], atol=1e-4)


def the_contact(d, first: int, second: int):
    """The one contact of two geoms, and its normal from the first to the second."""
    indices = np.flatnonzero((np.sort(d.contact.geom, axis=1) == (first, second)).all(axis=1))
    assert len(indices) == 1
    k = indices[0]
    return d.contact.dist[k], d.contact.pos[k], d.contact.frame[k, :3] * (1 if d.contact.geom[k, 0] == first else -1)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_size_of_everything_changes_nothing_but_lengths(scale):
    size, pos = f"{0.4 * scale} {0.3 * scale} {0.2 * scale}", f"{0.1 * scale} {0.05 * scale} {0.33 * scale}"
    config = f'<config key="radius1" value="{RING * scale}"/><config key="radius2" value="{TUBE * scale}"/>'
    _m, d = load(f'<geom type="box" size="{size}"/>' + moving(IT, pos), config)
    deepest = d.contact.dist.min() / scale
    assert deepest == pytest.approx(0.33 - TUBE - 0.2, abs=1e-6)


@pytest.mark.parametrize("above", [0.05, 0.5, 3.0])
def test_the_distance_of_a_ring_and_a_ball_is_that_of_pythagoras(above):
    m, d = load('<geom size="0.1"/>' + moving(IT, f"0 0 {above}"))
    fromto = np.zeros(6)
    dist = physics.mj_geomDistance(m, d, 0, 1, 10.0, fromto)
    assert dist == pytest.approx(math.hypot(above, RING) - TUBE - 0.1, abs=1e-7)
    assert np.linalg.norm(fromto[:3]) == pytest.approx(0.1, abs=1e-7)  # on the ball
    assert np.linalg.norm(fromto[3:] - fromto[:3]) == pytest.approx(dist, abs=1e-7)


def test_a_margin_finds_contacts_of_what_is_apart():
    gap = 0.01
    _m, d = load('<geom size="0.3" margin="0.02"/>' + moving(IT, f"0 0 {0.3 + SMALL + gap}"), BALL)
    assert d.contact.dist == pytest.approx([gap], abs=1e-7)
    _m, d = load('<geom size="0.3" margin="0.005"/>' + moving(IT, f"0 0 {0.3 + SMALL + gap}"), BALL)
    assert d.ncon == 0


def test_a_height_field_is_met_at_its_surface():
    field = '<hfield name="flat" nrow="3" ncol="3" size="1 1 0.5 0.1" elevation="0 0 0 1 1 1 0 0 0"/>'
    _m, d = load('<geom type="hfield" hfield="flat"/>' + moving(IT, "0 0.5 0.42"), BALL, asset=field)
    up = np.array([0.0, 0.5, 1.0]) / math.hypot(0.5, 1.0)  # 0.5 m down over 1 m
    dist = up @ (0.0, 0.5, 0.42 - 0.25) - up @ (0.0, 0.5, 0.0) - SMALL
    assert d.contact.dist.min() == pytest.approx(dist, abs=1e-6)
    np.testing.assert_allclose(d.contact.frame[np.argmin(d.contact.dist), :3], up, atol=1e-5)


def test_rays_end_where_the_function_is_zero():
    m, d = load(moving(IT, "0 0 0", 'quat="1 0.3 -0.2 0.5"'))
    random = np.random.default_rng(0)
    torus, values = registry.find("mujoco.sdf.torus"), m.plugin_prm[0]
    geom, normal, hits = np.zeros(1, np.int32), np.zeros(3), 0
    for _ in range(200):
        p = random.normal(size=3)
        v = random.normal(size=3) * 0.3 - p
        t = physics.mj_ray(m, d, p, v, None, 1, -1, geom, normal)
        along = (p + np.linspace(0.0, 5.0, 2001)[:, None] * v - d.geom_xpos[0]) @ d.geom_xmat[0].reshape(3, 3)
        crossed = np.flatnonzero(np.diff(np.sign(torus.sample(along, values))))
        assert (t >= 0) == (len(crossed) > 0)
        if t >= 0:
            hits += 1
            assert t == pytest.approx(crossed[0] * 0.0025, abs=0.0025)
            local = (p + t * v - d.geom_xpos[0]) @ d.geom_xmat[0].reshape(3, 3)
            assert abs(torus.sample(local, values)[0]) < 1e-12
            assert abs(torus.sample(local + 1e-4 * d.geom_xmat[0].reshape(3, 3).T @ normal, values)[0] - 1e-4) < 1e-7
    assert hits > 50


class _Plugin(ctypes.Structure):
    """The reference's declaration of a plugin (mjplugin.h)."""

    _fields_ = [("name", ctypes.c_char_p), ("nattribute", ctypes.c_int), ("attributes", ctypes.c_void_p),
                ("capabilities", ctypes.c_int), ("needstage", ctypes.c_int), *((f"f{k}", ctypes.c_void_p) for k in range(12)),
                ("distance", ctypes.c_void_p), ("attribute", ctypes.c_void_p), ("aabb", ctypes.c_void_p)]  # fmt: skip


def reference_plugin(name: str) -> _Plugin:
    load_sdf_plugins()
    library = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco.so*"))))
    library.mjp_getPlugin.restype = ctypes.POINTER(_Plugin)
    return library.mjp_getPlugin(name.encode(), None).contents


OTHER = {
    "mujoco.sdf.bolt": {"radius": "0.2"},
    "mujoco.sdf.nut": {"radius": "0.3"},
    "mujoco.sdf.bowl": {"height": "0.1", "radius": "0.5", "thickness": "0.05"},
    "mujoco.sdf.torus": {"radius1": "0.5", "radius2": "0.2"},
    "mujoco.sdf.gear": {"alpha": "0.1", "diameter": "1.4", "teeth": "13", "thickness": "0.3", "innerdiameter": "0.4"},
}


@pytest.mark.parametrize("name", OTHER)
def test_built_in_functions_are_the_reference_s(name):
    function, plugin = registry.find(name), reference_plugin(name)
    pointer = ctypes.POINTER(ctypes.c_double)
    distance = ctypes.CFUNCTYPE(ctypes.c_double, pointer, pointer)(plugin.distance)
    aabb = ctypes.CFUNCTYPE(None, pointer, pointer)(plugin.aabb)
    for given in ({}, OTHER[name]):
        values = function.values(given)
        half, numbers, box = function.bounds(values), values.ctypes.data_as(pointer), (ctypes.c_double * 6)()
        aabb(box, numbers)
        np.testing.assert_allclose(half, box[3:], rtol=1e-15)
        points = np.random.default_rng(0).uniform(-1.2, 1.2, (2000, 3)) * half
        theirs = [distance(point.ctypes.data_as(pointer), numbers) for point in points]
        np.testing.assert_allclose(function.sample(points, values), theirs, atol=1e-14)


@physics.compiled
def pill(p, a):
    z = p[2] - min(max(p[2], -a[1]), a[1])
    return math.sqrt(p[0] * p[0] + p[1] * p[1] + z * z) - a[0]


PILL = {"radius": 0.1, "half": 0.2}


def pill_bounds(a):
    """Wider than need be: of the points along the three axes, which are 300 together, few are along the others then."""
    return 2.0, a[0], a[0] + a[1]


@pytest.fixture
def own():
    """Registers functions; takes them out again."""
    names = []

    def register(name, function, *rest):
        physics.set_sdf(name, function, *rest)
        names.append(name)

    yield register
    for name in names:
        physics.set_sdf(name, None)


@pytest.mark.parametrize("function", [pill, pill.function], ids=["compiled", "in Python"])
def test_a_capsule_that_a_user_wrote_touches_as_a_capsule_does(own, function):
    own("test.pill", function, PILL, pill_bounds)
    assert physics.get_sdf("test.pill") is function
    pose, plane = '0 0 0.33" quat="1 0.4 0.1 0', '<geom type="box" size="1 1 0.1"/>'
    _m, d = load(plane + moving(IT, pose), '<config key="half" value="0.25"/>', "test.pill")
    _twin, e = load(plane + moving('<geom type="capsule" size="0.1 0.25"/>', pose))
    assert d.contact.dist.min() == pytest.approx(e.contact.dist.min(), abs=1e-7)


def test_what_a_function_in_python_raises_stops_the_step(own):
    calls = []

    def ball(p, a):
        calls.append(p)
        if d is not None and d.time > 0.01:
            raise RuntimeError("no idea")
        return math.hypot(*p) - 0.1

    d = None
    own("test.ball", ball, {}, (1.5, 0.1, 0.1))  # wide: few points are asked for
    m, d = load('<geom type="box" size="1 1 0.1"/>' + moving(IT, "0 0 0.3"), plugin="test.ball")
    d.time = 0.02
    before = d.qpos.copy()
    d.qpos[2] = before[2] = 0.15
    with pytest.raises(RuntimeError, match="no idea"):
        physics.mj_step(m, d)
    np.testing.assert_array_equal(d.qpos, before)
    with pytest.raises(RuntimeError, match="no idea"):
        physics.mj_geomDistance(m, d, 0, 1, 1.0)
    d.time = 0.0
    physics.mj_step(m, d)  # nothing is left of it
    assert d.contact.dist.min() == pytest.approx(-0.05, abs=1e-6)


def test_a_function_that_is_not_there_any_more_is_named(own):
    own("test.gone", pill.function, PILL, pill_bounds)
    m, d = load('<geom type="box" size="1 1 0.1"/>' + moving(IT, "0 0 0.3"), plugin="test.gone")
    physics.set_sdf("test.gone", None)
    with pytest.raises(physics.ModelError, match=r"test\.gone is not registered"):
        physics.mj_step(m, d)


def test_bounds_that_raise_are_an_error_of_the_mesh_that_asked(own):
    own("test.lost", pill.function, PILL, lambda a: 1 / 0)
    with pytest.raises(physics.MjcfError, match=r"test\.lost, whose bounds raised ZeroDivisionError"):
        load(moving(IT, "0 0 0.3"), plugin="test.lost")


@pytest.mark.slow
def test_sdf_replaced_while_threads_step_is_used_by_all(own):
    own("test.grows", lambda p, a: math.hypot(*p) - 0.28, {}, (1.5, 0.3, 0.3))
    m, _ = load('<geom type="box" size="1 1 0.1"/>' + moving(IT, "0 0 0.35"), plugin="test.grows")
    models = [copy(m) for _ in range(4)]
    everyone = [physics.MjData(model) for model in models]
    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(physics.mj_step, model, d, 20) for model, d in zip(models, everyone, strict=True)]
        for radius in (0.15, 0.2, 0.26):
            physics.set_sdf("test.grows", lambda p, a, r=radius: math.hypot(*p) - r, {}, (1.5, 0.3, 0.3))
        for done in running:
            done.result()
    for model, d in zip(models, everyone, strict=True):
        physics.mj_resetData(model, d)
        physics.mj_forward(model, d)
        assert d.contact.dist.min() == pytest.approx(-0.01, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "function", "attributes", "said"),
    [
        ("mujoco.sdf.torus", pill, {}, "built in"),
        ("test.many", pill, {f"a{k}": 0.0 for k in range(17)}, "17 attributes; at most 16"),
        ("test.none", 7, {}, "cannot be called"),
    ],
)
def test_what_cannot_be_a_function_is_refused(name, function, attributes, said):
    with pytest.raises((physics.ModelError, TypeError), match=said):
        physics.set_sdf(name, function, attributes)
    assert name not in registry.names() or name.startswith("mujoco.")


RING_ON_FLOOR = """
<mujoco>
  <asset><mesh name="ring"><plugin plugin="mujoco.sdf.torus"/></mesh></asset>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="sdf" mesh="ring"><plugin plugin="mujoco.sdf.torus"/></geom></body>
    <body pos=".35 0 .4"><freejoint/><geom size=".2"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def ring_on_floor():
    return physics.MjModel.from_xml_string(RING_ON_FLOOR)


def test_options_without_end_do_not_make_a_step_without_end(ring_on_floor):
    m = copy(ring_on_floor)
    m.opt.sdf_initpoints = m.opt.sdf_iterations = 2**31 - 1
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    assert {tuple(sorted(pair)) for pair in d.contact.geom.tolist()} == {(0, 1), (1, 2)}


@pytest.mark.parametrize(
    ("field", "value"),
    [("geom_type", 99), ("geom_type", -3), ("geom_dataid", 7), ("geom_dataid", -1), ("geom_plugin", 5), ("mesh_octadr", 10**6)],
)
def test_geom_with_invalid_sdf_reference_raises_model_error(ring_on_floor, field, value):
    m = copy(ring_on_floor)
    m.opt.sdf_initpoints = 5
    d = physics.MjData(m)
    physics.mj_step(m, d)
    if field == "mesh_octadr":
        m._arrays["mesh_octnum"][0], m._arrays["mesh_octadr"][0] = 1, value
    else:
        m._arrays[field][1] = value  # where nothing checks it
    with pytest.raises(physics.ModelError, match=r"geom 1 has no shape|geom_plugin has 5; the model has"):
        physics.mj_step(m, d)
    if field != "geom_plugin":  # whoever binds the functions says it first
        assert physics.mj_ray(m, d, (0.35, 0, 2), (0, 0, -1)) == pytest.approx(1.4, abs=0.01)  # the ball is met
        assert physics.mj_geomDistance(m, d, 1, 2, 1.0) == 1.0
