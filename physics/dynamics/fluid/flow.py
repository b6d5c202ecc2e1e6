"""Velocity of a body relative to the medium."""

from tumble.physics.algebra.mat3 import mat_t_vec
from tumble.physics.algebra.vec3 import sub3
from tumble.physics.dynamics.object import point_velocity
from tumble.physics.kernel import kernel


@kernel
def flow_past(m, d, b, frame, centre):
    """Angular and linear velocity, (3,) each, of body b at a point in the medium, along the axes of a frame (9,)."""
    spin, flow = point_velocity(m, d, b, centre)
    flow = sub3(flow, (m.opt_wind[0], m.opt_wind[1], m.opt_wind[2]))
    return mat_t_vec(frame, spin), mat_t_vec(frame, flow)
