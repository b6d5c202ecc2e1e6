"""The force of a contact, from the forces of its constraint rows."""

from tumble.physics.algebra.vec3 import add_scaled3, load3, scale3
from tumble.physics.kernel import exact, kernel
from tumble.physics.state.enums import mjtConstraint

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
