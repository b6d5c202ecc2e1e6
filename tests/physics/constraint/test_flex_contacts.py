"""Rows of contacts with flexes: what carries a side, and how rows couple what touches."""

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.collision.flex.scenes import EXACT, FLOOR, SCENES, SoftTwins, deformable, free, grid, single
from tumble import physics

ROWS = ("efc_diagApprox", "efc_R", "efc_aref", "efc_pos", "efc_margin")
PRECISE = 'iterations="200" tolerance="1e-12"'


def dense(m: Any, d: Any, sparse: bool) -> np.ndarray:
    """The Jacobian of either engine, (nefc, nv)."""
    rows = np.zeros((d.nefc, m.nv))
    if not sparse:
        rows[:] = np.asarray(d.efc_J).reshape(-1)[: d.nefc * m.nv].reshape(d.nefc, m.nv)
        return rows
    for r in range(d.nefc):
        part = slice(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r])
        rows[r, d.efc_J_colind[part]] = d.efc_J[part]
    return rows


def forward(twins: SoftTwins, rng: np.random.Generator, size: float, reference: bool = True) -> None:
    """Both engines at a position about that of the model, with some velocity, from a cold start."""
    twins.d.qpos[:] = twins.rd.qpos[:] = twins.near(rng, size)
    twins.d.qvel[:] = twins.rd.qvel[:] = rng.normal(size=twins.rm.nv) * 0.1
    twins.d.qacc_warmstart[:] = twins.rd.qacc_warmstart[:] = 0.0
    physics.mj_forward(twins.m, twins.d)
    if reference:
        mujoco.mj_forward(twins.rm, twins.rd)


# Of condim 4 and 6 the reference has rows without rotation where its Jacobian is sparse, and ends with an error where a row is
# all zeros. Of quadratic nodes it leaves out those with negative weights.
SAME = [name for name in SCENES if name not in ("shapes on a cloth", "two cubes", "interpolated solids", "hammock")]


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("scene", SAME)
def test_rows_and_accelerations_are_the_references(scene, cone, jacobian):
    twins = SoftTwins(SCENES[scene], f'cone="{cone}" jacobian="{jacobian}" {PRECISE}>' + EXACT)
    rng, rows = np.random.default_rng(1), 0
    for size in (0.002, 0.01, 0.03):
        forward(twins, rng, size)
        assert twins.d.nefc == twins.rd.nefc
        sparse = jacobian == "sparse"
        np.testing.assert_allclose(dense(twins.m, twins.d, sparse), dense(twins.rm, twins.rd, sparse), atol=1e-8)
        for name in ROWS:
            np.testing.assert_allclose(getattr(twins.d, name), getattr(twins.rd, name), rtol=1e-8, atol=1e-8, err_msg=name)
        assert twins.d.nisland == twins.rd.nisland
        scale = np.abs(twins.rd.qacc).max()
        np.testing.assert_allclose(twins.d.qacc, twins.rd.qacc, atol=1e-5 * scale)
        rows += twins.d.nefc
    assert rows > 0


@pytest.mark.parametrize("scene", ["shapes on a cloth", "two cubes"])
def test_torsion_is_the_references_where_that_is_dense(scene):
    twins, rng = SoftTwins(SCENES[scene], 'jacobian="dense">' + EXACT), np.random.default_rng(1)
    for size in (0.002, 0.01):
        forward(twins, rng, size)
        np.testing.assert_allclose(dense(twins.m, twins.d, False), dense(twins.rm, twins.rd, False), atol=1e-8)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("scene", list(SCENES))
def test_a_sparse_jacobian_is_the_dense_one(scene, cone):
    jacobians = []
    for jacobian in ("dense", "sparse"):
        twins = SoftTwins(SCENES[scene], f'cone="{cone}" jacobian="{jacobian}"')
        forward(twins, np.random.default_rng(2), 0.01, reference=False)
        jacobians.append(dense(twins.m, twins.d, jacobian == "sparse"))
        jacobians.append(np.array(twins.d.efc_R))
    np.testing.assert_array_equal(jacobians[0], jacobians[2])
    np.testing.assert_array_equal(jacobians[1], jacobians[3])


@pytest.mark.parametrize("scene", [name for name in SCENES if name != "hammock"])
def test_what_moves_as_a_whole_moves_a_contact_as_a_whole(scene):
    """The weights of a side sum to 1: when all that is free moves with one velocity, sides move against what is fixed alone."""
    twins = SoftTwins(SCENES[scene].replace(FLOOR, ""), 'cone="elliptic" jacobian="dense"')
    forward(twins, np.random.default_rng(3), 0.04, reference=False)
    m, d = twins.m, twins.d
    velocity = np.zeros(m.nv)
    for j in range(m.njnt):
        at = m.jnt_dofadr[j]
        if m.jnt_type[j] == physics.mjtJoint.mjJNT_FREE:
            velocity[at : at + 3] = 1.0, 2.0, 3.0
        else:
            velocity[at] = m.jnt_axis[j] @ (1.0, 2.0, 3.0)
    rows = dense(m, d, False) @ velocity
    fixed = set(np.flatnonzero(m.body_weldid == 0))
    seen = 0
    for k in range(d.ncon):
        c = d.contact[k]
        if c.efc_address < 0 or any(g >= 0 and m.geom_bodyid[g] in fixed for g in c.geom):
            continue
        np.testing.assert_allclose(rows[c.efc_address : c.efc_address + c.dim], 0.0, atol=1e-9)
        seen += 1
    assert seen > 0


