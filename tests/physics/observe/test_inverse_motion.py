"""Inverse dynamics along a motion gives back the forces that made it, is smoothed against noise, and passes keyframes."""

import numpy as np
import pytest
from pytest import approx

from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.observe.motion.inverse_motion import (
    PARTS,
    DofMotion,
    ForcePart,
    KeyPath,
    forces_of,
    sample,
    smooth,
    window_samples,
)
from tumble.physics.query.balance.equation import forces_by_origin
from tumble.physics.query.balance.terms import Origin as O

ARM = """<mujoco><option timestep=".002" integrator="{integrator}"/><worldbody>
  <body name="upper" pos="1 0 1"><joint name="shoulder" axis="0 1 0" damping=".2" stiffness="1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1" contype="0" conaffinity="0"/>
    <body name="lower" pos=".3 0 0"><joint name="elbow" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1" contype="0" conaffinity="0"/></body></body>
  <body name="top" pos="0 2 0"><joint type="ball"/><geom type="ellipsoid" size=".1 .2 .3" pos=".2 0 0" contype="0"
    conaffinity="0"/></body></worldbody>
  <actuator><motor joint="elbow"/><motor joint="shoulder"/></actuator></mujoco>"""
BOX = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody>
  <keyframe><key qpos="0 0 .5 1 0 0 0"/></keyframe></mujoco>"""
EVERYTHING = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body>
  <body name="a" pos="1 0 1"><joint name="first" axis="0 1 0" stiffness="3" damping=".1" range="-10 30" limited="true"/>
    <geom size=".05" pos=".5 0 0" mass="1" contype="0" conaffinity="0"/>
    <body pos=".5 0 0"><joint name="second" axis="0 1 0" frictionloss=".1"/>
      <geom size=".05" pos=".3 0 0" mass="1" contype="0" conaffinity="0"/></body></body>
  <body pos="0 1 1"><joint name="third" axis="0 1 0"/><geom size=".05" pos=".3 0 0" mass="1" contype="0" conaffinity="0"/></body>
  </worldbody><equality><joint joint1="second" joint2="third"/></equality></mujoco>"""
LEVER = """<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".05" pos=".5 0 0" mass="1"/></body></worldbody></mujoco>"""


def model(text):
    return physics.MjModel.from_xml_string(text)


def part(forces, which):
    return forces.force[:, PARTS.index(which)]


def simulated(m, steps=400, ctrl=lambda t: (2 * np.sin(5 * t), 3 * np.cos(4 * t))):
    """The motion of every step, with the forces of its actuators."""
    d = physics.MjData(m)
    rows = []
    for _ in range(steps):
        if m.nu:
            d.ctrl[:] = ctrl(d.time)
        before = d.time, d.qpos.copy(), d.qvel.copy()
        physics.mj_step(m, d)
        rows.append((*before, (d.qvel - before[2]) / m.opt.timestep, d.qfrc_actuator.copy()))
    time, qpos, qvel, qacc, given = (np.array(column) for column in zip(*rows, strict=True))
    return DofMotion(time, qpos, qvel, qacc, np.zeros((steps, 0)), given, discrete=True)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_inverse_of_a_simulated_motion_gives_the_forces_of_its_actuators(integrator):
    """With the change of velocity over each step, the inverse of the integrator is exact but for rounding."""
    m = model(ARM.format(integrator=integrator))
    motion = simulated(m)
    forces = forces_of(m, motion)
    assert forces.needed == approx(motion.given, abs=1e-9)
    assert forces.driven.tolist() == [True, True, False, False, False]
    assert forces.force.sum(axis=1) == approx(np.zeros_like(motion.qvel), abs=1e-9)


def test_positions_alone_give_the_forces_to_the_error_of_the_integrator():
    """Semi-implicit Euler moves positions by the velocity after the step: forces come one step late, an error that halves with
    the step."""
    errors = []
    for timestep in (0.002, 0.001):
        m = model(ARM.format(integrator="Euler"))
        m.opt.timestep = timestep
        motion = simulated(m, round(0.5 / timestep))
        fitted = smooth(m, motion.time, motion.qpos, motion.mocap, 0.02)
        needed = forces_of(m, fitted).needed
        errors.append(np.sqrt(np.mean((needed - motion.given)[20:-20, :2] ** 2)))
    assert errors[0] < 0.05 * np.sqrt(np.mean(motion.given[:, :2] ** 2))
    assert errors[1] == approx(errors[0] / 2, rel=0.1)


