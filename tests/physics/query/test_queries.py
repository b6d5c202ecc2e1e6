"""Jacobians, inertia, motion and positions: derivatives by finite differences first, then the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import copy_fields
from tests.physics.sensor.scene import SCENE, instants
from tumble import physics
from tumble.physics import mjtObj
from tumble.physics.errors import ModelError

XML = SCENE.replace("CONE", "pyramidal").replace("ENERGY", "disable")


@pytest.fixture(scope="module")
def both():
    """An instant with contacts, both engines alike; accelerations of bodies included."""
    *_, (m, d, rm, rd) = instants(XML)
    mujoco.mj_rnePostConstraint(rm, rd)
    copy_fields(d, rd, "cacc", "cfrc_int", "cfrc_ext")
    return m, d, rm, rd


@pytest.mark.parametrize("name", ["mj_jacBody", "mj_jacBodyCom", "mj_jacGeom", "mj_jacSite", "mj_jacSubtreeCom"])
def test_jacobians_are_those_of_the_reference(both, name):
    m, d, rm, rd = both
    ours, theirs = getattr(physics, name), getattr(mujoco, name)
    count = {"mj_jacGeom": m.ngeom, "mj_jacSite": m.nsite}.get(name, m.nbody)
    for i in range(count):
        mine, reference = np.full((2, 3, m.nv), np.nan), np.empty((2, 3, m.nv))
        if name == "mj_jacSubtreeCom":
            ours(m, d, mine[0], i)
            theirs(rm, rd, reference[0], i)
            mine[1] = reference[1] = 0
        else:
            ours(m, d, *mine, i)
            theirs(rm, rd, *reference, i)
        np.testing.assert_allclose(mine, reference, rtol=1e-12, atol=1e-14)


def test_jacobians_of_points_and_axes_are_those_of_the_reference(both):
    m, d, rm, rd = both
    point, axis = np.array([0.3, -0.2, 0.5]), np.array([0.0, 0.6, 0.8])
    for body in range(m.nbody):
        mine, reference = np.empty((2, 3, m.nv)), np.empty((2, 3, m.nv))
        physics.mj_jacPointAxis(m, d, *mine, point, axis, body)
        mujoco.mj_jacPointAxis(rm, rd, *reference, point, axis, body)
        np.testing.assert_allclose(mine, reference, rtol=1e-12, atol=1e-14)
        physics.mj_jac(m, d, None, mine[1], point, body)
        mujoco.mj_jac(rm, rd, None, reference[1], point, body)
        np.testing.assert_allclose(mine[1], reference[1], rtol=1e-12, atol=1e-14)


def test_the_inertia_matrix_in_full_times_and_solved_with(both):
    m, d, rm, rd = both
    full, reference = np.empty((m.nv, m.nv)), np.empty((m.nv, m.nv))
    physics.mj_fullM(m, full, d.qM)
    mujoco.mj_fullM(rm, reference, rd.qM)
    np.testing.assert_array_equal(full, reference)
    assert np.linalg.eigvalsh(full).min() > 0
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=m.nv), np.empty(m.nv)
    physics.mj_mulM(m, d, y, x)
    np.testing.assert_allclose(y, full @ x, rtol=1e-12)
    back = np.empty(m.nv)
    physics.mj_solveM(m, d, back, y)
    np.testing.assert_allclose(back, x, rtol=1e-9)
    many, solved = rng.normal(size=(4, m.nv)), np.empty((4, m.nv))
    physics.mj_solveM(m, d, solved, many)
    mujoco.mj_solveM(rm, rd, reference[:4], many)
    np.testing.assert_allclose(solved, reference[:4], rtol=1e-9)
    assert physics.mj_getTotalmass(m) == pytest.approx(mujoco.mj_getTotalmass(rm), rel=1e-15)


def test_velocities_and_accelerations_are_those_of_the_reference(both):
    m, d, rm, rd = both
    counts = {mjtObj.mjOBJ_BODY: m.nbody, mjtObj.mjOBJ_XBODY: m.nbody, mjtObj.mjOBJ_GEOM: m.ngeom, mjtObj.mjOBJ_SITE: m.nsite,
              mjtObj.mjOBJ_CAMERA: m.ncam}  # fmt: skip
    mine, reference = np.empty(6), np.empty(6)
    for kind, count in counts.items():
        for i in range(count):
            for local in (0, 1):
                for call in (physics.mj_objectVelocity, physics.mj_objectAcceleration):
                    call(m, d, kind, i, mine, local)
                    getattr(mujoco, call.__name__)(rm, rd, int(kind), i, reference, local)
                    scale = 1 + np.abs(reference).max()
                    what = f"{call.__name__} {kind} {i}"
                    np.testing.assert_allclose(mine, reference, rtol=1e-10, atol=1e-13 * scale, err_msg=what)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contact_forces_are_those_of_the_reference(cone):
    mine, theirs, seen = np.empty(6), np.empty(6), 0
    for m, d, rm, rd in instants(SCENE.replace("CONE", cone).replace("ENERGY", "disable")):
        for c in range(d.ncon):
            physics.mj_contactForce(m, d, c, mine)
            mujoco.mj_contactForce(rm, rd, c, theirs)
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
            seen += mine[0] > 0
    assert seen > 5


def test_joint_forces_do_the_work_of_the_force_they_stand_for(both):
    m, d, rm, rd = both
    force, torque = np.array([1.0, 2, 3]), np.array([0.1, -0.2, 0.3])
    point, body = d.site_xpos[m.site("tip").id], m.body("arm").id
    out, reference = np.ones(m.nv), np.ones(m.nv)
    physics.mj_applyFT(m, d, force, torque, point, body, out)
    mujoco.mj_applyFT(rm, rd, force, torque, point, body, reference)
    np.testing.assert_allclose(out, reference, rtol=1e-12, atol=1e-13)
    velocity = np.empty(6)
    physics.mj_objectVelocity(m, d, mjtObj.mjOBJ_SITE, m.site("tip").id, velocity, 0)
    assert (out - 1) @ d.qvel == pytest.approx(torque @ velocity[:3] + force @ velocity[3:], rel=1e-10)


def test_integratepos_inverts_differentiatepos(both):
    m, _, rm, _ = both
    rng = np.random.default_rng(4)
    for _ in range(20):
        first, second = rng.normal(size=(2, m.nq))
        physics.mj_normalizeQuat(m, first)
        reference = second.copy()
        physics.mj_normalizeQuat(m, second)
        mujoco.mj_normalizeQuat(rm, reference)
        np.testing.assert_allclose(second, reference, rtol=1e-15)
        velocity, theirs = np.empty(m.nv), np.empty(m.nv)
        physics.mj_differentiatePos(m, velocity, 0.3, first, second)
        mujoco.mj_differentiatePos(rm, theirs, 0.3, first, second)
        np.testing.assert_allclose(velocity, theirs, rtol=1e-12)
        moved, reference = first.copy(), first.copy()
        physics.mj_integratePos(m, moved, velocity, 0.3)
        mujoco.mj_integratePos(rm, reference, velocity, 0.3)
        np.testing.assert_allclose(moved, reference, rtol=1e-12, atol=1e-14)
        back = np.empty(m.nv)
        physics.mj_differentiatePos(m, back, 0.3, moved, second)
        np.testing.assert_allclose(back, 0, atol=1e-12)


def test_zero_velocity_and_zero_quaternions_are_no_trouble(both):
    m, d, _, _ = both
    q = d.qpos.copy()
    physics.mj_integratePos(m, q, np.zeros(m.nv), 0.1)
    np.testing.assert_allclose(q, d.qpos, atol=1e-15)
    q[:] = 0
    physics.mj_normalizeQuat(m, q)
    assert q[3] == 1.0


REFUSED = [
    (TypeError, r"jacp should be a float64 array of shape \(3, nv\); it is \(3, 2\)",
     lambda m, d: physics.mj_jac(m, d, np.zeros((3, 2)), None, np.zeros(3), 1)),
    (TypeError, "float32", lambda m, d: physics.mj_jacBody(m, d, np.zeros((3, m.nv), np.float32), None, 1)),
    (IndexError, "body 99 does not exist; valid are 0 to", lambda m, d: physics.mj_jacBody(m, d, None, None, 99)),
    (ModelError, "object type 3 has no frame", lambda m, d: physics.mj_objectVelocity(m, d, 3, 0, np.zeros(6), 0)),
    (TypeError, "M should be", lambda m, d: physics.mj_fullM(m, np.zeros((m.nv, m.nv)), np.zeros(2))),
    (TypeError, "qvel should be", lambda m, d: physics.mj_integratePos(m, np.zeros(m.nq), np.zeros(m.nq), 1)),
    (TypeError, "rows of", lambda m, d: physics.mj_solveM(m, d, np.zeros(3), np.zeros(3))),
    (IndexError, "contact 50 does not exist", lambda m, d: physics.mj_contactForce(m, d, 50, np.zeros(6))),
]  # fmt: skip


@pytest.mark.parametrize(("error", "says", "call"), REFUSED)
def test_wrong_shapes_and_objects_are_refused(both, error, says, call):
    with pytest.raises(error, match=says):
        call(*both[:2])
