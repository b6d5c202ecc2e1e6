"""The pipeline run part by part: each function gives what the reference's gives from the same data."""

import mujoco
import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tests.physics.reference import assert_close, load, put_state, twins
from tests.physics.scenes import SMOOTH_SCENE
from tests.physics.sensor.scene import SCENE
from tumble import physics
from tumble.physics import MjData, MjModel
from tumble.physics.errors import ModelError, ShapeError, UnknownIndexError
from tumble.physics.state.fields.data_fields import COMPUTED

SENSING = SCENE.replace("CONE", "elliptic").replace("ENERGY", "enable")
POSITION = ("xpos", "xquat", "xipos", "geom_xpos", "site_xpos", "subtree_com", "cdof", "cinert", "qM", "M", "qLD",
            "actuator_length")  # fmt: skip
VELOCITY = ("cvel", "cdof_dot", "qfrc_bias", "qfrc_passive", "qfrc_damper", "actuator_velocity")
FORCES = ("qfrc_actuator", "actuator_force", "qfrc_smooth", "qacc_smooth")
ROWS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_D", "efc_R", "efc_vel", "efc_aref")


def both(xml, steps=0):
    """Both engines in the same state, after some steps of the reference; ours knows nothing but the state."""
    rm, rd = load(xml, mujoco)
    rd.qvel[:] = np.random.default_rng(1).normal(size=rm.nv) * 0.3
    rd.ctrl[:] = 0.2
    for _ in range(steps):
        mujoco.mj_step(rm, rd)
    stepped, rd = rd, mujoco.MjData(rm)  # after a step, the reference's mj_forward does not renew the energy sensors
    put_state(rd, stepped)
    m, d = load(xml)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    return m, d, rm, rd


def constraint_jacobian(model, data):
    """The whole constraint Jacobian of either engine."""
    out = np.empty((data.nefc, model.nv))
    for k in range(data.nefc):
        unit = np.zeros(data.nefc)
        unit[k] = 1.0
        (physics if isinstance(model, MjModel) else mujoco).mj_mulJacTVec(model, data, out[k], unit)
    return out


def run_parts(engine, m, d):
    """A forward pass, one function after the other."""
    for part in ("kinematics comPos camlight tendon makeM factorM collision makeConstraint island transmission fwdVelocity "
                 "fwdActuation fwdAcceleration fwdConstraint").split():  # fmt: skip
        getattr(engine, f"mj_{part}")(m, d)


