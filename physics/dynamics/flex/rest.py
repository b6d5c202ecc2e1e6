"""Constants of flexes at qpos0: lengths of edges, and the inverse inertia that an edge feels along itself."""

from physics.algebra.vec3 import load3, norm3, sub3
from physics.dynamics.chain import last_dof
from physics.dynamics.flex.passive import SLIDERS
from physics.kernel import kernel, stage


@stage
def flex_rest(m, d):
    """Reads flexvert_xpos, flexedge_J, qLD, dof_invweight0 at qpos0; writes flexedge_length0, flexedge_invweight0."""
    for i in range(m.nv):
        d.work_dof[i] = 0.0
    for f in range(m.nflex):
        if m.flex_interp[f] != 0:
            continue
        vertex = m.flex_vertadr[f]
        for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            p1 = load3(d.flexvert_xpos, vertex + m.flex_edge[e, 0])
            m.flexedge_length0[e] = norm3(sub3(load3(d.flexvert_xpos, vertex + m.flex_edge[e, 1]), p1))
            if not m.flex_rigid[f]:
                m.flexedge_invweight0[e] = edge_weight(m, d, f, e)


@kernel
def edge_weight(m, d, f, e):
    """The inverse inertia of edge e [1/kg], J M^-1 J'; as in the reference the mean of both ends where slides alone move them."""
    if m.flexedge_rigid[e]:
        return 0.0
    b1 = m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[e, 0]]
    b2 = m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[e, 1]]
    if m.body_simple[b1] == SLIDERS and m.body_simple[b2] == SLIDERS:
        return 0.5 * (m.dof_invweight0[m.body_dofadr[b1]] + m.dof_invweight0[m.body_dofadr[b2]])
    return inverse_inertia(m, d, f, e)


@kernel
def inverse_inertia(m, d, f, e):
    """J M^-1 J' of edge e [1/kg]: elimination with the factor of M = L' D L stays within the chains of both ends."""
    x, vertex, total = d.work_dof, m.flex_vertadr[f], 0.0
    at = m.flexedge_J_rowadr[e]
    for k in range(at, at + m.flexedge_J_rownnz[e]):
        x[m.flexedge_J_colind[k]] = d.flexedge_J[k]
    i1 = last_dof(m, m.flex_vertbodyid[vertex + m.flex_edge[e, 0]])
    i2 = last_dof(m, m.flex_vertbodyid[vertex + m.flex_edge[e, 1]])
    while i1 >= 0 or i2 >= 0:
        i = max(i1, i2)
        xi, start = x[i], m.M_rowadr[i]
        for a in range(start, start + m.M_rownnz[i] - 1):
            x[m.M_colind[a]] -= d.qLD[a] * xi
        total += xi * xi * d.qLDiagInv[i]
        x[i] = 0.0
        if i1 == i:
            i1 = m.dof_parentid[i]
        if i2 == i:
            i2 = m.dof_parentid[i]
    return total
