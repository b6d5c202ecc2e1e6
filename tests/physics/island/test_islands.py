"""Islands: laws of the partition, independence of what lies in other islands, and parity with the reference."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tumble import physics

PARTITION = (
    "tree_island", "island_ntree", "island_itreeadr", "map_itree2tree", "dof_island", "island_nv", "island_idofadr",
    "island_dofadr", "map_dof2idof", "map_idof2dof", "efc_island", "island_ne", "island_nf", "island_nefc", "island_iefcadr",
    "map_efc2iefc", "map_iefc2efc", "iefc_type", "iefc_id", "iM_rownnz", "iM_rowadr",
)  # fmt: skip
NUMBERS = ("iLDiagInv", "ifrc_smooth", "iacc_smooth", "iefc_D", "iefc_R", "iefc_frictionloss", "iefc_aref")
RESULTS = ("iacc", "ifrc_constraint", "iefc_force")


def ours(xml: str, steps: int = 0) -> tuple[physics.MjModel, physics.MjData]:
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    physics.mj_step(m, d, steps)
    physics.mj_forward(m, d)
    return m, d


def both(xml: str, steps: int) -> tuple[physics.MjModel, physics.MjData, mujoco.MjData]:
    """Both engines in the state that the reference has after some steps."""
    rm = mujoco.MjModel.from_xml_string(xml)
    rd = mujoco.MjData(rm)
    for _ in range(steps):
        mujoco.mj_step(rm, rd)
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
    for engine, model, data in ((physics, m, d), (mujoco, rm, rd)):
        model.opt.tolerance, model.opt.iterations, model.opt.ls_tolerance = 1e-13, 3000, 1e-4
        engine.mj_forward(model, data)
    return m, d, rd


def dense_jacobian(d: physics.MjData, k: int) -> np.ndarray:
    """The block of iefc_J of island k, from its dense or sparse form."""
    n, row, rows = d.island_nv[k], d.island_iefcadr[k], d.island_nefc[k]
    if d.nJ == d.nefc * len(d.dof_island):
        start = row * d.nidof
        return np.asarray(d.iefc_J[start : start + rows * n]).reshape(rows, n)
    block = np.zeros((rows, n))
    for r in range(rows):
        at, count = d.iefc_J_rowadr[row + r], d.iefc_J_rownnz[row + r]
        block[r, d.iefc_J_colind[at : at + count]] = d.iefc_J[at : at + count]
    return block


def test_rows_touch_dofs_of_their_island_only() -> None:
    m, d = ours(scene(*ALL, jacobian="dense"), 20)
    assert d.nisland > 5
    jac = d.efc_J.reshape(-1, m.nv)
    for r in range(d.nefc):
        assert set(d.dof_island[np.flatnonzero(jac[r])]) == {d.efc_island[r]}
    assert d.nidof == np.count_nonzero(d.dof_island >= 0) < m.nv
    np.testing.assert_array_equal(d.map_dof2idof[d.map_idof2dof], np.arange(m.nv))
    np.testing.assert_array_equal(d.map_efc2iefc[d.map_iefc2efc], np.arange(d.nefc))
    for k in range(d.nisland):
        rows = d.map_iefc2efc[d.island_iefcadr[k] :][: d.island_nefc[k]]
        dofs = d.map_idof2dof[d.island_idofadr[k] :][: d.island_nv[k]]
        np.testing.assert_array_equal(jac[np.ix_(rows, dofs)], dense_jacobian(d, k))


def test_a_dof_without_rows_moves_freely() -> None:
    _, d = ours(scene(*ALL), 20)
    free = d.dof_island < 0
    assert free.sum() == 12
    np.testing.assert_array_equal(d.qacc[free], d.qacc_smooth[free])
    assert not d.qfrc_constraint[free].any()


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_an_island_does_not_know_the_others(solver: str, cone: str) -> None:
    """The first island's motion, bit for bit, alone and among others, and whichever comes before it."""
    alone = ours(scene("pair", cone=cone, solver=solver, jacobian="dense"))
    among = ours(scene("pair", "box", "arm", "box", cone=cone, solver=solver, jacobian="dense"))
    for _ in range(40):
        for m, d in (alone, among):
            physics.mj_step(m, d)
    assert alone[1].nisland == 1
    assert among[1].nisland >= 4
    n = alone[0].nv
    for name in ("qacc", "qvel", "qfrc_constraint"):
        np.testing.assert_array_equal(getattr(alone[1], name), getattr(among[1], name)[:n])
    np.testing.assert_array_equal(alone[1].qpos, among[1].qpos[: alone[0].nq])


