"""What makes a solution a solution: stationarity, admissible forces, complementarity, duality; and closed forms."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scipy.optimize import minimize

from tests.physics.constraint.scenes import gym, wander, zoo
from tests.physics.solver.test_parity import SOLVERS, prepared, run_solver
from tumble.physics.solver.inverse import inverse_constraint
from tumble.physics.solver.primal.newton import newton
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

ELLIPTIC = mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC

SCENES = {"pyramids": lambda: zoo("pyramidal"), "cones": lambda: zoo("elliptic", 5.0), "humanoid": lambda: gym("humanoidstandup")}

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


def solved(model: mujoco.MjModel, steps: int, solver: str, warm: bool = True) -> tuple[Model, Data, np.ndarray]:
    """Model, data at the optimum, and the dense M; tight tolerance."""
    reference = wander(model, steps)
    m, d = prepared(model, reference)
    m.opt.tolerance, m.opt.ls_tolerance, m.opt.iterations = 1e-13, 1e-3, 20000
    if not warm:
        d.qacc_warmstart[:] = 1e3 * np.random.default_rng(5).normal(size=m.nv)
    run_solver(SOLVERS[solver], m, d)
    mass = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(model, mass, reference.qM)
    return m, d, mass


def constraint_cost(m: Model, d: Data, qacc: np.ndarray) -> tuple[float, np.ndarray]:
    """s(J qacc - aref) from the definition, as the dual maximum over admissible forces, and J' f."""
    d.qacc[:] = qacc
    inverse_constraint(m, d)
    z = d.efc_J.reshape(-1, m.nv) @ qacc - d.efc_aref
    f = d.efc_force
    return float(-(f @ z) - 0.5 * f @ (d.efc_R * f)), d.qfrc_constraint.copy()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("solver", ["newton", "cg"])
def test_the_gradient_vanishes(scene: str, solver: str) -> None:
    """M qacc = qfrc_smooth + J' f with f = -s'(J qacc - aref): what is left is the solver's tolerance."""
    m, d, mass = solved(SCENES[scene](), 20, solver, warm=False)
    left = mass @ d.qacc - d.qfrc_smooth - d.qfrc_constraint
    limit = 1e-9 if solver == "newton" else 1e-4
    assert np.abs(left).max() < limit * (1 + np.abs(d.qfrc_smooth).max() + np.abs(d.qfrc_constraint).max())
    np.testing.assert_allclose(d.qfrc_constraint, d.efc_J.reshape(-1, m.nv).T @ d.efc_force, 1e-9, 1e-9)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("solver", ["newton", "cg", "pgs"])
def test_forces_are_admissible(scene: str, solver: str) -> None:
    _, d, _ = solved(SCENES[scene](), 20, solver)
    assert np.all(np.abs(d.efc_force[d.ne : d.ne + d.nf]) <= d.efc_frictionloss[d.ne : d.ne + d.nf])
    one_sided = (np.arange(d.nefc) >= d.ne + d.nf) & (d.efc_type != ELLIPTIC)
    assert np.all(d.efc_force[one_sided] >= 0)
    for c in range(d.ncon):
        i, dim = d.contact.efc_address[c], d.contact.dim[c]
        if i >= 0 and d.efc_type[i] == ELLIPTIC:
            friction = np.linalg.norm(d.efc_force[i + 1 : i + dim] / d.contact.friction[c, : dim - 1])
            assert friction <= d.efc_force[i] * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("scene", SCENES)
def test_no_force_without_need(scene: str) -> None:
    """Complementarity of the soft rows: a force is there exactly where z + R f = 0, and none where z > 0."""
    m, d, _ = solved(SCENES[scene](), 20, "newton")
    z = d.efc_J.reshape(-1, m.nv) @ d.qacc - d.efc_aref
    rows = (np.arange(d.nefc) >= d.ne + d.nf) & (d.efc_type != ELLIPTIC)
    slack = np.minimum(d.efc_force, z + d.efc_R * d.efc_force)[rows]
    assert np.abs(slack).max() < 1e-8 * (1 + np.abs(z).max())


