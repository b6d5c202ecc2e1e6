"""The solvers against the reference's, from the same state and the same warm start."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import gym, mirrored, wander, zoo
from tumble.physics.constraint.assemble import make_constraint, reference_constraint
from tumble.physics.kernel import Stage
from tumble.physics.solver.dual.pgs import pgs
from tumble.physics.solver.dual.project import project_constraint
from tumble.physics.solver.inverse import inverse_constraint
from tumble.physics.solver.primal.cg import cg
from tumble.physics.solver.primal.newton import newton
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

SOLVERS = {"newton": newton, "cg": cg, "pgs": pgs}
MODELS = ["ant", "humanoid", "humanoidstandup", "half_cheetah", "hopper", "walker2d", "pusher", "inverted_double_pendulum"]


def prepared(model: mujoco.MjModel, reference: mujoco.MjData) -> tuple[Model, Data]:
    """Our data with all rows made, ready to be solved."""
    m, d = mirrored(model, reference)
    make_constraint(m, d)
    while d.needefc:
        d.grow("maxefc", d.needefc)
        d.needefc = 0
        make_constraint(m, d)
    reference_constraint(m, d)
    return m, d


def run_solver(solver: Stage, m: Model, d: Data) -> None:
    """Solve, with the dual's matrix where it is needed."""
    if solver is pgs:
        project_constraint(m, d)
        if d.needA:
            d.grow("maxA", d.needA)
            d.needA = 0
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


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("solver", ["newton", "cg"])
def test_primal_solvers_on_gym(name: str, solver: str) -> None:
    """Newton ends in the optimum; CG may stop one iteration apart where rounding decides about its tolerance."""
    for steps in (0, 60, 150):
        d, reference = solve_both(gym(name), steps, solver)
        assert_solution(d, reference, 1e-9 if solver == "newton" else 2e-5)


@pytest.mark.parametrize("name", MODELS)
def test_pgs_on_gym(name: str) -> None:
    """PGS stops long before it converges: parity needs the same start, order, updates and stopping rule."""
    for steps in (0, 60, 150):
        d, reference = solve_both(gym(name), steps, "pgs")
        assert d.solver_niter[0] == reference.solver_niter[0]
        assert_solution(d, reference, 1e-9)


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


@pytest.mark.parametrize("solver", ["newton", "pgs"])
def test_without_warm_start(solver: str) -> None:
    model = zoo("elliptic")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_WARMSTART
    d, reference = solve_both(model, 10, solver)
    assert_solution(d, reference, 1e-6)


def test_dual_matrix_is_the_references() -> None:
    model = zoo()
    model.opt.solver = mujoco.mjtSolver.mjSOL_PGS
    reference = wander(model, 5)
    m, d = prepared(model, reference)
    project_constraint(m, d)
    assert (d.nA, d.needA) == (0, d.nefc**2)
    d.grow("maxA", d.needA)
    project_constraint(m, d)
    np.testing.assert_allclose(d.efc_AR, reference.efc_AR, 1e-9, 1e-12)


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
