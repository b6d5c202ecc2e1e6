"""The no-slip pass: what it is for, what it must leave alone, and parity with the reference engine."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import ZOO, wander
from tests.physics.island.scenes import ALL, scene
from tests.physics.reference import load, put_state
from tumble import physics
from tumble.physics.model import MjModel
from tumble.physics.run.program import gaps
from tumble.physics.state.data import Data

SOLVERS = ("Newton", "CG", "PGS")
INCLINE = """
<mujoco>
  <option cone="{cone}" gravity="3 0 -9.81" noslip_iterations="{iterations}" noslip_tolerance="0" tolerance="1e-12"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.2 0.1" mass="2"/></body>
  </worldbody>
</mujoco>
"""


def both(cone: str, solver: str, steps: int, iterations: int) -> tuple[MjModel, Data, mujoco.MjModel, mujoco.MjData]:
    """The scene with every kind of row, solved by both engines with the no-slip pass."""
    xml = ZOO.format(cone=cone, impratio=1.0)
    rm, m = mujoco.MjModel.from_xml_string(xml), MjModel.from_xml_string(xml)
    rm.opt.noslip_iterations = iterations
    rd, d = wander(rm, steps), physics.MjData(m)
    for model in (rm, m):
        model.opt.noslip_iterations = iterations
        model.opt.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND  # its statistics would be those of islands
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    return m, d, rm, rd


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_box_that_sticks_no_longer_creeps(cone: str) -> None:
    """Soft friction gives way at a constant speed; without R it holds, as far as the sweeps have converged."""
    speed = {}
    for iterations in (0, 50):
        m, d = load(INCLINE.format(cone=cone, iterations=iterations))
        physics.mj_step(m, d, 500)
        speed[iterations] = abs(d.qvel[0])
        assert d.qfrc_constraint[0] == pytest.approx(-6.0, rel=1e-3)
    assert speed[0] > 5e-4
    assert speed[50] < 1e-3 * speed[0]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_normal_forces_stay_and_friction_is_within_its_bounds(cone: str) -> None:
    m, d, _, _ = both(cone, "Newton", 3, 20)
    solved, other = d.efc_force.copy(), physics.MjData(m)
    put_state(other, d)
    m.opt.noslip_iterations = 0
    physics.mj_forward(m, other)
    assert np.abs(solved - other.efc_force).max() > 1.0
    other_rows = np.r_[0 : d.ne, d.ne + d.nf : d.ne + d.nf + d.nl]
    np.testing.assert_array_equal(solved[other_rows], other.efc_force[other_rows])
    friction = np.arange(d.ne, d.ne + d.nf)
    assert np.all(np.abs(solved[friction]) <= d.efc_frictionloss[friction])
    checked = 0
    for c in range(d.ncon):
        r, dim = d.contact.efc_address[c], d.contact.dim[c]
        if r < 0:
            continue
        mu = d.contact.friction[c, : dim - 1]
        if cone == "elliptic" or dim == 1:
            assert solved[r] == other.efc_force[r]
            assert np.linalg.norm(solved[r + 1 : r + dim] / mu) <= solved[r] * (1 + 1e-12)
        else:
            edges, before = solved[r : r + 2 * dim - 2], other.efc_force[r : r + 2 * dim - 2]
            assert edges.min() >= 0.0
            np.testing.assert_allclose(edges[::2] + edges[1::2], before[::2] + before[1::2], 1e-12)
        checked += 1
    assert checked > 5


def test_friction_inside_its_bounds_leaves_no_slip() -> None:
    """Converged, the gradient without R vanishes where a force is free: J qacc = aref there, to the sweeps' accuracy."""
    m, d, _, _ = both("pyramidal", "Newton", 3, 3)
    m.opt.noslip_iterations, m.opt.noslip_tolerance = 2000, 0.0
    physics.mj_forward(m, d)
    slip = d.efc_J.reshape(-1, m.nv) @ d.qacc - d.efc_aref
    friction = np.arange(d.ne, d.ne + d.nf)
    free = friction[np.abs(d.efc_force[friction]) < d.efc_frictionloss[friction] * (1 - 1e-9)]
    pairs = [r for c in range(d.ncon) if (r0 := d.contact.efc_address[c]) >= 0 and d.contact.dim[c] > 1
             for r in range(r0, r0 + 2 * d.contact.dim[c] - 2, 2) if d.efc_force[r : r + 2].min() > 1e-9]  # fmt: skip
    assert len(free) > 0
    assert len(pairs) > 5
    scale = np.abs(d.efc_aref).max()
    np.testing.assert_allclose(slip[free], 0, atol=1e-6 * scale)
    np.testing.assert_allclose([slip[r] - slip[r + 1] for r in pairs], 0, atol=1e-6 * scale)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_parity(cone: str, solver: str) -> None:
    """The reference leaves its multiplier in the elliptic slice at an accuracy of 1e-10, squared forces; CG stops as it may.

    CG takes some 35 steps on cones, and rounding decides whether the last is taken: sums are ordered as the compiler likes.
    """
    tolerance, spare = {"pyramidal": 1e-10, "elliptic": 2e-8}[cone], 0
    if solver == "CG" and cone == "elliptic":
        tolerance, spare = 2e-5, 1
    for steps in (0, 3, 40):
        _, d, _, rd = both(cone, solver, steps, 5)
        assert abs(d.solver_niter[0] - rd.solver_niter[0]) <= spare
        names = ("qfrc_constraint", "efc_force", *(("qacc",) if tolerance < 1e-5 else ()))
        for name in names:
            theirs = getattr(rd, name)
            np.testing.assert_allclose(getattr(d, name), theirs, 0, tolerance * (1 + np.abs(theirs).max()), err_msg=name)
        if cone == "pyramidal":
            np.testing.assert_array_equal(d.efc_state, rd.efc_state)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_islands_make_the_same_sweeps_as_the_whole(solver: str, cone: str, jacobian: str) -> None:
    """Sweeps go row by row, and rows of different islands do not see each other: so many sweeps give the same forces."""
    xml = scene(*ALL, cone=cone, solver=solver, jacobian=jacobian)
    found = {}
    for islands in (True, False):
        m = MjModel.from_xml_string(xml)
        m.opt.tolerance = m.opt.noslip_tolerance = 0.0
        d = physics.MjData(m)
        physics.mj_step(m, d, 40)
        m.opt.disableflags |= 0 if islands else mujoco.mjtDisableBit.mjDSBL_ISLAND
        m.opt.noslip_iterations = 7
        physics.mj_forward(m, d)
        found[islands] = d
    ours, whole = found[True], found[False]
    assert ours.nisland > 3
    # CG ends where it finds no more to gain, up to rounding at another place
    tolerance = 1e-6 if solver == "CG" else 1e-9
    for name in ("efc_force", "qfrc_constraint", "qacc"):
        expected = getattr(whole, name)
        np.testing.assert_allclose(getattr(ours, name), expected, 0, tolerance * (1 + np.abs(expected).max()), err_msg=name)


