"""The constraint's cost s(z) of z = J qacc - aref, and the force, its negative gradient.

A row's cost is a quadratic where the row pushes: everywhere for equalities, up to the largest friction
force for friction loss (beyond it is linear: Huber's function), where z < 0 for limits, frictionless
contacts and edges of pyramids. Elliptic contacts: see cone.py.
Source: MuJoCo documentation, Computation, Reduced primal problem.
"""

from tumble.physics.algebra.choose import select, smaller
from tumble.physics.kernel import kernel
from tumble.physics.solver.cone import cone_cost
from tumble.physics.state.enums import mjtConstraint, mjtConstraintState

SATISFIED = int(mjtConstraintState.mjCNSTRSTATE_SATISFIED)
QUADRATIC = int(mjtConstraintState.mjCNSTRSTATE_QUADRATIC)
LINEARNEG = int(mjtConstraintState.mjCNSTRSTATE_LINEARNEG)
LINEARPOS = int(mjtConstraintState.mjCNSTRSTATE_LINEARPOS)
ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


@kernel
def constraint_cost(d, z):
    """s(z); writes efc_force and efc_state of all rows."""
    ne, friction, limit, n = d.ne, d.ne + d.nf, d.ne + d.nf + d.nl, d.nefc
    cost = 0.0
    for r in range(ne):
        d.efc_state[r] = QUADRATIC
        d.efc_force[r] = -d.efc_D[r] * z[r]
        cost += 0.5 * d.efc_D[r] * z[r] * z[r]
    for r in range(ne, friction):
        cost += huber(d, r, z[r])
    cost += one_sided(d, friction, limit, z)
    c_rows = limit
    while c_rows < n:
        if d.efc_type[c_rows] == ELLIPTIC:
            c = d.efc_id[c_rows]
            cost += cone_cost(d, c, c_rows, z)
            c_rows += d.contact_dim[c]
        else:
            end = c_rows + 1
            while end < n and d.efc_type[end] != ELLIPTIC:
                end += 1
            cost += one_sided(d, c_rows, end, z)
            c_rows = end
    return cost


@kernel
def huber(d, r, x):
    """Cost of a friction loss row at z_r = x: quadratic near zero, then linear."""
    top, reach = d.efc_frictionloss[r], d.efc_R[r] * d.efc_frictionloss[r]
    zone = dry_zone(x, reach)
    d.efc_state[r] = zone
    d.efc_force[r] = dry_force(zone, d.efc_D[r], top, x)
    if zone == LINEARNEG:
        return top * (-0.5 * reach - x)
    if zone == LINEARPOS:
        return top * (-0.5 * reach + x)
    return 0.5 * d.efc_D[r] * x * x


@kernel
def dry_zone(x, reach):
    """The state of a friction loss row at z_r = x; reach: R times its largest force. Numbers, or in Python arrays of them."""
    return select(x <= -reach, LINEARNEG, select(x >= reach, LINEARPOS, QUADRATIC))


@kernel
def dry_force(zone, stiff, top, x):
    """The force of a friction loss row in a state; stiff: D; top: the largest force."""
    return select(zone == LINEARNEG, top, select(zone == LINEARPOS, -top, -stiff * x))


@kernel
def push_force(stiff, x):
    """The force of a row that only pushes, at z_r = x; stiff: D. Numbers, or in Python arrays of them."""
    return -stiff * smaller(x, 0.0)


@kernel
def one_sided(d, begin, end, z):
    """Cost of the rows from begin to end, which only push."""
    x, stiff, force, state = z[begin:end], d.efc_D[begin:end], d.efc_force[begin:end], d.efc_state[begin:end]
    cost = 0.0
    for k in range(end - begin):
        push = push_force(stiff[k], x[k])
        force[k] = push
        state[k] = QUADRATIC if x[k] < 0.0 else SATISFIED
        cost -= 0.5 * push * x[k]
    return cost
