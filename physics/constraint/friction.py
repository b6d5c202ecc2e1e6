"""Rows of friction loss: dry friction of dofs and tendons, a force of limited size against the velocity."""

from tumble.physics.constraint.impedance import DEFAULT_REF, load_imp, load_ref
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows, put_row, put_scalar, range_row
from tumble.physics.dynamics.asleep import ASLEEP, some_asleep, tendon_state
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtConstraint

DOF = int(mjtConstraint.mjCNSTR_FRICTION_DOF)
TENDON = int(mjtConstraint.mjCNSTR_FRICTION_TENDON)


@kernel
def dof_friction(m, d, r):
    """Rows from r on for the dofs with friction loss; returns the next row."""
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            if m.dof_frictionloss[i] > 0.0:
                at = range_row(m, d, r, i, i + 1)
                if at >= 0:
                    d.efc_J[at] = 1.0
                    put_row(d, r, DOF, i, 0.0, 0.0, m.dof_frictionloss[i])
                    solref = load_ref(m, m.dof_solref, i, DEFAULT_REF)
                    put_scalar(d, r, solref, load_imp(m.dof_solimp, i), m.dof_invweight0[i], True)
                r += 1
    return r


@kernel
def tendon_friction(m, d, r):
    """Rows from r on for the tendons with friction loss; returns the next row."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if m.tendon_frictionloss[t] > 0.0 and moves(m, d, t) and not (skip and tendon_state(m, d, t) == ASLEEP):
            if tendon_jacobian(m, d, r, t, 1.0):
                put_row(d, r, TENDON, t, 0.0, 0.0, m.tendon_frictionloss[t])
                solref = load_ref(m, m.tendon_solref_fri, t, DEFAULT_REF)
                put_scalar(d, r, solref, load_imp(m.tendon_solimp_fri, t), m.tendon_invweight0[t], True)
            r += 1
    return r


@kernel
def forget_tendons(m, d):
    """No row acts on any tendon."""
    for t in range(m.ntendon):
        d.tendon_efcadr[t] = -1


@kernel
def moves(m, d, t):
    """True if tendon t moves anything: one that does not has no rows, as in the reference."""
    if d.flg_sparse != 0:
        return d.ten_J_rownnz[t] > 0
    total = 0.0
    for i in range(m.nv):
        total += abs(d.ten_J[t, i])
    return total != 0.0


@kernel
def tendon_jacobian(m, d, r, t, sign):
    """Row r of the Jacobian: the moment arms of tendon t times sign. False: no room."""
    if d.flg_sparse != 0:
        n, columns = d.ten_J_rownnz[t], d.ten_J_colind[t]
        at = pattern_rows(d, r, 1, n)
        if at < 0:
            return False
        for k in range(n):
            d.efc_J_colind[at + k] = columns[k]
            d.efc_J[at + k] = sign * d.ten_J[t, columns[k]]
        d.efc_first[r] = columns[0] if n > 0 else 0
        d.efc_end[r] = columns[n - 1] + 1 if n > 0 else 0
    else:
        if not has_room(m, d, r + 1):
            return False
        first, end = 0, m.nv
        while end > 0 and d.ten_J[t, end - 1] == 0.0:
            end -= 1
        while first < end and d.ten_J[t, first] == 0.0:
            first += 1
        clear_row(d, r, m.nv, first, end)
        for k in range(first, end):
            d.efc_J[r * m.nv + k] = sign * d.ten_J[t, k]
    if d.tendon_efcadr[t] < 0:
        d.tendon_efcadr[t] = r
    return True
