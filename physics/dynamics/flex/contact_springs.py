"""Contacts of flexes that ask for passive ones (flex_passive): springs in place of rows of the constraint."""

from tumble.physics.algebra.vec3 import load3, scale3
from tumble.physics.dynamics.contact_bodies import contact_bodies
from tumble.physics.dynamics.point_force import apply_force
from tumble.physics.kernel import stage
from tumble.physics.state.constants import CONTACT_PASSIVE

STIFFNESS = 1e4  # N/m, as in the reference; like there it pulls what is within a margin and does not touch
_NO_TORQUE = (0.0, 0.0, 0.0)


@stage
def contact_springs(m, d):
    """Add to qfrc_spring the normal forces of passive contacts, which know neither friction nor damping."""
    for c in range(d.ncon):
        if d.contact_exclude[c] != CONTACT_PASSIVE:
            continue
        normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
        force, point = scale3(-STIFFNESS * d.contact_dist[c], normal), load3(d.contact_pos, c)
        for side in range(2):
            for k in range(contact_bodies(m, d, c, side, 0)):
                share = scale3((2.0 * side - 1.0) * d.side_weight[k], force)
                apply_force(m, d, d.side_body[k] + 0, point, share, _NO_TORQUE, d.qfrc_spring)
