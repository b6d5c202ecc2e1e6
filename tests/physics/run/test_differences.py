"""Finite differences of a step and of the inverse dynamics: closed forms, whole steps one by one, and the reference."""

import math

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, mirror_model, put_state
from tests.physics.scenes import HUMANOID, SMOOTH_SCENE
from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.model import MjData, MjModel
from tumble.physics.query.inertia import mj_fullM
from tumble.physics.query.motion import mj_differentiatePos
from tumble.physics.run.differences import mjd_inverseFD, mjd_transitionFD
from tumble.physics.run.stepping import mj_forward, mj_inverse, mj_step
from tumble.physics.state.components import mj_getState, mj_setState, mj_stateSize
from tumble.physics.state.enums import mjtIntegrator, mjtState

SENSED = SMOOTH_SCENE.replace("</mujoco>", """<sensor><framepos objtype="body" objname="arm"/><gyro site="tip"/>
<accelerometer site="tip"/><actuatorfrc actuator="push"/><jointactuatorfrc joint="rail"/></sensor></mujoco>""").replace(
    '<motor joint="float"', '<motor name="push" ctrllimited="true" ctrlrange="-.5 .5" joint="float"')  # fmt: skip
PENDULUM = """<mujoco><option integrator="{}"/><worldbody><body><joint name="j" axis="0 1 0" damping="{}"/>
<geom size=".05" mass="2" pos="0 0 -.7"/></body></worldbody><actuator><motor name="a" joint="j" gear="3"/></actuator>
<sensor><jointpos joint="j"/><jointvel joint="j"/><actuatorfrc actuator="a"/></sensor></mujoco>"""
WHOLE = mjtState.mjSTATE_INTEGRATION
EULER, IMPLICIT, IMPLICITFAST = mjtIntegrator.mjINT_EULER, mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST


def both(source, integrator=EULER, steps=60):
    """Both engines in one state on the way, its controls within their ranges but the first, which is at its limit."""
    rm = mujoco.MjModel.from_xml_path(str(source)) if source == HUMANOID else mujoco.MjModel.from_xml_string(source)
    rm.opt.integrator, rm.opt.tolerance, rm.opt.iterations = integrator, 1e-14, 100
    rd, rng = mujoco.MjData(rm), np.random.default_rng(0)
    for _ in range(steps):
        rd.ctrl[:] = rng.uniform(-0.25, 0.25, rm.nu)
        mujoco.mj_step(rm, rd)
    rd.ctrl[0] = rm.actuator_ctrlrange[0, 1] if rm.actuator_ctrllimited[0] else 0.1
    rd.qacc[:] = rng.normal(size=rm.nv)
    m = mirror_model(rm, MjModel)
    d = MjData(m)
    put_state(d, rd)
    d.qacc = rd.qacc
    return m, d, rm, rd


def matrices(m):
    """A, B, C, D to be written."""
    nx = 2 * m.nv + m.na
    return tuple(np.full(shape, np.nan) for shape in ((nx, nx), (nx, m.nu), (m.nsensordata, nx), (m.nsensordata, m.nu)))


def state(m, d):
    out = np.zeros(mj_stateSize(m, WHOLE))
    mj_getState(m, d, out, WHOLE)
    return out


def near(ours, theirs, scale=0.0):
    """scale: of the numbers that were subtracted, where that is more than that of their difference quotient."""
    # these round at a few 1e-16 of their scale, and the solver leaves 1e-14 of its own; divided by 1e-6
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8 * (1 + max(scale, np.abs(theirs).max(initial=0))))


@pytest.mark.parametrize("centered", [0, 1])
@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICITFAST])
@pytest.mark.parametrize("source", [HUMANOID, SENSED], ids=["humanoid", "smooth"])
def test_a_step_depends_on_state_and_control_as_in_the_reference(source, integrator, centered):
    m, d, rm, rd = both(source, integrator)
    ours, theirs = matrices(m), matrices(m)
    mjd_transitionFD(m, d, 1e-6, centered, *ours)
    mujoco.mjd_transitionFD(rm, rd, 1e-6, centered, *theirs)
    near(ours[0], theirs[0])
    near(ours[2], theirs[2])
    if integrator == EULER:  # where a control scales damping, it keeps the factor that it had before
        near(ours[1], theirs[1])
    if not centered:  # centred, the sign of its D is that of a control moved backwards
        near(ours[3], theirs[3])


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT])
def test_columns_are_those_of_whole_steps_from_nudged_states(integrator):
    m, d, _, _ = both(SENSED, integrator)
    actual, eps, start = matrices(m), 1e-6, state(m, d)
    mjd_transitionFD(m, d, eps, 1, *actual)
    for i in range(m.nu):
        sides, span = [], 0.0
        for side in (-eps, eps):
            mj_setState(m, d, start, WHOLE)
            moved = 0.0 if i == 0 and side > 0 else side  # at its limit
            d.ctrl[i] += moved
            span += abs(moved)
            mj_step(m, d)
            sides.append((d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.sensordata.copy()))
        (q, v, a, s), (q2, v2, a2, s2) = sides
        tangent = np.zeros(m.nv)
        mj_differentiatePos(m, tangent, span, q, q2)
        near(actual[1][:, i], np.concatenate([tangent, (v2 - v) / span, (a2 - a) / span]))
        near(actual[3][:, i], (s2 - s) / span)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("centered", [0, 1])
