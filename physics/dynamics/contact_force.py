"""The force of a contact, from the forces of its constraint rows."""

from enum import IntEnum

from tumble.physics.algebra.vec3 import add_scaled3, load3, scale3
from tumble.physics.callback.call import integer3
from tumble.physics.kernel import exact, kernel
from tumble.physics.state.enums import mjtConstraint
from tumble.physics.state.stages import Entry

PYRAMIDAL = int(mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)


@exact
def contact_force(d, c):
    """Force and torque of contact c on its second geom, in its frame: normal first; zeros if it has no rows."""
    f0, f1, f2, f3, f4, f5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    r, dim, force, mu = d.contact_efc_address[c], d.contact_dim[c], d.efc_force, d.contact_friction
    if r >= 0:
        if d.efc_type[r] == PYRAMIDAL:
            # the edges of the pyramid come in pairs, normal + mu tangent and normal - mu tangent
            for k in range(2 * (dim - 1)):
                f0 += force[r + k]
            f1, f2 = edge_pair(force, mu, c, r, dim, 0), edge_pair(force, mu, c, r, dim, 1)
            f3, f4 = edge_pair(force, mu, c, r, dim, 2), edge_pair(force, mu, c, r, dim, 3)
            f5 = edge_pair(force, mu, c, r, dim, 4)
        else:
            f0 = force[r]
            f1, f2 = plain(force, r, dim, 1), plain(force, r, dim, 2)
            f3, f4, f5 = plain(force, r, dim, 3), plain(force, r, dim, 4), plain(force, r, dim, 5)
    return (f0, f1, f2), (f3, f4, f5)


@kernel
def edge_pair(force, mu, c, r, dim, k):
    """Friction component k of a pyramid."""
    if k >= dim - 1:
        return 0.0
    return edge_friction(force[r + 2 * k], force[r + 2 * k + 1], mu[c, k])


@kernel
def edge_friction(plus, minus, mu):
    """Friction force of two opposite edges of a pyramid that carry these forces; numbers, or in Python arrays of them."""
    return (plus - minus) * mu


@kernel
def edge_speed(plus, minus, mu):
    """Sliding velocity that moves two opposite edges, normal + mu tangent and normal - mu tangent, with these velocities."""
    return (plus - minus) / (2.0 * mu)


@kernel
def plain(force, r, dim, k):
    """Component k of an elliptic or frictionless contact."""
    return force[r + k] if k < dim else 0.0


@kernel
def to_world(d, c, v):
    """A vector in the frame of contact c, in world axes."""
    f = d.contact_frame
    normal = (f[c, 0], f[c, 1], f[c, 2])
    first, second = (f[c, 3], f[c, 4], f[c, 5]), (f[c, 6], f[c, 7], f[c, 8])
    return add_scaled3(add_scaled3(scale3(v[0], normal), v[1], first), v[2], second)


@kernel
def contact_point(d, c):
    """The point where contact c acts, in the world [m], (3,)."""
    return load3(d.contact_pos, c)


SOFT_SIDE = int(Entry.SOFT_SIDE)


@kernel
def is_soft(d, c):
    """True if a flex is on a side of contact c."""
    return d.contact_flex[c, 0] >= 0 or d.contact_flex[c, 1] >= 0


@kernel
def contact_bodies(m, d, c, side, n):
    """side_body, side_weight from place n on <- what carries a side, 0 or 1, of contact c; returns the place after them."""
    g = d.contact_geom[c, side] + 0
    if g >= 0:
        return put_body(d, n, m.geom_bodyid[g] + 0, 1.0)
    if d.contact_flex[c, side] < 0:
        return n
    return integer3(m.stage[SOFT_SIDE], m, d, c, side, n)


@kernel
def put_body(d, n, body, weight):
    """Store a body and its weight, if they fit; returns the place after them."""
    if n < d.side_weight.shape[0]:
        d.side_body[n], d.side_weight[n] = body, weight
        return n + 1
    return n


class ContactMode(IntEnum):
    """The mode of a contact."""

    OPEN = 0  # carries no force: in the gap, parting, or between bodies that cannot move
    STICK = 1  # its force is inside the friction cone
    SLIP = 2  # its force is on the surface of the cone
    SMOOTH = 3  # carries a force, and has no friction
    ASLEEP = 4  # its bodies sleep: it is not computed, and not among the contacts


STICK, SLIP, SMOOTH = int(ContactMode.STICK), int(ContactMode.SLIP), int(ContactMode.SMOOTH)
# Solvers project on the cone to rounding; those that iterate on pyramid edges, to their tolerance.
SLIP_AT = 1.0 - 1e-6
LEAST_MU, LEAST_FORCE = 1e-15, 1e-200  # added, far below rounding, so that nothing is divided by zero


@kernel
def cone_share(force, friction, elliptic):
    """Share of the friction cone in use, 0 to 1; 0 without friction or without force.

    force: six numbers or arrays, normal, two tangents, torsion, two rolling, zero beyond the contact's dimensions;
    friction: five; elliptic: whether the cone is, rather than a pyramid.
    """
    a, b = abs(force[1]) / (friction[0] + LEAST_MU), abs(force[2]) / (friction[1] + LEAST_MU)
    c, d = abs(force[3]) / (friction[2] + LEAST_MU), abs(force[4]) / (friction[3] + LEAST_MU)
    e = abs(force[5]) / (friction[4] + LEAST_MU)
    total = (a * a + b * b + c * c + d * d + e * e) ** 0.5 if elliptic else a + b + c + d + e
    return (force[0] > 0) * total / (abs(force[0]) + LEAST_FORCE)


@kernel
def contact_mode(normal, share, dim):
    """ContactMode of a contact, or of arrays of them, from normal force [N], share of the cone and dimensions."""
    return (normal > 0) * ((dim == 1) * SMOOTH + (dim > 1) * (STICK + (share >= SLIP_AT) * (SLIP - STICK)))
