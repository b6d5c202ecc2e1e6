"""Forces of the surrounding medium on bodies seen as boxes of the same inertia.

Source: MuJoCo documentation, Computation, Fluid forces, inertia model.
"""

import math

from physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from physics.algebra.vec3 import load3, sub3
from physics.dynamics.object import point_velocity
from physics.dynamics.point_force import apply_force
from physics.kernel import kernel, stage
from physics.state.constants import mjMINVAL


@stage
def fluid(m, d):
    """Reads cvel, x*; writes qfrc_fluid."""
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qfrc_fluid[i] = 0.0
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        if m.body_mass[b] >= mjMINVAL:
            box_drag(m, d, b)


@kernel
def box_side(own, second, third, mass):
    """Length [m] of a solid box along an axis, from its moments of inertia [kg m^2] about this and the others, and its mass [kg].

    A box of sides a, b, c has Ixx = m (b^2 + c^2) / 12, hence a^2 = 6 (Iyy + Izz - Ixx) / m.
    """
    return math.sqrt(max(mjMINVAL, second + third - own) / mass * 6.0)


@kernel
def box_drag(m, d, b):
    """Adds viscous resistance and quadratic drag on body b to qfrc_fluid."""
    a, e, c, mass = m.body_inertia[b, 0], m.body_inertia[b, 1], m.body_inertia[b, 2], m.body_mass[b]
    x, y, z = box_side(a, e, c, mass), box_side(e, a, c, mass), box_side(c, a, e, mass)
    frame, centre = load9(d.ximat, b), load3(d.xipos, b)

    spin, flow = point_velocity(m, d, b, centre)
    flow = sub3(flow, (m.opt_wind[0], m.opt_wind[1], m.opt_wind[2]))
    w, v = mat_t_vec(frame, spin), mat_t_vec(frame, flow)

    # Stokes' resistance of a sphere as large as the box, and drag on its faces
    diameter, rho = (x + y + z) / 3.0, m.opt_density
    slide, turn = -3.0 * math.pi * diameter * m.opt_viscosity, -math.pi * diameter**3 * m.opt_viscosity
    x4, y4, z4 = x**4, y**4, z**4
    force = (
        slide * v[0] - 0.5 * rho * y * z * abs(v[0]) * v[0],
        slide * v[1] - 0.5 * rho * x * z * abs(v[1]) * v[1],
        slide * v[2] - 0.5 * rho * x * y * abs(v[2]) * v[2],
    )
    torque = (
        turn * w[0] - rho * x * (y4 + z4) * abs(w[0]) * w[0] / 64.0,
        turn * w[1] - rho * y * (x4 + z4) * abs(w[1]) * w[1] / 64.0,
        turn * w[2] - rho * z * (x4 + y4) * abs(w[2]) * w[2] / 64.0,
    )
    apply_force(m, d, b, centre, mat_vec(frame, force), mat_vec(frame, torque), d.qfrc_fluid)
