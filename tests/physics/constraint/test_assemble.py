"""The rows of the constraint: laws they obey, and parity with the reference engine."""

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import GYM, ZOO, prepared, wander, zoo
from tests.physics.reference import assert_close, load
from tumble import physics

FIELDS = ("ne", "nf", "nl", "nefc", "nJ", "efc_type", "efc_id", "efc_J", "efc_pos", "efc_margin", "efc_frictionloss",
          "efc_diagApprox", "efc_KBIP", "efc_R", "efc_D", "tendon_efcadr", "efc_vel", "efc_aref")  # fmt: skip


def assert_same_rows(model: mujoco.MjModel, reference: mujoco.MjData) -> None:
    _, d = prepared(model, reference)
    # Without any constraint the reference has no tendon_efcadr at all; ours says -1.
    disabled = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    assert_close(d, reference, [name for name in FIELDS if not disabled or name != "tendon_efcadr"])
    assert_close(d.contact, reference.contact, ("efc_address", "exclude"))
    pushing = (reference.contact.efc_address >= 0) & (reference.contact.dim > 1)
    np.testing.assert_allclose(d.contact.mu[pushing], reference.contact.mu[pushing], 1e-12)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("impratio", [1.0, 7.0])
def test_every_kind_of_row_is_the_references(cone: str, impratio: float) -> None:
    model = zoo(cone, impratio)
    for steps in (0, 3, 40):
        assert_same_rows(model, wander(model, steps))


@pytest.mark.parametrize("bit", ["REFSAFE", "FRICTIONLOSS", "LIMIT", "CONTACT", "CONSTRAINT"])
def test_disable_flags(bit: str) -> None:
    model = zoo()
    model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{bit}")
    assert_same_rows(model, wander(model, 2))


def test_a_solref_that_mixes_the_forms_becomes_the_default(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))  # the reference logs its warning to a file in the working directory
    model = zoo("elliptic")
    model.jnt_solref[:] = (0.03, -5.0)
    model.pair_solreffriction[:] = (-3.0, 0.5)
    reference = wander(model, 0)
    assert_same_rows(model, reference)


def test_a_ball_joint_at_rest_has_no_direction_but_a_row() -> None:
    """Rotation angle zero, range zero: the axis is arbitrary, and the reference takes x."""
    model = zoo()
    ball = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL][-1]
    model.jnt_range[ball] = 0.0
    assert_same_rows(model, wander(model, 0))


PATTERN = ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J_rowsuper")


def forward(xml: str, steps: int, jacobian: str) -> tuple[physics.MjData, mujoco.MjData]:
    """Both engines in the same state of a scene."""
    rm = mujoco.MjModel.from_xml_string(xml)
    rm.opt.jacobian = getattr(mujoco.mjtJacobian, f"mjJAC_{jacobian.upper()}")
    rd = mujoco.MjData(rm)
    for _ in range(steps):
        mujoco.mj_step(rm, rd)
    mujoco.mj_forward(rm, rd)
    m = physics.MjModel.from_xml_string(xml)
    m.opt.jacobian = rm.opt.jacobian
    d = physics.MjData(m)
    d.qpos, d.qvel, d.qacc_warmstart = rd.qpos, rd.qvel, rd.qacc_warmstart
    physics.mj_forward(m, d)
    return d, rd


def texts() -> dict[str, str]:
    zoo = {cone: ZOO.format(cone=cone, impratio=1) for cone in ("pyramidal", "elliptic")}
    return zoo | {"humanoidstandup": (GYM / "humanoidstandup.xml").read_text()}


@pytest.mark.parametrize("name", ["pyramidal", "elliptic", "humanoidstandup"])
@pytest.mark.parametrize("steps", [0, 40, 150])
def test_rows_are_the_references(name: str, steps: int) -> None:
    d, rd = forward(texts()[name], steps, "sparse")
    assert (d.nefc, d.nJ) == (rd.nefc, rd.nJ)
    for field in PATTERN:
        np.testing.assert_array_equal(getattr(d, field), getattr(rd, field), err_msg=field)
    np.testing.assert_allclose(d.efc_J, rd.efc_J, 1e-9, 1e-9)
    for field in ("efc_vel", "efc_aref"):
        np.testing.assert_allclose(getattr(d, field), getattr(rd, field), 1e-9, 1e-8, err_msg=field)


def test_rows_end_where_their_memory_does() -> None:
    """Room for sparse rows is less than for as many dense ones: a change of form grows it before anything is written."""
    balls = "".join(f'<body pos="{i} 0 .09"><freejoint/><geom size=".1"/></body>' for i in range(30))
    m, d = load(f"""<mujoco><option jacobian="sparse" cone="elliptic"/><worldbody><geom type="plane" size="9 9 1"/>
        {balls}<body pos="0 3 0"><joint name="j" frictionloss="1" range="-1 -.1"/><geom size=".1"/></body></worldbody>
        <tendon><fixed range="1 2" frictionloss="1"><joint joint="j" coef="1"/></fixed></tendon>
        <equality><joint joint1="j" polycoef=".1"/></equality></mujoco>""")
    room, beyond = d.maxJ, 7.25
    guarded = np.full(room + d.maxefc * m.nv, beyond)
    d._place(d._struct.fields["efc_J"], guarded[:room])
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    physics.mj_forward(m, d)
    assert d.nefc == 98
    assert d.nJ == d.nefc * m.nv > room
    assert (guarded[room:] == beyond).all()
    other = physics.MjData(m)
    physics.mj_forward(m, other)
    np.testing.assert_array_equal(d.qacc, other.qacc)