def test_flex_contact_couples_trees_of_all_element_vertices():
    """Sparse or dense, whatever the direction of its rows: also of vertices that move along one axis each."""
    slides = "".join(
        f'<body name="b{k}" pos="{pos}"><joint type="slide" axis="{axis}"/><geom size=".001" mass="1" contype="0" '
        'conaffinity="0"/></body>'
        for k, (pos, axis) in enumerate([("0 0 0", "1 0 0"), (".2 0 0", "0 1 0"), ("0 .2 0", "0 0 1")])
    )
    flex = deformable('radius=".02" body="b0 b1 b2" element="0 1 2"')
    for jacobian in ("dense", "sparse"):
        for cone in ("pyramidal", "elliptic"):
            twins = SoftTwins(slides + free("sphere", ".05 .05 .09") + flex, f'jacobian="{jacobian}" cone="{cone}"')
            physics.mj_forward(twins.m, twins.d)
            assert twins.d.ncon == 1
            assert twins.d.nisland == 1
            assert twins.d.tree_island.tolist() == [0, 0, 0, 0]


def test_a_contact_with_what_cannot_move_has_no_rows():
    rigid = single(2, "").replace('mass="1"', 'mass="1" rigid="true"')
    twins = SoftTwins('<geom type="plane" size="1 1 1"/><geom size=".05"/>' + rigid)
    physics.mj_forward(twins.m, twins.d)
    assert twins.d.ncon > 0
    assert twins.d.nefc == 0
    assert set(twins.d.contact.exclude.tolist()) == {3}


@pytest.mark.parametrize(
    "scene",
    [
        grid("a", 2, "4 4 1", 'passive="true" selfcollide="none"') + free('size=".06"', ".02 .03 .03"),
        grid("a", 2, "5 5 1", 'passive="true" selfcollide="narrow" internal="true"'),
        grid("a", 3, "3 3 3", 'passive="true" selfcollide="none" internal="true"') + FLOOR,
        grid("a", 2, "4 4 1", 'passive="true" selfcollide="none"')
        + grid("b", 2, "4 4 1", 'selfcollide="none"', pos=".03 .02 .01"),
        grid("a", 2, "4 4 1", 'passive="true" margin=".05" gap=".05" selfcollide="none"') + free('size=".06"', ".02 .03 .1"),
    ],
    ids=["ball", "itself", "inside out", "another", "gap"],
)
def test_passive_contacts_are_springs_without_rows(scene):
    twins, rng = SoftTwins(scene, ">" + EXACT), np.random.default_rng(4)
    forward(twins, rng, 0.02)
    assert twins.d.ncon > 0
    assert twins.d.nefc == 0
    np.testing.assert_array_equal(twins.d.contact.exclude, twins.rd.contact.exclude)
    np.testing.assert_allclose(twins.d.qfrc_passive, twins.rd.qfrc_passive, atol=1e-7 * np.abs(twins.rd.qfrc_passive).max())


def test_both_sides_of_a_contact_feel_its_force():
    """The reference leaves contacts with flexes out of cfrc_ext, and so out of force sensors."""
    twins = SoftTwins(grid("a", 2, "4 4 1", 'selfcollide="none"') + free('size=".06"', "0 0 .06"))
    m, d = twins.m, twins.d
    physics.mj_forward(m, d)
    physics.mj_rnePostConstraint(m, d)
    force, total = np.zeros(6), np.zeros(3)
    for k in range(d.ncon):
        physics.mj_contactForce(m, d, k, force)
        total += np.array(d.contact.frame[k]).reshape(3, 3).T @ force[:3]
    ball = m.geom_bodyid[0]
    assert total[2] < -0.5
    np.testing.assert_allclose(d.cfrc_ext[ball, 3:], -total, atol=1e-12)
    np.testing.assert_allclose(d.cfrc_ext[:, 3:].sum(axis=0), 0.0, atol=1e-12)


def test_touch_sensors_feel_flexes_and_adhesion_ignores_them():
    scene = (
        grid("a", 2, "4 4 1", 'selfcollide="none"')
        + '<body name="b" pos="0 0 .06"><freejoint/><geom name="g" size=".06" mass="1"/><site name="s" size=".2"/></body>'
        + '</worldbody><sensor><touch site="s"/><contact body1="b" data="found force dist"/>'
        + '<contact site="s" data="found"/></sensor>'
        + '<actuator><adhesion body="b" ctrlrange="0 1" gain="10"/></actuator><worldbody>'
    )
    twins = SoftTwins(scene, ">" + EXACT)
    twins.d.ctrl[:] = twins.rd.ctrl[:] = 1.0
    physics.mj_forward(twins.m, twins.d)
    mujoco.mj_forward(twins.rm, twins.rd)
    assert twins.rd.sensordata[0] > 0.5
    np.testing.assert_allclose(twins.d.sensordata, twins.rd.sensordata, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(twins.d.qfrc_actuator, 0.0)


def test_a_sleeping_ball_wakes_when_a_cloth_touches_it():
    """Cloth does not sleep, and what sleeps beside it sleeps on until they touch; in the reference even then."""
    twins = SoftTwins(grid("a", 2, "4 4 1", 'selfcollide="none"') + free('size=".06"', "0 0 .2"),
                      '><flag sleep="enable" gravity="disable" nativeccd="disable"/>')  # fmt: skip
    m, d, ball = twins.m, twins.d, twins.m.ntree - 1
    for _ in range(40):
        physics.mj_step(m, d)
        mujoco.mj_step(twins.rm, twins.rd)
    assert d.tree_asleep[ball] == twins.rd.tree_asleep[ball] == ball
    for x in (d, twins.rd):
        x.qpos[2:48:3] += 0.15
    physics.mj_forward(m, d)
    mujoco.mj_forward(twins.rm, twins.rd)
    assert d.ncon == twins.rd.ncon > 0
    assert d.tree_asleep[ball] < 0
