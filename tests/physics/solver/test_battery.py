"""Every scene of the battery under every solver, cone, Jacobian and with islands or without: the reference's accelerations.

Both engines solve from the same state, without a warm start, to rounding. The problem is strictly convex, so that the optimum,
which the reference's Newton solver finds, is the only answer there is; its CG stops where rounding hides that the cost falls,
its PGS rests at the tip of an elliptic cone that is not the best place. Only where both engines' PGS has done all its sweeps
(stiff equalities) is the reference's unfinished answer ours too.
"""

from itertools import product

import mujoco
import numpy as np
import pytest

from tests.physics.reference import put_state
from tests.physics.solver.battery_scenes import SCENES
from tests.physics.solver.optimality import measure
from tumble import physics

PGS, CG, NEWTON = (int(s) for s in (mujoco.mjtSolver.mjSOL_PGS, mujoco.mjtSolver.mjSOL_CG, mujoco.mjtSolver.mjSOL_NEWTON))
ISLAND = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
SWEEPS = 10_000
STATES = (0, 25, 90)  # steps of the reference from a random push
WAYS = list(product((NEWTON, CG, PGS), (0, 1), (0, 1), (0, ISLAND)))  # solver, cone, jacobian, flag


def set_way(model: mujoco.MjModel | physics.MjModel, solver: int, cone: int, jacobian: int, flag: int) -> None:
    opt = model.opt
    opt.solver, opt.cone, opt.jacobian = solver, cone, jacobian
    opt.disableflags = flag | mujoco.mjtDisableBit.mjDSBL_WARMSTART
    opt.tolerance, opt.ls_tolerance = 0.0, 1e-6
    opt.iterations = {NEWTON: 200, CG: 3000, PGS: SWEEPS}[solver]
    opt.ls_iterations = 200


def pushed(model: mujoco.MjModel, steps: int) -> mujoco.MjData:
    """The reference's state some steps after a random push."""
    rng = np.random.default_rng(steps)
    data = mujoco.MjData(model)
    data.qvel[:] = rng.normal(0, 0.4, model.nv)
    for _ in range(steps):
        data.qfrc_applied[:] = rng.normal(0, 0.3, model.nv)
        mujoco.mj_step(model, data)
    return data


@pytest.mark.parametrize("steps", STATES)
@pytest.mark.parametrize("name", SCENES)
def test_accelerations(name: str, steps: int) -> None:
    rm, m = mujoco.MjModel.from_xml_string(SCENES[name]), physics.MjModel.from_xml_string(SCENES[name])
    start, rd, d = pushed(rm, steps), mujoco.MjData(rm), physics.MjData(m)
    optimum: dict[int, np.ndarray] = {}
    rows: dict[int, int] = {}
    for way in WAYS:
        solver, cone = way[:2]
        set_way(m, *way)
        put_state(d, start)
        physics.mj_forward(m, d)
        unfinished = solver == PGS and SWEEPS in d.solver_niter
        if solver == NEWTON or unfinished:
            set_way(rm, *way)
            put_state(rd, start)
            mujoco.mj_forward(rm, rd)
        if solver == NEWTON:
            optimum[cone], rows[cone] = rd.qacc.copy(), rd.nefc
        told = f"solver, cone, jacobian, flag {way}, {d.solver_niter} iterations"
        assert d.nefc == rows[cone], told
        assert d.nefc > 0 or steps > 0 or name == "flight", told
        wanted = rd.qacc if unfinished and SWEEPS in rd.solver_niter else optimum[cone]
        limit = 9e-7 * (1 + np.abs(optimum[cone]).max())
        np.testing.assert_allclose(d.qacc, wanted, 0, limit, err_msg=told)


# Newton ends in rounding; CG in the rounding of its gradient, which light dofs turn into larger accelerations; PGS converges
# linearly, and elliptic contacts stop it where a row's gain is below rounding: squared, that is the accuracy of a force.
LIMITS = {NEWTON: (2e-9, 1e-12), CG: (5e-7, 1e-12), PGS: (1e-13, 1e-7)}


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("name", SCENES)
def test_residuals_and_agreement(name: str, cone: int) -> None:
    rm, m = mujoco.MjModel.from_xml_string(SCENES[name]), physics.MjModel.from_xml_string(SCENES[name])
    start, d = pushed(rm, 25), physics.MjData(m)
    found = {}
    for solver, (motion, projection) in LIMITS.items():
        set_way(m, solver, cone, 0, 0)
        put_state(d, start)
        physics.mj_forward(m, d)
        found[solver] = d.qacc.copy()
        o = measure(m, d)
        assert o.motion < motion, (solver, o)
        assert o.projection < projection, (solver, o)
        assert o.admissible < 1e-14, (solver, o)
        assert o.gap < 1e-11, (solver, o)
    size = 1 + np.abs(found[NEWTON]).max()
    for solver in (CG, PGS):
        assert np.abs(found[solver] - found[NEWTON]).max() < 1e-8 * size
