"""Colliders of the user's: in Python and compiled, in place of the built-in ones and where there are none."""

import ctypes
from itertools import repeat

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, posed
from tumble import physics
from tumble.physics import compiled, mj_forward, mj_step
from tumble.physics.collision.hit import touch
from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtGeom

PLANE, SPHERE, CAPSULE, BOX = (mjtGeom[f"mjGEOM_{name}"] for name in ("PLANE", "SPHERE", "CAPSULE", "BOX"))
SCENE = """<mujoco><worldbody>
    <geom type="plane" size="2 2 1"/>
    <body pos="0 0 .19"><freejoint/><geom size=".2" margin=".01"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .11"/></body>
  </worldbody></mujoco>"""


@pytest.fixture
def scene():
    return load(SCENE)


def ball_on_plane(m, d, geom1, geom2, margin):
    """A ball that is half as large as it looks, on a level plane."""
    dist = d.geom_xpos[geom2, 2] - 0.5 * m.geom_size[geom2, 0]
    return [(dist, d.geom_xpos[geom2] * [1, 1, 0], [0, 0, 1])] if dist < margin else None


def compiled_ball(m, d):
    g = d.hit_geom2
    dist = d.geom_xpos[g, 2] - 0.5 * m.geom_size[g, 0]
    if dist < d.hit_margin:
        touch(d, dist, (d.geom_xpos[g, 0], d.geom_xpos[g, 1], 0.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize("collider", [ball_on_plane, compiled(compiled_ball)], ids=["python", "compiled"])
def test_user_collider_replaces_the_built_in_one(scene, collider):
    m, d = scene
    d.qpos[2] = 0.09
    mj_forward(m, d)
    builtin = d.contact.dist.copy()
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, collider)
    assert physics.get_mjCOLLISIONFUNC(SPHERE, PLANE) is collider
    mj_forward(m, d)
    assert d.ncon == len(builtin)
    assert d.contact.dist[0] == pytest.approx(-0.01)
    np.testing.assert_array_equal(d.contact.dist[1:], builtin[1:])  # those of the box
    np.testing.assert_array_equal(d.contact.frame[0][:3], [0, 0, 1])
    assert d.contact.includemargin[0] == 0.01
    for _ in range(600):
        mj_step(m, d)
    assert d.qpos[2] == pytest.approx(0.11, abs=2e-3)  # its radius and the margin, as the collider says
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, None)
    mj_forward(m, d)
    assert d.contact.dist[0] == pytest.approx(-0.09, abs=2e-3)  # which the built-in one sees deep in the plane


def test_a_collider_makes_the_same_contacts_as_in_the_reference(scene):
    """The reference takes function pointers alone, in C: here its built-in one, written again."""

    def sphere_on_plane(m, d, geom1, geom2, margin):
        normal = d.geom_xmat[geom1][[2, 5, 8]]
        dist = (d.geom_xpos[geom2] - d.geom_xpos[geom1]) @ normal - m.geom_size[geom2, 0]
        tangents = [1, 0, 0, 0, 1, 0]
        return [(dist, d.geom_xpos[geom2] - normal * (m.geom_size[geom2, 0] + dist / 2), [*normal, *tangents])]

    m, d = scene
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, sphere_on_plane)
    mj_step(m, d, 20)
    theirs, data = load(SCENE, mujoco)
    mujoco.mj_step(theirs, data, 20)
    np.testing.assert_allclose(d.qpos, data.qpos, atol=1e-9)
    np.testing.assert_array_equal(d.contact.frame[0][3:6], [1, 0, 0])


@pytest.mark.parametrize("nothing", [False, ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(0)], ids=["False", "NULL"])
def test_two_types_can_be_kept_from_colliding(scene, nothing):
    m, d = scene
    physics.set_mjCOLLISIONFUNC(BOX, PLANE, nothing)
    mj_forward(m, d)
    assert {tuple(g) for g in d.contact.geom} == {(0, 1)}
    physics.reset_mjCOLLISIONFUNC()
    mj_forward(m, d)
    assert {tuple(g) for g in d.contact.geom} == {(0, 1), (0, 2)}


