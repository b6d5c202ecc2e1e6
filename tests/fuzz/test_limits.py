"""What is too large, too deep or too wild is told, in bounded time and memory."""

import math

import numpy as np
import pytest

from tests.physics.reference import load, posed
from tumble import physics
from tumble.physics.compiler import sizes
from tumble.physics.errors import MjcfError, ModelError
from tumble.physics.state.block import MOST_BYTES

BALL = '<geom size="0.1"/>'
SLOPPY = """
<mujoco><option {option}/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 0.09"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
<body pos="0 0 0.28"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>
"""


def scene(inside: str, before: str = "") -> physics.MjModel:
    return physics.MjModel.from_xml_string(f"<mujoco>{before}<worldbody>{inside}</worldbody></mujoco>")


def grid(number: int, inside: str) -> str:
    """Bodies far apart."""
    return "".join(f'<body pos="{i % 100} {i // 100 % 100} {i // 10_000}">{inside}</body>' for i in range(number))


# ---------------------------------------------------------------- files

TOO_MUCH = {
    "cube": ('<asset><texture name="t" type="cube" builtin="gradient" width="16384"/></asset>', "are the most"),
    "chain": ("<worldbody>" + (f'<body><joint/><joint axis="1 0 0"/><joint type="slide"/><joint type="slide" axis="1 0 0"/>'
                               f'<joint type="slide" axis="0 1 0"/><joint axis="0 1 0"/>{BALL}') * 495 + "</body>" * 495
              + "</worldbody>", "make trees less deep"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_is_too_large_in_a_file_is_told(what: str) -> None:
    text, message = TOO_MUCH[what]
    with pytest.raises(MjcfError, match=message):
        physics.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")


@pytest.mark.parametrize("most", [500, pytest.param(65_536, marks=pytest.mark.fuzz)])
def test_one_body_too_many(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    assert sizes._MOST_BODIES == 65_536
    monkeypatch.setattr(sizes, "_MOST_BODIES", most)
    assert scene("<body/>" * (most - 1)).nbody == most
    with pytest.raises(MjcfError, match=rf"<body> is one body too many; {most} are the most"):
        scene("<body/>" * most)


def test_a_tree_may_be_as_deep_as_a_file() -> None:
    m = scene(f'<body pos="0 0 1"><joint/>{BALL}' * 490 + "</body>" * 490)
    assert m.nv == 490


@pytest.mark.slow
def test_five_thousand_bodies_need_little_memory() -> None:
    m = scene(grid(5_000, f"<joint/>{BALL}"))
    d = physics.MjData(m)
    physics.mj_step(m, d)
    assert (m.nv, d.ncon) == (5_000, 0)
    assert m.nbytes + d.nbytes < 50e6


@pytest.mark.slow
def test_contacts_of_the_last_of_many_bodies() -> None:
    number = 17_000  # bodies enough for the sign bit of a narrower key
    last = (number - 1) % 100, (number - 1) // 100 % 100, (number - 1) // 10_000
    m = scene(grid(number, BALL) + f'<body pos="{last[0]} {last[1]} {last[2] + 0.19}"><freejoint/>{BALL}</body>')
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    assert d.contact.geom.tolist() == [[number - 1, number]]
    assert d.contact.dist == pytest.approx([-0.01])


# ---------------------------------------------------------------- memory


@pytest.mark.slow
def test_a_pile_that_does_not_fit_in_memory() -> None:
    m = scene(f"<body><freejoint/>{BALL}</body>" * 3000)  # all in one place: 4.5 million contacts
    d = physics.MjData(m)
    with pytest.raises(ModelError, match=r"no room for \d+ .*: the data need .* 2 GB are the most; "):
        physics.mj_step(m, d)
    m.opt.disableflags = physics.mjtDisableBit.mjDSBL_CONTACT
    physics.mj_step(m, d)  # what did not fit is forgotten
    assert d.time == m.opt.timestep
    assert d.nbytes < MOST_BYTES


def test_too_large_dual_matrix_error_names_other_solvers() -> None:
    studs = "".join(f'<geom size="0.1" pos="{i % 100} {i // 100} 0"/>' for i in range(5_000))
    m = scene(f'<geom type="plane" size="1 1 1"/><body pos="0 0 0.09"><freejoint/>{studs}</body>',
              '<option solver="PGS" cone="elliptic"/>')  # fmt: skip
    d = physics.MjData(m)
    with pytest.raises(ModelError, match=r"matrix efc_AR of .* constraint rows: .* solver Newton or CG has no such matrix"):
        physics.mj_step(m, d)


@pytest.mark.slow
def test_the_hessian_of_many_trees_needs_no_square_memory() -> None:
    ground, ball = '<geom type="plane" size="1 1 1"/>', f'<body pos="0 0 0.09"><freejoint/>{BALL}</body>'
    m = scene(ground + ball + '<body pos="0 0 5"><joint/><geom size="0.1" contype="0" conaffinity="0"/></body>' * 6_000)
    d = physics.MjData(m)
    physics.mj_step(m, d)
    assert d.ncon == 1
    assert d.nbytes < 50e6  # 6,006 dofs squared are 290 MB


# ---------------------------------------------------------------- options and inputs

WILD = [0, 1, -1, 2**31 - 1]


@pytest.mark.parametrize("solver", list(physics.mjtSolver))
@pytest.mark.parametrize("cone", list(physics.mjtCone))
@pytest.mark.parametrize("tolerance", [0.0, -1.0, math.nan, 1e300])
def test_a_step_ends_whatever_the_solver_is_asked_for(solver: int, cone: int, tolerance: float) -> None:
    m, d = load(SLOPPY.format(option=""))
    m.opt.solver, m.opt.cone, m.opt.tolerance, m.opt.ls_tolerance = solver, cone, tolerance, tolerance
    for iterations in WILD:
        m.opt.iterations = m.opt.ls_iterations = iterations
        physics.mj_step(m, d, 3)
    assert d.solver_niter[0] <= 10_000


def test_tolerance_zero_reaches_the_optimum() -> None:
    m, d = posed(SLOPPY.format(option='tolerance="0" iterations="2000000000"'))
    exact = d.qacc.copy()
    m.opt.tolerance, m.opt.iterations = 1e-12, 100
    physics.mj_forward(m, d)
    np.testing.assert_allclose(d.qacc, exact, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("timestep", [0.0, -0.01, 1e300, 1e-300])
@pytest.mark.parametrize("integrator", list(physics.mjtIntegrator))
def test_a_step_ends_whatever_the_time_step(timestep: float, integrator: int) -> None:
    m, d = load(SLOPPY.format(option=""))
    m.opt.timestep, m.opt.integrator = timestep, integrator
    physics.mj_step(m, d, 20)
    assert d.steps == 0


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e300])
@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied", "xfrc_applied"])
def test_divergence_resets_and_warns(field: str, bad: float) -> None:
    m, d = load(SLOPPY.format(option=""))
    getattr(d, field).flat[7] = bad
    physics.mj_step(m, d, 5)
    assert d.warning.number.sum() == 1
    assert np.isfinite(d.qpos).all()
    assert d.time == pytest.approx(5 * m.opt.timestep)


def test_an_initial_state_that_is_bad_ends_the_steps() -> None:
    m = physics.MjModel.from_xml_string(SLOPPY.format(option=""))
    m.qpos0[0] = math.nan
    d = physics.MjData(m)
    physics.mj_step(m, d, 1_000_000)
    assert (d.time, d.steps) == (0.0, 0)
    assert d.warning[int(physics.mjtWarning.mjWARN_BADQPOS)].number == 2  # the state, and that after the reset


def test_masses_out_of_all_proportion_end_the_steps() -> None:
    m = physics.MjModel.from_xml_string(SLOPPY.format(option=""))
    m.body_mass[1:] = math.inf
    d = physics.MjData(m)
    physics.mj_step(m, d, 100)
    assert d.steps == 0
