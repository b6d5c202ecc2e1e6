"""The mode of a contact, such as stick or slip: from the share of its friction cone that its force uses.

A contact's force lies in a cone about its normal. With u_j = f_j / mu_j, one for each friction dimension, the elliptic cone
is |u| <= f_n and the pyramid sum |u_j| <= f_n. The share that is used is |u| / f_n, or sum |u_j| / f_n. With sliding friction
alone and an elliptic cone this is |f_t| / (mu f_n).

Soft contacts creep: also one that sticks has a small sliding velocity, to which its friction force belongs. What tells
sticking from slipping is therefore the force: on the cone's surface it can grow no further, and the contact slips.

`cone_share` and `contact_mode` are written without branches on numbers: called from Python they take arrays as well.
"""

from enum import IntEnum

from tumble.physics.kernel import kernel


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
