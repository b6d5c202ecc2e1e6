"""Rows of contacts: normal force, sliding, torsional and rolling friction, in an elliptic cone or a pyramid.

An elliptic contact has a row for each of its dimensions, and so has every contact of the hard model (LCP). A
pyramid has two opposite edges for each friction dimension: normal plus and minus friction coefficient times
that dimension, each edge pushing only.
Source: MuJoCo documentation, Computation, Contact.
"""

import math

from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, cross3, dot3, load3, sub3
from tumble.physics.callback.call import integer
from tumble.physics.constraint.impedance import DEFAULT_REF, damping, impedance, load_imp, load_ref, regularizer, stiffness
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows, put_response, put_row
from tumble.physics.dynamics.contact_force import is_soft
from tumble.physics.dynamics.object import last_dof
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtCone, mjtConstraint
from tumble.physics.state.own import ContactModel
from tumble.physics.state.stages import Entry

FRICTIONLESS = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)
PYRAMIDAL = int(mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
ELLIPTIC_CONE = int(mjtCone.mjCONE_ELLIPTIC)
LCP = int(ContactModel.LCP)
SOFT_CONTACT = int(Entry.SOFT_CONTACT)

NO_DOFS = 3  # contact_exclude of a contact between bodies that cannot move


@kernel
def is_elliptic(m):
    """True if a contact has a row for each of its dimensions, rather than for each edge of a pyramid."""
    return m.opt_cone == ELLIPTIC_CONE or m.tumble_contact_model == LCP


@kernel
def row_count(dim, elliptic):
    """Number of rows of a contact of the given dimension."""
    return dim if elliptic or dim == 1 else 2 * (dim - 1)


@kernel
def contacts(m, d, r):
    """Rows from r on for the contacts that are near enough to push; returns the next row."""
    elliptic = is_elliptic(m)
    if m.nflex > 0:
        forget_columns(m, d)
    for c in range(d.ncon):
        d.contact_efc_address[c] = -1
        if d.contact_exclude[c]:
            continue
        dim = valid_dim(d.contact_dim[c])
        d.contact_dim[c] = dim
        count = row_count(dim, elliptic)
        if m.nflex > 0 and is_soft(d, c):
            if integer(m.stage[SOFT_CONTACT], m, d, c, r) == 0:
                d.contact_exclude[c] = NO_DOFS
                continue
        else:
            b1, b2 = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
            last1, last2 = last_dof(m, b1), last_dof(m, b2)
            if last1 < 0 and last2 < 0:
                d.contact_exclude[c] = NO_DOFS
                continue
            if contact_rows(m, d, c, r, count, b1, b2, last1, last2, elliptic):
                put_contact(m, d, c, r, count, elliptic, m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0])
        r += count
    return r


@kernel
def forget_columns(m, d):
    """Before the contacts of a step with flexes: no dof is known to move the sides of one."""
    for i in range(m.nv):
        d.side_known[i] = 0


@kernel
def put_contact(m, d, c, r, count, elliptic, invweight):
    """Response of the `count` rows of contact c, the first of them r; invweight: inverse mass of the two sides [1/kg]."""
    d.contact_efc_address[c] = r
    if d.contact_dim[c] == 1:
        put_cone(m, d, c, r, FRICTIONLESS, invweight)
    elif elliptic:
        put_cone(m, d, c, r, ELLIPTIC, invweight)
    else:
        put_pyramid(m, d, c, r, count, invweight)


@kernel
def valid_dim(dim):
    """The dimensions of a contact, 1, 3, 4 or 6: at most as many as somebody wrote into the model or the contact."""
    if dim >= 6:
        return 6
    return max(1, dim if dim != 2 and dim != 5 else dim - 1)