def test_smoothing_takes_noise_out_of_the_forces():
    """Noise of 1e-4 rad in angles that are read every 2 ms: without smoothing accelerations err by 40 rad/s^2. A window of
    a twentieth of the motion's period leaves less than a tenth of the force."""
    m = model(ARM.format(integrator="Euler"))
    motion = simulated(m)
    noisy = motion.qpos + 1e-4 * np.random.default_rng(0).normal(size=motion.qpos.shape)

    def error(window):
        needed = forces_of(m, smooth(m, motion.time, noisy, motion.mocap, window)).needed
        return np.sqrt(np.mean((needed - motion.given)[40:-40, :2] ** 2))

    scale = np.sqrt(np.mean(motion.given[:, :2] ** 2))
    assert error(0.0) > scale
    assert error(0.06) < 0.1 * scale


def test_smoothing_of_a_turning_body_gives_its_angular_velocity_in_its_own_axes():
    m = model(ARM.format(integrator="implicit"))
    motion = simulated(m)
    fitted = smooth(m, motion.time, motion.qpos, motion.mocap, 0.03)
    inner = slice(20, -20)
    assert abs(fitted.qvel[inner] - motion.qvel[inner]).max() < 0.02 * abs(motion.qvel).max()
    assert abs(fitted.qacc[inner, 2:] - motion.qacc[19:-21, 2:]).max() < 0.02 * abs(motion.qacc[:, 2:]).max()
    assert np.linalg.norm(fitted.qpos[:, 2:6], axis=1) == approx(np.ones(len(fitted.time)))


def test_too_few_moments_for_a_window_say_so():
    m = model(LEVER)
    with pytest.raises(ModelError, match="needs 51 moments, and there are 20"):
        smooth(m, 0.002 * np.arange(20), np.zeros((20, 1)), np.zeros((20, 0)), 0.1)
    assert window_samples(0.1, 0.002) == 51
    assert window_samples(0.0, 0.002) == 7


def test_resting_box_is_carried_by_its_contacts_and_needs_nothing():
    m = model(BOX)
    forces = forces_of(m, simulated(m, 500))
    at_rest = slice(-50, None)
    assert part(forces, ForcePart.CONTACT)[at_rest, 2] == approx(2 * 9.81, rel=1e-3)
    assert part(forces, ForcePart.GRAVITY)[at_rest, 2] == approx(-2 * 9.81)
    assert abs(forces.needed[at_rest]).max() < 1e-3
    assert not forces.driven.any()


def test_box_held_above_the_floor_needs_its_weight_from_nowhere():
    m = model(BOX)
    pose = np.array([0, 0, 0.5, 1, 0, 0, 0], float)
    path = KeyPath(np.array([0.0, 1.0]), np.vstack([pose, pose]), np.zeros((2, 0)))
    forces = forces_of(m, sample(m, path, 0.1))
    assert forces.needed == approx(np.tile([0, 0, 2 * 9.81, 0, 0, 0], (11, 1)))


@pytest.mark.parametrize("stops", [False, True])
def test_a_path_passes_its_poses_and_rests_at_its_ends(stops):
    m = model(ARM.format(integrator="Euler"))
    quats = [[1, 0, 0, 0], [-0.5, -0.5, -0.5, -0.5], [0, 1, 0, 0]]  # the second has the other sign
    poses = np.array([[0.1, 0.2, *quats[0]], [1.0, -0.5, *quats[1]], [-0.4, 0.3, *quats[2]]])
    times = np.array([0.0, 0.337, 1.1])
    motion = sample(m, KeyPath(times, poses, np.zeros((3, 0)), stops), 0.01)
    for time, pose in zip(times, poses, strict=True):
        k = int(np.flatnonzero(motion.time == time)[0])
        assert motion.qpos[k, :2] == approx(pose[:2])
        assert abs(motion.qpos[k, 2:6] @ pose[2:]) == approx(1.0)
        if stops or time in (times[0], times[-1]):
            assert motion.qvel[k] == approx(np.zeros(5), abs=1e-12)
    assert (np.diff(motion.time) > 1e-6).all()