@pytest.mark.parametrize("xml", [SMOOTH_SCENE, scene(*ALL, cone="elliptic"), SENSING], ids=["smooth", "islands", "sensing"])
def test_the_parts_one_by_one_make_the_whole(xml):
    m, d, rm, rd = both(xml, 20)
    run_parts(physics, m, d)
    assert_close(d, rd, [*POSITION, *VELOCITY, *FORCES])
    assert d.nefc == rd.nefc
    assert d.nisland == rd.nisland
    assert_close(d, rd, ROWS, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(constraint_jacobian(m, d), constraint_jacobian(rm, rd), atol=1e-9)
    expected = MjData(m)
    put_state(expected, rd)
    physics.mj_forward(m, expected)
    for name in ("qacc", "efc_force", "qfrc_constraint"):
        np.testing.assert_array_equal(getattr(d, name), getattr(expected, name), err_msg=name)


def test_larger_parts():
    m, d, _, rd = both(SENSING, 20)
    physics.mj_fwdPosition(m, d)
    assert_close(d, rd, POSITION)
    physics.mj_comVel(m, d)
    physics.mj_passive(m, d)
    assert_close(d, rd, ["cvel", "cdof_dot", "qfrc_passive"])
    physics.mj_referenceConstraint(m, d)
    assert_close(d, rd, ["efc_vel", "efc_aref"], rtol=1e-8, atol=1e-8)
    for part in "fwdVelocity sensorPos sensorVel fwdActuation fwdAcceleration fwdConstraint sensorAcc".split():
        getattr(physics, f"mj_{part}")(m, d)
    assert_close(d, rd, ["sensordata", "qacc"], rtol=1e-5, atol=1e-5)  # each engine's solver, at its own tolerance
    again = MjData(m)
    put_state(again, rd)
    physics.mj_fwdKinematics(m, again)
    assert_close(again, rd, ["xpos", "subtree_com", "cdof", "ten_length"])


@pytest.mark.parametrize("skipsensor", [0, 1])
@pytest.mark.parametrize("skipstage", [0, 1, 2])
def test_forward_with_stages_left_out(skipstage, skipsensor):
    m, d, rm, rd = both(SENSING, 20)
    physics.mj_forward(m, d)
    for engine, model, data in ((physics, m, d), (mujoco, rm, rd)):
        data.sensordata[:] = 0.0
        data.qvel[0] += 0.1
        data.ctrl[:] = -0.1
        engine.mj_forwardSkip(model, data, skipstage, skipsensor)
    assert_close(d, rd, ["qfrc_smooth", "qacc_smooth", "cvel", "energy"])
    assert_close(d, rd, ["qacc"], rtol=1e-5, atol=1e-5)
    same = np.ones(m.nsensordata, bool)
    same[m.sensor_adr[m.sensor_type == physics.mjtSensor.mjSENS_E_KINETIC]] = False  # see `both`
    np.testing.assert_allclose(d.sensordata[same], rd.sensordata[same], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("accelerate", [0, 1])
def test_newton_euler_with_and_without_acceleration(accelerate):
    m, d, rm, rd = both(SMOOTH_SCENE, 20)
    physics.mj_forward(m, d)
    d.qacc = rd.qacc
    ours, theirs = np.empty(m.nv), np.empty(m.nv)
    physics.mj_rne(m, d, accelerate, ours)
    mujoco.mj_rne(rm, rd, accelerate, theirs)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    with pytest.raises(ShapeError, match="result"):
        physics.mj_rne(m, d, accelerate, np.empty(m.nv + 1))


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_products_with_the_jacobian_and_the_dual_matrix(cone, jacobian):
    m, d, rm, rd = both(scene(*ALL, cone=cone, jacobian=jacobian), 20)
    physics.mj_forward(m, d)
    assert [f(m) for f in (physics.mj_isPyramidal, physics.mj_isSparse, physics.mj_isDual)] == [
        f(rm) for f in (mujoco.mj_isPyramidal, mujoco.mj_isSparse, mujoco.mj_isDual)
    ]
    random = np.random.default_rng(3)
    v, f = random.normal(size=m.nv), random.normal(size=d.nefc)
    for name, vec, size in (("mj_mulJacVec", v, d.nefc), ("mj_mulJacTVec", f, m.nv)):
        ours, theirs = np.empty(size), np.empty(size)
        getattr(physics, name)(m, d, ours, vec)
        getattr(mujoco, name)(rm, rd, theirs, vec)
        np.testing.assert_allclose(ours, theirs, atol=1e-9, err_msg=name)
    physics.mj_projectConstraint(m, d)
    j, inverse = constraint_jacobian(m, d), np.empty((d.nefc, m.nv))
    physics.mj_solveM(m, d, inverse, j)
    np.testing.assert_allclose(d.efc_AR.reshape(d.nefc, d.nefc), inverse @ j.T + np.diag(d.efc_R), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_constraint_at_any_acceleration(cone):
    m, d, rm, rd = both(scene(*ALL, cone=cone), 20)
    physics.mj_forward(m, d)
    random = np.random.default_rng(5)
    for _ in range(5):
        jar = random.normal(size=d.nefc) * 20.0
        ours, theirs = np.empty(1), np.empty(1)
        physics.mj_constraintUpdate(m, d, jar, ours, 1)
        mujoco.mj_constraintUpdate(rm, rd, jar, theirs, 1)
        assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
        assert_close(d, rd, ["efc_state", "efc_force", "qfrc_constraint"], rtol=1e-8, atol=1e-8)
        for c in np.flatnonzero(d.efc_state[d.contact.efc_address] == physics.mjtConstraintState.mjCNSTRSTATE_CONE):
            n = d.contact.dim[c] ** 2
            np.testing.assert_allclose(d.contact.H[c][:n], rd.contact.H[c][:n], rtol=1e-7, atol=1e-7)
        cost = ours[0]
        physics.mj_constraintUpdate(m, d, jar, None, 0)
        physics.mj_constraintUpdate(m, d, jar, ours, 0)
        assert ours[0] == cost


def test_inverse_in_parts():
    m, d, rm, rd = both(SENSING, 20)
    physics.mj_invPosition(m, d)
    physics.mj_invVelocity(m, d)
    d.qacc = rd.qacc
    physics.mj_invConstraint(m, d)
    mujoco.mj_invConstraint(rm, rd)
    assert_close(d, rd, ["efc_force", "qfrc_constraint"], rtol=1e-6, atol=1e-6)


def test_half_of_the_inertia_matrix():
    m, d, rm, rd = both(SMOOTH_SCENE, 20)
    physics.mj_forward(m, d)
    v = np.random.default_rng(2).normal(size=m.nv)
    ours, theirs, product = np.empty(m.nv), np.empty(m.nv), np.empty(m.nv)
    physics.mj_mulM2(m, d, ours, v)
    mujoco.mj_mulM2(rm, rd, theirs, v)
    physics.mj_mulM(m, d, product, v)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
    assert ours @ ours == pytest.approx(v @ product)
    rows, mine, other = np.random.default_rng(4).normal(size=(2, m.nv)), np.empty((2, m.nv)), np.empty((2, m.nv))
    physics.mj_solveM2(m, d, mine, rows, np.sqrt(d.qLDiagInv))
    mujoco.mj_solveM2(rm, rd, other, rows, np.sqrt(rd.qLDiagInv)[None])
    np.testing.assert_allclose(mine, other, rtol=1e-8, atol=1e-9)


def test_rates_of_jacobians_and_the_angular_momentum():
    m, d, rm, rd = both(SMOOTH_SCENE, 20)
    physics.mj_forward(m, d)
    for body in range(1, m.nbody):
        point = d.xipos[body] + (0.1, 0.2, -0.1)
        ours, theirs = np.empty((2, 3, m.nv)), np.empty((2, 3, m.nv))
        physics.mj_jacDot(m, d, ours[0], ours[1], point, body)
        mujoco.mj_jacDot(rm, rd, theirs[0], theirs[1], point, body)
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
        mine, other = np.empty((3, m.nv)), np.empty((3, m.nv))
        physics.mj_angmomMat(m, d, mine, body)
        mujoco.mj_angmomMat(rm, rd, other, body)
        np.testing.assert_allclose(mine, other, atol=1e-9)


def test_runge_kutta_whatever_the_integrator():
    m, d, rm, rd = both(SMOOTH_SCENE, 20)
    physics.mj_forward(m, d)
    physics.mj_RungeKutta(m, d, 4)
    mujoco.mj_RungeKutta(rm, rd, 4)
    assert_close(d, rd, ["qpos", "qvel", "act"])
    assert d.time == rd.time
    with pytest.raises(ModelError, match="order 3"):
        physics.mj_RungeKutta(m, d, 3)


@pytest.mark.parametrize(("check", "field"), [("mj_checkPos", "qpos"), ("mj_checkVel", "qvel"), ("mj_checkAcc", "qacc")])
def test_bad_numbers_are_counted_and_reset(check, field):
    m, d, _, _ = both(SMOOTH_SCENE, 2)
    physics.mj_forward(m, d)
    before = d.qpos.copy()
    getattr(physics, check)(m, d)
    np.testing.assert_array_equal(d.qpos, before)
    getattr(d, field)[0] = np.nan
    getattr(physics, check)(m, d)
    assert d.warning_number.sum() == 1
    np.testing.assert_array_equal(d.qpos, m.qpos0)
    assert np.isfinite(d.qacc).all()


def test_keyframes_and_total_mass():
    key = '<keyframe><key name="k"/><key name="l"/></keyframe></mujoco>'
    m, d, rm, rd = both(SMOOTH_SCENE.replace("</mujoco>", key), 5)
    for engine, model, data in ((physics, m, d), (mujoco, rm, rd)):
        engine.mj_setKeyframe(model, data, 1)
        engine.mj_setTotalmass(model, 12.0)
    for name in ("key_time", "key_qpos", "key_qvel", "key_act", "key_ctrl", "body_mass", "body_inertia", "body_subtreemass"):
        np.testing.assert_allclose(getattr(m, name), getattr(rm, name), rtol=1e-12, err_msg=name)
    assert physics.mj_getTotalmass(m) == pytest.approx(12.0)
    with pytest.raises(UnknownIndexError, match="index must be smaller than 2"):
        physics.mj_setKeyframe(m, d, 2)


SCENE = SMOOTH_SCENE.replace("</worldbody>", """
  <geom type="plane" size="5 5 1" contype="1" conaffinity="1"/>
  <body pos="0 3 0.09"><freejoint/><geom size="0.1" contype="1" conaffinity="1"/></body></worldbody>""")  # fmt: skip


def test_a_debug_reset_fills_what_the_references_fills():
    theirs, reference, ours, d = twins(SCENE)
    physics.mj_resetDataDebug(ours, d, 7)
    mujoco.mj_resetDataDebug(theirs, reference, 7)
    names = [f.name for f in COMPUTED if f.shape and "awake" not in f.name and f.name != "qM"]
    checked = 0
    for name in [*names, "sensordata", "qpos", "ctrl", "qacc"]:
        expected = np.asarray(getattr(reference, name))
        if expected.size and expected.size == getattr(d, name).size:
            assert getattr(d, name).tobytes() == expected.astype(getattr(d, name).dtype).tobytes(), name
            checked += 1
    assert checked > 40


def test_a_step_after_a_debug_reset_is_a_step_after_a_reset():
    m = physics.MjModel.from_xml_string(SCENE)
    plain, filled = physics.MjData(m), physics.MjData(m)
    for value in (0, 7, 255):
        physics.mj_resetData(m, plain)
        physics.mj_resetDataDebug(m, filled, value)
        for d in (plain, filled):
            d.ctrl[:] = 0.3
            for _ in range(20):
                physics.mj_step(m, d)
        for name in ("qpos", "qvel", "act", "sensordata", "qfrc_passive", "xpos", "geom_xmat", "cvel", "qfrc_constraint"):
            np.testing.assert_array_equal(getattr(filled, name), getattr(plain, name), err_msg=name)


def test_only_a_byte_fills():
    m = physics.MjModel.from_xml_string("<mujoco/>")
    for value in (-1, 256):
        with pytest.raises(ModelError, match="0 to 255"):
            physics.mj_resetDataDebug(m, physics.MjData(m), value)