def test_a_pendulum_is_linearized(integrator, centered):
    damping, angle = 0.3, 0.4
    m, d = load(PENDULUM.format(integrator, damping))
    d.qpos[0] = angle
    actual = matrices(m)
    mjd_transitionFD(m, d, 1e-6, centered, *actual)
    # semi-implicit, damping at the end of the step: (I + h b) v' = I v - h g sin(q) + h 3 u, q' = q + h v'
    h, inertia, weight = m.opt.timestep, m.dof_M0[0], 2 * 9.81 * 0.7
    implicit = inertia + h * damping
    row = np.array([-h * weight * math.cos(angle) / implicit, inertia / implicit])
    tolerance = 1e-9 if centered else 1e-5  # 1e-6 times the curvature
    np.testing.assert_allclose(actual[0], [np.array([1, 0]) + h * row, row], atol=tolerance)
    np.testing.assert_allclose(actual[1], [[h * h * 3 / implicit], [h * 3 / implicit]], atol=1e-9)
    np.testing.assert_allclose(actual[2], [[1, 0], [0, 1], [0, 0]], atol=1e-9)
    np.testing.assert_allclose(actual[3], [[0], [0], [1]], atol=1e-9)


def test_finite_differencing_restores_the_state_exactly():
    m, d, _, _ = both(HUMANOID)
    d.qfrc_applied[:] = 1.0
    d.time = 0.125
    before, other = state(m, d), MjData(m)
    mj_setState(m, other, before, WHOLE)
    mjd_transitionFD(m, d, 1e-6, 1, *matrices(m))
    assert state(m, d).tobytes() == before.tobytes()
    force = [np.zeros((m.nv, m.nv)) for _ in range(3)]
    d.qacc[:] = 1.0
    mjd_inverseFD(m, d, 1e-6, 1, *force, None, None, None, None)
    assert state(m, d).tobytes() == before.tobytes()
    assert (d.qacc == 1.0).all()
    mj_step(m, d)
    mj_step(m, other)
    assert state(m, d).tobytes() == state(m, other).tobytes()


def test_after_it_the_data_are_those_of_a_forward_call():
    m, d, _, _ = both(SENSED)
    mj_forward(m, d)
    kept = {name: getattr(d, name).copy() for name in ("xpos", "cvel", "qM", "actuator_force", "qacc", "sensordata")}
    mjd_transitionFD(m, d, 1e-6, 0, *matrices(m))
    for name, value in kept.items():
        np.testing.assert_allclose(getattr(d, name), value, rtol=1e-12, atol=1e-12, err_msg=name)


def test_each_matrix_may_be_left_out():
    m, d, _, _ = both(SENSED)
    expected = matrices(m)
    mjd_transitionFD(m, d, 1e-6, 0, *expected)
    for k in range(4):
        alone = matrices(m)
        mjd_transitionFD(m, d, 1e-6, 0, *(alone[j] if j == k else None for j in range(4)))
        np.testing.assert_array_equal(alone[k], expected[k])
    mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None)


def test_a_control_is_nudged_within_its_range_only():
    m, d = load(PENDULUM.format("Euler", 0).replace('gear="3"', 'gear="3" ctrlrange="-1 1"'))
    for control, open_ in ((1.0, True), (-1.0, True), (0.0, True), (1.5, False)):
        d.ctrl[0] = control
        for centered in (0, 1):
            _, B, _, D = matrices(m)
            mjd_transitionFD(m, d, 1e-6, centered, None, B, None, D)
            assert D[2, 0] == pytest.approx(1.0 if open_ else 0.0, abs=1e-9)  # without the range's kink
            assert B[1, 0] == pytest.approx((0.002 * 3 / m.dof_M0[0]) if open_ else 0.0, abs=1e-9)


def test_trees_that_sleep_count_as_awake_and_sleep_on():
    xml = """<mujoco><option gravity="0 0 0"><flag sleep="{}"/></option><worldbody>
    <body sleep="init"><joint stiffness="1" damping=".1"/><geom size=".1"/></body>
    <body pos="3 0 0"><joint stiffness="1"/><geom size=".1"/></body></worldbody></mujoco>"""
    results, poses = [], []
    for sleep in ("enable", "disable"):
        m, d = load(xml.format(sleep))
        mj_step(m, d)
        A = np.zeros((4, 4))
        mjd_transitionFD(m, d, 1e-6, 1, A, None, None, None)
        assert (d.tree_asleep[0] >= 0) == (sleep == "enable")
        mj_step(m, d)
        assert (d.tree_asleep[0] >= 0) == (sleep == "enable")
        results.append(A)
        poses.append(d.xpos.copy())
    np.testing.assert_allclose(*results, atol=1e-12)
    np.testing.assert_array_equal(*poses)


