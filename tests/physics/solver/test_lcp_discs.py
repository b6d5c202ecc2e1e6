"""Hard contacts that bounce, and whose friction a disc limits: closed forms, and the conditions of the problem."""

import math

import numpy as np
import pytest
from pytest import approx

from tests.physics.solver.lcp_problems import definition, load
from tests.physics.solver.test_lcp import BALL, PRECISE, ZOO, G, H, incline, stack
from tumble.physics import MjData, MjModel, mj_forward, mj_step
from tumble.physics.state.own import Splitting

CONE_WAYS = [
    (Splitting.GAUSS_SEIDEL, 1), (Splitting.GAUSS_SEIDEL, 0), (Splitting.SOR, 1), (Splitting.CONJUGATE, 1), (Splitting.JACOBI, 1),
]  # fmt: skip


def elliptic(xml: str) -> str:
    return xml.replace("<mujoco>", '<mujoco><option cone="elliptic"/>', 1)


@pytest.mark.parametrize(("method", "block"), CONE_WAYS)
@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0, 70.0])
def test_friction_of_a_disc_brakes_alike_in_every_direction(method: Splitting, block: int, angle: float) -> None:
    """mu g against the motion; a box brakes by 1.414 mu g along its diagonal."""
    m, d = load(elliptic(incline(0, 0.5)), method=method, block=block, **PRECISE)
    heading = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    d.qvel[:2] = heading
    mj_step(m, d)
    np.testing.assert_allclose(d.qvel[:2], heading * (1 - 0.5 * G * H), atol=1e-8)


def stationary(m: MjModel, d: MjData) -> float:
    """Largest violation of the conditions of a contact with a disc, by contacts, from A and b alone [m/s]."""
    A, b = definition(m, d)
    x, worst = d.lcp_impulse, 0.0
    w = A @ x + b
    for c in np.flatnonzero(d.contact.efc_address >= 0):
        r, dim = int(d.contact.efc_address[c]), int(d.contact.dim[c])
        mu, t, wt = d.contact.friction[c, : dim - 1], x[r + 1 : r + dim], w[r + 1 : r + dim]
        worst = max(worst, -w[r], abs(x[r] * w[r]), -x[r])
        if x[r] <= 0:  # it opens
            assert not t.any()
            continue
        inside = np.linalg.norm(t / mu) / x[r]
        assert inside <= 1 + 1e-9
        slides = mu * wt  # the cost falls along -slides in lengths of the coefficients
        if inside < 1 - 1e-6:
            worst = max(worst, *abs(wt))
        else:  # against the motion, of all that the ball has
            worst = max(worst, np.linalg.norm(slides / max(np.linalg.norm(slides), 1e-12) * x[r] + t / mu) * np.linalg.norm(wt))
    return worst


@pytest.mark.parametrize(("method", "block"), CONE_WAYS[:4])
@pytest.mark.parametrize("seed", range(6))
def test_what_settles_opposes_the_sliding_of_every_contact(method: Splitting, block: int, seed: int) -> None:
    m, d = load(elliptic(ZOO), method=method, block=block, tolerance=1e-12, sweeps=20000)
    random = np.random.default_rng(seed)
    d.qvel[:] = random.normal(size=m.nv)
    mj_forward(m, d)
    assert d.ncon > 5
    assert d.lcp_residual < 1e-9
    assert stationary(m, d) < 1e-6


@pytest.mark.parametrize("share", [0.3, 0.8, 1.0])
def test_a_ball_bounces_at_its_share_of_the_speed(share: float) -> None:
    m, d = load(BALL.format(height=0.5, margin=0), restitution=share, stabilization=0)
    speeds = []
    for _ in range(1500):
        before = float(d.qvel[2])
        mj_step(m, d)
        if d.qvel[2] > 0 > before:
            speeds.append((before, float(d.qvel[2])))
    assert len(speeds) >= 2
    for before, after in speeds[:4]:
        arrives = before - G * H  # what the step's own gravity adds before the contact acts is inelastic
        assert -share * before == approx(after, rel=1e-9) or abs(after) < 1e-9, arrives


def test_bounces_fall_below_the_least_speed_and_end() -> None:
    m, d = load(BALL.format(height=0.2, margin=0), restitution=0.5)
    mj_step(m, d, 1000)
    assert np.abs(d.qvel).max() < 1e-6
    assert d.qpos[2] == approx(0.1, abs=2e-4)


def test_a_block_that_slides_down_with_restitution_gains_no_energy() -> None:
    m, d = load(incline(30, 0.3).replace("<mujoco>", '<mujoco><option><flag energy="enable"/></option>'), restitution=0.6)
    d.qvel[2] = -1.0
    mj_forward(m, d)
    energy = float(d.energy.sum())
    for _ in range(500):
        mj_step(m, d)
        assert d.energy.sum() < energy + 1e-3
        energy = min(energy, float(d.energy.sum()))


def test_a_bounce_within_the_margin_happens_in_the_step_that_arrives() -> None:
    m, d = load(BALL.format(height=0.3, margin=0.05), restitution=0.5)
    lowest, rebounds = math.inf, []
    for _ in range(300):
        before = float(d.qvel[2])
        mj_step(m, d)
        lowest = min(lowest, float(d.qpos[2]))
        if d.qvel[2] > 0 > before:
            rebounds.append(-float(d.qvel[2]) / before)
    assert lowest > 0.1 - 1e-9  # it never penetrates
    assert rebounds[0] == approx(0.5, rel=1e-9)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_fwdinv_is_what_the_sweeps_left_of_the_law(cone: str) -> None:
    flags = f'<mujoco><option cone="{cone}"><flag fwdinv="enable"/></option>'
    left = []
    for sweeps in (0, 3, 30, 3000):
        m, d = load(stack(2, 1, 3).replace("<mujoco>", flags, 1), sweeps=sweeps, tolerance=1e-13)
        mj_step(m, d)
        assert d.solver_fwdinv[0] == d.solver_fwdinv[1]
        left.append(float(d.solver_fwdinv[0]))
    assert left[0] > 1  # without impulses, the weight is missing
    assert left[0] > left[1] > left[2] > left[3]
    assert left[3] < 1e-6
