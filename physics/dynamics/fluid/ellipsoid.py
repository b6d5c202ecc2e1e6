"""Forces of the surrounding medium on a geom seen as an ellipsoid: added mass, drag, viscous resistance, Magnus and Kutta lift.

All depend on the present velocity alone: the part of the added mass that is proportional to the acceleration is left out, as
the fluid has no state. Lengths are the ellipsoid's semi-axes r; geom_fluid holds, of each geom,
0: on or off, 1: blunt, 2: slender and 3: angular drag, 4: Kutta and 5: Magnus lift, 6 to 8: virtual mass and 9 to 11: virtual
moments of inertia for a medium of density 1.
Source: MuJoCo documentation, Computation, Fluid forces, ellipsoid model.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, norm3, scale3
from tumble.physics.dynamics.fluid.flow import flow_past
from tumble.physics.dynamics.object import apply_force
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom

SPHERE, CAPSULE, CYLINDER = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_CYLINDER)


@kernel
def semi_axes(kind, size):
    """Semi-axes (3,) [m] of the ellipsoid that stands for a geom of a type (mjtGeom) and a size (3,)."""
    if kind == SPHERE:
        return size[0], size[0], size[0]
    if kind == CAPSULE:
        return size[0], size[0], size[0] + size[1]
    if kind == CYLINDER:
        return size[0], size[0], size[1]
    return size


@kernel
def ellipsoid_volume(r):
    """Volume [m^3] of the ellipsoid with semi-axes r."""
    return 4.0 / 3.0 * math.pi * r[0] * r[1] * r[2]


@kernel
def ellipsoid_forces(m, d, b, g):
    """Adds the forces on geom g of body b to qfrc_fluid."""
    frame, centre = load9(d.geom_xmat, g), load3(d.geom_xpos, g)
    w, v = flow_past(m, d, b, frame, centre)
    r, on = semi_axes(m.geom_type[g], load3(m.geom_size, g)), m.geom_fluid[g, 0]
    torque, force = inertial_forces(m, g, w, v)
    drag_torque, drag_force = drag(m, g, r, w, v)
    force = add3(add3(force, drag_force), lift(m, g, r, w, v))
    force, torque = scale3(on, force), scale3(on, add3(torque, drag_torque))
    apply_force(m, d, b, centre, mat_vec(frame, force), mat_vec(frame, torque), d.qfrc_fluid)


@kernel
def fluid_momentum(m, g, w, v):
    """Angular and linear momentum, (3,) each, of the medium that geom g moves with it."""
    f, rho = m.geom_fluid, m.opt_density
    linear = (rho * f[g, 6] * v[0], rho * f[g, 7] * v[1], rho * f[g, 8] * v[2])
    return (rho * f[g, 9] * w[0], rho * f[g, 10] * w[1], rho * f[g, 11] * w[2]), linear


@kernel
def inertial_forces(m, g, w, v):
    """Torque and force of the moved medium, whose momentum turns with the geom: Kirchhoff's equations at constant velocity."""
    angular, linear = fluid_momentum(m, g, w, v)
    return add3(cross3(linear, v), cross3(angular, w)), cross3(linear, w)


@kernel
def facing(r, v):
    """Projection of an ellipsoid in a flow: squared products q of two semi-axes [m^4], speed, direction u, u'Qu and u'QQu.

    The outline seen along u is an ellipse across the normal Qu, Q = diag(q), of area pi sqrt(u'QQu / u'Qu). The direction is
    that of the flow by itself, without its speed, so that the forces scale with size and speed as they should.
    """
    q = ((r[1] * r[2]) ** 2, (r[2] * r[0]) ** 2, (r[0] * r[1]) ** 2)
    speed = norm3(v)
    u = scale3(1.0 / speed, v) if speed >= mjMINVAL else (1.0, 0.0, 0.0)
    n = (q[0] * u[0], q[1] * u[1], q[2] * u[2])
    return q, speed, u, n[0] * u[0] + n[1] * u[1] + n[2] * u[2], n[0] * n[0] + n[1] * n[1] + n[2] * n[2]


@kernel
def widest(r):
    """Area [m^2] of the largest outline, and the largest and the middle semi-axis."""
    most = max(r[0], r[1], r[2])
    middle = r[0] + r[1] + r[2] - most - min(r[0], r[1], r[2])
    return math.pi * most * middle, most, middle


@kernel
def angular_drag(m, g, r):
    """Coefficients (3,) [m^5] of the drag against turning: of the ellipsoids that are swept about the axes."""
    swept = 8.0 / 15.0 * math.pi
    x, y, z = (
        swept * r[0] * max(r[1], r[2]) ** 4, swept * r[1] * max(r[2], r[0]) ** 4, swept * r[2] * max(r[0], r[1]) ** 4,
    )  # fmt: skip
    _, most, middle = widest(r)
    slender, turning = m.geom_fluid[g, 2], m.geom_fluid[g, 3]
    largest = swept * middle * most**4
    return (
        turning * x + slender * (largest - x), turning * y + slender * (largest - y), turning * z + slender * (largest - z),
    )  # fmt: skip


@kernel
def stokes(m, r):
    """Viscous resistance to sliding [N s/m] and turning [N m s] of the sphere of the mean semi-axis: 6 pi b r, 8 pi b r^3."""
    mean = (r[0] + r[1] + r[2]) / 3.0
    return 6.0 * math.pi * m.opt_viscosity * mean, 8.0 * math.pi * m.opt_viscosity * mean**3


@kernel
def outline_drag(m, g, r, outline):
    """Drag coefficient times area [m^2]: blunt for the outline seen along the flow, slender for what is left of the largest."""
    largest, _, _ = widest(r)
    return m.geom_fluid[g, 1] * outline + m.geom_fluid[g, 2] * (largest - outline)


@kernel
def drag(m, g, r, w, v):
    """Torque and force, (3,) each, of quadratic drag and of viscous resistance: both against the motion."""
    _, speed, _, a, b = facing(r, v)
    slide, turn = stokes(m, r)
    k, rho = angular_drag(m, g, r), m.opt_density
    swirl = norm3((k[0] * w[0], k[1] * w[1], k[2] * w[2]))
    force = scale3(-slide - rho * speed * outline_drag(m, g, r, math.pi * math.sqrt(b / a)), v)
    return scale3(-turn - rho * swirl, w), force


@kernel
def lift(m, g, r, w, v):
    """Force (3,) across the flow: Magnus, of a turning body, and Kutta, of one that is oblique to the flow.

    With the unit normal n of the outline, Kutta's is c rho A (u.n) (n x v) x v = c rho pi sqrt(a/b) speed^2 (a u - Qu).
    """
    q, speed, u, a, b = facing(r, v)
    magnus = scale3(m.geom_fluid[g, 5] * m.opt_density * ellipsoid_volume(r), cross3(w, v))
    across = (a * u[0] - q[0] * u[0], a * u[1] - q[1] * u[1], a * u[2] - q[2] * u[2])
    return add_scaled3(magnus, m.geom_fluid[g, 4] * m.opt_density * math.pi * math.sqrt(a / b) * speed * speed, across)
