"""Islands: laws of the partition, independence of what lies in other islands, and parity with the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.island.scenes import ALL, WALL, scene
from tests.physics.reference import load, twins
from tumble import physics

PARTITION = (
    "tree_island", "island_ntree", "island_itreeadr", "map_itree2tree", "dof_island", "island_nv", "island_idofadr",
    "island_dofadr", "map_dof2idof", "map_idof2dof", "efc_island", "island_ne", "island_nf", "island_nefc", "island_iefcadr",
    "map_efc2iefc", "map_iefc2efc", "iefc_type", "iefc_id", "iM_rownnz", "iM_rowadr",
)  # fmt: skip
NUMBERS = ("iLDiagInv", "ifrc_smooth", "iacc_smooth", "iefc_D", "iefc_R", "iefc_frictionloss", "iefc_aref")
RESULTS = ("iacc", "ifrc_constraint", "iefc_force")


def ours(xml: str, steps: int = 0) -> tuple[physics.MjModel, physics.MjData]:
    m, d = load(xml)
    physics.mj_step(m, d, steps)
    physics.mj_forward(m, d)
    return m, d


PRECISE = {"tolerance": 1e-13, "iterations": 3000, "ls_tolerance": 1e-4}


def advanced(xml: str, steps: int, **options: float) -> tuple[physics.MjModel, physics.MjData, mujoco.MjModel, mujoco.MjData]:
    """Both engines after forward dynamics, with some options, in the state that the reference has after some steps."""
    rm, rd, m, d = twins(xml)
    mujoco.mj_step(rm, rd, steps)
    d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
    for engine, model, data in ((physics, m, d), (mujoco, rm, rd)):
        for name, value in options.items():
            setattr(model.opt, name, value)
        engine.mj_forward(model, data)
    return m, d, rm, rd


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


def test_a_dof_without_rows_moves_freely() -> None:
    _, d = ours(scene(*ALL), 20)
    free = d.dof_island < 0
    assert free.sum() == 12
    np.testing.assert_array_equal(d.qacc[free], d.qacc_smooth[free])
    assert not d.qfrc_constraint[free].any()


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize(("parts", "steps"), [(ALL, 0), (ALL, 3), (ALL, 60), (("pair",), 20)], ids=["0", "3", "60", "one island"])
def test_the_partition_is_the_references(parts: tuple[str, ...], steps: int, jacobian: str) -> None:
    _, d, _, rd = advanced(scene(*parts, jacobian=jacobian), steps, **PRECISE)
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


@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("parts", [("arm",), ("box", "arm", "pair")], ids=["one", "three"])
def test_island_solver_statistics_scale_by_their_own_inertia(solver: str, parts: tuple[str, ...]) -> None:
    """By the diagonal of M in the present pose, whatever the statistics say: so they stop where the reference does."""
    _, d, _, rd = advanced(scene(*parts, solver=solver), 4, **PRECISE)
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


def wall(count: int, width: int) -> str:
    """Bricks in a bond: every brick rests on two, so that all are one island."""
    bricks = ""
    for i in range(count):
        row, column = divmod(i, width)
        bricks += WALL.format(x=(column + 0.5 * (row % 2)) * 0.2, z=row * 0.0998 + 0.0498)
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bricks}</worldbody></mujoco>'


def assert_same_acceleration(d: physics.MjData, rd: mujoco.MjData) -> None:
    np.testing.assert_allclose(d.qacc, rd.qacc, 0, 1e-6 * (1 + np.abs(rd.qacc).max()))


def test_a_wall_is_one_island_with_a_sparse_hessian() -> None:
    m, d, _, rd = advanced(wall(100, 10), 3)
    assert (d.nisland, d.nefc, d.nJ) == (1, rd.nefc, rd.nJ)
    assert d.solver_niter[0] == rd.solver_niter[0] > 0
    assert d.solver_nnz[0] < 0.1 * m.nv**2  # 0.05: blocks of bricks that touch, and what their elimination fills in
    assert_same_acceleration(d, rd)


@pytest.mark.parametrize("count", [100, 400])
def test_memory_grows_with_the_scene(count: int) -> None:
    """About 45 kB a brick: a dense Jacobian would take 1.5 MB a brick of 400, a dense Hessian 115 kB."""
    m, d, _, _ = advanced(wall(count, 20), 0)
    assert d.nbytes < 60_000 * count
    physics.mj_step(m, d, 3)
    assert d.nbytes < 60_000 * count


def test_many_islands_are_solved_as_the_references() -> None:
    _, d, _, rd = advanced(scene(*["box", "pair"] * 60), 30)
    assert d.nisland == rd.nisland == 120
    np.testing.assert_array_equal(d.efc_island, rd.efc_island)
    assert_same_acceleration(d, rd)


def test_small_island_may_have_more_entries_than_sparse_rows() -> None:
    """Seven bricks on each other, 42 dofs, are solved as a dense problem, with four times the entries of the sparse Jacobian."""
    tower = "".join(WALL.format(x=0, z=k * 0.0998 + 0.0498) for k in range(7))
    xml = f"""<mujoco><option jacobian="sparse"/><worldbody><geom type="plane" size="9 9 1"/>{tower}
      <body pos="0 0 5"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    m, d, rm, rd = advanced(xml, 5)
    assert (d.nisland, d.island_whole, d.flg_sparse) == (1, 0, 1)
    assert d.nefc * d.island_nv[0] > d.maxJ
    for solver in (mujoco.mjtSolver.mjSOL_NEWTON, mujoco.mjtSolver.mjSOL_CG):
        rm.opt.solver = m.opt.solver = solver
        rm.opt.tolerance = m.opt.tolerance = 1e-14
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        assert_same_acceleration(d, rd)


def test_cg_does_not_touch_the_dual_matrices() -> None:
    m, d = load(scene("box", "pair", solver="PGS", jacobian="dense"))
    physics.mj_step(m, d)
    assert d.nA > 0
    d._arrays["island_AR"].fill(-7.0)  # of as many rows as there were then: more have no room in it
    m.opt.solver = physics.mjtSolver.mjSOL_CG
    physics.mj_step(m, d)
    assert d.nisland == 2
    assert (d._arrays["island_AR"] == -7.0).all()


def test_pgs_keeps_a_matrix_for_one_island_at_a_time() -> None:
    _, d, _, _ = advanced(scene(*["box"] * 60, solver="PGS"), 10)
    assert d.nisland == 60
    assert d.maxA <= max(d.island_nefc) ** 2 * 1.5
