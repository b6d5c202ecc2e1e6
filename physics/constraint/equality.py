"""Rows of equality constraints: points held together, bodies welded, joints or tendons coupled.

A row's residual is zero where the constraint is met, and it both pulls and pushes. All rows of a connect or a weld
have one impedance, that of the length of their residual: else it would depend on the directions of the axes.
Source: MuJoCo documentation, Computation, Equality.
"""

import math

from physics.algebra.quat import quat_inv, quat_mul
from physics.algebra.spatial import load6
from physics.algebra.vec3 import add3, cross3, load3, sub3
from physics.constraint.contact import last_dof
from physics.constraint.friction import forget_tendons
from physics.constraint.impedance import DEFAULT_REF, damping, impedance, load_imp, load_ref, stiffness
from physics.constraint.row import clear_row, put_response, put_row
from physics.dynamics.held import CONNECT, WELD, held_frame
from physics.kernel import kernel, stage
from physics.state.constants import mjMINVAL
from physics.state.enums import mjtConstraint, mjtDisableBit, mjtEq, mjtJacobian

EQUALITY = int(mjtConstraint.mjCNSTR_EQUALITY)
JOINT, TENDON = int(mjtEq.mjEQ_JOINT), int(mjtEq.mjEQ_TENDON)
OFF = int(mjtDisableBit.mjDSBL_CONSTRAINT) | int(mjtDisableBit.mjDSBL_EQUALITY)
DENSE, AUTO = int(mjtJacobian.mjJAC_DENSE), int(mjtJacobian.mjJAC_AUTO)

_SPARSE_FROM = 60  # dofs from which on the automatic choice of the Jacobian's form is sparse
_POINTS, _POLYNOMIAL = 3, 4  # rows of a connect, degree of a coupling


@stage
def make_equality(m, d):
    """Reads eq_active, poses, cdof, subtree_com, qpos, ten_length, ten_J; writes ne and the first rows: efc_J, ...

    Rows that find no room are counted only; make_constraint, which goes on from row ne, asks for it.
    """
    forget_tendons(m, d)
    r = 0
    if not m.opt_disableflags & OFF:
        for e in range(m.neq):
            if d.eq_active[e]:
                if m.eq_type[e] == CONNECT:
                    r = hold(m, d, r, e, _POINTS)
                elif m.eq_type[e] == WELD:
                    r = hold(m, d, r, e, 2 * _POINTS)
                elif m.eq_type[e] == JOINT:
                    r = couple_joints(m, d, r, e)
                elif m.eq_type[e] == TENDON:
                    r = couple_tendons(m, d, r, e)
    d.ne = r


@kernel
def hold(m, d, r, e, dim):
    """Rows of a connect (dim 3: the points meet) or a weld (dim 6: the frames do too); returns the next row."""
    b1, p1, q1 = held_frame(m, d, e, m.eq_obj1id[e], 0)
    b2, p2, q2 = held_frame(m, d, e, m.eq_obj2id[e], 1)
    last1, last2 = last_dof(m, b1), last_dof(m, b2)
    if last1 < 0 and last2 < 0:
        return r
    if r + dim <= d.maxefc:
        end = max(last1, last2) + 1
        for k in range(r, r + dim):
            clear_row(d, k, m.nv, 0, end)
        first = hold_jacobian(m, d, r, e, dim, b1, b2, p1, p2, q1, q2)
        if is_empty(m, d, r, dim, first, end):
            return r
        shift, turn, scale = sub3(p1, p2), quat_mul(quat_inv(q2), q1), m.eq_data[e, 10]
        residual = (shift[0], shift[1], shift[2], scale * turn[1], scale * turn[2], scale * turn[3])
        length = 0.0
        for k in range(dim):
            length += residual[k] * residual[k]
        length = math.sqrt(length)
        for k in range(dim):
            kind = 0 if k < _POINTS else 1
            weight = m.body_invweight0[b1, kind] + m.body_invweight0[b2, kind]
            d.efc_first[r + k] = first
            put_equality(m, d, r + k, e, residual[k], length, weight)
    return r + dim


