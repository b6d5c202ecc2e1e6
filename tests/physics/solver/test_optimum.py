"""Solvers of soft constraints: closed forms, the Hessian and its factor, and the same iterations as in the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import gym, prepared, wander, zoo
from tests.physics.reference import load
from tumble import physics
from tumble.physics.algebra.cholesky import factor_skyline, solve_skyline
from tumble.physics.kernel import Stage
from tumble.physics.solver.dual.pgs import pgs
from tumble.physics.solver.dual.project import project_constraint
from tumble.physics.solver.primal.newton import cg, newton
from tumble.physics.solver.update import inverse_constraint
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

SOLVERS = {"newton": newton, "cg": cg, "pgs": pgs}

MASS = """
<mujoco>
  <option gravity="0 0 -9.81" cone="elliptic" jacobian="dense"/>
  <default><geom condim="1" solref="0.05 0.8" solimp="0.9 0.9 0.001"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 {height}">
      <joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.1" mass="{mass}"/>
    </body>
  </worldbody>
</mujoco>
"""

BRAKE = """
<mujoco>
  <option gravity="0 0 0" jacobian="dense"/>
  <worldbody>
    <body>
      <joint type="slide" axis="1 0 0" frictionloss="3" solimpfriction="0.99 0.99 0.001"/>
      <geom size="0.1" mass="2"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_one_mass_on_a_plane() -> None:
    """One row: f = (aref + g) / (1/m + R), R = (1 - d)/d / m, so the mass gets a share d of aref: a = d aref - (1 - d) g."""
    d_imp, depth, mass = 0.9, 0.004, 3.0
    model = mujoco.MjModel.from_xml_string(MASS.format(height=0.1 - depth, mass=mass))
    for velocity in (0.0, -0.3):
        reference = mujoco.MjData(model)
        reference.qvel[0] = velocity
        mujoco.mj_forward(model, reference)
        m, d = prepared(model, reference)
        newton(m, d)
        k, b = 1 / (d_imp * 0.05 * 0.8) ** 2, 2 / (d_imp * 0.05)
        wanted = -b * velocity + k * d_imp * depth
        assert d.qacc[0] == pytest.approx(d_imp * wanted - (1 - d_imp) * 9.81, rel=1e-12)
        assert d.efc_force[0] == pytest.approx(mass * (d.qacc[0] + 9.81), rel=1e-12)