def test_equal_islands_get_equal_answers_and_statistics() -> None:
    _, d = ours(scene(*["box"] * 24), 10)
    assert d.nisland == 24
    assert len(set(d.island_nefc)) == 1
    assert len(set(d.solver_niter)) == 1
    assert d.solver_niter[0] > 0
    gradient = d.solver.gradient.reshape(20, 200)[:, : d.solver_niter[0]]
    np.testing.assert_allclose(gradient, np.tile(gradient[0], (20, 1)), 1e-5, 1e-9)  # places differ, so rounding does


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("steps", [0, 3, 60])
def test_the_partition_is_the_references(jacobian: str, steps: int) -> None:
    _, d, rd = both(scene(*ALL, jacobian=jacobian), steps)
    assert (d.nisland, d.nidof, d.nefc, d.nJ) == (rd.nisland, rd.nidof, rd.nefc, rd.nJ)
    for name in PARTITION:
        np.testing.assert_array_equal(getattr(d, name), getattr(rd, name), err_msg=name)
    for name in (*NUMBERS, *RESULTS):
        theirs = getattr(rd, name)
        np.testing.assert_allclose(getattr(d, name), theirs, 1e-7, 1e-7 * np.abs(theirs).max(), err_msg=name)
    used = int((d.iM_rownnz).sum())
    for name in ("iM_colind", "iM", "iLD"):
        np.testing.assert_allclose(getattr(d, name)[:used], getattr(rd, name)[:used], 1e-9, 1e-12, err_msg=name)
    for k in range(d.nisland):
        np.testing.assert_allclose(dense_jacobian(d, k), dense_jacobian(rd, k), 1e-9, 1e-12)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_one_island_that_is_everything_reads_the_same(jacobian: str) -> None:
    _, d, rd = both(scene("pair", jacobian=jacobian), 20)
    assert d.nisland == 1
    for name in PARTITION:
        np.testing.assert_array_equal(getattr(d, name), getattr(rd, name), err_msg=name)
    for name in (*NUMBERS, *RESULTS, "iM", "iLD", "iM_colind", "iefc_J"):
        theirs = getattr(rd, name)
        np.testing.assert_allclose(getattr(d, name), theirs, 1e-7, 1e-7 * np.abs(theirs).max(), err_msg=name)


@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_accelerations_are_the_references(solver: str, cone: str, jacobian: str, island: str) -> None:
    """At tight tolerance. CG against Newton's answer; PGS, which stalls before the optimum (1e-3 of it), against PGS."""
    for steps in (0, 5, 60):
        _, d, rd = both(scene(*ALL, cone=cone, solver=solver, jacobian=jacobian, island=island, condim=4), steps)
        if solver == "CG":
            _, _, rd = both(scene(*ALL, cone=cone, jacobian=jacobian, condim=4), steps)
        assert (d.nisland > 0) == (island == "enable")
        limit = {"Newton": 1e-8, "CG": 1e-5, "PGS": 1e-4}[solver]
        np.testing.assert_allclose(d.qacc, rd.qacc, 0, limit * (1 + np.abs(rd.qacc).max()))


@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_islands_iterate_as_often_as_the_references(solver: str) -> None:
    """Over 50 steps each island within 10 %: where a start is nearly the optimum, rounding decides about an iteration."""
    xml = scene(*ALL, solver=solver, jacobian="dense")
    rm = mujoco.MjModel.from_xml_string(xml)
    rd = mujoco.MjData(rm)
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    mine, theirs = np.zeros(20), np.zeros(20)
    for _ in range(50):
        mujoco.mj_step(rm, rd)
        d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        mine += d.solver_niter
        theirs += rd.solver_niter
    np.testing.assert_allclose(mine, theirs, 0.1, 3)
    assert theirs.sum() > 200


@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("parts", [("arm",), ("box", "arm", "pair")], ids=["one", "three"])
def test_islands_are_measured_by_their_own_inertia_as_in_the_reference(solver: str, parts: tuple[str, ...]) -> None:
    """By the diagonal of M in the present pose, whatever the statistics say: so they stop where the reference does."""
    _, d, rd = both(scene(*parts, solver=solver), 4)
    assert d.nisland == len(parts)
    for k in range(d.nisland):
        for name in ("gradient", "improvement"):
            for i in range(2):  # later ones are at rounding level
                theirs = getattr(rd.solver[200 * k + i], name)
                assert getattr(d.solver[200 * k + i], name) == pytest.approx(theirs, rel=1e-5, abs=1e-9)


def test_the_flag_switches_islands_off() -> None:
    _, d = ours(scene(*ALL, island="disable"), 5)
    assert (d.nisland, d.nidof) == (0, 0)
    assert set(d.tree_island) == set(d.dof_island) == set(d.efc_island) == {-1}
    assert d.solver_niter[0] > 0
    assert not d.solver_niter[1:].any()


@pytest.mark.parametrize("parts", [ALL, ("box",)])
def test_the_time_of_each_islands_solve_is_a_part_of_the_solvers(parts: tuple[str, ...]) -> None:
    m, d = ours(scene(*parts), 40)
    timer = d.timer[physics.mjtTimer.mjTIMER_CONSTRAINT]
    before = timer.duration
    d.island_time[:] = 0.0
    physics.mj_forward(m, d)
    times = d.island_time[: d.nisland]
    assert d.nisland == (1 if len(parts) == 1 else 7)  # of the sliders, two are one island and the third another
    assert np.all(times > 0)
    assert times.sum() <= timer.duration - before


def test_conjugate_gradients_leave_the_matrices_of_another_solver_alone() -> None:
    m = physics.MjModel.from_xml_string(scene("box", "pair", solver="PGS", jacobian="dense"))
    d = physics.MjData(m)
    physics.mj_step(m, d)
    assert d.nA > 0
    d._arrays["island_AR"].fill(-7.0)  # of as many rows as there were then: more have no room in it
    m.opt.solver = physics.mjtSolver.mjSOL_CG
    physics.mj_step(m, d)
    assert d.nisland == 2
    assert (d._arrays["island_AR"] == -7.0).all()
