"""Solvers on models with equality constraints: parity with the reference, and forward against inverse dynamics."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.equality_scenes import MECHANISMS, every
from tests.physics.constraint.test_equality import assert_same_rows, forward_both, reached, scatter
from tests.physics.reference import load
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
