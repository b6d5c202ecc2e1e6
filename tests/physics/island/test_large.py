"""Scenes with hundreds of trees: memory that grows with the scene and not its square, and the reference's answer."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.island.scenes import scene
from tumble import physics

WALL = '<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".0995 .1 .05"/></body>'


def wall(count: int, width: int) -> str:
    """Bricks in a bond: every brick rests on two, so that all are one island."""
    bricks = ""
    for i in range(count):
        row, column = divmod(i, width)
        bricks += WALL.format(x=(column + 0.5 * (row % 2)) * 0.2, z=row * 0.0998 + 0.0498)
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bricks}</worldbody></mujoco>'


def advanced(xml: str, steps: int) -> tuple[physics.MjModel, physics.MjData, mujoco.MjModel, mujoco.MjData]:
    """Both engines in the state that the reference has after some steps, ours with its forward dynamics done."""
    rm = mujoco.MjModel.from_xml_string(xml)
    rd = mujoco.MjData(rm)
    for _ in range(steps):
        mujoco.mj_step(rm, rd)
    mujoco.mj_forward(rm, rd)
    m = physics.MjModel.from_xml_string(xml)
    d = physics.MjData(m)
    d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
    physics.mj_forward(m, d)
    return m, d, rm, rd


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


def test_pgs_keeps_a_matrix_for_one_island_at_a_time() -> None:
    m, d, _, _ = advanced(scene(*["box"] * 60, solver="PGS"), 10)
    assert d.nisland == 60
    assert d.maxA <= max(d.island_nefc) ** 2 * 1.5
    best = physics.MjData(m)
    best.qpos, best.qvel, best.qacc_warmstart = d.qpos, d.qvel, d.qacc_warmstart
    m.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    physics.mj_forward(m, best)
    np.testing.assert_allclose(d.qacc, best.qacc, 0, 1e-2 * (1 + np.abs(best.qacc).max()))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_sparse_and_dense_take_the_same_iterations(cone: str) -> None:
    """Without islands everything goes through the sparse Hessian, arms with several joints and tendons too."""
    parts = ("sliders", "pair", "arm", "box", "arm", "flying", "box")
    results = []
    for jacobian in ("dense", "sparse"):
        xml = scene(*parts, cone=cone, jacobian=jacobian, island="disable", condim=6)
        m = physics.MjModel.from_xml_string(xml)
        d = physics.MjData(m)
        physics.mj_step(m, d, 20)
        physics.mj_forward(m, d)
        results.append(d)
    dense, sparse = results
    assert (dense.flg_sparse, sparse.flg_sparse) == (0, 1)
    assert dense.solver_niter[0] == sparse.solver_niter[0]
    np.testing.assert_allclose(sparse.qacc, dense.qacc, 0, 1e-8 * (1 + np.abs(dense.qacc).max()))


def test_the_same_run_twice_bit_for_bit() -> None:
    ends = []
    for _ in range(2):
        m = physics.MjModel.from_xml_string(wall(60, 10))
        d = physics.MjData(m)
        physics.mj_step(m, d, 10)
        ends.append(d.qpos.copy())
    np.testing.assert_array_equal(*ends)


def test_a_small_island_may_need_more_numbers_than_all_sparse_rows() -> None:
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
