"""Rows of equality constraints: points held together, bodies welded, joints or tendons coupled, flexes kept.

A row's residual is zero if the constraint is met, and it both pulls and pushes. All rows of a connect or a weld
have one impedance, that of the length of their residual: else it would depend on the directions of the axes.
Source: MuJoCo documentation, Computation, Equality.
"""

import math

from tumble.physics.algebra.quat import quat_inv, quat_mul
from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, cross3, dot3, load3, pick3, sub3
from tumble.physics.callback.call import integer
from tumble.physics.constraint.contact import chain_columns, chain_length
from tumble.physics.constraint.friction import forget_tendons
from tumble.physics.constraint.impedance import DEFAULT_REF, damping, impedance, load_imp, load_ref, regularizer, stiffness
from tumble.physics.constraint.row import clear_row, has_room, pattern_rows, put_response, put_row, start_rows
from tumble.physics.dynamics.asleep import equality_sleeps, some_asleep
from tumble.physics.dynamics.object import last_dof
from tumble.physics.dynamics.weights import CONNECT, WELD, held_frame
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtConstraint, mjtDisableBit, mjtEq
from tumble.physics.state.stages import Entry

EQUALITY = int(mjtConstraint.mjCNSTR_EQUALITY)
JOINT, TENDON = int(mjtEq.mjEQ_JOINT), int(mjtEq.mjEQ_TENDON)
FLEX, FLEXVERT, HOLD_FLEX = int(mjtEq.mjEQ_FLEX), int(mjtEq.mjEQ_FLEXVERT), int(Entry.HOLD_FLEX)
OFF = int(mjtDisableBit.mjDSBL_CONSTRAINT) | int(mjtDisableBit.mjDSBL_EQUALITY)

_POINTS, _POLYNOMIAL = 3, 4  # rows of a connect, degree of a coupling


@stage
def make_equality(m, d):
    """Reads eq_active, poses, cdof, subtree_com, qpos, ten_..., flex...; writes ne and the first rows: efc_J, ...

    Rows that find no room are counted only; make_constraint, which goes on from row ne, asks for it.
    """
    forget_tendons(m, d)
    start_rows(m, d)
    r = 0
    if not m.opt_disableflags & OFF:
        skip = some_asleep(m, d)
        for e in range(m.neq):
            if d.eq_active[e] and not (skip and equality_sleeps(m, d, e)):
                if m.eq_type[e] == CONNECT:
                    r = hold(m, d, r, e, _POINTS)
                elif m.eq_type[e] == WELD:
                    r = hold(m, d, r, e, 2 * _POINTS)
                elif m.eq_type[e] == JOINT:
                    r = couple_joints(m, d, r, e)
                elif m.eq_type[e] == TENDON:
                    r = couple_tendons(m, d, r, e)
                elif m.eq_type[e] in (FLEX, FLEXVERT):
                    r = integer(m.stage[HOLD_FLEX], m, d, e, r)
    d.ne = r


@kernel
def hold(m, d, r, e, dim):
    """Rows of a connect (dim 3: the points meet) or a weld (dim 6: the frames do too); returns the next row."""
    b1, p1, q1 = held_frame(m, d, e, m.eq_obj1id[e], 0)
    b2, p2, q2 = held_frame(m, d, e, m.eq_obj2id[e], 1)
    last1, last2 = last_dof(m, b1), last_dof(m, b2)
    if last1 < 0 and last2 < 0:
        return r
    at, stride = hold_rows(m, d, r, dim, last1, last2)
    if at >= 0:
        first, end = hold_jacobian(m, d, at, stride, e, dim, b1, b2, p1, p2, q1, q2), max(last1, last2) + 1
        if is_empty(m, d, r, dim, first, end):
            return r
        shift, turn, scale = sub3(p1, p2), quat_mul(quat_inv(q2), q1), m.eq_data[e, 10]
        bend = (scale * turn[1], scale * turn[2], scale * turn[3])
        length = math.sqrt(dot3(shift, shift) + (dot3(bend, bend) if dim > _POINTS else 0.0))
        for k in range(dim):
            residual = pick3(shift, k) if k < _POINTS else pick3(bend, k - _POINTS)
            kind = 0 if k < _POINTS else 1
            weight = m.body_invweight0[b1, kind] + m.body_invweight0[b2, kind]
            d.efc_first[r + k] = first
            d.efc_end[r + k] = end
            put_equality(m, d, r + k, e, residual, length, weight)
    return r + dim


@kernel
def hold_rows(m, d, r, dim, last1, last2):
    """Begin the rows of a connect or weld; returns the address of the first, -1: no room, and the numbers a row."""
    if d.flg_sparse == 0:
        if not has_room(m, d, r + dim):
            return -1, m.nv
        for k in range(r, r + dim):
            clear_row(d, k, m.nv, 0, max(last1, last2) + 1)
        return r * m.nv, m.nv
    n = chain_length(m, last1, last2)
    at = pattern_rows(d, r, dim, n)
    if at >= 0:
        for k in range(dim):
            chain_columns(m, d, at + k * n, n, last1, last2)
    return at, n


