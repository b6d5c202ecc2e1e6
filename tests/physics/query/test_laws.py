"""The laws that Python calls, on numbers or on arrays, are those of a step: what kernels write of rows, cones and mixtures."""

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics import mjtConstraintState as State
from tumble.physics.constraint import impedance as law
from tumble.physics.dynamics.contact_force import contact_force
from tumble.physics.observe.residual import ConstraintRows, asked_cost, asked_force
from tumble.physics.query.force import contact_parameters, contact_velocities, explicit_pair, forces_of
from tumble.physics.query.jacobian import impedances
from tumble.physics.query.motion import point_velocities
from tumble.physics.sleep.fall import point_speed

# Contacts of every dimension, of bodies with one another too, a limit from beyond it, dry friction, an equality.
ALL = """<mujoco><option timestep="0.002" cone="{cone}" impratio="3"/><worldbody>
<geom name="floor" type="plane" size="5 5 1" condim="1"/>
<body pos="0 0 .098"><freejoint/><geom size=".1" condim="1"/></body>
<body pos="1 0 .098"><freejoint/><geom size=".1" condim="3" friction=".7 .01 .002"/></body>
<body pos="2 0 .098"><freejoint/><geom size=".1" condim="4"/></body>
<body pos="3 0 .098"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
<body pos="3 0 .295"><freejoint/><geom type="box" size=".1 .1 .1" condim="6" friction=".5 .02 .003"/></body>
<body pos="0 2 1"><joint name="elbow" axis="0 1 0" range="-5 5" limited="true" frictionloss=".2"/>
<geom size=".05" pos=".3 0 0"/><body pos=".3 .2 0"><joint name="wrist" axis="0 1 0" frictionloss=".1"/>
<geom size=".05" pos=".2 0 0"/></body></body></worldbody>
<equality><joint joint1="wrist" joint2="elbow"/></equality></mujoco>"""
CONES = pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])


def _moving(cone: str) -> tuple[Any, Any]:
    m, d = load(ALL.format(cone=cone))
    d.qvel[:] = np.random.default_rng(3).normal(size=m.nv) * 0.3
    d.qpos[-2] = 0.1
    physics.mj_forward(m, d)
    return m, d


def _rows(d: Any, z: np.ndarray) -> ConstraintRows:
    return ConstraintRows(
        d.efc_type, d.efc_id, z, d.efc_R, d.efc_D, d.efc_frictionloss, d.contact_efc_address, d.contact_dim, d.contact_mu,
        d.contact_friction,
    )  # fmt: skip


@CONES
def test_constraint_forces_on_arrays_match_solver_kernels(cone: str) -> None:
    m, d = _moving(cone)
    rng, seen = np.random.default_rng(0), set()
    for size in (0.01, 1.0, 100.0):
        for _ in range(40):
            z = rng.normal(size=d.nefc) * size * rng.choice([1.0, 30.0], size=d.nefc)
            cost = np.zeros(1)
            physics.mj_constraintUpdate(m, d, z, cost, 0)
            assert asked_cost(_rows(d, z)) == pytest.approx(cost[0], rel=1e-12)
            least = 1e-12 * np.abs(d.efc_force).max()
            np.testing.assert_allclose(asked_force(_rows(d, z)), d.efc_force, rtol=1e-12, atol=least)
            seen |= set(d.efc_state.tolist())
    assert seen == set(State) - ({State.mjCNSTRSTATE_CONE} if cone == "pyramidal" else set())


@CONES
def test_constraint_forces_and_costs_of_many_accelerations_are_those_of_each(cone: str) -> None:
    _, d = _moving(cone)
    many = np.random.default_rng(1).normal(size=(3, 5, d.nefc))
    force, cost = asked_force(_rows(d, many)), asked_cost(_rows(d, many))
    assert force.shape == many.shape
    assert cost.shape == (3, 5)
    for at in np.ndindex(3, 5):
        np.testing.assert_array_equal(force[at], asked_force(_rows(d, many[at])))
        assert cost[at] == pytest.approx(asked_cost(_rows(d, many[at])), rel=1e-14)


