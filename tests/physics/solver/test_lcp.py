"""Hard contacts: closed forms, complementarity, and what a step must not do."""

import math

import numpy as np
import pytest
from pytest import approx
from scipy.optimize import nnls

from tests.physics.solver.lcp_problems import FREE, PUSH, definition, load, matrix_problem, solve_matrix, violation
from tumble.physics import MjData, MjModel, mj_copyData, mj_forward, mj_step, mj_step1, mj_step2
from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtConstraintState
from tumble.physics.state.own import ContactModel, Splitting

G, H = 9.81, 0.002
EVERY = [(method, block) for method in Splitting for block in (0, 1)]
ORDERED = EVERY[2:]  # without Jacobi, which friction may keep from settling
PRECISE = {"tolerance": 1e-11, "sweeps": 5000}
DEPTH = 5e-5  # within the slop: nothing is pushed out

BALL = """
<mujoco><worldbody><geom type="plane" size="9 9 1" margin="{margin}"/>
  <body pos="0 0 {height}"><freejoint/><geom size="0.1" mass="2"/></body></worldbody></mujoco>"""

ZOO = """
<mujoco>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body pos="0 0 0.0995"><freejoint/><geom size="0.1" condim="1"/></body>
    <body pos="1 0 0.0995"><freejoint/><geom size="0.1" condim="4" friction="0.5 0.02 0.001"/></body>
    <body pos="2 0 0.0995"><freejoint/><geom size="0.1" condim="6" friction="0.5 0.02 0.003"/></body>
    <body pos="3 0 0.1"><freejoint/><geom type="box" size="0.3 0.2 0.1"/></body>
    <body pos="3 0 0.3" euler="0 0 30"><freejoint/><geom type="box" size="0.2 0.2 0.1"/></body>
    <body pos="5 0 0.5">
      <joint axis="0 1 0" frictionloss="0.5" range="-20 20"/><geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/>
      <body pos="0.4 0 0"><joint axis="0 1 0" frictionloss="0.1" range="-5 95"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.45"/></body>
    </body>
    <body pos="7 0 0.5"><joint type="ball" range="0 20"/><geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0.1"/></body>
  </worldbody>
</mujoco>"""


def incline(degrees: float, friction: float) -> str:
    """A block of 1 kg on a plane that falls towards +x; half sizes 0.1, pressed DEPTH into the plane."""
    a = math.radians(degrees)
    x, z = math.sin(a) * (0.1 - DEPTH), math.cos(a) * (0.1 - DEPTH)
    return f"""<mujoco><worldbody><geom type="plane" size="99 99 1" euler="0 {degrees} 0" friction="{friction}"/>
        <body pos="{x} 0 {z}" euler="0 {degrees} 0"><freejoint/>
          <geom type="box" size="0.1 0.1 0.1" mass="1" friction="{friction}"/></body></worldbody></mujoco>"""


def stack(*masses: float) -> str:
    bodies = "".join(
        f'<body pos="0 0 {0.1 - DEPTH + k * (0.2 - DEPTH)}"><freejoint/><geom type="box" size=".1 .1 .1" mass="{mass}"/></body>'
        for k, mass in enumerate(masses)
    )
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'


def normal_force(d: MjData, geom: int) -> float:
    """Sum of the normal forces of the contacts whose first geom this is."""
    return float(
        sum(d.efc_force[r] for r, pair in zip(d.contact.efc_address, d.contact.geom, strict=True) if r >= 0 and pair[0] == geom)
    )


@pytest.mark.parametrize(("method", "block"), ORDERED)
def test_block_on_an_incline_sticks(method: Splitting, block: int) -> None:
    m, d = load(incline(20, 0.5), method=method, block=block, **PRECISE)
    mj_forward(m, d)
    np.testing.assert_allclose(d.qacc, 0, atol=1e-7)  # 1e-11 m/s over the time step, and over the arm of the corners
    np.testing.assert_allclose(d.qfrc_constraint[:3], [0, 0, G], atol=1e-6)
    assert normal_force(d, 0) == approx(G * math.cos(math.radians(20)), rel=1e-8)
    assert set(d.efc_state) <= {mjtConstraintState.mjCNSTRSTATE_QUADRATIC, mjtConstraintState.mjCNSTRSTATE_CONE}


