"""The tactile sensor: against what geometry and motion say, and against the reference where that is right."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, mirror_model, put_state
from tumble import physics
from tumble.physics.collision.sdf.primitive import primitive_distance
from tumble.physics.sensor.components import unsupported_sensors

WEDGE = '<mesh name="pad" builtin="wedge" params="8 9 60 60 0" scale=".1 .1 .1"/>'
FINGER = """<mujoco><option gravity="0 0 0"/><asset>{asset}</asset><worldbody>
  <body name="hand" {hand}><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <body name="finger"><joint type="slide" axis="0 0 1"/><geom name="tip" type="mesh" mesh="pad" density="1000"/></body></body>
  {others}</worldbody><sensor><tactile name="skin" geom="tip" mesh="pad"/></sensor></mujoco>"""
BALL = '<body name="ball" pos="0 0 -.13" {turn}><freejoint/><geom name="ball" {geom}/></body>'


def read(xml: str, velocity: tuple[float, ...] = ()) -> tuple[physics.MjModel, physics.MjData, np.ndarray]:
    """A model at rest but for the last joints' velocity; and its readings, (3, ntaxel)."""
    m, d = load(xml)
    d.qvel[m.nv - len(velocity) :] = velocity
    physics.mj_forward(m, d)
    return m, d, d.sensordata.reshape(3, -1).copy()


def taxels(m: physics.MjModel, d: physics.MjData) -> np.ndarray:
    """Where the taxels are in the world, (n, 3)."""
    g = m.geom("tip").id
    return d.geom_xpos[g] + m.mesh_vert[: m.mesh_vertnum[0]] @ d.geom_xmat[g].reshape(3, 3).T


def test_pressure_grows_with_the_depth_in_a_ball() -> None:
    ball = BALL.format(geom='size=".05"', turn="")
    m, d, readings = read(FINGER.format(asset=WEDGE, hand="", others=ball))
    depth = np.maximum(0.05 - np.linalg.norm(taxels(m, d) - d.geom("ball").xpos, axis=1), 0)
    assert (depth > 0).sum() > 4
    np.testing.assert_allclose(readings[0], -depth / (0.05 + depth), atol=1e-12)


def test_a_ball_that_rolls_without_slipping_does_not_slide() -> None:
    """It touches with a surface that stands still, however fast its centre moves."""
    plate = '<mesh name="pad" builtin="plate" params="9 9" scale=".1 .1 .1"/>'
    ball = BALL.format(geom='size=".05"', turn="").replace("0 0 -.13", "-.0399 0 -.01")
    pad = f"""<mujoco><option gravity="0 0 0"/><asset>{plate}</asset><worldbody>
      <geom name="tip" type="box" size=".1 .1 .01" pos="0 0 -.01" euler="0 90 0"/>{ball}</worldbody>
      <sensor><tactile geom="tip" mesh="pad"/></sensor></mujoco>"""
    m, d, _ = read(pad)
    at = taxels(m, d)
    touched = np.flatnonzero(d.sensordata[: len(at)])
    assert len(touched) > 0
    k = touched[0]
    arm = at[k] - d.geom("ball").xpos
    spin = np.array([0.3, -2.0, 1.0])
    d.qvel[:] = (*-np.cross(spin, arm), *spin)  # the velocity field of a turn about the taxel
    physics.mj_forward(m, d)
    np.testing.assert_allclose(d.sensordata.reshape(3, -1)[1:, k], 0, atol=1e-12)
    assert np.linalg.norm(d.qvel[:3]) > 0.05


def test_readings_do_not_depend_on_where_the_world_s_axes_point() -> None:
    """Hand and ball turned together, velocities with them."""
    others = BALL.format(geom='type="box" size=".05 .04 .06"', turn='euler="10 20 30"')
    rm = mujoco.MjModel.from_xml_string(FINGER.format(asset=WEDGE, hand="", others=others))
    m = mirror_model(rm, physics.MjModel)
    d, rng = physics.MjData(m), np.random.default_rng(0)
    velocity = rng.normal(size=m.nv)
    seen = []
    for quat in ((1, 0, 0, 0), (0.5, -0.1, 0.7, 0.4)):
        turn, mat = np.array(quat) / np.linalg.norm(quat), np.zeros(9)
        physics.mju_quat2Mat(mat, turn)
        rotate = mat.reshape(3, 3)
        d.qpos[:], d.qvel[:] = m.qpos0, velocity
        for start in (0, 8):
            d.qpos[start : start + 3] = rotate @ m.qpos0[start : start + 3]
            product = np.zeros(4)
            physics.mju_mulQuat(product, turn, m.qpos0[start + 3 : start + 7])
            d.qpos[start + 3 : start + 7] = product
        for start in (0, 7):
            d.qvel[start : start + 3] = rotate @ velocity[start : start + 3]
        physics.mj_forward(m, d)
        seen.append(d.sensordata.copy())
    assert np.count_nonzero(seen[0]) > 30
    np.testing.assert_allclose(seen[1], seen[0], atol=1e-12)


SHAPES = ['size=".05"', 'type="capsule" size=".04 .05"', 'type="cylinder" size=".05 .05"', 'type="ellipsoid" size=".04 .05 .06"']