@CONES
def test_contact_forces_of_all_are_to_the_bit_those_of_each(cone: str) -> None:
    _, d = _moving(cone)
    d.efc_force[:] = np.random.default_rng(2).normal(size=d.nefc)
    actual = forces_of(d)
    assert set(d.contact_dim.tolist()) == {1, 3, 4, 6}
    for c in range(d.ncon):
        force, torque = contact_force(d, c)
        assert actual[c].tolist() == [*force, *torque]


@CONES
def test_velocities_of_rows_are_those_of_the_bodies_points(cone: str) -> None:
    m, d = _moving(cone)
    rows = contact_velocities(d.efc_vel, d.contact_efc_address, d.contact_dim, d.contact_friction, d.efc_type)
    first, second = m.geom_bodyid[d.contact_geom].T
    com = d.subtree_com[m.body_rootid]
    one, other = (point_velocities(d.cvel[b], com[b], d.contact_pos) for b in (first, second))
    moving = other - one
    frame = d.contact_frame.reshape(-1, 3, 3)
    local = np.einsum("nij,nj->ni", frame, moving)
    turning = np.einsum("nij,nj->ni", frame, d.cvel[second, :3] - d.cvel[first, :3])
    there = np.arange(6) < d.contact_dim[:, None]
    np.testing.assert_allclose(rows, np.where(there, np.hstack([local, turning]), 0.0), atol=1e-9)
    assert np.abs(rows).max() > 0.1


def test_velocities_of_points_are_those_of_the_reference() -> None:
    text = ALL.format(cone="elliptic")
    mm, mv = mujoco.MjModel.from_xml_string(text), np.random.default_rng(5).normal(size=32)
    md = mujoco.MjData(mm)
    md.qvel[:] = mv[: mm.nv]
    mujoco.mj_forward(mm, md)
    actual = point_velocities(md.cvel[mm.geom_bodyid], md.subtree_com[mm.body_rootid[mm.geom_bodyid]], md.geom_xpos)
    for g in range(mm.ngeom):
        expected = np.zeros(6)
        mujoco.mj_objectVelocity(mm, md, mujoco.mjtObj.mjOBJ_GEOM, g, expected, 0)
        np.testing.assert_allclose(actual[g], expected[3:], atol=1e-12)


def test_impedance_regularizer_and_reference_are_those_of_a_row() -> None:
    """Randomized limits: solref of both forms and mixed, below two steps, solimp beyond what is valid."""
    limit = '<body><joint type="slide" range="-1 1" limited="true"/><geom size=".1"/></body>'
    m, d = load(f"<mujoco><worldbody>{limit * 40}</worldbody></mujoco>")
    rng = np.random.default_rng(0)
    for flags in (0, int(physics.mjtDisableBit.mjDSBL_REFSAFE)):
        m.opt.disableflags = flags | int(physics.mjtDisableBit.mjDSBL_CONTACT)
        m.jnt_solimp[:] = rng.uniform(-0.1, 1.1, (40, 5)) * (1, 1, 0.01, 1, 4)
        m.jnt_solimp[::8, 2], m.jnt_solimp[3::8, 4] = 0.0, 2.0
        m.jnt_solref[:] = rng.uniform(1e-4, 0.1, (40, 2)) * rng.choice([1, -5000], (40, 2))
        d.qpos[:], d.qvel[:] = 1 + rng.uniform(0, 0.01, 40), rng.normal(size=40)
        physics.mj_forward(m, d)
        assert d.nefc == 40
        least = law.least_time(m.opt.timestep, m.opt.disableflags)
        for r, j in enumerate(d.efc_id):
            solimp, solref = law.valid_imp(*m.jnt_solimp[j]), law.valid_ref(*m.jnt_solref[j], least, law.DEFAULT_REF)
            k, b = law.stiffness(solref, solimp[1]), law.damping(solref, solimp[1])
            imp, slope = law.impedance(solimp, d.efc_pos[r])
            np.testing.assert_allclose(d.efc_KBIP[r], [k, b, imp, slope], rtol=1e-12)
            assert d.efc_R[r] == pytest.approx(law.regularizer(imp, m.dof_invweight0[j]), rel=1e-12)
            assert d.efc_aref[r] == pytest.approx(law.reference_acceleration(k, b, imp, d.efc_vel[r], d.efc_pos[r]), rel=1e-12)
            assert impedances(solimp, d.efc_pos[r : r + 1]) == [imp]