@pytest.mark.parametrize(("method", "block"), ORDERED)
def test_block_on_an_incline_slides(method: Splitting, block: int) -> None:
    """a = g (sin - mu cos) along the plane, exactly, at every step: contacts do not open."""
    m, d = load(incline(30, 0.2), method=method, block=block, **PRECISE)
    a = math.radians(30)
    along, across = np.array([math.cos(a), 0, -math.sin(a)]), np.array([math.sin(a), 0, math.cos(a)])
    for _ in range(5):
        before = d.qvel[:3].copy()
        mj_step(m, d)
        assert along @ (d.qvel[:3] - before) / H == approx(G * (math.sin(a) - 0.2 * math.cos(a)), rel=1e-7)
        assert abs(across @ d.qvel[:3]) < 1e-9
    assert set(d.efc_state) <= {mjtConstraintState.mjCNSTRSTATE_CONE, mjtConstraintState.mjCNSTRSTATE_SATISFIED}


@pytest.mark.parametrize(("method", "block"), ORDERED)
def test_stacked_boxes_carry_what_is_above_them(method: Splitting, block: int) -> None:
    m, d = load(stack(2, 1), method=method, block=block, **PRECISE)
    mj_forward(m, d)
    assert normal_force(d, 0) == approx(3 * G, rel=1e-7)
    assert normal_force(d, 1) == approx(1 * G, rel=1e-7)
    np.testing.assert_allclose(d.qacc, 0, atol=1e-6)


