"""Soft bodies looked at: strain in closed form, energy whose gradient is the force, and a bound that holds for the time step."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import posed
from tumble.physics.observe.soft_strain import ELEMENT, SoftShape, largest_step, step_limit

SIDES = {1: "7 1 1", 2: "5 4 1", 3: "3 3 3"}


def body(dim: int, elastic2d: str = "none", damping: float = 0.0) -> tuple[mujoco.MjModel, mujoco.MjData]:
    if dim == 1:
        inside = '<edge stiffness="300"/>'
    else:
        layer = f'elastic2d="{elastic2d}"' if dim == 2 else ""
        inside = f'<elasticity young="1e5" poisson="0.3" thickness="0.01" damping="{damping}" {layer}/>'
    return posed(
        f"""<mujoco><option gravity="0 0 0"/><worldbody><flexcomp name="f" type="grid" dim="{dim}"
        count="{SIDES[dim]}" spacing=".1 .07 .08" radius=".001" mass="1">{inside}
        <contact selfcollide="none" internal="false"/></flexcomp></worldbody></mujoco>""",
        mujoco,
    )


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_strain_is_uniform_stretch_and_zero_for_rotation(dim: int) -> None:
    m, d = body(dim, "stretch")
    shape, rest = SoftShape(m, 0), np.array(d.flexvert_xpos)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    # 1.5e-8: the root of rounding in the eigenvalues of a plane shape, which coincide.
    np.testing.assert_allclose(shape.state(rest @ turn.T + 3.0).strain, 0.0, atol=1e-7)
    stretched = rest @ (turn @ np.diag([1.04, 0.99, 1.01])).T
    np.testing.assert_allclose(shape.state(stretched).strain, 0.04, atol=1e-9)
    pressed = rest @ (turn @ np.diag([0.93, 1.02, 1.01])).T
    np.testing.assert_allclose(shape.state(pressed).strain, -0.07, atol=1e-9)


@pytest.mark.parametrize(("dim", "elastic2d"), [(1, ""), (2, "stretch"), (2, "bend"), (2, "both"), (3, "")])
def test_the_force_is_the_negative_gradient_of_the_energy(dim: int, elastic2d: str) -> None:
    m, d = body(dim, elastic2d)
    shape = SoftShape(m, 0)
    rng = np.random.default_rng(2)
    q = rng.normal(0.0, 0.006, m.nq)
    d.qpos[:] = q
    mujoco.mj_forward(m, d)
    force, h = np.array(d.qfrc_passive), 1e-6

    def energy(at: np.ndarray) -> float:
        d.qpos[:] = at
        mujoco.mj_kinematics(m, d)
        mujoco.mj_flex(m, d)
        found = shape.state(np.array(d.flexvert_xpos)).energy
        assert found is not None
        return float(found.sum())

    for _ in range(4):
        way = rng.normal(size=m.nv)
        slope = (energy(q + h * way) - energy(q - h * way)) / (2 * h)
        assert -slope == pytest.approx(float(force @ way), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(("dim", "elastic2d"), [(1, ""), (2, "stretch"), (2, "both"), (3, "")])
def test_the_bound_of_the_time_step_holds_and_is_near(dim: int, elastic2d: str) -> None:
    m, d = body(dim, elastic2d)
    limit = step_limit(m, 0)
    assert limit is not None
    stiffness, h = np.zeros((m.nv, m.nv)), 1e-5
    for i in range(m.nv):
        for sign in (1, -1):
            d.qpos[:] = 0
            d.qpos[i] = sign * h
            mujoco.mj_forward(m, d)
            stiffness[:, i] -= sign * d.qfrc_passive / (2 * h)
    mass = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, mass, d.qM)
    fastest = float(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.max())
    assert 0.55 * largest_step(fastest, 0.0) < limit.step <= largest_step(fastest, 0.0) * (1 + 1e-4)
    if dim > 1:
        assert limit.kind == ELEMENT
        assert len(limit.vertices) == dim + 1


def test_damping_shortens_the_exact_stable_timestep() -> None:
    damping = 0.002
    assert largest_step(1e6, damping) == pytest.approx(-damping + np.hypot(damping, 2e-3))
    # One vibration, stepped semi-implicitly: stable just below the bound, not above.
    for share, grows in ((0.99, False), (1.01, True)):
        step, x, v = share * largest_step(1e6, damping), 1.0, 0.0
        for _ in range(2000):
            v -= step * 1e6 * (x + damping * v)
            x += step * v
        assert (abs(x) > 1e3) is grows


def test_a_body_without_elasticity_limits_nothing() -> None:
    m, _ = body(2, "none")
    m.flex_stiffness[:] = 0
    m.flex_bending[:] = 0
    assert step_limit(m, 0) is None