def test_impedances_keep_shape_and_ignore_the_sign_of_depth() -> None:
    solimp = law.valid_imp(0.3, 0.8, 0.05, 0.3, 4)
    depths = np.array([[0.0, 0.01, 0.02], [0.05, 0.06, -0.02]])
    actual = impedances(solimp, depths)
    assert actual.shape == depths.shape
    assert actual[0, 0] == 0.3
    assert (actual[1, :2] == 0.8).all()
    assert actual[0, 2] == actual[1, 2]
    assert impedances(solimp, np.zeros(0)).shape == (0,)


PAIRS = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<geom name="step" type="box" size=".1 .1 .05" pos="1 0 0"/>
<body pos="0 0 .09"><freejoint/><geom name="ball" size=".1"/></body>
<body pos="1 0 .14"><freejoint/><geom name="other" size=".1"/></body></worldbody>
<contact><pair geom1="other" geom2="step" condim="4" friction="1 .5 .1 .02 .01" solref="-400 -20" solreffriction=".03 1"/>
</contact></mujoco>"""


def test_contact_parameters_are_those_that_collision_writes() -> None:
    m, d = load(PAIRS)
    rng, seen = np.random.default_rng(1), set()
    for _ in range(100):
        m.geom_priority[:] = rng.integers(0, 2, m.ngeom)
        m.geom_solmix[:] = rng.choice([0.0, 1.0, 3.0], m.ngeom)
        m.geom_condim[:] = rng.choice([1, 3, 4, 6], m.ngeom)
        m.geom_friction[:] = rng.uniform(0, 1, (m.ngeom, 3)) * rng.choice([0.0, 1.0], (m.ngeom, 3))
        m.geom_solref[:] = rng.uniform(0.01, 0.1, (m.ngeom, 2)) * rng.choice([1, -1000], (m.ngeom, 1))
        m.geom_solimp[:] = rng.uniform(0.1, 0.9, (m.ngeom, 5))
        m.opt.enableflags = int(physics.mjtEnableBit.mjENBL_OVERRIDE) if rng.random() < 0.1 else 0
        m.opt.o_friction[0] = 0.0
        physics.mj_forward(m, d)
        assert d.ncon >= 2
        for c, (g1, g2) in enumerate(d.contact_geom):
            pair = explicit_pair(m, g1, g2)
            assert pair == explicit_pair(m, g2, g1)
            seen.add((pair, m.opt.enableflags > 0))
            actual = contact_parameters(m, g1, g2, pair)
            assert actual.condim == d.contact_dim[c]
            # The kernel may fuse the sums of a mixture: it rounds once where Python rounds twice.
            for name in ("friction", "solref", "solreffriction", "solimp"):
                np.testing.assert_allclose(getattr(actual, name), getattr(d, f"contact_{name}")[c], rtol=1e-12, err_msg=name)
    assert seen == {(-1, False), (-1, True), (0, False), (0, True)}


def test_tree_counts_as_slow_below_the_sleep_tolerance() -> None:
    m, d = load(
        '<mujoco><option gravity="0 0 0" sleep_tolerance="0.01"><flag sleep="enable"/></option><worldbody>'
        '<body><freejoint/><geom type="box" size=".3 .2 .1"/></body></worldbody></mujoco>'
    )
    for i in range(m.nv):
        for speed, slow in ((0.0099, True), (0.0101, False)):
            physics.mj_resetData(m, d)
            physics.mj_step(m, d, 3)
            d.qvel[:] = 0.0
            d.qvel[i] = speed / m.dof_length[i]
            assert point_speed(d.qvel, m.dof_length).max() == pytest.approx(speed)
            before = d.tree_asleep[0]
            physics.mj_step(m, d)
            assert (d.tree_asleep[0] > before) == slow
