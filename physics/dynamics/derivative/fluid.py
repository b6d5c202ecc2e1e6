"""Derivatives by velocity of the forces of the medium, by both models.

Of the terms of the ellipsoid model (see dynamics/fluid/ellipsoid.py) those that are not products of the velocities w and v
are functions of the direction u and the speed s of the flow. With Q = diag(q), a = u'Qu, b = u'QQu, the derivative of the
outline's area A = pi sqrt(b/a) by v is A h / s with h = QQu/b - Qu/a, which is at right angles to u. Hence

    of the drag -rho s c v, c = slender A_max + (blunt - slender) A:  -rho s (c (1 + u u') + (blunt - slender) A u h')
    of Kutta's lift k s^2 (a u - Qu) with k = pi sqrt(a/b):           k s (a + u (2 Qu - a u)' - Qu u' - Q - (a u - Qu) h')
"""

import math

from tumble.physics.algebra.mat3 import load9
from tumble.physics.algebra.vec3 import load3, norm3
from tumble.physics.dynamics.derivative.wrench import add_wrench, clear_wrenches, gather_wrenches
from tumble.physics.dynamics.fluid.box import box_faces, box_resistance, box_sides
from tumble.physics.dynamics.fluid.ellipsoid import (
    angular_drag,
    ellipsoid_volume,
    facing,
    fluid_momentum,
    outline_drag,
    semi_axes,
    stokes,
)
from tumble.physics.dynamics.fluid.flow import flow_past
from tumble.physics.dynamics.fluid.medium import has_ellipsoids
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtDisableBit, mjtIntegrator

NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
IMPLICITFAST = int(mjtIntegrator.mjINT_IMPLICITFAST)


@stage
def fluid_derivative(m, d):
    """Reads cvel, cdof, x*, geom_x*; adds the derivative of qfrc_fluid to qDeriv, for implicitfast its symmetric part."""
    if m.opt_disableflags & NO_SPRING and m.opt_disableflags & NO_DAMPER:
        return  # no passive force at all
    clear_wrenches(d)
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        if m.body_mass[b] >= mjMINVAL:
            if has_ellipsoids(m, b):
                for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
                    if m.geom_fluid[g, 0] != 0.0:
                        ellipsoid_slope(m, d, b, g)
            else:
                box_slope(m, d, b)
    gather_wrenches(m, d)


@kernel
def clear_slope(out):
    """Zero a (6, 6) array."""
    for r in range(6):
        for c in range(6):
            out[r, c] = 0.0


@kernel
def box_slope(m, d, b):
    """Adds the wrench of the inertia box of body b."""
    sides, out = box_sides(m, b), d.local_slope
    slide, turn = box_resistance(m, sides)
    face, swept = box_faces(m, sides)
    frame, centre = load9(d.ximat, b), load3(d.xipos, b)
    w, v = flow_past(m, d, b, frame, centre)
    clear_slope(out)
    for k in range(3):
        out[k, k] = -turn - 2.0 * swept[k] * abs(w[k])
        out[3 + k, 3 + k] = -slide - 2.0 * face[k] * abs(v[k])
    add_wrench(m, d, b, centre, frame, out)


@kernel
def ellipsoid_slope(m, d, b, g):
    """Adds the wrench of geom g of body b as an ellipsoid."""
    frame, centre, out = load9(d.geom_xmat, g), load3(d.geom_xpos, g), d.local_slope
    w, v = flow_past(m, d, b, frame, centre)
    r, rho = semi_axes(m.geom_type[g], load3(m.geom_size, g)), m.opt_density
    clear_slope(out)
    inertial_slope(m, g, w, v, out)
    add_cross(out, 3, 3, m.geom_fluid[g, 5] * rho * ellipsoid_volume(r), w)
    add_cross(out, 3, 0, -m.geom_fluid[g, 5] * rho * ellipsoid_volume(r), v)
    turning_slope(m, g, r, w, out)
    sliding_slope(m, g, r, v, out)
    scale_slope(out, m.geom_fluid[g, 0], m.opt_integrator == IMPLICITFAST)
    add_wrench(m, d, b, centre, frame, out)


