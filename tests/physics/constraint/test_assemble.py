"""The rows of the constraint: laws they obey, and parity with the reference engine."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.constraint.scenes import gym, mirrored, wander, zoo
from tests.physics.reference import assert_close
from tumble.physics.constraint.assemble import make_constraint, reference_constraint
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

FIELDS = ("ne", "nf", "nl", "nefc", "nJ", "efc_type", "efc_id", "efc_J", "efc_pos", "efc_margin", "efc_frictionloss",
          "efc_diagApprox", "efc_KBIP", "efc_R", "efc_D", "tendon_efcadr", "efc_vel", "efc_aref")  # fmt: skip


def assemble(model: mujoco.MjModel, reference: mujoco.MjData) -> tuple[Model, Data]:
    m, d = mirrored(model, reference)
    make_constraint(m, d)
    while d.needefc:
        d.grow("maxefc", d.needefc)
        d.needefc = 0
        make_constraint(m, d)
    reference_constraint(m, d)
    return m, d


def assert_same_rows(model: mujoco.MjModel, reference: mujoco.MjData) -> None:
    _, d = assemble(model, reference)
    # Without any constraint the reference has no tendon_efcadr at all; ours says -1.
    disabled = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    assert_close(d, reference, [name for name in FIELDS if not disabled or name != "tendon_efcadr"])
    assert_close(d.contact, reference.contact, ("efc_address", "exclude"))
    pushing = (reference.contact.efc_address >= 0) & (reference.contact.dim > 1)
    np.testing.assert_allclose(d.contact.mu[pushing], reference.contact.mu[pushing], 1e-12)


def test_the_row_of_a_contact_is_the_velocity_of_the_gap() -> None:
    """efc_vel of a normal row is the rate of contact_dist; finite difference over 1e-6 s: error of second order 1e-6 v^2/r."""
    model = zoo("elliptic")
    reference = wander(model, 0)
    reference.qvel[:] = 0.1 * np.random.default_rng(1).normal(size=model.nv)
    mujoco.mj_forward(model, reference)
    _, d = assemble(model, reference)
    before = {tuple(g): x for g, x in zip(reference.contact.geom, reference.contact.dist, strict=True)}
    rows = d.contact.efc_address.copy()
    geoms = reference.contact.geom.copy()
    velocity = d.efc_vel.copy()
    mujoco.mj_integratePos(model, reference.qpos, reference.qvel, 1e-6)
    mujoco.mj_forward(model, reference)
    checked = 0
    for c, (geom, row) in enumerate(zip(geoms, rows, strict=True)):
        if row >= 0 and sum(tuple(g) == tuple(geom) for g in geoms) == 1:
            rate = (reference.contact.dist[c] - before[tuple(geom)]) / 1e-6
            assert velocity[row] == pytest.approx(rate, abs=1e-5)
            checked += 1
    assert checked >= 4


def test_opposite_edges_of_a_pyramid_average_to_the_normal() -> None:
    reference = wander(zoo("pyramidal"), 0)
    m, pyramid = assemble(zoo("pyramidal"), reference)
    _, cone = assemble(zoo("elliptic"), reference)
    jac, normal = pyramid.efc_J.reshape(-1, m.nv), cone.efc_J.reshape(-1, m.nv)
    checked = 0
    for a, b, dim in zip(pyramid.contact.efc_address, cone.contact.efc_address, pyramid.contact.dim, strict=True):
        for e in range(dim - 1 if a >= 0 else 0):
            np.testing.assert_allclose(0.5 * (jac[a + 2 * e] + jac[a + 2 * e + 1]), normal[b], atol=1e-14)
            checked += 1
    assert checked > 10


def test_columns_outside_the_noted_range_are_zero() -> None:
    reference = wander(gym("humanoidstandup"), 150)
    m, d = assemble(gym("humanoidstandup"), reference)
    jac = d.efc_J.reshape(-1, m.nv)
    assert d.nefc > 8
    for r in range(d.nefc):
        outside = np.r_[jac[r, : d.efc_first[r]], jac[r, d.efc_end[r] :]]
        assert not outside.any()
        assert jac[r].any()


def test_a_full_constraint_asks_for_room_and_is_whole_after_growing() -> None:
    reference = wander(zoo(), 0)
    m, d = mirrored(zoo(), reference)
    d._grow("maxefc", 10)
    make_constraint(m, d)
    assert (d.needefc, d.nefc) == (reference.nefc, 0)
    d.grow("maxefc", d.needefc)
    d.needefc = 0
    make_constraint(m, d)
    assert (d.needefc, d.nefc) == (0, reference.nefc)
    assert_close(d, reference, ("efc_J", "efc_D"))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("impratio", [1.0, 7.0])
def test_every_kind_of_row_is_the_references(cone: str, impratio: float) -> None:
    model = zoo(cone, impratio)
    for steps in (0, 3, 40):
        assert_same_rows(model, wander(model, steps))


@pytest.mark.parametrize("name", ["ant", "humanoid", "humanoidstandup", "half_cheetah", "hopper", "walker2d", "pusher",
                                  "inverted_double_pendulum", "reacher", "swimmer"])  # fmt: skip
def test_gym_rows_are_the_references(name: str) -> None:
    model = gym(name)
    for steps in (0, 60, 150):
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