@pytest.mark.parametrize(("push", "moves"), [(2.0, False), (-2.9, False), (5.0, True), (-8.0, True)])
def test_dry_friction_sticks_below_its_limit_and_slides_above(push: float, moves: bool) -> None:
    """Stuck, the soft row leaves the share 1 - d = 1 % of the acceleration; sliding, the limit 3 N is all it gives."""
    model, reference = load(BRAKE, mujoco)
    reference.qfrc_applied[0] = push
    mujoco.mj_forward(model, reference)
    m, d = prepared(model, reference)
    newton(m, d)
    if moves:
        assert d.qfrc_constraint[0] == pytest.approx(-3.0 * np.sign(push), rel=1e-12)
        assert d.qacc[0] == pytest.approx((push - 3.0 * np.sign(push)) / 2.0, rel=1e-12)
    else:
        assert d.qacc[0] == pytest.approx(0.01 * push / 2.0, rel=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_without_rows_nothing_is_constrained(solver: str) -> None:
    model = gym("humanoid")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    m, d = prepared(model, wander(model, 5))
    d.qfrc_constraint[:] = 7.0
    run_solver(SOLVERS[solver], m, d)
    np.testing.assert_array_equal(d.qacc, d.qacc_smooth)
    assert not d.qfrc_constraint.any()
    assert d.solver_niter[0] == 0


@pytest.mark.parametrize("iterations", [0, 1])
def test_line_search_out_of_iterations_still_descends(iterations: int) -> None:
    m, d = prepared(zoo("elliptic"), wander(zoo("elliptic"), 3))
    m.opt.ls_iterations = iterations
    run_solver(newton, m, d)
    assert d.solver_niter[0] > 1
    assert d.solver.improvement[: d.solver_niter[0]].min() > -1e-9


def multiplied(ld: np.ndarray, inv: np.ndarray) -> np.ndarray:
    """L' D L of a factor in the lower triangle."""
    lower = np.tril(ld, -1) + np.eye(len(ld))
    return lower.T @ np.diag(1 / inv) @ lower


@pytest.mark.parametrize("seed", range(5))
def test_factor_and_solution_of_a_skyline_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 17
    root = np.tril(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.2)) + np.diag(rng.uniform(1, 3, n))
    matrix = root.T @ root
    first = np.array([np.flatnonzero(matrix[i])[0] for i in range(n)], np.int32)
    ld, inv, x = matrix.copy(), np.zeros(n), rng.normal(size=n)
    right = x.copy()
    factor_skyline(ld.ravel(), first, inv)
    np.testing.assert_allclose(multiplied(ld, inv), matrix, 0, 1e-12)
    solve_skyline(ld.ravel(), first, inv, x)
    np.testing.assert_allclose(matrix @ x, right, 0, 1e-11)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_hessian_is_the_slope_of_the_gradient(cone: str) -> None:
    """Central differences at a point with rows in every state; step 1e-6, forces up to 1e3: error 1e-6 of the largest entry."""
    m, d = prepared(zoo(cone), wander(zoo(cone), 3))
    d.qacc_smooth[:] = d.qacc_warmstart[:] = np.random.default_rng(2).normal(size=m.nv) * 10
    m.opt.iterations = 0
    newton(m, d)  # only starts: chooses the point, makes the Hessian there
    states = {0, 1, 2, 3, 4} if cone == "elliptic" else {0, 1, 2, 3}
    assert states <= set(d.efc_state)
    hessian, qacc = multiplied(d.solve_LD.reshape(m.nv, m.nv), d.solve_LDinv), d.qacc.copy()
    mass = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
            mass[i, m.M_colind[a]] = mass[m.M_colind[a], i] = d.M[a]
    for i in range(m.nv):
        forces = []
        for side in (1e-6, -1e-6):
            d.qacc[:] = qacc
            d.qacc[i] += side
            inverse_constraint(m, d)
            forces.append(d.qfrc_constraint.copy())
        slope = mass[i] - (forces[0] - forces[1]) / 2e-6
        np.testing.assert_allclose(hessian[i], slope, 0, 1e-6 * np.abs(hessian).max())


def run_solver(solver: Stage, m: Model, d: Data) -> None:
    """Solve, with the dual's matrix where it is needed."""
    if solver is pgs:
        project_constraint(m, d)
        if d.needA:
            d.grow("maxA", d.needA)
            d.inner.needA = 0
            project_constraint(m, d)
    solver(m, d)


def assert_solution(d: Data, reference: mujoco.MjData, rtol: float) -> None:
    """Accelerations and forces agree, relative to the largest of each."""
    for name in ("qacc", "qfrc_constraint", "efc_force"):
        ours, theirs = getattr(d, name), getattr(reference, name)
        if theirs.size:
            np.testing.assert_allclose(ours, theirs, 0, rtol * (1 + np.abs(theirs).max()), err_msg=name)


def solve_both(model: mujoco.MjModel, steps: int, solver: str, seed: int = 0) -> tuple[Data, mujoco.MjData]:
    reference = wander(model, steps, seed)
    model.opt.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND  # its islands stop one by one and hide efc_state
    mujoco.mj_forward(model, reference)
    m, d = prepared(model, reference)
    run_solver(SOLVERS[solver], m, d)
    return d, reference


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("impratio", [1.0, 7.0])
@pytest.mark.parametrize("solver", ["newton", "cg", "pgs"])
def test_every_kind_of_row(cone: str, impratio: float, solver: str) -> None:
    """CG may stop one iteration apart where rounding decides about its tolerance, 1e-8 of the cost.

    In one state the reference's PGS rests at the tip of an elliptic cone, and ours comes nearer to the optimum.
    """
    tolerance = {"newton": 1e-9, "cg": 2e-5, "pgs": 1e-7}[solver]
    for steps in (0, 3, 40):
        d, reference = solve_both(zoo(cone, impratio), steps, solver)
        if (cone, impratio, solver, steps) == ("elliptic", 7.0, "pgs", 0):
            optimum = solve_both(zoo(cone, impratio), steps, "newton")[0].qacc
            assert np.abs(d.qacc - optimum).max() < np.abs(reference.qacc - optimum).max()
            continue
        assert_solution(d, reference, tolerance)
        if solver == "newton":
            np.testing.assert_array_equal(d.efc_state, reference.efc_state)


