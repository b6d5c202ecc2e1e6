"""A body that a hand holds: the pull of a spring and a damper at a point of it, and where it is placed while time stands.

All read the poses and velocities of the last forward pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_rot, quat_vel
from tumble.physics.dynamics.object import velocity_at
from tumble.physics.state.enums import mjtJoint

if TYPE_CHECKING:
    from tumble.physics.state.data import Data
    from tumble.physics.state.model import Model

Vector = NDArray[np.float64]


def pull(m: Model, d: Data, body: int, point: Vector, target: Vector, spring: float, damper: float) -> Vector:
    """Force and torque (6,) [N, N m] about the body's centre of mass that pull a point of it to a target, both (3,) [m].

    spring, damper: [N/m, N s/m].
    """
    velocity = np.array(velocity_at(d.cvel[body], point - d.subtree_com[m.body_rootid[body]]))
    force = spring * (target - point) - damper * velocity
    return np.concatenate((force, np.cross(point - d.xipos[body], force)))


def turn(d: Data, body: int, quat: Vector, spring: float, damper: float) -> Vector:
    """Torque (3,) [N m] that turns a body to an orientation, the quaternion (4,). spring, damper: [N m/rad, N m s/rad]."""
    apart = np.array(quat_vel(quat_mul(quat, quat_inv(d.xquat[body])), 1.0))
    return spring * apart - damper * np.asarray(d.cvel[body, :3])


def place_mocap(m: Model, d: Data, body: int, pos: Vector, quat: Vector) -> bool:
    """Place a mocap body; False if the body is none."""
    mocap = int(m.body_mocapid[body])
    if mocap >= 0:
        d.mocap_pos[mocap], d.mocap_quat[mocap] = pos, quat
    return mocap >= 0


def place_tree(m: Model, d: Data, body: int, pos: Vector, quat: Vector) -> bool:
    """Place a body by moving its tree, which floats freely, rigidly; False if its root is not free.

    Writes qpos; the caller runs the forward pass.
    """
    root = int(m.body_rootid[body])
    joint = int(m.body_jntadr[root])
    if m.body_jntnum[root] != 1 or m.jnt_type[joint] != mjtJoint.mjJNT_FREE:
        return False
    turned = quat_mul(quat, quat_inv(d.xquat[body]))
    adr = int(m.jnt_qposadr[joint])
    d.qpos[adr : adr + 3] = pos + np.array(quat_rot(turned, d.xpos[root] - d.xpos[body]))
    orientation = np.array(quat_mul(turned, d.xquat[root]))
    d.qpos[adr + 3 : adr + 7] = orientation / np.linalg.norm(orientation)
    return True