@kernel
def hold_jacobian(m, d, at, stride, e, dim, b1, b2, p1, p2, q1, q2):
    """Rows of the motion of the first end relative to the second; returns the first column that can be nonzero.

    Unlike those of a contact the points may be apart, so that dofs which move both bodies count too. With the
    angular velocity w of the first end relative to the second, the rotation q2^-1 q1 changes at 1/2 q2^-1 w q1.
    """
    scale, back, place = 0.5 * m.eq_data[e, 10], quat_inv(q2), stride
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
        place -= 1  # sparse rows are filled from their end
        to = at + i if d.flg_sparse == 0 else at + place
        for k in range(_POINTS):
            d.efc_J[to + k * stride] = lin[k]
        if dim > _POINTS:
            rate = quat_mul(quat_mul(back, (0.0, rot[0], rot[1], rot[2])), q1)
            for k in range(_POINTS):
                d.efc_J[to + (_POINTS + k) * stride] = scale * rate[k + 1]
    return i


@kernel
def couple_joints(m, d, r, e):
    """The row of a joint that follows another by a polynomial, or stays where it is; returns the next row."""
    j1, j2 = m.eq_obj1id[e], m.eq_obj2id[e]
    i1, weight, x, i2 = m.jnt_dofadr[j1], m.dof_invweight0[m.jnt_dofadr[j1]], 0.0, m.jnt_dofadr[j1]
    if j2 >= 0:
        q2, i2 = m.jnt_qposadr[j2], m.jnt_dofadr[j2]
        x = d.qpos[q2] - m.qpos0[q2]
        weight += m.dof_invweight0[i2]
    low, high = couple_row(m, d, r, min(i1, i2), max(i1, i2))
    if low >= 0:
        value, slope = polynomial(m, e, x)
        if j2 >= 0:
            d.efc_J[high if i2 > i1 else low] = -slope
        d.efc_J[low if i2 > i1 else high] = 1.0
        q1 = m.jnt_qposadr[j1]
        residual = d.qpos[q1] - m.qpos0[q1] - value
        put_equality(m, d, r, e, residual, residual, weight)
    return r + 1


@kernel
def couple_row(m, d, r, first, last):
    """Begin row r, which has nonzeros in two columns, or in one; returns their addresses, -1: no room."""
    if d.flg_sparse == 0:
        if not has_room(m, d, r + 1):
            return -1, -1
        clear_row(d, r, m.nv, first, last + 1)
        return r * m.nv + first, r * m.nv + last
    n = 1 if first == last else 2
    at = pattern_rows(d, r, 1, n)
    if at < 0:
        return -1, -1
    d.efc_J_colind[at] = first
    d.efc_J_colind[at + n - 1] = last
    d.efc_first[r] = first
    d.efc_end[r] = last + 1
    return at, at + n - 1


@kernel
def couple_tendons(m, d, r, e):
    """The row of a tendon whose length follows another's by a polynomial, or is held; returns the next row."""
    t1, t2 = m.eq_obj1id[e], m.eq_obj2id[e]
    weight, x = m.tendon_invweight0[t1], 0.0
    if t2 >= 0:
        x = d.ten_length[t2] - m.tendon_length0[t2]
        weight += m.tendon_invweight0[t2]
    value, slope = polynomial(m, e, x)
    if tendons_row(m, d, r, t1, t2, slope):
        if is_empty(m, d, r, 1, d.efc_first[r], d.efc_end[r]):
            return r
        note_tendon(d, t1, r)
        if t2 >= 0:
            note_tendon(d, t2, r)
        residual = d.ten_length[t1] - m.tendon_length0[t1] - value
        put_equality(m, d, r, e, residual, residual, weight)
    return r + 1


@kernel
def tendons_row(m, d, r, t1, t2, slope):
    """Row r: the moment arms of tendon t1 minus slope times those of t2 (-1: none). False: no room."""
    nv, sparse = m.nv, d.flg_sparse != 0
    if sparse:
        n = 0
        for k in range(nv):
            n += is_on(d, t1, k) or is_on(d, t2, k)
        at = pattern_rows(d, r, 1, n)
    else:
        at = r * nv if has_room(m, d, r + 1) else -1
    if at < 0:
        return False
    if not sparse:
        clear_row(d, r, nv, 0, nv)
    first, end = nv, 0
    for k in range(nv):
        arm = d.ten_J[t1, k] - slope * d.ten_J[t2, k] if t2 >= 0 else d.ten_J[t1, k]
        if not sparse:
            d.efc_J[at + k] = arm
        elif is_on(d, t1, k) or is_on(d, t2, k):
            d.efc_J_colind[at] = k
            d.efc_J[at] = arm
            at += 1
        else:
            continue
        if sparse or arm != 0.0:
            first, end = min(first, k), k + 1
    d.efc_first[r] = min(first, end)
    d.efc_end[r] = end
    return True


@kernel
def is_on(d, t, i):
    """True if dof i is in the pattern of tendon t; none is in that of tendon -1."""
    if t >= 0:
        for k in range(d.ten_J_rownnz[t]):
            if d.ten_J_colind[t, k] == i:
                return True
    return False


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
    """True if `count` rows are left out, as in the reference: those without columns, and where all is dense, those of zeros."""
    if d.flg_sparse != 0:
        return end <= first
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
    put_response(d, r, k, b, imp, slope, regularizer(imp, weight))