PENDULUM = """
<mujoco><option gravity="0 0 0"/><default><geom condim="1"/></default><worldbody>
  <geom type="plane" size="9 9 1" pos="-0.1 0 0" zaxis="1 0 0"/>
  <body><joint axis="0 1 0" damping="{damping}"/><geom size="0.1" pos="0 0 -1" mass="2"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("damping", [0.0, 3.0])
def test_pendulum_stops_at_a_wall(damping: float) -> None:
    """The impulse is the angular momentum it arrives with over the arm; implicit damping takes its share first."""
    m, d = load(PENDULUM.format(damping=damping), slop=1.0)
    d.qpos, d.qvel = 0.001, 0.7
    mj_forward(m, d)
    assert d.nefc == 1
    inertia = 2 * (1 + 0.4 * 0.01)
    free = 0.7 - H * damping * 0.7 / (inertia + H * damping)
    arm = abs(float(d.efc_J[0]))
    assert arm == approx(math.cos(0.001), abs=1e-6)
    assert d.lcp_impulse[0] == approx((inertia + H * damping) * free / arm, rel=1e-12)
    mj_step(m, d)
    assert abs(d.qvel[0]) < 1e-14


def test_hinge_stops_at_its_limit() -> None:
    m, d = load("""<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint axis="0 1 0" range="-60 0" limited="true"/><geom size="0.1" pos="0 0 -1" mass="2"/></body>
        </worldbody></mujoco>""")
    d.qpos, d.qvel = 1e-5, 0.7
    mj_step(m, d)
    assert d.efc_force[0] * H == approx(2 * (1 + 0.4 * 0.01) * 0.7, rel=1e-12)
    assert abs(d.qvel[0]) < 1e-14


def test_dropped_ball_stops_on_the_ground() -> None:
    """A contact within its margin lets the ball come as near as it can in a step, and no nearer: it lands without penetration."""
    m, d = load(BALL.format(height=0.3, margin=0.05))
    lowest = math.inf
    for _ in range(400):
        mj_step(m, d)
        lowest = min(lowest, d.qpos[2])
    assert lowest == approx(0.1, abs=1e-10)
    assert d.qpos[2] == approx(0.1, abs=1e-10)
    assert np.abs(d.qvel).max() < 1e-10
    mj_forward(m, d)
    assert d.qfrc_constraint[2] == approx(2 * G, rel=1e-8)


def test_penetration_is_taken_back_at_the_wished_rate_and_speed() -> None:
    m, d = load(BALL.format(height=0.0995, margin=0))
    mj_step(m, d)
    assert d.qvel[2] == approx(0.2 * (0.0005 - 1e-4) / H, rel=1e-9)
    m, d = load(BALL.format(height=0.05, margin=0), speed=0.3)
    mj_step(m, d)
    assert d.qvel[2] == approx(0.3, rel=1e-9)
    m, d = load(BALL.format(height=0.0995, margin=0), stabilization=0)
    mj_step(m, d)
    assert abs(d.qvel[2]) < 1e-12


def test_dry_friction_of_a_joint_holds_and_then_takes_its_force() -> None:
    m, d = load("""<mujoco><option gravity="0 0 0"/><worldbody>
        <body><joint type="slide" axis="1 0 0" frictionloss="3"/><geom size="0.1" mass="2"/></body></worldbody></mujoco>""")
    d.qfrc_applied[0] = 2.9
    mj_step(m, d)
    assert abs(d.qvel[0]) < 1e-15
    d.qfrc_applied[0] = 5.0
    mj_forward(m, d)
    assert d.qacc[0] == approx((5 - 3) / 2, rel=1e-12)
    assert d.efc_state[0] == mjtConstraintState.mjCNSTRSTATE_LINEARPOS


def test_spinning_ball_is_braked_by_torsional_friction() -> None:
    xml = BALL.format(height=0.1 - DEPTH, margin=0).replace("<geom size", '<geom condim="4" friction="1 0.005 0" size')
    m, d = load(xml)
    d.qvel[5] = 20.0
    mj_forward(m, d)
    assert d.qacc[5] == approx(-0.005 * 2 * G / m.body_inertia[1, 2], rel=1e-6)


def settled(options: dict[str, float], steps: int = 150) -> tuple[MjModel, MjData]:
    """The zoo after some steps at default precision, then solved as the options say."""
    m, d = load(ZOO)
    mj_step(m, d, steps)
    for name, value in options.items():
        setattr(m.tumble, f"lcp_{name}", value)
    mj_forward(m, d)
    return m, d


@pytest.mark.parametrize(("method", "block"), ORDERED)
@pytest.mark.parametrize("steps", [1, 150])
def test_forces_solve_the_complementarity_problem(method: Splitting, block: int, steps: int) -> None:
    """Against the definition in dense matrices, with contacts of every dimension, limits and dry friction."""
    m, d = settled({"method": method, "block": block, **PRECISE}, steps)
    assert d.nf == 2
    assert d.nefc > 20
    assert violation(m, d) < 1e-9
    assert d.solver.gradient[min(d.solver_niter[0], 200) - 1] == approx(violation(m, d), abs=1e-9) or d.solver_niter[0] > 200


@pytest.mark.parametrize("sweeps", [1, 2, 1000])
@pytest.mark.parametrize(("method", "block"), EVERY)
def test_every_number_of_sweeps_pushes_a_stack(method: Splitting, block: int, sweeps: int) -> None:
    """After few sweeps the residual can be larger than without impulses, where all velocities err alike."""
    m, d = load(stack(1, 1, 1), method=method, block=block, sweeps=sweeps)
    mj_forward(m, d)
    assert 0.5 * G < normal_force(d, 0) < 3.001 * G
    assert d.lcp_impulse @ (d.lcp_velocity + d.lcp_b) < 0.0  # the cost has fallen
    assert d.lcp_residual == approx(violation(m, d), abs=1e-12)


@pytest.mark.parametrize("block", [0, 1])
def test_jacobi_carries_a_stack(block: int) -> None:
    m, d = load(stack(1, 1, 1), method=Splitting.JACOBI, block=block)
    for _ in range(500):
        mj_step(m, d)
        assert d.lcp_residual < 1e-5
    assert d.qpos[16] > 0.5 - 3 * 1e-4  # no deeper than the slop of three contacts


def test_blocks_need_fewer_sweeps_on_a_box() -> None:
    count = {}
    for block in (0, 1):
        m, d = load(incline(20, 0.5), block=block)
        mj_forward(m, d)
        assert violation(m, d) < 1e-8
        count[block] = d.solver_niter[0]
    assert count[1] < count[0]


def test_a_step_depends_on_the_state_alone() -> None:
    m, d = load(ZOO)
    mj_step(m, d, 100)
    again = MjData(m)
    mj_step(m, again, 100)
    assert d.qpos.tobytes() == again.qpos.tobytes()
    fresh = MjData(m)  # nothing from earlier steps but the state
    fresh.qpos, fresh.qvel = d.qpos, d.qvel
    copied = MjData(m)
    mj_copyData(copied, m, d)
    for other in (d, fresh, copied):
        mj_step(m, other, 20)
    assert d.qpos.tobytes() == fresh.qpos.tobytes() == copied.qpos.tobytes()


def test_lcp_step_keeps_solved_velocity_with_damping() -> None:
    m, d = load(PENDULUM.format(damping=3.0).replace('gravity="0 0 0"', ""))
    d.qvel = 0.3
    mj_forward(m, d)
    acceleration = d.qacc.copy()
    mj_step(m, d)
    np.testing.assert_allclose((d.qvel - 0.3) / H, acceleration, rtol=1e-12)


def test_half_steps_are_a_step() -> None:
    m, d = load(stack(2, 1))
    mj_step(m, d, 20)
    halves = MjData(m)
    for _ in range(20):
        mj_step1(m, halves)
        mj_step2(m, halves)
    np.testing.assert_array_equal(halves.qpos, d.qpos)


def test_going_back_to_soft_contacts_leaves_no_trace() -> None:
    m, soft = load(ZOO)
    m.tumble.contact_model = ContactModel.SOFT
    mj_step(m, soft, 50)
    m.tumble.contact_model = ContactModel.LCP
    d = MjData(m)
    mj_step(m, d, 10)
    hard = d.qpos.copy()
    m.tumble.contact_model = ContactModel.SOFT
    other = MjData(m)
    mj_step(m, other, 50)
    assert other.qpos.tobytes() == soft.qpos.tobytes()
    mj_step(m, d, 40)
    assert d.nlcp == 0
    assert not np.array_equal(d.qpos, hard)


def test_runge_kutta_gives_way_to_euler() -> None:
    m, d = load(stack(1).replace("<worldbody>", '<option integrator="RK4"/><worldbody>', 1))
    euler, e = load(stack(1))
    mj_step(m, d, 20)
    mj_step(euler, e, 20)
    assert d.qpos.tobytes() == e.qpos.tobytes()


SERVO = """<mujoco><option integrator="{integrator}"/><worldbody>
    <geom type="plane" size="9 9 1" pos="0 0 -.3"/>
    <body><joint name="j" type="slide" axis="0 0 1"/><geom name="g" size="0.1" mass="1"/></body></worldbody>
    <actuator><position joint="j" kp="100" kv="3000"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_implicit_damping_of_servos_stays_in_hard_steps(integrator: str) -> None:
    """(m + h kv) a = f: explicitly h kv / m = 6 would blow up, where 2 is the limit."""
    m, d = load(SERVO.format(integrator=integrator))
    d.ctrl = -1.0
    d.qvel = 0.5
    force = -G + 100 * (-1 - 0) - 3000 * 0.5
    mj_step(m, d)
    assert d.qvel[0] == approx(0.5 + H * force / (1 + H * 3000), rel=1e-12)
    mj_step(m, d, 20000)
    assert d.ncon == 1
    assert d.qpos[0] == approx(-0.2, abs=2e-4)  # the servo presses the ball on the ground, within the slop
    mj_forward(m, d)
    assert d.efc_force[0] == approx(100 * (1 + d.qpos[0]) - 3000 * -d.qvel[0] - -G, rel=1e-6)


