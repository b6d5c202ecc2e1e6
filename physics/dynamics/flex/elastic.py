"""Forces of the elasticity of flexes on their vertices: stretching and bending.

Stretching of an element is that of a Saint Venant-Kirchhoff solid, with edges in place of a strain tensor: for the changes
of their squared lengths, e = l^2 - l0^2, the energy is 1/4 e' K e, whose negative gradient pulls the ends of edge a
together with the force (K e)_a times the edge. Damping adds, times flex_damping, the rate at which e has changed over a
time step: (l^2 - (l - h dl/dt)^2) / h.

Bending of two triangles that share an edge is 1/2 x' B x + c det(x1 - x0, x2 - x0, x3 - x0), quadratic in the places of
their four vertices, but for a curved rest shape, which adds the volume that they span (Wardetzky et al. 2007, Discrete
quadratic curvature energies; Garg et al. 2007, Cubic shells). Its damping is -flex_damping B v.
"""

from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, store3, sub3
from tumble.physics.dynamics.flex.edges import bound_elements, bound_volumes, holds_strains, measure_edges
from tumble.physics.dynamics.flex.strain import measure_strain
from tumble.physics.dynamics.flex.vertices import place_vertices
from tumble.physics.kernel import kernel, stage

VOLUME = 16  # where in flex_bending the factor of the volume stands, behind the matrix


@kernel
def has_stretch(m, f):
    """True if flex f has elements that resist stretching."""
    return m.flex_elemnum[f] > 0 and m.flex_stiffness[m.flex_elemadr[f], 0] != 0.0


@kernel
def stretch(m, d, f, springs, dampers):
    """flex_force of flex f's vertices += stretching, with its damping; reads flexedge_length, flexedge_velocity."""
    n = m.flex_dim[f] * (m.flex_dim[f] + 1) // 2
    edge, vertex, h = m.flex_edgeadr[f], m.flex_vertadr[f], m.opt_timestep
    damping = m.flex_damping[f] if dampers else 0.0
    strain, pull = d.flex_strain, d.flex_pull
    for e in range(edge, edge + m.flex_edgenum[f]):
        length, rest, rate = d.flexedge_length[e], m.flexedge_length0[e], d.flexedge_velocity[e]
        change = length * length - rest * rest if springs else 0.0
        strain[e] = change + damping * rate * (2.0 * length - h * rate)
        pull[e] = 0.0
    elements, stiffness = m.flex_elemedge, m.flex_stiffness
    at = m.flex_elemedgeadr[f]
    for t in range(m.flex_elemadr[f], m.flex_elemadr[f] + m.flex_elemnum[f]):
        k = 0
        for a in range(n):
            ea = edge + elements[at + a]
            sa = strain[ea]
            total = stiffness[t, k] * sa
            k += 1
            for b in range(a + 1, n):
                eb = edge + elements[at + b]
                s = stiffness[t, k]
                total += s * strain[eb]
                pull[eb] += s * sa
                k += 1
            pull[ea] += total
        at += n
    for e in range(edge, edge + m.flex_edgenum[f]):
        v1, v2, s = vertex + m.flex_edge[e, 0], vertex + m.flex_edge[e, 1], pull[e]
        for k in range(3):
            force = s * (d.flexvert_xpos[v2, k] - d.flexvert_xpos[v1, k])
            d.flex_force[v1, k] += force
            d.flex_force[v2, k] -= force


@kernel
def bend(m, d, f, springs, dampers):
    """flex_force and flex_drag of flex f's vertices += bending and its damping; reads flexvert_xpos, flex_rate."""
    edge, vertex, bending = m.flex_edgeadr[f], m.flex_vertadr[f], m.flex_bending
    for e in range(edge, edge + m.flex_edgenum[f]):
        if m.flex_edgeflap[e, 0] < 0 or m.flex_edgeflap[e, 1] < 0:
            continue
        v = (vertex + m.flex_edge[e, 0], vertex + m.flex_edge[e, 1],
             vertex + m.flex_edgeflap[e, 0], vertex + m.flex_edgeflap[e, 1])  # fmt: skip
        if springs:
            add_product(bending, e, v, d.flexvert_xpos, 1.0, d.flex_force)
            if bending[e, VOLUME] != 0.0:
                add_volume_slope(d, v, bending[e, VOLUME])
        if dampers:
            add_product(bending, e, v, d.flex_rate, m.flex_damping[f], d.flex_drag)


@kernel
def add_product(bending, e, v, x, scale, out):
    """out -= scale B x, of the four vertices v of edge e."""
    for k in range(3):
        x0, x1, x2, x3 = x[v[0], k], x[v[1], k], x[v[2], k], x[v[3], k]
        out[v[0], k] -= scale * (bending[e, 0] * x0 + bending[e, 1] * x1 + bending[e, 2] * x2 + bending[e, 3] * x3)
        out[v[1], k] -= scale * (bending[e, 4] * x0 + bending[e, 5] * x1 + bending[e, 6] * x2 + bending[e, 7] * x3)
        out[v[2], k] -= scale * (bending[e, 8] * x0 + bending[e, 9] * x1 + bending[e, 10] * x2 + bending[e, 11] * x3)
        out[v[3], k] -= scale * (bending[e, 12] * x0 + bending[e, 13] * x1 + bending[e, 14] * x2 + bending[e, 15] * x3)


@kernel
def add_volume_slope(d, v, c):
    """flex_force -= c times the gradient of the determinant that the four vertices v span."""
    x0 = load3(d.flexvert_xpos, v[0])
    a1, a2, a3 = (
        sub3(load3(d.flexvert_xpos, v[1]), x0), sub3(load3(d.flexvert_xpos, v[2]), x0), sub3(load3(d.flexvert_xpos, v[3]), x0),
    )  # fmt: skip
    g1, g2, g3 = cross3(a2, a3), cross3(a3, a1), cross3(a1, a2)
    out = d.flex_force
    store3(out, v[0], add_scaled3(load3(out, v[0]), c, add3(g1, add3(g2, g3))))
    store3(out, v[1], add_scaled3(load3(out, v[1]), -c, g1))
    store3(out, v[2], add_scaled3(load3(out, v[2]), -c, g2))
    store3(out, v[3], add_scaled3(load3(out, v[3]), -c, g3))


@stage
def flex_shape(m, d):
    """Reads xpos, xmat, cdof, subtree_com; writes flexvert_..., flexelem_aabb, flexedge_length, flexedge_J, bvh_aabb_dyn."""
    for f in range(m.nflex):
        place_vertices(m, d, f)
        bound_elements(m, d, f)
        bound_volumes(m, d, f)
        if not m.flex_rigid[f] and m.flex_interp[f] == 0:
            measure_edges(m, d, f)
            if holds_strains(m, f):
                measure_strain(m, d, f)