def test_types_that_never_collide_can_be_given_a_collider():
    m, d = posed(
        '<mujoco><worldbody><geom name="a" type="plane" size="1 1 1" pos="9 0 0"/>'
        '<body mocap="true" pos="0 0 5"><geom name="b" type="plane" size="1 1 1"/></body></worldbody>'
        '<contact><pair geom1="a" geom2="b"/></contact></mujoco>'
    )
    assert d.ncon == 0
    physics.set_mjCOLLISIONFUNC(PLANE, PLANE, lambda m, d, g1, g2, margin: [(-1.0, [g1, g2, 0], [0, 1, 0])])
    mj_forward(m, d)
    np.testing.assert_array_equal(d.contact.pos, [[0, 1, 0]])


def test_the_collider_is_asked_in_scenes_that_are_swept_too():
    balls = "".join(f'<body pos="{k} 0 .05"><freejoint/><geom size=".1"/></body>' for k in range(700))
    m, d = posed(f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{balls}</worldbody></mujoco>')
    assert d.ncon == 700
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, lambda m, d, g1, g2, margin: [(-0.5, [0, 0, 0], [0, 0, 1])] if g2 < 4 else [])
    mj_forward(m, d)
    assert d.contact.dist.tolist() == [-0.5] * 3


@pytest.mark.parametrize(("points", "message"), [
    ([(0.0, [0, 0, 0], [0, 0, 1])] * 51, "plane and sphere found 51 points or more; 50 are the most"),
    (repeat((0.0, [0, 0, 0], [0, 0, 1])), "plane and sphere found 51 points or more; 50 are the most"),
    ([(float("nan"), [0, 0, 0], [0, 0, 1])], "all finite"), ([(0.0, [0, 0, float("inf")], [0, 0, 1])], "all finite"),
    ([(0.0, [0, 0, 0], [0, 0, 0])], "not zero"), ([(0.0, [0, 0, 0], [0, 0, 1, 2])], "6 or 9"),
    ([(0.0, [0, 0], [0, 0, 1])], "a point is"), ([3], "a point is"), (5, "not iterable"),
])  # fmt: skip
def test_what_is_no_point_is_refused_and_nothing_has_moved(scene, points, message):
    m, d = scene
    before = d.qpos.copy()
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, lambda *_: points)
    with pytest.raises((ModelError, TypeError), match=message):
        mj_step(m, d)
    np.testing.assert_array_equal(d.qpos, before)
    physics.reset_mjCOLLISIONFUNC()
    mj_step(m, d)


def test_a_compiled_collider_that_finds_no_number_is_named(scene):
    def wrong(m, d):
        touch(d, d.geom_xpos[0, 0] / d.geom_xpos[0, 0], (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))

    m, d = scene
    before = d.qpos.copy()
    physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, compiled(wrong))
    with pytest.raises(ModelError, match="collider of geoms 0 and 1"):
        mj_step(m, d)
    np.testing.assert_array_equal(d.qpos, before)


def test_what_a_collider_raises_reaches_the_caller(scene):
    class Trouble(Exception):
        pass

    def fails(*_):
        raise Trouble

    m, d = scene
    mj_step(m, d, 3)
    before = np.concatenate([d.qpos, d.qvel, [d.time]])
    physics.set_mjCOLLISIONFUNC(PLANE, BOX, fails)
    with pytest.raises(Trouble):
        mj_step(m, d)
    np.testing.assert_array_equal(np.concatenate([d.qpos, d.qvel, [d.time]]), before)


def test_a_collider_may_reset_the_data(scene):
    m, d = scene
    mj_step(m, d, 5)
    once = []

    def resets(m, d, *_):
        if not once:
            once.append(1)
            physics.mj_resetData(m, d)

    physics.set_mjCOLLISIONFUNC(PLANE, BOX, resets)
    mj_step(m, d)
    assert d.time == pytest.approx(m.opt.timestep)


def test_colliders_stay_when_callbacks_are_removed(scene):
    physics.set_mjCOLLISIONFUNC(CAPSULE, SPHERE, len)
    physics.mj_resetCallbacks()
    assert physics.get_mjCOLLISIONFUNC(SPHERE, CAPSULE) is len
    physics.reset_mjCOLLISIONFUNC()
    assert physics.get_mjCOLLISIONFUNC(SPHERE, CAPSULE) is None


def test_what_is_no_collider_or_no_type_is_refused():
    with pytest.raises(TypeError, match="set_mjCOLLISIONFUNC takes a function"):
        physics.set_mjCOLLISIONFUNC(PLANE, SPHERE, 3)
    with pytest.raises(ModelError, match="types 0 to 8"):
        physics.set_mjCOLLISIONFUNC(PLANE, 100, len)