def test_more_contacts_than_there_is_room_for_are_no_obstacle():
    body = '<body pos="{} {} .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    bodies = "".join(body.format(i % 7, i // 7) for i in range(20))
    m = MjModel.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>')
    results = []
    for warm in (False, True):
        d = MjData(m)
        if warm:
            mj_forward(m, d)
        A = np.zeros((2 * m.nv, 2 * m.nv))
        mjd_transitionFD(m, d, 1e-6, 0, A, None, None, None)
        assert d.ncon == 80
        results.append(A)
    np.testing.assert_array_equal(*results)


def inverse_matrices(m):
    widths = (m.nv, m.nv, m.nv, m.nsensordata, m.nsensordata, m.nsensordata, m.nM)
    return [np.full((m.nv, width), np.nan) for width in widths]


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("actuation", [0, 1])
@pytest.mark.parametrize("source", [HUMANOID, SENSED], ids=["humanoid", "smooth"])
def test_inverse_fd_matches_reference(source, actuation, discrete):
    m, d, rm, rd = both(source)
    if discrete:
        m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
        rm.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    ours, theirs = inverse_matrices(m), inverse_matrices(m)
    mjd_inverseFD(m, d, 1e-6, actuation, *ours)
    mujoco.mjd_inverseFD(rm, rd, 1e-6, actuation, *theirs)
    for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        # what sensors show of actuators it subtracts from what they showed before there was any force
        shown = slice(0, 9) if k in (3, 4, 5) and actuation else slice(None)
        near(one[:, shown], other[:, shown], np.abs(rd.qfrc_inverse).max())


def test_inverse_fd_includes_actuator_sensor_derivatives():
    m, d = load(PENDULUM.format("Euler", 0).replace("motor", "position").replace('gear="3"', 'kp="7" kv=".5"'))
    actual = inverse_matrices(m)
    mjd_inverseFD(m, d, 1e-6, 1, *actual)
    np.testing.assert_allclose([actual[3][0, 2], actual[4][0, 2], actual[5][0, 2]], (-7, -0.5, 0), atol=1e-8)
    np.testing.assert_allclose([actual[0][0, 0], actual[1][0, 0]], (2 * 9.81 * 0.7 + 7, 0.5), atol=1e-5)


def test_inverse_fd_by_acceleration_is_the_inertia_matrix():
    m, d, _, _ = both(SENSED)
    actual = inverse_matrices(m)
    mjd_inverseFD(m, d, 1e-4, 0, *actual)
    inertia = np.zeros((m.nv, m.nv))
    mj_fullM(m, inertia, d.qM)
    np.testing.assert_allclose(actual[2], inertia, atol=1e-9)  # exact but for rounding: the force is linear in it
    kept = d.qfrc_inverse.copy()
    mj_inverse(m, d)
    np.testing.assert_array_equal(d.qfrc_inverse, kept)


def test_finite_differencing_refuses_invalid_arguments():
    m, d = load(PENDULUM.format("Euler", 0))
    A, B, C, D = matrices(m)
    for wrong, says in (
        ((np.zeros((1, 2)), B, C, D), r"A should be .*2\*nv\+na"), ((A, A, C, D), r"B should be"),
        ((A, B, C.T, D), "C should be"), ((A, B, np.asfortranarray(C), D), "C should be a C-contiguous"),
    ):  # fmt: skip
        with pytest.raises(ShapeError, match=says):
            mjd_transitionFD(m, d, 1e-6, 0, *wrong)
    for eps in (0.0, -1e-6, math.nan, math.inf):
        with pytest.raises(ModelError, match="eps"):
            mjd_transitionFD(m, d, eps, 0, A, B, C, D)
    force = inverse_matrices(m)
    with pytest.raises(ShapeError, match=r"DmDq should be .*\(nv, nM\)"):
        mjd_inverseFD(m, d, 1e-6, 0, *force[:6], np.zeros((2, 2)))
    m.opt.noslip_iterations = 3
    with pytest.raises(ModelError, match="noslip_iterations"):
        mjd_inverseFD(m, d, 1e-6, 0, *force)
    m.opt.integrator = mjtIntegrator.mjINT_RK4
    with pytest.raises(ModelError, match="RK4"):
        mjd_transitionFD(m, d, 1e-6, 0, A, B, C, D)
    with pytest.raises(ModelError, match="RK4"):
        mjd_inverseFD(m, d, 1e-6, 0, *force)
    assert all(np.isnan(array).all() for array in (A, B, C, D, *force))


def test_transition_fd_refuses_delays_and_inverse_fd_keeps_them():
    xml = PENDULUM.format("Euler", 0.1).replace('gear="3"', 'gear="3" delay=".01" nsample="8"')
    m, d = load(xml)
    for k in range(20):
        d.ctrl[0] = math.sin(k)
        mj_step(m, d)
    with pytest.raises(ModelError, match="delays"):
        mjd_transitionFD(m, d, 1e-6, 0, *matrices(m))
    before, actual = state(m, d), inverse_matrices(m)
    mjd_inverseFD(m, d, 1e-6, 1, *actual)
    assert m.nhistory > 0
    assert state(m, d).tobytes() == before.tobytes()
    assert actual[2][0, 0] == pytest.approx(m.dof_M0[0], rel=1e-6)