def test_what_a_servo_damps_a_contact_must_overcome() -> None:
    """The impulse that stops the ball is its momentum in the inertia m + h kv that the step has."""
    m, d = load(SERVO.format(integrator="implicitfast").replace('pos="0 0 -.3"', 'pos="0 0 -.09999"'), slop=1.0)
    d.qvel = -0.5
    mj_forward(m, d)
    free = -0.5 + H * (-G - 100 * 0 + 3000 * 0.5) / (1 + H * 3000)
    assert d.lcp_impulse[0] == approx(-free * (1 + H * 3000), rel=1e-9)
    mj_step(m, d)
    assert abs(d.qvel[0]) < 1e-9


def test_sensors_read_hard_contacts() -> None:
    m, d = load("""<mujoco><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 0.09995"><freejoint/>
        <geom size="0.1" mass="2"/><site name="s" size="0.2"/></body></worldbody>
        <sensor><touch site="s"/><accelerometer site="s"/></sensor></mujoco>""")
    mj_forward(m, d)
    np.testing.assert_allclose(d.sensordata, [2 * G, 0, 0, G], atol=1e-5)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("contact_model", 7, "contact_model=7 is unknown; valid are 0 SOFT, 1 LCP"),
        ("lcp_method", 4, "valid are 0 JACOBI, 1 GAUSS_SEIDEL, 2 SOR, 3 CONJUGATE"),
        ("lcp_omega", 2.0, "between 0 and 2"),
        ("lcp_stabilization", 1.5, "0 to 1"),
        ("lcp_tolerance", -1.0, "0 or more"),
        ("lcp_speed", math.nan, "0 or more"),
    ],
)
def test_options_out_of_range_are_refused(name: str, value: float, message: str) -> None:
    m, d = load(BALL.format(height=1, margin=0))
    with pytest.raises(ModelError, match=message):
        setattr(m.tumble, name, value)
    m.put_number(f"tumble_{name}", value)  # past what checks it
    with pytest.raises(ModelError, match=message):
        mj_step(m, d)