@pytest.mark.parametrize("solver", ["newton", "cg", "pgs"])
def test_statistics_tell_the_same_story(solver: str) -> None:
    """The last gradient is rounding: absolute 1e-9 of the scaled quantities, which start near 100."""
    d, reference = solve_both(zoo("pyramidal"), 3, solver)
    count = int(d.solver_niter[0])
    assert (count, d.solver_nnz[0]) == (reference.solver_niter[0], reference.solver_nnz[0])
    for name in ("improvement", "gradient", "lineslope", "nactive", "nchange", "nupdate"):
        ours, theirs = getattr(d.solver, name)[:count], [getattr(s, name) for s in reference.solver[:count]]
        np.testing.assert_allclose(ours, theirs, 1e-6, 1e-9, err_msg=name)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_inverse_forces_are_the_references(cone: str) -> None:
    model = zoo(cone)
    reference = wander(model, 12)
    reference.qacc[:] = np.random.default_rng(3).normal(size=model.nv) * 8
    qacc = reference.qacc.copy()
    mujoco.mj_inverse(model, reference)
    m, d = prepared(model, reference)
    d.qacc[:] = qacc
    inverse_constraint(m, d)
    np.testing.assert_array_equal(d.efc_state, reference.efc_state)
    assert len(set(d.efc_state)) >= 4
    np.testing.assert_allclose(d.efc_force, reference.efc_force, 1e-9, 1e-9)
    np.testing.assert_allclose(d.qfrc_constraint, reference.qfrc_constraint, 1e-9, 1e-9)


TOUCHING = """<mujoco><option gravity="0 0 0" cone="elliptic" iterations="2000" tolerance="0"/><worldbody>
  <geom type="plane" size="3 3 1"/><body name="ball"><joint type="slide" axis="1 0 0"/>{rise}
  <geom name="ball" size=".1" mass="1" condim="{condim}" priority="1" friction="1 .01 .001"/></body></worldbody></mujoco>"""
RISES = ("", '<joint type="slide" axis="0 0 1"/>')


@pytest.mark.parametrize("states", [60, pytest.param(10_000, marks=pytest.mark.slow)])
def test_pgs_brakes_where_the_normal_gradient_is_rounding(states: int) -> None:
    """A sphere on a rail presses by 1e-18 to 1e-3 m, and may or may not rise: the friction is Newton's."""
    rng = np.random.default_rng(1)
    scenes = {
        (rise, condim): physics.MjModel.from_xml_string(TOUCHING.format(rise=rise, condim=condim))
        for rise in RISES
        for condim in (3, 4, 6)
    }
    data = {key: physics.MjData(m) for key, m in scenes.items()}
    for _ in range(states):
        key = RISES[int(rng.integers(2))], int(rng.choice([3, 4, 6]))
        m, d = scenes[key], data[key]
        m.body("ball").pos[2] = 0.1 - 10 ** rng.uniform(-18, -3)
        m.body("ball").mass = 10 ** rng.uniform(-3, 3)
        m.geom("ball").friction[0] = 10 ** rng.uniform(-1.5, 0.3)
        physics.mj_setConst(m, d)
        physics.mj_resetData(m, d)
        d.qvel = (10 ** rng.uniform(-6, 1), -(10 ** rng.uniform(-18, 0)))[: m.nv]
        accelerations = []
        for solver in (physics.mjtSolver.mjSOL_PGS, physics.mjtSolver.mjSOL_NEWTON):
            m.opt.solver = solver
            d.qacc_warmstart = 0.0
            physics.mj_forward(m, d)
            assert d.ncon == 1
            accelerations.append(d.qacc.copy())
        np.testing.assert_allclose(accelerations[0], accelerations[1], 0, 1e-9 * np.abs(accelerations[1]).max())
