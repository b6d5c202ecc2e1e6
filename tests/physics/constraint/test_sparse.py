"""The sparse Jacobian: the reference's pattern and numbers, and the dense one's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import GYM, ZOO
from tumble import physics

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


@pytest.mark.parametrize("name", ["pyramidal", "humanoidstandup"])
def test_rows_are_those_of_the_dense_form(name: str) -> None:
    sparse, _ = forward(texts()[name], 40, "sparse")
    dense, _ = forward(texts()[name], 40, "dense")
    full = np.zeros((sparse.nefc, len(sparse.qvel)))
    for r in range(sparse.nefc):
        at, n = sparse.efc_J_rowadr[r], sparse.efc_J_rownnz[r]
        full[r, sparse.efc_J_colind[at : at + n]] = sparse.efc_J[at : at + n]
    np.testing.assert_allclose(full.ravel(), dense.efc_J, 0, 1e-9)  # the two runs before differ by rounding


def test_the_form_can_be_changed_between_steps() -> None:
    m = physics.MjModel.from_xml_string(ZOO.format(cone="pyramidal", impratio=1))
    d = physics.MjData(m)
    results = []
    for jacobian in (mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE, mujoco.mjtJacobian.mjJAC_DENSE):
        m.opt.jacobian = jacobian
        physics.mj_forward(m, d)
        results.append(d.qacc.copy())
        assert d.nJ == d.nefc * m.nv or jacobian == mujoco.mjtJacobian.mjJAC_SPARSE
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_allclose(results[0], results[1], 0, 1e-8 * (1 + np.abs(results[0]).max()))


def test_rows_end_where_their_memory_does() -> None:
    """Room for sparse rows is less than for as many dense ones: a change of form grows it before anything is written."""
    balls = "".join(f'<body pos="{i} 0 .09"><freejoint/><geom size=".1"/></body>' for i in range(30))
    m = physics.MjModel.from_xml_string(
        f"""<mujoco><option jacobian="sparse" cone="elliptic"/><worldbody><geom type="plane" size="9 9 1"/>
        {balls}<body pos="0 3 0"><joint name="j" frictionloss="1" range="-1 -.1"/><geom size=".1"/></body></worldbody>
        <tendon><fixed range="1 2" frictionloss="1"><joint joint="j" coef="1"/></fixed></tendon>
        <equality><joint joint1="j" polycoef=".1"/></equality></mujoco>"""
    )
    d = physics.MjData(m)
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