@kernel
def contact_rows(m, d, c, r, count, b1, b2, i1, i2, elliptic):
    """The Jacobian of the `count` rows of contact c, the first of them r. False: no room."""
    end = max(i1, i2) + 1
    if d.flg_sparse == 0:
        if not has_room(m, d, r + count):
            return False
        for k in range(r, r + count):
            clear_row(d, k, m.nv, 0, end)
        first = contact_jacobian(m, d, c, r * m.nv, m.nv, b1, b2, i1, i2, elliptic, end)
    else:
        n = chain_length(m, i1, i2)
        at = pattern_rows(d, r, count, n)
        if at < 0:
            return False
        first = contact_jacobian(m, d, c, at, n, b1, b2, i1, i2, elliptic, n)
        common = chain_columns(m, d, at, n, i1, i2)
        for k in range(count):
            for p in range(n):
                if p < common:
                    d.efc_J[at + k * n + p] = 0.0
                d.efc_J_colind[at + k * n + p] = d.efc_J_colind[at + p]
    for k in range(r, r + count):
        d.efc_first[k] = first
        d.efc_end[k] = end
    return True


@kernel
def chain_length(m, i1, i2):
    """Number of dofs that move one or both of two bodies, whose last dofs are i1 and i2."""
    count = 0
    while i1 >= 0 or i2 >= 0:
        top = max(i1, i2)
        if i1 == top:
            i1 = m.dof_parentid[top]
        if i2 == top:
            i2 = m.dof_parentid[top]
        count += 1
    return count


@kernel
def chain_columns(m, d, at, n, i1, i2):
    """The n dofs of chain_length, as the columns of the row at address `at`; returns how many move both bodies alike."""
    common = 0
    for p in range(n - 1, -1, -1):
        top = max(i1, i2)
        if i1 == i2:
            common += 1
        d.efc_J_colind[at + p] = top
        if i1 == top:
            i1 = m.dof_parentid[top]
        if i2 == top:
            i2 = m.dof_parentid[top]
    return common


@kernel
def contact_jacobian(m, d, c, at, stride, b1, b2, i1, i2, elliptic, end):
    """Jacobian rows of contact c: the motion of the contact point on the second body relative to the first.

    i1, i2: the last dofs of the bodies. Only the dofs that move one body and not the other matter: their
    chains are walked towards the root until they meet. Returns the first column that is not zero.
    at, stride: address of the first row, and numbers a row; end: of the columns, which fill a row from its end.
    """
    p = load3(d.contact_pos, c)
    arm1 = sub3(p, load3(d.subtree_com, m.body_rootid[b1]))
    arm2 = sub3(p, load3(d.subtree_com, m.body_rootid[b2]))
    first = max(i1, i2)
    while i1 != i2:
        if i1 > i2:
            first = i1
            v = load6(d.cdof, i1)
            rot = (-v[0], -v[1], -v[2])
            lin = add3((-v[3], -v[4], -v[5]), cross3(rot, arm1))
            i1 = m.dof_parentid[i1]
        else:
            first = i2
            v = load6(d.cdof, i2)
            rot = (v[0], v[1], v[2])
            lin = add3((v[3], v[4], v[5]), cross3(rot, arm2))
            i2 = m.dof_parentid[i2]
        end -= 1
        column = first if d.flg_sparse == 0 else end
        contact_column(d, c, at + column, stride, rot, lin, elliptic)
    return first


@kernel
def put_pyramid(m, d, c, r, count, invweight):
    """Response of the edges of a pyramid; invweight: inverse mass of the two sides [1/kg].

    The edges of one plane share the normal force and carry its friction together. With
    R = 2 mu^2 R_edge each, where mu is the friction coefficient regularized by impratio, the pyramid is
    as soft along the normal as a frictionless contact of the same impedance.
    """
    dist, margin = d.contact_dist[c], d.contact_includemargin[c]
    solref, solimp = load_ref(m, d.contact_solref, c, DEFAULT_REF), load_imp(d.contact_solimp, c)
    imp, slope = impedance(solimp, dist - margin)
    k, b = stiffness(solref, solimp[1]), damping(solref, solimp[1])
    slide = d.contact_friction[c, 0]
    invweight = (1.0 + slide * slide) * invweight
    mu = slide * math.sqrt(1.0 / max(mjMINVAL, m.opt_impratio))
    compliance = max(mjMINVAL, 2.0 * mu * mu * regularizer(imp, invweight))
    d.contact_mu[c] = mu
    for e in range(r, r + count):
        put_row(d, e, PYRAMIDAL, c, dist, margin, 0.0)
        put_response(d, e, k, b, imp, slope, compliance)


