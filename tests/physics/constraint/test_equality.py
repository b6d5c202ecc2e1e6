"""Equality constraints: what they hold, and parity with the reference engine."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.equality_scenes import MECHANISMS, WELDED_CHAIN, every
from tests.physics.reference import assert_close, load, posed, put_state, twins
from tumble import physics
from tumble.physics.model import MjModel
from tumble.physics.state.data import Data

EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
ROWS = ("ne", "nf", "nl", "nefc", "efc_type", "efc_id", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox",
        "efc_KBIP", "efc_D", "efc_R", "efc_vel", "efc_aref")  # fmt: skip


def reached(xml: str, steps: int, seed: int = 0) -> tuple[MjModel, Data, mujoco.MjModel, mujoco.MjData]:
    """Both engines in a state that the reference reaches under random forces, with the forward dynamics done."""
    rm, rd = load(xml, mujoco)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        rd.ctrl[:] = rng.uniform(-1, 1, rm.nu)
        rd.qfrc_applied[:] = rng.normal(size=rm.nv)
        mujoco.mj_step(rm, rd)
    return *forward_both(xml, rm, rd), rm, rd


def forward_both(xml: str, rm: mujoco.MjModel, rd: mujoco.MjData) -> tuple[MjModel, Data]:
    """Our engine put into the reference's state; the forward dynamics of both."""
    m = MjModel.from_xml_string(xml)
    m.opt.disableflags = rm.opt.disableflags
    d = physics.MjData(m)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    return m, d


def scatter(rd: mujoco.MjData, seed: int) -> None:
    """A configuration far from where the constraints hold, at random velocity."""
    rng = np.random.default_rng(seed)
    rm = rd.model
    rd.qvel[:] = rng.normal(size=rm.nv)
    mujoco.mj_integratePos(rm, rd.qpos, rng.normal(size=rm.nv), 1.0)
    rd.mocap_pos[:] = rng.normal(size=rd.mocap_pos.shape)
    rd.mocap_quat[:] = rng.normal(size=rd.mocap_quat.shape)


def assert_same_rows(d: Data, rm: mujoco.MjModel, rd: mujoco.MjData) -> None:
    assert_close(d, rd, ROWS)
    if mujoco.mj_isSparse(rm):
        for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J_rowsuper"):
            np.testing.assert_array_equal(getattr(d, name), getattr(rd, name), err_msg=name)
    size = d.nJ  # the reference's dense form has room for the rows left out as well
    np.testing.assert_allclose(d.efc_J, rd.efc_J[:size], 1e-9, 1e-9)


def rows_of(d: Data, m: MjModel, name: str) -> np.ndarray:
    """The rows of one equality constraint."""
    return np.flatnonzero((d.efc_type == EQUALITY) & (d.efc_id == m.equality(name).id))


def test_toggling_at_run_time() -> None:
    m, d = posed(WELDED_CHAIN)
    assert d.ne == 18
    d.eq_active[2] = 0
    physics.mj_forward(m, d)
    assert d.ne == 12
    np.testing.assert_allclose(d.qacc[[2, 8, 14]], -9.81, 1e-9)  # nothing holds the chain to the world any more
    physics.mj_resetData(m, d)
    np.testing.assert_array_equal(d.eq_active, 1)


def test_rows_that_find_no_room_are_whole_after_growing() -> None:
    bodies = "".join(f'<body name="b{i}" pos="{i} 0 0"><freejoint/><geom size="0.1"/></body>' for i in range(8))
    welds = "".join(f'<weld body1="b{i % 8}" body2="b{(i + 1 + i // 8) % 8}"/>' for i in range(40))
    xml = f"<mujoco><worldbody>{bodies}</worldbody><equality>{welds}</equality></mujoco>"
    m, d, rm, rd = reached(xml, 0)
    assert d.ne == 240 > physics.MjData(m).maxefc
    assert_same_rows(d, rm, rd)


def test_the_first_row_of_a_tendon_is_noted() -> None:
    m, d = posed(every())
    np.testing.assert_array_equal(d.tendon_efcadr, rows_of(d, m, "lengths")[0])
    d.eq_active[m.equality("lengths").id] = 0
    physics.mj_forward(m, d)
    assert d.tendon_efcadr[1] == rows_of(d, m, "hold")[0]
    assert d.tendon_efcadr[0] == -1


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_the_references(jacobian: str, seed: int) -> None:
    xml = every(jacobian=jacobian)
    rm, rd = load(xml, mujoco)
    if seed:
        scatter(rd, seed)
    rd.eq_active[-3:-1] = seed % 2
    _, d = forward_both(xml, rm, rd)
    assert d.ne == 40 + 9 * (seed % 2)
    assert_same_rows(d, rm, rd)