def test_readings_are_those_of_the_reference_while_nothing_turns() -> None:
    """The reference takes the other geom's velocity at its centre, and tangents that do not turn with the hand.

    It multiplies the pressure with the square of the first normal, whose length is 1 but for the rounding of 4 bytes.
    """
    pressed = 0
    for shape in SHAPES:
        xml = FINGER.format(asset=WEDGE, hand="", others=BALL.format(geom=shape, turn='euler="10 20 30"'))
        rm = mujoco.MjModel.from_xml_string(xml)
        m = mirror_model(rm, physics.MjModel)
        rd, d, rng = mujoco.MjData(rm), physics.MjData(m), np.random.default_rng(1)
        for _ in range(5):
            rd.qpos[:], rd.qvel[:] = rm.qpos0, rng.normal(size=rm.nv)
            rd.qpos[8:11] += 0.02 * rng.normal(size=3)
            rd.qvel[3:6] = rd.qvel[10:] = 0
            mujoco.mj_forward(rm, rd)
            put_state(d, rd)
            physics.mj_forward(m, d)
            expected = rd.sensordata.reshape(3, -1)
            expected[0] /= (rm.mesh_normal[::3].astype(float) ** 2).sum(axis=1)
            np.testing.assert_allclose(d.sensordata.reshape(3, -1), expected, 1e-9, 1e-9, err_msg=shape)
            pressed += np.count_nonzero(rd.sensordata)
    assert pressed > 100


def test_of_two_shapes_at_one_place_the_deeper_one_is_felt() -> None:
    def balls(*heights: float) -> str:
        return "".join(f'<body pos="0 0 {z}"><joint type="slide"/><geom size=".05"/></body>' for z in heights)

    alone = [read(FINGER.format(asset=WEDGE, hand="", others=balls(z)))[2][0] for z in (-0.13, -0.12)]
    for heights in ((-0.13, -0.12), (-0.12, -0.13)):
        both = read(FINGER.format(asset=WEDGE, hand="", others=balls(*heights)))[2][0]
        np.testing.assert_array_equal(both, np.minimum(*alone))


def test_primitive_distance_inside_is_to_the_nearest_surface() -> None:
    def distance(kind: int, size: tuple[float, ...], x: tuple[float, ...]) -> float:
        return float(primitive_distance(kind, size, x)[0])

    box, x = (0.3, 0.2, 0.1), (0.25, -0.1, 0.02)
    assert distance(6, box, x) == pytest.approx(-0.05)
    assert distance(6, box, (0.31, 0, 0)) == pytest.approx(0.01)
    assert distance(5, (0.3, 0.2, 0), (0.1, 0, 0.15)) == pytest.approx(-0.05)
    assert distance(3, (0.1, 0.3, 0), (0, 0.04, 0.33)) == pytest.approx(-0.05)
    assert distance(0, (0, 0, 0), (5, 5, -0.01)) == -0.01
    # an ellipsoid's is right to first order: at a depth h below the surface it errs by a multiple of h^2
    size, unit = np.array((0.1, 0.2, 0.3)), np.array((2, 1, 2)) / 3
    surface, slope = size * unit, unit / size
    normal = slope / np.linalg.norm(slope)
    errors = [abs(distance(4, tuple(size), tuple(surface - h * normal)) + h) for h in (1e-3, 5e-4)]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.05)


def test_what_it_cannot_feel_is_noted() -> None:
    box = '<mesh name="box" vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1"/>'
    others = '<body pos="0 0 5"><freejoint/><geom name="crate" type="mesh" mesh="box"/></body>'
    m = physics.MjModel.from_xml_string(FINGER.format(asset=box.replace('"box"', '"pad"') + box, hand="", others=others))
    assert unsupported_sensors(m) == [
        "sensor skin: meshes and height fields do not press on it, such as geom crate",
        "sensor skin: mesh pad has no three normals per vertex, so it feels no sliding",
    ]


def test_it_needs_a_body_that_can_be_touched() -> None:
    ghost = FINGER.replace("density", 'contype="0" conaffinity="0" density')
    xml = ghost.format(asset=WEDGE, hand="", others="")
    with pytest.raises(physics.MjcfError, match="a geom on a body of which a geom can collide"):
        physics.MjModel.from_xml_string(xml)


def test_tactile_mesh_is_kept_by_discardvisual() -> None:
    plate = '<mesh name="unused" builtin="plate" params="2 2"/><mesh name="pad" builtin="plate" params="3 4" scale=".1 .1 .1"/>'
    xml = f"""<mujoco><compiler discardvisual="true"/><asset>{plate}</asset><worldbody><geom name="tip" type="box"
      size=".1 .1 .1"/></worldbody><sensor><tactile geom="tip" mesh="pad"/></sensor></mujoco>"""
    assert physics.MjModel.from_xml_string(xml).sensor_dim[0] == mujoco.MjModel.from_xml_string(xml).sensor_dim[0] == 36


def test_tactile_sensor_feels_sdf_as_its_analytic_shape() -> None:
    plate = '<mesh name="pad" builtin="plate" params="9 9" scale=".1 .1 .1"/>'
    plugin = """<plugin plugin="mujoco.sdf.torus"><config key="radius1" value="0"/><config key="radius2" value="0.2"/></plugin>"""
    ball, field = '<geom size="0.2" pos="0 0 0.28"/>', f'<geom type="sdf" mesh="ball" pos="0 0 0.28">{plugin}</geom>'
    felt = []
    for other in (ball, field):
        text = f"""<mujoco><asset>{plate}<mesh name="ball">{plugin}</mesh></asset><worldbody>
          <body><joint type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/>
          <geom name="tip" type="mesh" mesh="pad" pos="0 0 0.2" contype="0" conaffinity="0"/></body>{other}</worldbody>
          <sensor><tactile geom="tip" mesh="pad"/></sensor></mujoco>"""
        m, d = load(text)
        d.qvel[0] = 0.1
        physics.mj_forward(m, d)
        felt.append(d.sensordata.copy())
    assert felt[0].min() < -0.1
    np.testing.assert_allclose(felt[1], felt[0], atol=1e-9)