@pytest.mark.parametrize("stops", [False, True])
def test_velocities_and_accelerations_of_a_path_are_those_of_its_positions(stops):
    """Against central differences of positions, of the ball in its own axes; their error is of second order in the step."""
    m = model(ARM.format(integrator="Euler"))
    rng = np.random.default_rng(3)
    poses = np.hstack([rng.normal(size=(4, 2)), rng.normal(size=(4, 4))])
    step = 1e-4
    path = KeyPath(np.array([0.0, 0.5, 0.9, 1.5]), poses, np.zeros((4, 0)), stops)
    motion = sample(m, path, step)
    velocity = np.zeros(m.nv)
    for k in range(100, len(motion.time) - 100, 371):
        physics.mj_differentiatePos(m, velocity, motion.time[k + 1] - motion.time[k - 1], motion.qpos[k - 1], motion.qpos[k + 1])
        assert motion.qvel[k] == approx(velocity, abs=1e-5)
        change = (motion.qvel[k + 1] - motion.qvel[k - 1]) / (motion.time[k + 1] - motion.time[k - 1])
        assert motion.qacc[k] == approx(change, abs=2e-2)


def test_a_spline_path_of_a_lever_needs_inertia_times_acceleration_and_weight():
    """I qacc - m g r cos(q), with axis y turning it downwards for positive angles."""
    m = model(LEVER)
    path = KeyPath(np.array([0.0, 1.0, 2.0]), np.array([[0.0], [1.0], [0.2]]), np.zeros((3, 0)))
    motion = sample(m, path, 0.01)
    inertia = 0.25 + 0.4 * 0.05**2
    expected = inertia * motion.qacc[:, 0] - 9.81 * 0.5 * np.cos(motion.qpos[:, 0])
    assert forces_of(m, motion).needed[:, 0] == approx(expected, rel=1e-9, abs=1e-9)


def test_paths_that_are_none_are_refused():
    m = model(LEVER)
    with pytest.raises(ModelError, match="two poses"):
        sample(m, KeyPath(np.zeros(1), np.zeros((1, 1)), np.zeros((1, 0))), 0.01)
    with pytest.raises(ModelError, match="have to rise"):
        sample(m, KeyPath(np.array([0.0, 0.0]), np.zeros((2, 1)), np.zeros((2, 0))), 0.01)


def test_progress_is_told_at_each_moment_and_can_stop():
    m = model(LEVER)
    motion = sample(m, KeyPath(np.array([0.0, 1.0]), np.array([[0.0], [1.0]]), np.zeros((2, 0))), 0.1)
    seen = []
    forces_of(m, motion, seen.append)
    assert seen == list(range(11))


def test_parts_are_sums_of_the_origins_of_the_balance():
    """At a state with everything: springs, dampers, a limit, an equality and contacts."""
    m = model(EVERYTHING)
    d = physics.MjData(m)
    physics.mj_step(m, d, 200)
    physics.mj_forward(m, d)
    qpos, qvel, qacc = (np.array(getattr(d, name))[None, :] for name in ("qpos", "qvel", "qacc"))
    forces = forces_of(m, DofMotion(np.array([d.time]), qpos, qvel, qacc, np.zeros((1, 0))))
    balance = forces_by_origin(m, d)
    constraints = O.EQUALITY, O.DOF_FRICTION, O.TENDON_FRICTION, O.JOINT_LIMIT, O.TENDON_LIMIT
    passive = [origin for origin in O if O.JOINT_SPRING <= origin <= O.PASSIVE_FUNCTION]
    for which, origins in (
        (ForcePart.INERTIA, (O.INERTIA,)), (ForcePart.GRAVITY, (O.GRAVITY,)), (ForcePart.VELOCITY, (O.CORIOLIS,)),
        (ForcePart.PASSIVE, passive),
        (ForcePart.CONTACT, (O.CONTACT,)), (ForcePart.CONSTRAINT, constraints),
    ):  # fmt: skip
        expected = balance.sum(*origins)
        assert abs(expected).max() > 1e-6, which
        assert part(forces, which)[0] == approx(expected, abs=1e-6 * abs(balance.force).max()), which