@kernel
def scale_slope(out, scale, symmetric):
    """out <- scale times out, or its symmetric part."""
    for r in range(6):
        for c in range(r + 1):
            lower, upper = scale * out[r, c], scale * out[c, r]
            mean = 0.5 * (lower + upper)
            out[r, c] = mean if symmetric else lower
            out[c, r] = mean if symmetric else upper


@kernel
def add_cross(out, row, column, s, u):
    """Add to the block of out that begins at (row, column) the matrix of x -> s u x x."""
    out[row, column + 1] -= s * u[2]
    out[row, column + 2] += s * u[1]
    out[row + 1, column] += s * u[2]
    out[row + 1, column + 2] -= s * u[0]
    out[row + 2, column] -= s * u[1]
    out[row + 2, column + 1] += s * u[0]


@kernel
def inertial_slope(m, g, w, v, out):
    """Of the added mass: p x v + l x w and p x w, with the medium's momentum p = M v, l = I w."""
    angular, linear = fluid_momentum(m, g, w, v)
    add_cross(out, 0, 0, 1.0, angular)
    add_cross(out, 0, 3, 1.0, linear)
    add_cross(out, 3, 0, 1.0, linear)
    rho, f = m.opt_density, m.geom_fluid
    moment, mass = (rho * f[g, 9], rho * f[g, 10], rho * f[g, 11]), (rho * f[g, 6], rho * f[g, 7], rho * f[g, 8])
    add_scaled_cross(out, 0, 0, w, moment)
    add_scaled_cross(out, 0, 3, v, mass)
    add_scaled_cross(out, 3, 3, w, mass)


@kernel
def add_scaled_cross(out, row, column, u, s):
    """Add to the block of out that begins at (row, column) the matrix of x -> (s x) x u, s x by components."""
    out[row, column + 1] += s[1] * u[2]
    out[row, column + 2] -= s[2] * u[1]
    out[row + 1, column] -= s[0] * u[2]
    out[row + 1, column + 2] += s[2] * u[0]
    out[row + 2, column] += s[0] * u[1]
    out[row + 2, column + 1] -= s[1] * u[0]


@kernel
def turning_slope(m, g, r, w, out):
    """Of the drag and the viscous resistance against turning: -(turn + rho |K w|) w."""
    _, turn = stokes(m, r)
    k, rho = angular_drag(m, g, r), m.opt_density
    kw = (k[0] * w[0], k[1] * w[1], k[2] * w[2])
    swirl = norm3(kw)
    for i in range(3):
        out[i, i] -= turn + rho * swirl
    if swirl >= mjMINVAL:
        s = rho / swirl
        add_outer(out, 0, -s, w, (k[0] * kw[0], k[1] * kw[1], k[2] * kw[2]))


@kernel
def add_outer(out, first, s, x, y):
    """Add s x y' to the block of out on the diagonal that begins at `first`."""
    for c in range(3):
        sy = s * y[c]
        out[first, first + c] += x[0] * sy
        out[first + 1, first + c] += x[1] * sy
        out[first + 2, first + c] += x[2] * sy


@kernel
def sliding_slope(m, g, r, v, out):
    """Of the drag and the viscous resistance against sliding, and of Kutta's lift: see above."""
    q, s, u, a, b = facing(r, v)
    slide, _ = stokes(m, r)
    outline, rho = math.pi * math.sqrt(b / a), m.opt_density
    c = outline_drag(m, g, r, outline)
    n = (q[0] * u[0], q[1] * u[1], q[2] * u[2])
    h = (q[0] * n[0] / b - n[0] / a, q[1] * n[1] / b - n[1] / a, q[2] * n[2] / b - n[2] / a)
    k = m.geom_fluid[g, 4] * rho * s * math.pi * math.sqrt(a / b)
    for i in range(3):
        out[3 + i, 3 + i] -= slide + rho * s * c - k * (a - q[i])
    add_outer(out, 3, -rho * s * c, u, u)
    add_outer(out, 3, -rho * s * (m.geom_fluid[g, 1] - m.geom_fluid[g, 2]) * outline, u, h)
    across = (a * u[0] - n[0], a * u[1] - n[1], a * u[2] - n[2])
    add_outer(out, 3, k, u, (n[0] - across[0], n[1] - across[1], n[2] - across[2]))
    add_outer(out, 3, -k, n, u)
    add_outer(out, 3, -k, across, h)
