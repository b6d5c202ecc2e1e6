"""Hard contacts in whole scenes: stacks and heavy on light converge, mechanisms hold, figures fall and come to rest."""

import numpy as np
import pytest
from pytest import approx

from tests.physics.constraint.equality_scenes import MECHANISMS
from tests.physics.scenes import GYM
from tests.physics.solver.battery_scenes import SCENES
from tests.physics.solver.lcp_problems import load, violation
from tests.physics.solver.test_lcp import stack
from tumble.physics import ContactModel, MjData, MjModel, Splitting, mj_forward, mj_step, mj_subtreeVel, mjtEnableBit, mjtJacobian


@pytest.mark.parametrize("masses", [(1,) * 5, (1, 100), (1, 1, 10)], ids=str)
@pytest.mark.parametrize("block", [0, 1])
def test_stacks_and_heavy_on_light_converge_in_every_step(masses: tuple[float, ...], block: int) -> None:
    m, d = load(stack(*masses), block=block, sweeps=5000)
    start = d.qpos.copy()
    for _ in range(100):
        mj_step(m, d)
        assert d.lcp_residual <= 1e-8
    mj_forward(m, d)
    assert violation(m, d) < 2e-8
    assert d.qfrc_constraint[2::6].sum() == approx(9.81 * sum(masses), rel=1e-4)
    np.testing.assert_allclose(d.qpos, start, 0, 1e-7)  # 0.2 s at the tolerance are 2e-9 m, and tilting makes more of it


def test_conjugate_sweeps_need_fewer_than_gauss_seidel() -> None:
    count = {}
    for method in (Splitting.GAUSS_SEIDEL, Splitting.CONJUGATE):
        m, d = load(stack(1, 1, 1), method=method, sweeps=5000)
        mj_forward(m, d)
        assert d.lcp_residual <= 1e-8
        count[method] = d.solver_niter[0]
    assert count[Splitting.CONJUGATE] < 0.3 * count[Splitting.GAUSS_SEIDEL]


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_stay_closed(name: str) -> None:
    """Equalities under random forces. A step is straight where a loop is curved: a fast joint opens it by about (h v)^2."""
    m, d = load(MECHANISMS[name], sweeps=5000)
    rng, h = np.random.default_rng(4), m.opt.timestep
    for _ in range(50):
        d.qfrc_applied = rng.normal(0, 0.5, m.nv)
        mj_step(m, d)
        turn = h * np.abs(d.qvel).max()
        mj_forward(m, d)
        assert d.ne > 0
        assert violation(m, d) < 2e-8
        assert np.abs(d.efc_pos[: d.ne]).max() < 1e-5 + 5 * turn * turn  # a fifth of what is open is closed in each step


@pytest.mark.parametrize("name", ["friction loss", "limits", "pairs", "override", "islands"])
def test_scenes_solve_their_complementarity_problem(name: str) -> None:
    """Limits of every kind of joint and of tendons, dry friction, contacts with friction that differs by direction; in motion."""
    m, d = load(SCENES[name], sweeps=5000)
    m.opt.jacobian = mjtJacobian.mjJAC_DENSE  # the definition is written for it
    rows = 0
    for _ in range(8):
        mj_step(m, d, 8)
        mj_forward(m, d)
        rows = max(rows, d.nefc)
        assert violation(m, d) < 2e-8
    assert rows >= 7


@pytest.mark.parametrize("name", ["humanoid", "ant"])
def test_figures_fall_and_come_to_rest(name: str) -> None:
    """A thousand steps: energy is only lost, nothing sinks in, and what the ground pushes is what momentum changes by."""
    m = MjModel.from_xml_path(str(next(p for p in GYM if p.stem == name)))
    m.tumble.contact_model = ContactModel.LCP
    m.opt.enableflags |= mjtEnableBit.mjENBL_ENERGY
    d = MjData(m)
    if name == "ant":
        d.qpos[7:] = (0, 1, 0, -1, 0, -1, 0, 1)  # within its limits: pushing limits back is work
    mj_forward(m, d)
    h, mass, first, impulse, residual = m.opt.timestep, m.body_mass.sum(), d.energy.sum(), 0.0, []
    mj_subtreeVel(m, d)
    before = mass * d.subtree_linvel[0, 2]
    for _ in range(1000):
        mj_step(m, d)
        assert np.isfinite(d.qpos).all()
        assert d.energy.sum() < first + 0.02 * abs(first)
        assert d.contact.dist.min(initial=0.0) > -0.02
        for c in range(d.ncon):
            r, dim = d.contact.efc_address[c], min(3, int(d.contact.dim[c]))
            if r >= 0 and m.geom_bodyid[d.contact.geom[c, 0]] == 0:
                impulse += h * d.efc_force[r : r + dim] @ d.contact.frame[c].reshape(3, 3)[:dim, 2]
        residual.append(d.lcp_residual)
    mj_forward(m, d)
    mj_subtreeVel(m, d)
    weight = mass * 9.81 * 1000 * h
    assert mass * d.subtree_linvel[0, 2] - before == approx(impulse - weight, abs=0.01 * weight)
    assert np.mean(np.array(residual) <= 1e-8) > 0.9
    assert d.warning.number.sum() == 0