JACOBI, GAUSS_SEIDEL, SOR = Splitting.JACOBI, Splitting.GAUSS_SEIDEL, Splitting.SOR
STRONG = np.full((3, 3), 0.9) + 0.1 * np.eye(3)  # positive definite (0.1, 0.1, 2.8), but 2 D - A is not: 2 - 2.8 < 0


def random_problem(seed: int, n: int = 7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return root @ root.T + 0.5 * np.eye(n), rng.normal(size=n)


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of LCP(a, b) as the projection it is: minimize |G' x + G^-1 b| over x >= 0, a = G G'."""
    root = np.linalg.cholesky(a)
    return nnls(root.T, -np.linalg.solve(root, b), maxiter=1000)[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("omega", [0.1, 0.5, 1.0, 1.5, 1.9])
def test_sor_converges_for_every_omega_between_0_and_2(seed: int, omega: float) -> None:
    a, b = random_problem(seed)
    m, d = matrix_problem(a, b)
    assert solve_matrix(m, d, SOR, omega, sweeps=20000) <= 1e-12
    # the natural map bounds the error by the condition of A: below 1e3 here
    np.testing.assert_allclose(d.lcp_impulse, exact(a, b), 0, 1e-9)
    np.testing.assert_allclose(d.lcp_velocity, a @ d.lcp_impulse + b, 0, 1e-12)


@pytest.mark.parametrize("omega", [2.0, 2.2])
def test_sor_does_not_converge_beyond(omega: float) -> None:
    """The condition is sharp: at 2 the linear iteration keeps its error, beyond it grows."""
    a, b = random_problem(0)
    m, d = matrix_problem(a, b, FREE)
    solve_matrix(m, d, SOR, omega, sweeps=200)
    assert d.solver.gradient[199] > 0.1 * d.solver.gradient[0]


@pytest.mark.parametrize("kind", [FREE, PUSH])
@pytest.mark.parametrize("b", [(-1.0, -1.1, -0.9), (-1.0, -1.0, -1.0)], ids=["apart", "alike"])
def test_jacobi_converges_where_whole_steps_would_not(b: tuple[float, ...], kind: str) -> None:
    """Whole steps multiply the error by the spectral radius of 1 - A, 1.8, or cycle between the bounds."""
    m, d = matrix_problem(STRONG, np.array(b), kind)
    assert solve_matrix(m, d, JACOBI) <= 1e-12
    solution = np.linalg.solve(STRONG, -np.array(b)) if kind == FREE else exact(STRONG, np.array(b))
    np.testing.assert_allclose(d.lcp_impulse, solution, 0, 1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_jacobi_lowers_the_cost_in_each_sweep(seed: int) -> None:
    a, b = random_problem(seed)
    m, d = matrix_problem(a, b)
    costs = []
    for sweeps in range(1, 20):
        solve_matrix(m, d, JACOBI, sweeps=sweeps)
        costs.append(0.5 * d.lcp_impulse @ (d.lcp_velocity + d.lcp_b))
    assert costs[0] < 0.0
    assert (np.diff(costs) < 1e-12).all()
    assert solve_matrix(m, d, JACOBI) <= 1e-12
    np.testing.assert_allclose(d.lcp_impulse, exact(a, b), 0, 1e-11)


def test_what_diverges_leaves_no_energy() -> None:
    m, d = matrix_problem(STRONG, np.array([-1.0, -1.1, -0.9]), FREE)
    solve_matrix(m, d, SOR, 2.5, sweeps=2000)  # far beyond the largest number
    assert not np.isfinite(d.solver.gradient[:200]).all() or d.solver.gradient[199] > 1e10
    assert not d.lcp_impulse.any()  # every sweep added energy
    np.testing.assert_allclose(d.lcp_velocity, d.lcp_b)


def test_gauss_seidel_is_the_textbook_iteration() -> None:
    a, b = random_problem(5)
    m, d = matrix_problem(a, b)
    x = np.zeros(7)
    for _ in range(8):
        for i in range(7):
            x[i] = max(0.0, x[i] - (a[i] @ x + b[i]) / a[i, i])
    solve_matrix(m, d, GAUSS_SEIDEL, sweeps=8)
    np.testing.assert_allclose(d.lcp_impulse, x, 0, 1e-13)
    natural = np.abs(np.diag(a) * (x - np.maximum(0, x - (a @ x + b) / np.diag(a)))).max()
    assert d.solver.gradient[7] == pytest.approx(natural, rel=1e-9)


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
