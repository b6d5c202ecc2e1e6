"""The mouse's pull on a body: a critically damped spring while running, a rigid displacement while paused.

The spring. A force f at a point p of a body accelerates that point by A f, where A is the inverse inertia seen
at p. For a body whose centre accelerates by w_t f and which turns by w_r (r x f), with r from the centre to p,
A = w_t 1 - w_r [r]x [r]x, and the mean of its three eigenvalues is w_t + 2/3 w_r |r|^2. Its inverse is the
effective mass `m_p`. A spring of stiffness k m_p then oscillates with the angular frequency sqrt(k) whatever
is pulled, a flea or a lorry, and a damper of 2 sqrt(k) m_p makes it critically damped. The compiled constants
body_invweight0 are w_t and w_r of each body as its joints let it move, so a limb counts with its descendants.

A vertex of a flex alone weighs next to nothing: it is pulled with a spring for the mass of all of its flex, which is made
as soft, and its damper as weak, as the vertex alone bears with that step.

The damper is integrated explicitly: with a step h it is stable for h 2 sqrt(k) < 2; k is lowered where a coarse
step would come near.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_axis_angle, quat_inv, quat_mul, quat_rot
from tumble.physics.observe.soft_strain import flex_bodies
from tumble.physics.query import motion

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Vector = NDArray[np.float64]

# Largest product of timestep and spring frequency: a quarter of the explicit damper's stability bound.
MAX_STEP_FREQUENCY = 0.25
# Cost of a radian of a bent limb's joints, in mean sizes of bodies: enough that no elbow snaps over as the mouse moves on.
KEEP_POSE = 0.5


class GripMode(Enum):
    """Actions of the mouse on the body it holds."""

    TRANSLATE = "translate"
    ROTATE = "rotate"
    PLACE = "place"  # the body's frame is put at target and quat, whether time runs or stands


class Grip(Struct, frozen=True):
    """A body held by the mouse.

    body: id; mode; local: (3,) the point held, in the body's frame [m];
    target: (3,) where that point shall go, in the world [m]; quat: (4,) how the body's frame shall stand;
    whole: the tree moves as one, no joint bends; soft: mass of all of the flex that the body is a vertex of [kg], 0 if of none.
    """

    body: int
    mode: GripMode
    local: Vector
    target: Vector
    quat: Vector
    whole: bool = False
    soft: float = 0.0


def product(first: Vector, second: Vector) -> Vector:
    """The rotation `second` followed by `first`, quaternions (4,)."""
    return np.array(quat_mul(first, second))


def rotated(q: Vector, v: Vector) -> Vector:
    """The vector (3,) turned by the unit quaternion (4,)."""
    return np.array(quat_rot(q, v))


def turn_about(axis: Vector, angle: float) -> Vector:
    """The quaternion (4,) that turns by `angle` [rad] about the unit `axis` (3,)."""
    return np.array(quat_axis_angle(axis, angle))


def turn_between(now: Vector, wanted: Vector) -> Vector:
    """The quaternion (4,) that turns one orientation into another, in world axes."""
    return np.array(quat_mul(wanted, quat_inv(now)))


def spring_wrench(model: MjModel, data: MjData, grip: Grip) -> Vector:
    """Force and torque (6,) [N, N m] about the body's centre of mass that pull the held body to its target.

    Zero for a body that cannot move. Reads xpos, xquat, xipos, cvel and subtree_com of the last forward pass.
    """
    b = grip.body
    w_t, w_r = (float(w) for w in model.body_invweight0[b])
    if (w_r if grip.mode is GripMode.ROTATE else w_t) <= 0:
        return np.zeros(6)
    if grip.mode is GripMode.ROTATE:
        k = _stiffness(model.vis.map.stiffnessrot, model.opt.timestep)
        return np.concatenate((np.zeros(3), motion.turn(data, b, grip.quat, k / w_r, 2 * np.sqrt(k) / w_r)))
    point = data.xpos[b] + rotated(data.xquat[b], grip.local)
    arm = point - data.xipos[b]
    mass = 1 / (w_t + 2 / 3 * w_r * float(arm @ arm))
    k = _stiffness(model.vis.map.stiffness, model.opt.timestep)
    spring, damper = mass * k, mass * 2 * np.sqrt(k)
    if grip.soft > mass:
        bears = mass / float(model.opt.timestep)
        spring = min(grip.soft * k, MAX_STEP_FREQUENCY * bears / float(model.opt.timestep))
        damper = min(2 * np.sqrt(spring * grip.soft), MAX_STEP_FREQUENCY * bears)
    return motion.pull(model, data, b, point, grip.target, spring, damper)


def soft_mass(model: MjModel, body: int) -> float:
    """The mass [kg] of the flexes that a body is a vertex or node of; 0 if of none."""
    total = 0.0
    for flex in range(model.nflex):
        bodies = flex_bodies(model, flex)
        if body in bodies:
            total += float(np.asarray(model.body_mass)[bodies[bodies > 0]].sum())
    return total


def _stiffness(k: float, timestep: float) -> float:
    """Stiffness a unit mass [1/s^2], lowered where the step is too coarse for it."""
    return min(max(float(k), 0.0), (MAX_STEP_FREQUENCY / timestep) ** 2)


def move_mocap(model: MjModel, data: MjData, grip: Grip) -> bool:
    """Place a held mocap body at the mouse's target; False if the body is not mocap."""
    return motion.place_mocap(model, data, grip.body, *_wanted_pose(data, grip))