@pytest.mark.parametrize("scene", ["pyramids", "cones"])
@pytest.mark.parametrize("other", ["cg", "pgs"])
def test_all_solvers_find_the_same_acceleration(scene: str, other: str) -> None:
    """The problem is strictly convex: primal and dual, first and second order must meet. PGS converges linearly."""
    _, a, _ = solved(SCENES[scene](), 3, "newton")
    _, b, _ = solved(SCENES[scene](), 3, other)
    np.testing.assert_allclose(b.qacc, a.qacc, 0, 1e-4 * (1 + np.abs(a.qacc).max()))


@pytest.mark.parametrize("scene", ["pyramids", "cones"])
def test_there_is_no_duality_gap(scene: str) -> None:
    m, d, mass = solved(SCENES[scene](), 3, "newton")
    qacc, jac = d.qacc.copy(), d.efc_J.reshape(-1, m.nv)
    away = qacc - d.qacc_smooth
    primal = 0.5 * away @ mass @ away + constraint_cost(m, d, qacc)[0]
    f = d.efc_force
    matrix = jac @ np.linalg.solve(mass, jac.T) + np.diag(d.efc_R)
    dual = 0.5 * f @ matrix @ f + f @ (jac @ d.qacc_smooth - d.efc_aref)
    assert primal == pytest.approx(-dual, rel=1e-9)


@pytest.mark.parametrize("scene", ["pyramids", "cones"])
def test_scipy_finds_nothing_better(scene: str) -> None:
    m, d, mass = solved(SCENES[scene](), 3, "newton")
    best = d.qacc.copy()

    def cost(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, force = constraint_cost(m, d, x)
        away = x - d.qacc_smooth
        return value + 0.5 * away @ mass @ away, mass @ away - force

    found = minimize(cost, d.qacc_smooth.copy(), jac=True, method="BFGS", options={"gtol": 1e-7, "maxiter": 2000})
    least = cost(best)[0]
    assert least <= found.fun + 1e-9 * abs(found.fun)
    assert least == pytest.approx(found.fun, rel=1e-6)


@pytest.mark.parametrize("scene", ["pyramids", "cones"])
def test_force_is_the_slope_of_the_cost(scene: str) -> None:
    """Central differences: second order in the step 1e-5, kinks of the second derivative leave first order."""
    m, d, _ = solved(SCENES[scene](), 3, "newton")
    rng = np.random.default_rng(0)
    for _ in range(8):
        x, v = d.qacc + 3 * rng.normal(size=m.nv), rng.normal(size=m.nv)
        force = constraint_cost(m, d, x)[1]
        slope = (constraint_cost(m, d, x + 1e-5 * v)[0] - constraint_cost(m, d, x - 1e-5 * v)[0]) / 2e-5
        assert -(force @ v) == pytest.approx(slope, rel=1e-5, abs=1e-3)


def test_the_inverse_of_the_solution_is_the_solution() -> None:
    m, d, _ = solved(zoo("elliptic"), 20, "newton")
    force = d.efc_force.copy()
    inverse_constraint(m, d)
    np.testing.assert_allclose(d.efc_force, force, 1e-9, 1e-9)


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
    model = mujoco.MjModel.from_xml_string(BRAKE)
    reference = mujoco.MjData(model)
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


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_same_input_gives_the_same_bits(solver: str) -> None:
    results = []
    for _ in range(2):
        m, d = prepared(zoo("elliptic"), wander(zoo("elliptic"), 10))
        run_solver(SOLVERS[solver], m, d)
        results.append(d.qacc.tobytes() + d.efc_force.tobytes())
    assert results[0] == results[1]


def test_the_cost_never_rises() -> None:
    """Every recorded iteration improves, whatever the start: exact line search on a convex cost."""
    for solver in SOLVERS:
        m, d = prepared(zoo("elliptic", 5.0), wander(zoo("elliptic", 5.0), 3))
        d.qacc_warmstart[:] = 1e4 * np.random.default_rng(2).normal(size=m.nv)
        run_solver(SOLVERS[solver], m, d)
        count = d.solver_niter[0]
        assert count > 1
        assert d.solver.improvement[: min(count, 200)].min() > -1e-9


def test_line_search_out_of_iterations_still_descends() -> None:
    m, d = prepared(zoo("elliptic"), wander(zoo("elliptic"), 3))
    m.opt.ls_iterations = 1
    run_solver(newton, m, d)
    assert d.solver_niter[0] > 1
    assert d.solver.improvement[: d.solver_niter[0]].min() > -1e-9
