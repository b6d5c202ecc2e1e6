"""The constraint of this instant: which rows there are, and the acceleration each asks for.

Order of the rows: equality, friction loss of dofs, of tendons, limits of joints, of tendons, contacts.
The Jacobian is dense or sparse, row by row (row.py); columns outside efc_first[r] ... efc_end[r] are zero.
"""

from tumble.physics.constraint.contact import contacts
from tumble.physics.constraint.friction import dof_friction, forget_tendons, tendon_friction
from tumble.physics.constraint.impedance import reference_acceleration
from tumble.physics.constraint.limit import joint_limits, tendon_limits
from tumble.physics.constraint.row import exact_dot, mark_equal_rows, start_rows
from tumble.physics.kernel import stage
from tumble.physics.state.enums import mjtDisableBit

NO_CONSTRAINT = int(mjtDisableBit.mjDSBL_CONSTRAINT)
NO_FRICTION = int(mjtDisableBit.mjDSBL_FRICTIONLOSS)
NO_LIMIT = int(mjtDisableBit.mjDSBL_LIMIT)
NO_CONTACT = int(mjtDisableBit.mjDSBL_CONTACT)


@stage
def make_constraint(m, d):
    """Reads ne, contacts, cdof, subtree_com, qpos, ten_length, ten_J; writes the rows: efc_J, efc_pos, efc_R, ...

    If there is no room for all rows, needefc becomes their number and no row is there.
    """
    flags = m.opt_disableflags
    if m.neq == 0:
        d.ne = 0
        forget_tendons(m, d)
        start_rows(m, d)
    ne = d.ne  # rows of make_equality, which ran before
    r, friction, limit = ne, 0, 0
    if not flags & NO_CONSTRAINT:
        if not flags & NO_FRICTION:
            r = dof_friction(m, d, r)
            r = tendon_friction(m, d, r)
            friction = r - ne
        if not flags & NO_LIMIT:
            r = joint_limits(m, d, r)
            r = tendon_limits(m, d, r)
            limit = r - ne - friction
        if not flags & NO_CONTACT:
            r = contacts(m, d, r)
    if d.flg_sparse == 0:
        d.nJ = r * m.nv
    if r > d.maxefc or d.nJ > d.maxJ:
        d.needefc = r
        d.needJ = d.nJ
        ne, r, friction, limit = 0, 0, 0, 0
        d.nJ = 0
    d.ne = ne
    d.nf = friction
    d.nl = limit
    d.nefc = r
    d.nlcp = 0
    if d.flg_sparse != 0:
        mark_equal_rows(d)


@stage
def reference_constraint(m, d):
    """Reads efc_J, qvel, efc_KBIP; writes the rows' velocities efc_vel and reference accelerations efc_aref."""
    qvel, kbip = d.qvel, d.efc_KBIP
    for r in range(d.nefc):
        velocity = exact_dot(m, d, r, qvel)
        d.efc_vel[r] = velocity
        d.efc_aref[r] = reference_acceleration(kbip[r, 0], kbip[r, 1], kbip[r, 2], velocity, d.efc_pos[r] - d.efc_margin[r])
