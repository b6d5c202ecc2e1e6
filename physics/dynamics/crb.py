"""Joint-space inertia by composite rigid bodies, and its sparse factorization (Featherstone 2008, sections 6.2, 6.5)."""

from tumble.physics.algebra.sparse import factor_part
from tumble.physics.algebra.spatial import dot6, inertia_mul, load6, load10
from tumble.physics.dynamics.asleep import is_awake
from tumble.physics.kernel import kernel, stage


@stage
def make_m(m, d):
    """Reads cinert, cdof, armatures; writes crb, M, qM."""
    crb, cinert, parent = d.crb, d.cinert, m.body_parentid
    for n in range(d.nbody_awake):
        b = d.body_awake_ind[n]
        for k in range(10):
            crb[b, k] = cinert[b, k]
    for n in range(d.nbody_awake - 1, 0, -1):
        b = d.body_awake_ind[n]
        p = parent[b]
        if p > 0:
            for k in range(10):
                crb[p, k] += crb[b, k]

    for k in range(d.awake_nrun):
        inertia_rows(m, d, d.awake_dof[k, 0], d.awake_dof[k, 1])
    if m.ntendon > 0:
        tendon_armature(m, d)
    for k in range(d.awake_nrun):
        first, last = d.awake_dof[k, 0], d.awake_dof[k, 1] - 1
        for a in range(m.M_rowadr[first], m.M_rowadr[last] + m.M_rownnz[last]):
            d.qM[m.mapM2M[a]] = d.M[a]


@kernel
def inertia_rows(m, d, first, end):
    """Rows `first` to `end` of M, without what tendons add."""
    crb, mat, cdof = d.crb, d.M, d.cdof
    for i in range(first, end):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        if m.dof_simplenum[i] > 0:  # a diagonal that never changes
            mat[last] = m.dof_M0[i]
            continue
        momentum = inertia_mul(load10(crb, m.dof_bodyid[i]), load6(cdof, i))
        mat[last] = dot6(load6(cdof, i), momentum) + m.dof_armature[i]
        for a in range(start, last):
            mat[a] = dot6(load6(cdof, m.M_colind[a]), momentum)


@kernel
def tendon_armature(m, d):
    """M += armature J'J of each tendon that has one, within the tree's sparsity."""
    for t in range(m.ntendon):
        armature = m.tendon_armature[t]
        if armature == 0.0:
            continue
        for k in range(d.ten_J_rownnz[t]):
            i = d.ten_J_colind[t, k]
            if not is_awake(m, d, i):
                continue
            s = armature * d.ten_J[t, i]
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
                d.M[a] += s * d.ten_J[t, m.M_colind[a]]


@stage
def factor_m(m, d):
    """Reads M; writes qLD, qLDiagInv."""
    for k in range(d.awake_nrun):
        first, last = d.awake_dof[k, 0], d.awake_dof[k, 1] - 1
        for a in range(m.M_rowadr[first], m.M_rowadr[last] + m.M_rownnz[last]):
            d.qLD[a] = d.M[a]
        factor_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, first, last + 1)