@pytest.mark.parametrize("bit", ["REFSAFE", "EQUALITY", "CONSTRAINT", "FRICTIONLOSS", "LIMIT", "CONTACT"])
def test_flags_leave_the_references_rows(bit: str) -> None:
    rm = mujoco.MjModel.from_xml_string(every())
    rm.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{bit}")
    rd = mujoco.MjData(rm)
    scatter(rd, 1)
    _, d = forward_both(every(), rm, rd)
    assert_same_rows(d, rm, rd)


def assert_same_rows_scattered(m: MjModel, d: Data, rm: mujoco.MjModel, rd: mujoco.MjData) -> None:
    scatter(rd, 3)
    put_state(d, rd)
    mujoco.mj_forward(rm, rd)
    physics.mj_forward(m, d)
    assert_same_rows(d, rm, rd)


def test_changed_numbers_are_followed() -> None:
    """eq_data may be written at run time, a quaternion of any length too; mixed solrefs become the default."""
    rm, rd, m, d = twins(every())
    for model in (rm, m):
        model.eq_data[:] = np.random.default_rng(7).normal(size=model.eq_data.shape)
    assert_same_rows_scattered(m, d, rm, rd)
    turn = np.random.default_rng(2).normal(size=(rm.neq, 4))
    for model, data, engine in ((rm, rd, mujoco), (m, d, physics)):
        model.eq_data[:, 6:10] = turn
        model.eq_data[1, 6:10] = 0.0
        model.qpos0[7:9] += 0.1
        engine.mj_setConst(model, data)
    assert_close(m, rm, ["eq_data"])


def test_a_quaternion_of_zeros_turns_nothing() -> None:
    rm, rd, m, d = twins(WELDED_CHAIN)
    for model in (rm, m):
        model.eq_data[0, 6:10] = 0.0
    assert_same_rows_scattered(m, d, rm, rd)


def assert_near(ours: np.ndarray, theirs: np.ndarray, rtol: float) -> None:
    """Agreement relative to the largest of each."""
    np.testing.assert_allclose(ours, theirs, 0, rtol * (1 + np.abs(theirs).max()))


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_mechanisms(name: str, solver: str, jacobian: str) -> None:
    """CG ends where rounding hides that the cost still falls, 1e-16 of it: the square root of that is left in qacc."""
    xml = MECHANISMS[name].replace("<option ", f'<option solver="{solver}" jacobian="{jacobian}" ')
    tolerance = 1e-6 if solver == "CG" else 1e-8
    for steps in (0, 60, 150):
        _, d, rm, rd = reached(xml, steps)
        assert_same_rows(d, rm, rd)
        assert_near(d.qacc, rd.qacc, tolerance)
        assert_near(d.qfrc_constraint, rd.qfrc_constraint, tolerance)


@pytest.mark.parametrize("name", [*MECHANISMS, "every"])
def test_forward_and_inverse_agree(name: str) -> None:
    """Newton at tight tolerance ends within rounding of the optimum, where the two are inverse to each other."""
    xml = MECHANISMS.get(name, every("elliptic", tolerance="1e-15"))
    m, d, rm, rd = reached(xml, 30)
    m.opt.enableflags |= physics.mjtEnableBit.mjENBL_FWDINV
    scale = 1 + float(np.abs(d.qfrc_constraint).max())
    physics.mj_forward(m, d)
    physics.mj_compareFwdInv(m, d)
    assert d.ne > 0
    assert d.solver_fwdinv.max() < 1e-8 * scale
    rd.qacc[:] = d.qacc = np.random.default_rng(1).normal(size=m.nv)
    mujoco.mj_inverse(rm, rd)
    physics.mj_inverse(m, d)
    assert_near(d.qfrc_inverse, rd.qfrc_inverse, 1e-9)
    assert_near(d.efc_force, rd.efc_force, 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_forces_between_bodies_are_the_references(seed: int) -> None:
    """cfrc_int and cfrc_ext with connects and welds, of bodies and sites; the resting state is soft, the others strained."""
    rm, rd = load(every(), mujoco)
    if seed:
        scatter(rd, seed)
    m, d = forward_both(every(), rm, rd)
    mujoco.mj_rnePostConstraint(rm, rd)
    physics.mj_rnePostConstraint(m, d)
    assert np.abs(rd.cfrc_ext).max() > 10
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        assert_near(getattr(d, name), getattr(rd, name), 1e-8)
