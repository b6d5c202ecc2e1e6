"""Solvers on models with equality constraints: parity with the reference, and forward against inverse dynamics."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.equality_scenes import MECHANISMS, every
from tests.physics.constraint.test_equality import assert_same_rows, forward_both, reached, scatter
from tests.physics.reference import load, put_state
from tumble import physics

SOLVERS = ("Newton", "CG", "PGS")


def assert_near(ours: np.ndarray, theirs: np.ndarray, rtol: float) -> None:
    """Agreement relative to the largest of each."""
    np.testing.assert_allclose(ours, theirs, 0, rtol * (1 + np.abs(theirs).max()))


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_mechanisms(name: str, solver: str, jacobian: str) -> None:
    """CG ends where rounding hides that the cost still falls, 1e-16 of it: the square root of that is left in qacc."""
    xml = MECHANISMS[name].replace("<option ", f'<option solver="{solver}" jacobian="{jacobian}" ')
    tolerance = 1e-6 if solver == "CG" else 1e-8
    for steps in (0, 60, 150):
        _, d, rm, rd = reached(xml, steps)
        assert_same_rows(d, rm, rd)
        assert_near(d.qacc, rd.qacc, tolerance)
        assert_near(d.qfrc_constraint, rd.qfrc_constraint, tolerance)


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_move_as_the_reference_does(name: str) -> None:
    m, d, rm, rd = reached(MECHANISMS[name], 60)
    rd.qfrc_applied[:] = d.qfrc_applied = 0.0
    for _ in range(100):
        mujoco.mj_step(rm, rd)
    physics.mj_step(m, d, 100)
    np.testing.assert_allclose(d.qpos, rd.qpos, 0, 1e-7)
    np.testing.assert_allclose(d.qvel, rd.qvel, 0, 1e-6)


@pytest.mark.parametrize("name", [*MECHANISMS, "every"])
def test_forward_and_inverse_agree(name: str) -> None:
    """Newton at tight tolerance ends within rounding of the optimum, where the two are inverse to each other."""
    xml = MECHANISMS.get(name, every("elliptic", tolerance="1e-15"))
    m, d, rm, rd = reached(xml, 30)
    m.opt.enableflags |= physics.mjtEnableBit.mjENBL_FWDINV
    scale = 1 + float(np.abs(d.qfrc_constraint).max())
    physics.mj_forward(m, d)
    physics.mj_compareFwdInv(m, d)
    assert d.ne > 0
    assert d.solver_fwdinv.max() < 1e-8 * scale
    rd.qacc[:] = d.qacc = np.random.default_rng(1).normal(size=m.nv)
    mujoco.mj_inverse(rm, rd)
    physics.mj_inverse(m, d)
    assert_near(d.qfrc_inverse, rd.qfrc_inverse, 1e-9)
    assert_near(d.efc_force, rd.efc_force, 1e-9)


def test_runge_kutta_and_a_reset_of_what_is_active() -> None:
    xml = MECHANISMS["four bar"].replace("<option ", '<option integrator="RK4" ')
    m, d, rm, rd = reached(xml, 20)
    for data in (rd, d):
        data.eq_active[:] = 0
    mujoco.mj_step(rm, rd, 20)
    physics.mj_step(m, d, 20)
    np.testing.assert_allclose(d.qpos, rd.qpos, 0, 1e-9)
    other = physics.MjData(m)
    put_state(other, d)
    np.testing.assert_array_equal(other.eq_active, 0)


@pytest.mark.parametrize("seed", range(3))
def test_forces_between_bodies_are_the_references(seed: int) -> None:
    """cfrc_int and cfrc_ext with connects and welds, of bodies and sites; the resting state is soft, the others strained."""
    rm, rd = load(every(), mujoco)
    if seed:
        scatter(rd, seed)
    m, d = forward_both(every(), rm, rd)
    mujoco.mj_rnePostConstraint(rm, rd)
    physics.mj_rnePostConstraint(m, d)
    assert np.abs(rd.cfrc_ext).max() > 10
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        assert_near(getattr(d, name), getattr(rd, name), 1e-8)


def test_a_joint_passes_on_what_a_connect_holds() -> None:
    """A free body takes no force from its joint; a fixed one that a weight hangs from by a connect carries it all."""
    xml = """<mujoco><option tolerance="1e-14"/><worldbody>
      <body pos="0 0 1"><site name="mount"/><geom size="0.05" mass="1"/></body>
      <body name="bob" pos="0 0 0.5"><freejoint/><geom size="0.05" mass="2"/><site name="bob" pos="0 0 0.5"/></body></worldbody>
      <equality><connect site1="mount" site2="bob"/></equality><sensor><force site="mount"/></sensor></mujoco>"""
    m, d = load(xml)
    physics.mj_step(m, d, 1000)
    np.testing.assert_allclose(d.sensordata, [0, 0, 3 * 9.81], 0, 1e-6)
    np.testing.assert_allclose(d.cfrc_int[2], 0, atol=1e-6)
