"""Elastic energy of flexes."""

from tumble.physics.algebra.vec3 import cross3, dot3, load3, sub3
from tumble.physics.dynamics.flex.elastic import VOLUME, has_stretch
from tumble.physics.dynamics.flex.interpolated import displace, multiply, rotation
from tumble.physics.kernel import kernel, stage

SHELL = 2  # dimension of cloth
WORLD = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@stage
def flex_energy(m, d):
    """Add to energy[0] that [J] of springs along edges, stretching, bending, interpolated elasticity; reads flexvert_xpos, ..."""
    total = 0.0
    for f in range(m.nflex):
        if m.flex_rigid[f]:
            continue
        if m.flex_interp[f] != 0:
            if has_stretch(m, f):
                total += interpolated_energy(m, d, f)
            continue
        first, end = m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]
        if m.flex_edgestiffness[f] != 0.0:
            for e in range(first, end):
                if not m.flexedge_rigid[e]:
                    total += 0.5 * m.flex_edgestiffness[f] * (d.flexedge_length[e] - m.flexedge_length0[e]) ** 2
        if has_stretch(m, f):
            total += stretch_energy(m, d, f)
        if m.flex_dim[f] == SHELL:
            for e in range(first, end):
                if m.flex_edgeflap[e, 0] >= 0 and m.flex_edgeflap[e, 1] >= 0:
                    total += hinge_energy(m, d, f, e)
    d.energy[0] += total


@kernel
def stretch_energy(m, d, f):
    """1/4 e' K e of all elements of flex f, e the changes of squared lengths."""
    n, edge = m.flex_dim[f] * (m.flex_dim[f] + 1) // 2, m.flex_edgeadr[f]
    total, at = 0.0, m.flex_elemedgeadr[f]
    for t in range(m.flex_elemadr[f], m.flex_elemadr[f] + m.flex_elemnum[f]):
        k = 0
        for a in range(n):
            ea = edge + m.flex_elemedge[at + a]
            sa = d.flexedge_length[ea] ** 2 - m.flexedge_length0[ea] ** 2
            for b in range(a, n):
                eb = edge + m.flex_elemedge[at + b]
                sb = d.flexedge_length[eb] ** 2 - m.flexedge_length0[eb] ** 2
                total += (0.25 if a == b else 0.5) * m.flex_stiffness[t, k] * sa * sb
                k += 1
        at += n
    return total


@kernel
def hinge_energy(m, d, f, e):
    """1/2 x' B x + c det of the four vertices around edge e, from the first of them."""
    vertex, q, x = m.flex_vertadr[f], m.flex_bending, d.flexvert_xpos
    x0 = load3(x, vertex + m.flex_edge[e, 0])  # rows of B add up to zero
    a1 = sub3(load3(x, vertex + m.flex_edge[e, 1]), x0)
    a2 = sub3(load3(x, vertex + m.flex_edgeflap[e, 0]), x0)
    a3 = sub3(load3(x, vertex + m.flex_edgeflap[e, 1]), x0)
    total = 0.5 * (q[e, 5] * dot3(a1, a1) + q[e, 10] * dot3(a2, a2) + q[e, 15] * dot3(a3, a3))
    total += q[e, 6] * dot3(a1, a2) + q[e, 7] * dot3(a1, a3) + q[e, 11] * dot3(a2, a3)
    return total + q[e, VOLUME] * dot3(a1, cross3(a2, a3))


@kernel
def interpolated_energy(m, d, f):
    """-1/2 u' K u of the displaced nodes u."""
    displace(m, d, f, rotation(m, d, f))
    multiply(m, d, f, WORLD, 1.0, d.node_shift, d.node_force)
    total = 0.0
    for a in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
        total -= 0.5 * dot3(load3(d.node_shift, a), load3(d.node_force, a))
    return total
