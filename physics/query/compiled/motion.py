"""Velocity, acceleration and force of one thing, as six numbers."""

from tumble.physics.algebra.mat3 import mat_t_vec
from tumble.physics.dynamics.contact_force import contact_force
from tumble.physics.dynamics.object import object_body, object_mat, object_pos, point_acceleration, point_velocity
from tumble.physics.kernel import kernel, query
from tumble.physics.kernel.function import INT, D, M
from tumble.physics.state.memory import f8_at


@kernel
def _store(at, turn, move):
    """Write six numbers to an address."""
    res = f8_at(at, 6)
    res[0], res[1], res[2] = turn
    res[3], res[4], res[5] = move


@kernel
def _store_of(d, kind, i, local, at, turn, move):
    """The same of two vectors of an object, turned into its own axes if they are wanted in those."""
    if local:
        axes = object_mat(d, kind, i)
        turn, move = mat_t_vec(axes, turn), mat_t_vec(axes, move)
    _store(at, turn, move)


@query(M, D, INT, INT, INT, INT)
def object_velocity(m, d, kind, i, local, res):
    """Angular and linear velocity of an object, in its own axes or the world's, to an address."""
    turn, move = point_velocity(m, d, object_body(m, kind, i), object_pos(d, kind, i))
    _store_of(d, kind, i, local, res, turn, move)


@query(M, D, INT, INT, INT, INT)
def object_acceleration(m, d, kind, i, local, res):
    """The same of its acceleration."""
    turn, move = point_acceleration(m, d, object_body(m, kind, i), object_pos(d, kind, i))
    _store_of(d, kind, i, local, res, turn, move)


@query(D, INT, INT)
def force_of_contact(d, c, res):
    """Force and torque of a contact, in its frame, to an address."""
    force, torque = contact_force(d, c)
    _store(res, force, torque)
