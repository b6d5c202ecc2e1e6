"""Reach: against closed forms of a planar arm, limits, couplings, orientations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.reference import load
from tumble import physics
from tumble.physics.inverse_kinematics import has_joints, reach

UPPER, LOWER = 1.0, 0.7
HAND = np.array([LOWER, 0.0, 0.0])


def arm(elbow: str = "", more: str = "", shoulder: str = 'type="hinge" axis="0 0 1"') -> tuple[physics.MjModel, physics.MjData]:
    """Two links in the plane, from the origin along x."""
    text = f"""<mujoco><compiler angle="radian"/><worldbody>
      <body><joint name="shoulder" {shoulder}/><geom type="capsule" fromto="0 0 0 {UPPER} 0 0" size=".05"/>
        <body pos="{UPPER} 0 0"><joint name="elbow" axis="0 0 1" {elbow}/>
          <geom type="capsule" fromto="0 0 0 {LOWER} 0 0" size=".05"/>
        </body></body></worldbody>{more}</mujoco>"""
    model, data = load(text)
    data.qpos[-2:] = 0.1, 0.4
    return model, data


def hand(data: physics.MjData) -> np.ndarray:
    return np.asarray(data.xpos[2] + data.xmat[2].reshape(3, 3) @ HAND)


@pytest.mark.parametrize("target", [(0.8, 0.9), (-0.3, 0.8), (0.2, -0.5), (1.2, 1.1)])
def test_a_two_link_arm_bends_as_the_law_of_cosines_says(target: tuple[float, float]) -> None:
    model, data = arm()
    reached = reach(model, data, 2, HAND, np.array([*target, 0.0]))
    cosine = (target[0] ** 2 + target[1] ** 2 - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER)
    elbow = np.arccos(cosine) * np.sign(data.qpos[1])
    shoulder = np.arctan2(target[1], target[0]) - np.arctan2(LOWER * np.sin(elbow), UPPER + LOWER * np.cos(elbow))
    turned = (data.qpos - [shoulder, elbow] + np.pi) % (2 * np.pi) - np.pi
    assert_allclose(turned, 0.0, atol=1e-6)
    assert reached.distance < 1e-6


def test_out_of_reach_the_arm_is_stretched_toward_the_target() -> None:
    model, data = arm()
    target = np.array([3.0, 1.0, 0.0])
    reached = reach(model, data, 2, HAND, target)
    assert_allclose(data.qpos, [np.arctan2(1.0, 3.0), 0.0], atol=1e-6)
    assert reached.distance == pytest.approx(np.linalg.norm(target) - UPPER - LOWER, abs=1e-9)


def test_a_limit_is_kept_and_the_other_joint_does_the_rest() -> None:
    model, data = arm('range="0 0.5"')
    reach(model, data, 2, HAND, np.array([-0.3, 0.8, 0.0]))
    assert data.qpos[1] == 0.5
    grip = np.arctan2(LOWER * np.sin(0.5), UPPER + LOWER * np.cos(0.5))
    assert data.qpos[0] == pytest.approx(np.arctan2(0.8, -0.3) - grip, abs=1e-6)  # the nearest point of the circle that is left


def test_a_coupled_joint_follows_its_leader() -> None:
    model, data = arm(more='<equality><joint joint1="elbow" joint2="shoulder" polycoef="0.2 0.5 0.1 0 0"/></equality>')
    target = np.array([0.8, 0.9, 0.0])
    reach(model, data, 2, HAND, target)
    angle = data.qpos[0]
    assert data.qpos[1] == pytest.approx(0.2 + 0.5 * angle + 0.1 * angle**2, abs=1e-12)
    angles = np.linspace(-np.pi, np.pi, 20_001)
    elbows = angles + 0.2 + 0.5 * angles + 0.1 * angles**2
    way = np.hypot(np.cos(angles) + LOWER * np.cos(elbows) - 0.8, np.sin(angles) + LOWER * np.sin(elbows) - 0.9)
    assert np.linalg.norm(hand(data) - target) == pytest.approx(way.min(), abs=1e-6)  # the best of all shoulder angles


def test_a_ball_stays_a_rotation_within_its_greatest_angle() -> None:
    model, data = arm(shoulder='type="ball" range="0 0.6"')
    data.qpos[:4] = 1.0, 0.0, 0.0, 0.0
    reach(model, data, 2, HAND, np.array([0.4, -1.2, 0.5]), steps=60)
    assert np.linalg.norm(data.qpos[:4]) == pytest.approx(1.0, abs=1e-12)
    assert 2 * np.arccos(data.qpos[0]) <= 0.6 + 1e-9


def test_a_body_takes_an_orientation_while_its_point_stays() -> None:
    more = "".join(f'<body pos=".4 0 0"><joint axis="{a}"/><geom size=".1"/>' for a in ("0 0 1", "0 0 1", "0 0 1"))
    model, data = load(f'<mujoco><worldbody>{more}{"</body>" * 3}</worldbody></mujoco>')
    data.qpos[:] = 0.4, 0.5, -0.3
    physics.mj_forward(model, data)
    place, angle = data.xpos[3].copy(), 1.1
    reach(model, data, 3, np.zeros(3), place, np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)]), length=0.4, steps=60)
    assert_allclose(data.xpos[3], place, atol=1e-6)
    assert data.qpos.sum() == pytest.approx(angle, abs=1e-6)


def test_a_free_joint_stays_where_it_is() -> None:
    model, data = load("""<mujoco><worldbody>
      <body name="root" pos="0 0 1"><freejoint/><geom size=".1"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body></body>
    </worldbody></mujoco>""")
    before = data.qpos[:7].copy()
    reach(model, data, 2, np.array([0.3, 0.0, 0.0]), np.array([0.3, 0.0, 0.0]))
    assert_allclose(data.qpos[:7], before, atol=0)
    assert data.qpos[7] == pytest.approx(np.pi / 2, abs=1e-6)  # straight down, toward the target
    assert has_joints(model, 2)
    assert not has_joints(model, 1)
