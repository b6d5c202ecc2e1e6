"""Positions along a velocity, and between two."""

from tumble.physics.dynamics.position import differentiate_joints, integrate_joints, normalize_joints
from tumble.physics.kernel import query
from tumble.physics.kernel.function import FLOAT, INT, M
from tumble.physics.state.memory import f8_at


@query(M, INT, INT, FLOAT)
def integrate(m, qpos, qvel, h):
    """qpos, nq numbers at an address, moved along qvel, nv numbers, for a time h."""
    integrate_joints(m, 0, m.njnt, f8_at(qpos, m.nq), f8_at(qvel, m.nv), h)


@query(M, INT, FLOAT, INT, INT)
def differentiate(m, qvel, h, qpos1, qpos2):
    """qvel, nv numbers at an address, that leads from qpos1 to qpos2, nq numbers each, in a time h."""
    differentiate_joints(m, f8_at(qvel, m.nv), h, f8_at(qpos1, m.nq), f8_at(qpos2, m.nq))


@query(M, INT)
def normalize(m, qpos):
    """Scale the quaternions in qpos, nq numbers at an address, to length 1."""
    normalize_joints(m, f8_at(qpos, m.nq))
