"""Inverse dynamics finds the force that forward dynamics was given, and agrees with the reference for any acceleration."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import assert_close, load, mirror_model, put_state
from tests.physics.scenes import HUMANOID, SMOOTH_SCENE
from tumble.physics.errors import ModelError
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.stepping import mj_compareFwdInv, mj_forward, mj_inverse, mj_inverseSkip, mj_step
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEnableBit, mjtIntegrator, mjtStage

SERVOS = SMOOTH_SCENE.replace('density="1.2" viscosity="0.01" wind="1 2 0.5"', "")


DISCRETE = [mjtIntegrator.mjINT_EULER, mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST]
INTEGRATORS = pytest.mark.parametrize("integrator", DISCRETE)


def loaded(xml=None, contacts=True, integrator=mjtIntegrator.mjINT_EULER):
    """Both engines with the humanoid (or a scene) on its way to the floor, under random forces, after a forward call of ours."""
    rm = mujoco.MjModel.from_xml_path(str(HUMANOID)) if xml is None else mujoco.MjModel.from_xml_string(xml)
    rm.opt.integrator, rm.opt.solver = int(integrator), mujoco.mjtSolver.mjSOL_NEWTON
    rm.opt.tolerance, rm.opt.iterations = 1e-14, 100
    rd = mujoco.MjData(rm)
    rng = np.random.default_rng(5)
    while contacts and rd.ncon < 3:
        rd.ctrl[:] = 0.3 * rng.normal(size=rm.nu)
        mujoco.mj_step(rm, rd)
    rd.qvel[:] += 0.1 * rng.normal(size=rm.nv)
    rd.qfrc_applied[:] = rng.normal(size=rm.nv)
    rd.xfrc_applied[1:] = rng.normal(size=(rm.nbody - 1, 6))
    mujoco.mj_forward(rm, rd)
    m = mirror_model(rm)
    d = Data(m)
    mj_resetData(m, d)
    put_state(d, rd)
    mj_forward(m, d)
    return m, d, rm, rd


def applied(rm, rd, d):
    """The force that the inverse has to find."""
    out = d.qfrc_applied + d.qfrc_actuator
    for b in range(1, rm.nbody):
        mujoco.mj_applyFT(rm, rd, d.xfrc_applied[b, :3], d.xfrc_applied[b, 3:], rd.xipos[b], b, out)
    return out


def test_inverse_of_forward_dynamics_is_the_applied_force():
    m, d, rm, rd = loaded()
    assert d.nefc > 5
    expected = applied(rm, rd, d)
    force = d.efc_force.copy()
    mj_inverse(m, d)
    # what the solver leaves open, a gradient of 1e-14 of its scale, is a few 1e-10 N here
    np.testing.assert_allclose(d.qfrc_inverse, expected, rtol=0, atol=1e-8 * np.abs(force).max())
    np.testing.assert_allclose(d.efc_force, force, rtol=0, atol=1e-8 * np.abs(force).max())


@INTEGRATORS
@pytest.mark.parametrize("xml", [None, SERVOS], ids=["humanoid", "smooth"])
def test_any_acceleration_agrees_with_the_reference(xml, integrator):
    m, d, rm, rd = loaded(xml, xml is None, integrator)
    rng = np.random.default_rng(6)
    for flags in (0, int(mjtEnableBit.mjENBL_INVDISCRETE)):
        m.opt.enableflags = rm.opt.enableflags = flags
        qacc = 10 * rng.normal(size=m.nv)
        d.qacc, rd.qacc[:] = qacc, qacc
        mj_inverse(m, d)
        mujoco.mj_inverse(rm, rd)
        scale = 1 + np.abs(rd.qfrc_constraint).max() + np.abs(rd.qfrc_inverse).max()
        assert_close(d, rd, ("qfrc_inverse", "qfrc_constraint", "efc_force", "qacc"), rtol=1e-9, atol=1e-11 * scale)
        np.testing.assert_array_equal(d.qacc, qacc)


@INTEGRATORS
@pytest.mark.parametrize("xml", [None, SERVOS], ids=["humanoid", "smooth"])
def test_discrete_inverse_uses_velocity_change_over_a_step(xml, integrator):
    """With contacts; or with tendons, servos and activations, whose forces it takes as they are at the start of the step."""
    m, d, rm, rd = loaded(xml, xml is None, integrator)
    m.opt.enableflags |= mjtEnableBit.mjENBL_INVDISCRETE
    expected = applied(rm, rd, d)
    before = d.qvel.copy()
    put_state(rd, d)
    mj_step(m, d)
    change = (d.qvel - before) / m.opt.timestep
    put_state(d, rd)
    mj_forward(m, d)
    # damping is implicit: the change is not the acceleration at the start
    assert np.abs(change - d.qacc).max() > (1 if xml is None else 1e-3 * np.abs(d.qacc).max())
    d.qacc = change
    mj_inverse(m, d)
    scale = 1e-8 * np.abs(d.efc_force).max() if xml is None else 1e-10 * np.abs(expected).max()
    np.testing.assert_allclose(d.qfrc_inverse, expected, rtol=0, atol=scale)


def test_there_is_no_discrete_inverse_of_runge_kutta():
    m, d, _, _ = loaded()
    m.opt.enableflags |= mjtEnableBit.mjENBL_INVDISCRETE
    m.opt.integrator = mjtIntegrator.mjINT_RK4
    with pytest.raises(ModelError, match="needs integrator Euler"):
        mj_inverse(m, d)


def test_the_comparison_measures_what_a_solver_left_open():
    m, d, rm, rd = loaded()
    mj_compareFwdInv(m, d)
    assert d.solver_fwdinv.max() < 1e-7
    d.qacc[6:] += 0.5  # as if the solver had stopped early
    before = {name: getattr(d, name).copy() for name in ("qacc", "qfrc_constraint", "efc_force")}
    expected = applied(rm, rd, d)
    mj_compareFwdInv(m, d)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(d, name), value, err_msg=name)
    open_constraint, open_applied = d.solver_fwdinv
    mj_inverseSkip(m, d, mjtStage.mjSTAGE_VEL, 1)
    assert open_constraint == pytest.approx(np.linalg.norm(d.qfrc_constraint - before["qfrc_constraint"]), rel=1e-12)
    assert open_applied == pytest.approx(np.linalg.norm(d.qfrc_inverse - expected), rel=1e-12)
    assert open_applied > 0.1


@INTEGRATORS
def test_the_comparison_in_discrete_time_is_the_references(integrator):
    """It takes the acceleration of the forward dynamics for the change over a step: damping is what is left."""
    m, d, rm, rd = loaded(integrator=integrator)
    m.opt.enableflags = rm.opt.enableflags = int(mjtEnableBit.mjENBL_INVDISCRETE)
    mujoco.mj_forward(rm, rd)
    mj_compareFwdInv(m, d)
    mujoco.mj_compareFwdInv(rm, rd)
    assert d.solver_fwdinv[1] > 1
    np.testing.assert_allclose(d.solver_fwdinv, rd.solver_fwdinv, rtol=1e-6)


def test_skipping_stages_that_are_up_to_date_changes_nothing():
    m, d, _, _ = loaded()
    mj_inverse(m, d)
    expected = d.qfrc_inverse.copy()
    d.qfrc_inverse = 0
    mj_inverseSkip(m, d, mjtStage.mjSTAGE_VEL, 1)
    np.testing.assert_array_equal(d.qfrc_inverse, expected)


def test_runge_kutta_has_no_discrete_time_to_compare_in():
    damped = (
        "<mujoco><option integrator='RK4'><flag invdiscrete='enable' fwdinv='enable'/></option><worldbody><body>"
        "<joint type='slide' damping='30' frictionloss='1'/><geom size='.1'/></body></worldbody></mujoco>"
    )
    m, d = load(damped)
    d.qvel[:] = 2.0
    mj_step(m, d)
    assert d.qfrc_constraint[0] == pytest.approx(-1.0)
    assert d.solver_fwdinv.max() < 1e-9
