"""Solvers on models with equality constraints: parity with the reference, and forward against inverse dynamics."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.equality_scenes import MECHANISMS, every
from tests.physics.constraint.test_equality import assert_same_rows, forward_both, reached, scatter
from tests.physics.reference import put_state
from tumble import physics
from tumble.physics.model import MjModel

SOLVERS = ("Newton", "CG", "PGS")


def assert_near(ours: np.ndarray, theirs: np.ndarray, rtol: float) -> None:
    """Agreement relative to the largest of each."""
    np.testing.assert_allclose(ours, theirs, 0, rtol * (1 + np.abs(theirs).max()))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("island", [True, False])
def test_every_constraint_at_once(cone: str, solver: str, island: bool) -> None:
    """At tight tolerance; PGS, which needs more than its thousand sweeps, must take the reference's.

    In the last state the reference's rests at the tip of an elliptic cone that is not the best place: three times the size
    of the solution away from it. Forces of stiff rows multiply what CG leaves in qacc.
    """
    force_tolerance = 1e-5 if solver == "CG" else 1e-6
    xml = every(cone, "dense", solver, "1e-14")
    for seed in range(3):
        rm = mujoco.MjModel.from_xml_string(xml)
        if not island:
            rm.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
        rd = mujoco.MjData(rm)
        if seed:
            scatter(rd, seed)
        m, d = forward_both(xml, rm, rd)
        assert d.nefc > d.ne == 40
        if (solver, cone, seed) == ("PGS", "elliptic", 2):
            found = d.qacc.copy()
            m.opt.solver = physics.mjtSolver.mjSOL_NEWTON
            physics.mj_forward(m, d)
            assert np.abs(found - d.qacc).max() < 0.1 * np.abs(rd.qacc - d.qacc).max()
            continue
        assert_near(d.qacc, rd.qacc, 1e-6)
        assert_near(d.qfrc_constraint, rd.qfrc_constraint, force_tolerance)
        assert_near(d.efc_force, rd.efc_force, force_tolerance)


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


def test_solvers_agree() -> None:
    """On the mimic hand, small enough for PGS to converge, all three end in one point."""
    found = []
    for solver in SOLVERS:
        m = MjModel.from_xml_string(MECHANISMS["mimic"].replace("<option ", f'<option solver="{solver}" '))
        m.opt.iterations = 5000
        d = physics.MjData(m)
        d.qvel = (1.0, -2.0, 0.5)
        physics.mj_forward(m, d)
        found.append(d.qacc.copy())
    assert_near(found[1], found[0], 1e-8)
    assert_near(found[2], found[0], 1e-8)


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
    rm = mujoco.MjModel.from_xml_string(every())
    rd = mujoco.MjData(rm)
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
    m = MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    physics.mj_step(m, d, 1000)
    np.testing.assert_allclose(d.sensordata, [0, 0, 3 * 9.81], 0, 1e-6)
    np.testing.assert_allclose(d.cfrc_int[2], 0, atol=1e-6)
