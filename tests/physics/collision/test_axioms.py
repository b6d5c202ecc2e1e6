"""What any contact must fulfil, whatever the shapes."""

import mujoco
import numpy as np
import pytest

from tests.battery.shapes import local_extent
from tests.physics.collision.scenes import PRECISE, Twins, random_pairs
from tests.physics.reference import load, posed
from tumble import physics
from tumble.physics.collision.pairs.box import box_box

SHAPES = ["sphere", "capsule", "ellipsoid", "cylinder", "box"]
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in SHAPES[i:]]
CONVEX = [p for p in PAIRS if "ellipsoid" in p or (p[1] == "cylinder" and p[0] != "sphere") or p == ("cylinder", "box")]


def reach(twins: Twins, k: int, directions: np.ndarray) -> np.ndarray:
    """How far geom k extends from its centre in directions (..., 3), in closed form."""
    kind = mujoco.mjtGeom(twins.rm.geom_type[k]).name.removeprefix("mjGEOM_").lower()
    return local_extent(kind, twins.rm.geom_size[k], directions @ twins.rd.geom_xmat[k].reshape(3, 3), None)


def separation(twins: Twins, axes: np.ndarray) -> np.ndarray:
    """Distance of the two geoms' shadows on axes (..., 3); the largest over all axes is their distance (or minus their depth)."""
    return axes @ (twins.rd.geom_xpos[1] - twins.rd.geom_xpos[0]) - reach(twins, 0, axes) - reach(twins, 1, -axes)


def shallow(twins: Twins) -> bool:
    """Whether the shapes are not deeper in each other than half the smallest size.

    Deeper than that lie few real contacts; there all normals of a round shape are nearly as good as each
    other, and the polytope may run out of room before it tells the best from the second best.
    """
    return bool(twins.d.contact.dist[0] > -0.5 * twins.rm.geom_size[twins.rm.geom_size > 0].min())


@pytest.mark.parametrize(("type1", "type2"), PAIRS, ids=map("-".join, PAIRS))
def test_contact_frames_are_rotations_and_depth_is_separation(type1, type2):
    touching = 0
    for twins in random_pairs(type1, type2, seed=11, models=8, poses=40, option=PRECISE):
        c = twins.d.contact
        frames = c.frame.reshape(-1, 3, 3)
        np.testing.assert_allclose(frames @ frames.transpose(0, 2, 1), np.broadcast_to(np.eye(3), frames.shape), atol=1e-9)
        assert (np.linalg.det(frames) > 0).all()
        if len(c) and (type1, type2) in CONVEX:
            touching += 1
            # 1e-7: the polytope's last face may be that far inside a smooth surface; 1e-3: deep inside
            # a round shape all faces are nearly as near as each other, and room for vertices runs out
            assert separation(twins, c.frame[0, :3]) == pytest.approx(c.dist[0], abs=1e-7 if shallow(twins) else 1e-3)
            near = c.frame[0, :3] + np.random.default_rng(touching).normal(size=(40, 3)) * 1e-2
            near /= np.linalg.norm(near, axis=1, keepdims=True)
            if shallow(twins):  # no axis nearby tells the shapes farther apart
                assert (separation(twins, near) <= c.dist[0] + 1e-9).all()
    assert touching > 100 or (type1, type2) not in CONVEX


@pytest.mark.parametrize("models", [16, pytest.param(40, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize(("type1", "type2"), CONVEX, ids=map("-".join, CONVEX))
def test_convex_contacts_are_the_references_or_better(type1, type2, models):
    """The reference stops at 1e-6, or earlier (at its last iteration, or where centres coincide): by the shadows of
    the shapes on its normal one can tell. Where it has converged, the distances agree; elsewhere ours is larger."""
    agreed = 0
    for twins in random_pairs(type1, type2, seed=4, models=models, poses=60, option=PRECISE):
        ours, theirs = twins.d.contact, twins.rd.contact
        assert len(ours) >= len(theirs.dist)
        if len(theirs.dist) and shallow(twins):
            normal = theirs.frame.reshape(-1, 9)[0, :3]
            assert separation(twins, normal) <= ours.dist[0] + 1e-7
            if abs(separation(twins, normal) - theirs.dist[0]) < 2e-6:
                assert ours.dist[0] == pytest.approx(theirs.dist[0], abs=1e-5)
                agreed += 1
    assert agreed > 2.5 * models


@pytest.mark.parametrize("slide", [(1, -1), (1, 1), (1, 0)], ids=["diagonal", "other diagonal", "edge"])
def test_box_on_disc_has_a_contact_at_any_tiny_tilt(slide):
    disc = '<geom type="cylinder" size="0.2 0.0025" fromto="0 0 0.2 0 0 0.205"/>'
    box = '<body><freejoint/><geom type="box" size="0.2 0.2 0.2"/></body>'
    m, d = load(f"<mujoco><worldbody>{disc}{box}</worldbody></mujoco>")
    for tilt in np.geomspace(1e-8, 1e-5, 15):
        for depth in np.geomspace(1e-4, 2e-2, 8):
            d.qpos[:] = (tilt * slide[0], tilt * slide[1], depth, 1, -2 * tilt * slide[1], 2 * tilt * slide[0], 0)
            physics.mj_kinematics(m, d)
            physics.mj_collision(m, d)
            assert d.ncon == 1
            assert d.contact.dist[0] == pytest.approx(-depth, abs=2 * tilt + 2e-6)


def test_box_collision_is_independent_of_quaternion_length():
    box = '<body><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>'
    m = physics.MjModel.from_xml_string(f"<mujoco><worldbody>{box * 2}</worldbody></mujoco>")
    distances = []
    for length in (1.0, 1e200):
        d = physics.MjData(m)
        d.qpos[7:10] = 0.15, 0.1, 0.2
        d.qpos[3:7] = np.array([0.8, 0.2, 0.4, 0.4]) * length
        physics.mj_kinematics(m, d)
        physics.mj_collision(m, d)
        distances.append(d.contact.dist.copy())
        np.testing.assert_allclose(np.linalg.det(d.xmat[1].reshape(3, 3)), 1)
    assert len(distances[0]) > 0
    np.testing.assert_allclose(*distances, rtol=1e-12)


def test_box_with_zero_rotation_matrix_stays_within_buffers():
    body = "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    m, d = posed(f"<mujoco><worldbody>{body.format(0)}{body.format(0.1)}</worldbody></mujoco>")
    d.geom_xmat[1] = 0.0  # as of the quaternion 1e300 0 0 0
    d.inner.hit_geom1, d.inner.hit_geom2, d.hit_margin, d.inner.hit_num = 0, 1, 0.0, 0
    with np.errstate(all="ignore"), d.interpreted():  # kernels divide by zero in silence
        box_box.interpret(m, d)
    assert d.hit_num <= 8