def test_statistics_count_on_from_the_solvers() -> None:
    _, d, _, rd = both("pyramidal", "Newton", 3, 5)
    count = int(d.solver_niter[0])
    assert count == rd.solver_niter[0] > 5
    for name in ("improvement", "gradient", "lineslope", "nactive", "nchange"):
        ours, theirs = getattr(d.solver, name)[:count], [getattr(s, name) for s in rd.solver[:count]]
        np.testing.assert_allclose(ours, theirs, 1e-6, 1e-9, err_msg=name)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_steps_are_the_references(solver: str, integrator: str) -> None:
    """Twenty steps: the next warm start too is what the reference makes it."""
    m, d, rm, rd = both("pyramidal", solver, 3, 4)
    rm.opt.integrator = m.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    mujoco.mj_step(rm, rd, 20)
    physics.mj_step(m, d, 20)
    for name in ("qpos", "qvel", "qacc_warmstart"):
        theirs = getattr(rd, name)
        np.testing.assert_allclose(getattr(d, name), theirs, 0, 1e-5 * (1 + np.abs(theirs).max()), err_msg=name)


def test_room_for_the_dual_matrix_is_made_for_any_solver() -> None:
    m, d, _, rd = both("pyramidal", "Newton", 3, 5)
    assert d.nA == d.nefc**2
    np.testing.assert_allclose(np.diagonal(d.efc_AR.reshape(d.nefc, -1)), np.diagonal(rd.efc_AR.reshape(d.nefc, -1)), 1e-9)
    assert gaps(m) == []


def test_without_constraints_nothing_happens() -> None:
    m = MjModel.from_xml_string('<mujoco><option noslip_iterations="3"/><worldbody><body><freejoint/><geom size="0.1"/></body>'
                                "</worldbody></mujoco>")  # fmt: skip
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    assert (d.nefc, d.solver_niter[0]) == (0, 0)
    np.testing.assert_allclose(d.qacc, [0, 0, -9.81, 0, 0, 0])
