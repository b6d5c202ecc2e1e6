"""Forces of the surrounding medium on bodies seen as boxes of the same inertia.

Source: MuJoCo documentation, Computation, Fluid forces, inertia model.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_vec
from tumble.physics.algebra.vec3 import load3
from tumble.physics.dynamics.fluid.flow import flow_past
from tumble.physics.dynamics.object import apply_force
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def box_side(own, second, third, mass):
    """Length [m] of a solid box along an axis, from its moments of inertia [kg m^2] about this and the others, and its mass [kg].

    A box of sides a, b, c has Ixx = m (b^2 + c^2) / 12, hence a^2 = 6 (Iyy + Izz - Ixx) / m.
    """
    return math.sqrt(max(mjMINVAL, second + third - own) / mass * 6.0)


@kernel
def box_sides(m, b):
    """Sides (3,) [m] of the box that has the inertia of body b."""
    x, y, z, mass = m.body_inertia[b, 0], m.body_inertia[b, 1], m.body_inertia[b, 2], m.body_mass[b]
    return box_side(x, y, z, mass), box_side(y, x, z, mass), box_side(z, x, y, mass)


@kernel
def box_resistance(m, sides):
    """Stokes' resistance of a sphere as large as the box to sliding [N s/m] and turning [N m s]."""
    diameter = (sides[0] + sides[1] + sides[2]) / 3.0
    return 3.0 * math.pi * diameter * m.opt_viscosity, math.pi * diameter**3 * m.opt_viscosity


@kernel
def box_faces(m, sides):
    """Drag on the faces of the box, by axis: force over v^2 (3,) [N s^2/m^2], torque over w^2 (3,) [N m s^2]."""
    x, y, z = sides
    x4, y4, z4 = x**4, y**4, z**4
    half, swept = 0.5 * m.opt_density, m.opt_density / 64.0
    return (half * y * z, half * x * z, half * x * y), (swept * x * (y4 + z4), swept * y * (x4 + z4), swept * z * (x4 + y4))


@kernel
def box_drag(m, d, b):
    """Adds viscous resistance and quadratic drag on body b to qfrc_fluid."""
    sides = box_sides(m, b)
    slide, turn = box_resistance(m, sides)
    face, swept = box_faces(m, sides)
    frame, centre = load9(d.ximat, b), load3(d.xipos, b)
    w, v = flow_past(m, d, b, frame, centre)
    force = (
        -(slide + face[0] * abs(v[0])) * v[0], -(slide + face[1] * abs(v[1])) * v[1], -(slide + face[2] * abs(v[2])) * v[2],
    )  # fmt: skip
    torque = (
        -(turn + swept[0] * abs(w[0])) * w[0], -(turn + swept[1] * abs(w[1])) * w[1], -(turn + swept[2] * abs(w[2])) * w[2],
    )  # fmt: skip
    apply_force(m, d, b, centre, mat_vec(frame, force), mat_vec(frame, torque), d.qfrc_fluid)
