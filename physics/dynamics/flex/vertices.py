"""Vertex positions of flexes: in bodies of their own, or interpolated between the nodes of a grid.

Interpolation is the tensor product of Lagrange polynomials of order 1 or 2 in the coordinates flex_vert0, which run from
0 to 1 along the edges of the box; of the nodes the last coordinate runs fastest.
"""

from tumble.physics.algebra.mat3 import load9, mat_vec
from tumble.physics.algebra.vec3 import add3, load3, pick3, store3
from tumble.physics.kernel import kernel

_ORDER2 = 2


@kernel
def place_vertices(m, d, f):
    """flexvert_xpos of flex f, from the poses of bodies; work_node too, where nodes are if there are any [m]."""
    first, end = m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]
    if m.flex_interp[f] == 0:
        place(d, first, end, m.flex_centered[f], m.flex_vertbodyid, m.flex_vert, d.flexvert_xpos)
        return
    node = m.flex_nodeadr[f]
    place(d, node, node + m.flex_nodenum[f], m.flex_centered[f], m.flex_nodebodyid, m.flex_node, d.work_node)
    order = m.flex_interp[f]
    if order == 1:
        blend_corners(m, d, node, first, end)
        return
    for v in range(first, end):
        u = load3(m.flex_vert0, v)
        wx, wy, wz = lagrange(order, u[0]), lagrange(order, u[1]), lagrange(order, u[2])
        x, y, z, at = 0.0, 0.0, 0.0, node
        for i in range(order + 1):
            for j in range(order + 1):
                wxy = pick3(wx, i) * pick3(wy, j)
                for k in range(order + 1):
                    weight = wxy * pick3(wz, k)
                    x += weight * d.work_node[at, 0]
                    y += weight * d.work_node[at, 1]
                    z += weight * d.work_node[at, 2]
                    at += 1
        store3(d.flexvert_xpos, v, (x, y, z))


@kernel
def blend_corners(m, d, node, first, end):
    """Trilinear interpolation between the eight nodes from `node` on, of the vertices from `first` to `end`."""
    x = d.work_node
    p0, p1, p2, p3 = load3(x, node), load3(x, node + 1), load3(x, node + 2), load3(x, node + 3)
    p4, p5, p6, p7 = load3(x, node + 4), load3(x, node + 5), load3(x, node + 6), load3(x, node + 7)
    for v in range(first, end):
        a, b, c = load3(m.flex_vert0, v)
        low = blend(b, blend(c, p0, p1), blend(c, p2, p3))
        store3(d.flexvert_xpos, v, blend(a, low, blend(b, blend(c, p4, p5), blend(c, p6, p7))))


@kernel
def blend(t, p, q):
    """The point between p and q, at p for t = 0 and at q for t = 1."""
    s = 1.0 - t
    return s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]


@kernel
def place(d, first, end, centered, bodyid, local, out):
    """out <- points from `first` to `end`, local in the frames of their bodies, in the world; centered: local is zero."""
    for v in range(first, end):
        b = bodyid[v]
        pos = load3(d.xpos, b)
        if not centered:
            pos = add3(pos, mat_vec(load9(d.xmat, b), load3(local, v)))
        store3(out, v, pos)


@kernel
def lagrange(order, t):
    """The Lagrange polynomials of order 1 or 2 on [0, 1] at t: weights of the nodes; the third is 0 for order 1."""
    if order == _ORDER2:
        return (2.0 * t - 1.0) * (t - 1.0), 4.0 * t * (1.0 - t), t * (2.0 * t - 1.0)
    return 1.0 - t, t, 0.0