def move_free(model: MjModel, data: MjData, grip: Grip) -> bool:
    """Move the free-floating tree that the held body belongs to, rigidly; False if its root is not free.

    Writes qpos; the caller runs the forward pass.
    """
    return motion.place_tree(model, data, grip.body, *_wanted_pose(data, grip))


def place_free(model: MjModel, data: MjData, grip: Grip) -> bool:
    """Put a held free body where its handles are, at rest; False if it is not one that is placed so.

    Writes qpos, and of the running simulation's velocities those of its free joint: a held body does not fall.
    """
    b = grip.body
    adr = int(model.body_jntadr[b])
    if grip.mode is not GripMode.PLACE or model.body_jntnum[b] != 1 or model.jnt_type[adr] != 0:
        return False
    q, v = int(model.jnt_qposadr[adr]), int(model.jnt_dofadr[adr])
    data.qpos[q : q + 3], data.qpos[q + 3 : q + 7] = grip.target, grip.quat
    data.qvel[v : v + 6] = 0.0
    return True


def bend_limb(model: MjModel, data: MjData, grip: Grip) -> bool:
    """Bring a held limb to the mouse's target, by the joints between it and its root; False if there are none.

    Writes qpos; the caller runs the forward pass.
    """
    from tumble.physics.inverse_kinematics import has_joints, reach  # few drag a limb

    if grip.whole or grip.mode is GripMode.PLACE or not has_joints(model, grip.body):
        return False
    size = float(model.stat.meansize)
    quat = None if grip.mode is GripMode.TRANSLATE else grip.quat
    reach(model, data, grip.body, grip.local, grip.target, quat, length=size, keep=KEEP_POSE * size)
    return True


def _wanted_pose(data: MjData, grip: Grip) -> tuple[Vector, Vector]:
    """Position and quaternion the held body's frame shall take: shifted by the point held, or turned about its mass."""
    b = grip.body
    xpos, xquat = np.array(data.xpos[b]), np.array(data.xquat[b])
    if grip.mode is GripMode.PLACE:
        return grip.target, grip.quat
    if grip.mode is GripMode.TRANSLATE:
        return grip.target - rotated(xquat, grip.local), xquat
    centre = np.array(data.xipos[b])
    return centre + rotated(turn_between(xquat, grip.quat), xpos - centre), grip.quat