@kernel
def put_cone(m, d, c, r, kind, invweight):
    """Response of a frictionless or elliptic contact; invweight: inverse mass of the two sides [1/kg].

    R of the friction rows is tied to R of the normal, R_1 = R_0 / impratio and R_j friction_j^2 all equal:
    only then the nearest point of the cone, and so the inverse dynamics, have a closed form.
    """
    dist, margin = d.contact_dist[c], d.contact_includemargin[c]
    solref, solimp = load_ref(m, d.contact_solref, c, DEFAULT_REF), load_imp(d.contact_solimp, c)
    imp, slope = impedance(solimp, dist - margin)
    normal = regularizer(imp, invweight)
    b = damping(solref, solimp[1])
    put_row(d, r, kind, c, dist, margin, 0.0)
    put_response(d, r, stiffness(solref, solimp[1]), b, imp, slope, normal)
    if kind == FRICTIONLESS:
        return
    slide = d.contact_friction[c, 0]
    tangent = normal / max(mjMINVAL, m.opt_impratio)
    d.contact_mu[c] = slide * math.sqrt(tangent / normal)
    friction_ref = load_ref(m, d.contact_solreffriction, c, (0.0, 0.0))
    if friction_ref[0] != 0.0 or friction_ref[1] != 0.0:
        b = damping(friction_ref, solimp[1])
    for j in range(1, d.contact_dim[c]):
        mu = d.contact_friction[c, j - 1]
        put_row(d, r + j, kind, c, 0.0, 0.0, 0.0)
        put_response(d, r + j, 0.0, b, imp, slope, max(mjMINVAL, tangent * slide * slide / max(mjMINVAL, mu * mu)))


@kernel
def contact_column(d, c, at, nv, rot, lin, elliptic):
    """Write one column of a contact's rows, the first at index `at`: rot and lin are the motion for unit velocity."""
    frame, friction, jac, dim = d.contact_frame, d.contact_friction, d.efc_J, d.contact_dim[c]
    x = (frame[c, 0], frame[c, 1], frame[c, 2])
    normal = dot3(x, lin)
    if dim == 1:
        jac[at] = normal
        return
    y, z = (frame[c, 3], frame[c, 4], frame[c, 5]), (frame[c, 6], frame[c, 7], frame[c, 8])
    if elliptic:
        jac[at] = normal
        jac[at + nv] = dot3(y, lin)
        jac[at + 2 * nv] = dot3(z, lin)
        if dim > 3:
            jac[at + 3 * nv] = dot3(x, rot)
        if dim > 4:
            jac[at + 4 * nv] = dot3(y, rot)
            jac[at + 5 * nv] = dot3(z, rot)
        return
    edges(jac, at, nv, normal, friction[c, 0] * dot3(y, lin))
    edges(jac, at + 2 * nv, nv, normal, friction[c, 1] * dot3(z, lin))
    if dim > 3:
        edges(jac, at + 4 * nv, nv, normal, friction[c, 2] * dot3(x, rot))
    if dim > 4:
        edges(jac, at + 6 * nv, nv, normal, friction[c, 3] * dot3(y, rot))
        edges(jac, at + 8 * nv, nv, normal, friction[c, 4] * dot3(z, rot))


@kernel
def edges(jac, at, nv, normal, tangent):
    """Two opposite edges of a pyramid."""
    jac[at] = normal + tangent
    jac[at + nv] = normal - tangent