@kernel
def hold_jacobian(m, d, r, e, dim, b1, b2, p1, p2, q1, q2):
    """Rows of the motion of the first end relative to the second; returns the first column that can be nonzero.

    Unlike those of a contact the points may be apart, so that dofs which move both bodies count too. With the
    angular velocity w of the first end relative to the second, the rotation q2^-1 q1 changes at 1/2 q2^-1 w q1.
    """
    nv, scale, back = m.nv, 0.5 * m.eq_data[e, 10], quat_inv(q2)
    arm1 = sub3(p1, load3(d.subtree_com, m.body_rootid[b1]))
    arm2 = sub3(p2, load3(d.subtree_com, m.body_rootid[b2]))
    i1, i2, i = last_dof(m, b1), last_dof(m, b2), 0
    while i1 >= 0 or i2 >= 0:
        i = max(i1, i2)
        v = load6(d.cdof, i)
        axis, move = (v[0], v[1], v[2]), (v[3], v[4], v[5])
        rot, lin = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if i1 == i:
            rot, lin = axis, add3(move, cross3(axis, arm1))
            i1 = m.dof_parentid[i]
        if i2 == i:
            rot, lin = sub3(rot, axis), sub3(lin, add3(move, cross3(axis, arm2)))
            i2 = m.dof_parentid[i]
        for k in range(_POINTS):
            d.efc_J[(r + k) * nv + i] = lin[k]
        if dim > _POINTS:
            rate = quat_mul(quat_mul(back, (0.0, rot[0], rot[1], rot[2])), q1)
            for k in range(_POINTS):
                d.efc_J[(r + _POINTS + k) * nv + i] = scale * rate[k + 1]
    return i


@kernel
def couple_joints(m, d, r, e):
    """The row of a joint that follows another by a polynomial, or stays where it is; returns the next row."""
    if r < d.maxefc:
        j1, j2, nv = m.eq_obj1id[e], m.eq_obj2id[e], m.nv
        i1, weight, x, i2 = m.jnt_dofadr[j1], m.dof_invweight0[m.jnt_dofadr[j1]], 0.0, m.jnt_dofadr[j1]
        if j2 >= 0:
            at, i2 = m.jnt_qposadr[j2], m.jnt_dofadr[j2]
            x = d.qpos[at] - m.qpos0[at]
            weight += m.dof_invweight0[i2]
        value, slope = polynomial(m, e, x)
        at = m.jnt_qposadr[j1]
        clear_row(d, r, nv, min(i1, i2), max(i1, i2) + 1)
        if j2 >= 0:
            d.efc_J[r * nv + i2] = -slope
        d.efc_J[r * nv + i1] = 1.0
        residual = d.qpos[at] - m.qpos0[at] - value
        put_equality(m, d, r, e, residual, residual, weight)
    return r + 1


@kernel
def couple_tendons(m, d, r, e):
    """The row of a tendon whose length follows another's by a polynomial, or is held; returns the next row."""
    if r < d.maxefc:
        t1, t2, nv = m.eq_obj1id[e], m.eq_obj2id[e], m.nv
        weight, x = m.tendon_invweight0[t1], 0.0
        if t2 >= 0:
            x = d.ten_length[t2] - m.tendon_length0[t2]
            weight += m.tendon_invweight0[t2]
        value, slope = polynomial(m, e, x)
        clear_row(d, r, nv, 0, nv)
        row = d.efc_J[r * nv : (r + 1) * nv]
        for k in range(nv):
            row[k] = d.ten_J[t1, k]
        if t2 >= 0:
            for k in range(nv):
                row[k] -= slope * d.ten_J[t2, k]
        if is_empty(m, d, r, 1, 0, nv):
            return r
        note_tendon(d, t1, r)
        if t2 >= 0:
            note_tendon(d, t2, r)
        residual = d.ten_length[t1] - m.tendon_length0[t1] - value
        put_equality(m, d, r, e, residual, residual, weight)
    return r + 1


@kernel
def note_tendon(d, t, r):
    """Row r acts on tendon t; its first row is kept."""
    if d.tendon_efcadr[t] < 0:
        d.tendon_efcadr[t] = r


@kernel
def polynomial(m, e, x):
    """Value and slope at x of a coupling's polynomial."""
    value, slope = 0.0, 0.0
    for k in range(_POLYNOMIAL, -1, -1):
        slope = slope * x + value
        value = value * x + m.eq_data[e, k]
    return value, slope


@kernel
def is_empty(m, d, r, count, first, end):
    """Whether `count` rows that move nothing are left out: as in the reference, where the Jacobian is dense."""
    if m.opt_jacobian != DENSE and (m.opt_jacobian != AUTO or m.nv >= _SPARSE_FROM):
        return False
    for k in range(r, r + count):
        row = d.efc_J[k * m.nv + first : k * m.nv + end]
        for i in range(end - first):
            if row[i] != 0.0:
                return False
    return True


@kernel
def put_equality(m, d, r, e, residual, length, weight):
    """Row r of constraint e; length: residual of all its rows, which the impedance depends on; weight: inverse inertia."""
    solref, solimp = load_ref(m, m.eq_solref, e, DEFAULT_REF), load_imp(m.eq_solimp, e)
    imp, slope = impedance(solimp, length)
    k, b = stiffness(solref, solimp[1]), damping(solref, solimp[1])
    put_row(d, r, EQUALITY, e, residual, 0.0, 0.0)
    put_response(d, r, k, b, imp, slope, max(mjMINVAL, (1.0 - imp) * weight / imp))
