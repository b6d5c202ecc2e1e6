"""Elasticity of interpolated flexes: linear, in a frame that turns with the flex.

With R the rotation from the axes of the box at qpos0 to those closest to the gradient of the map in its middle, the nodes x
are displaced from their places x0 by u = R'x - x0, and the forces on them are R K u: K, negative semidefinite, fills
flex_stiffness from the flex's first element on. (The reference has R from the world's axes: boxes that are turned at qpos0 are
not at rest there.) That R itself depends on x is left out, as in the reference: forces follow from the energy -1/2 u'K u, and
have no moment about the centre, to first order in the strain.
"""

from tumble.physics.algebra.mat3 import closest_rotation, mat_mul, mat_t_vec, mat_vec, transpose
from tumble.physics.algebra.quat import quat_mat
from tumble.physics.algebra.vec3 import add_scaled3, load3, pick3, store3, sub3, unit3
from tumble.physics.dynamics.flex.vertices import lagrange
from tumble.physics.kernel import kernel

ENTRIES = 21  # numbers a row of flex_stiffness
QUADRATIC = 2


@kernel
def slope(order):
    """Derivatives of the Lagrange polynomials of order 1 or 2 in the middle of [0, 1]."""
    if order == QUADRATIC:
        return (-1.0, 0.0, 1.0)
    return (-1.0, 1.0, 0.0)


@kernel
def rotation(m, d, f):
    """The rotation of flex f from qpos0, (9,) by rows; reads work_node."""
    order, at = m.flex_interp[f], m.flex_nodeadr[f]
    w, s = lagrange(order, 0.5), slope(order)
    x, y, z = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # the columns of the gradient
    for i in range(order + 1):
        for j in range(order + 1):
            for k in range(order + 1):
                p = load3(d.work_node, at)
                x = add_scaled3(x, pick3(s, i) * pick3(w, j) * pick3(w, k), p)
                y = add_scaled3(y, pick3(w, i) * pick3(s, j) * pick3(w, k), p)
                z = add_scaled3(z, pick3(w, i) * pick3(w, j) * pick3(s, k), p)
                at += 1
    gradient = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    return mat_mul(quat_mat(closest_rotation(gradient, (1.0, 0.0, 0.0, 0.0))[0]), transpose(box_axes(m, f)))


@kernel
def box_axes(m, f):
    """The directions of the three sides of the box of nodes of flex f at qpos0, the columns of (9,) by rows."""
    first, n = m.flex_nodeadr[f], m.flex_interp[f] + 1
    origin = load3(m.flex_node0, first)
    x, _ = unit3(sub3(load3(m.flex_node0, first + (n - 1) * n * n), origin))
    y, _ = unit3(sub3(load3(m.flex_node0, first + (n - 1) * n), origin))
    z, _ = unit3(sub3(load3(m.flex_node0, first + n - 1), origin))
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def displace(m, d, f, turn):
    """node_shift <- how far the nodes of flex f are displaced, in its frame [m]."""
    for a in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
        store3(d.node_shift, a, sub3(mat_t_vec(turn, load3(d.work_node, a)), load3(m.flex_node0, a)))


@kernel
def multiply(m, d, f, turn, scale, x, out):
    """out <- scale R K x, of the nodes of flex f."""
    first, count, entries = m.flex_nodeadr[f], m.flex_nodenum[f], m.flex_stiffness
    row, at = m.flex_elemadr[f], 0
    for a in range(first, first + count):
        for c in range(3):
            total = 0.0
            for b in range(first, first + count):
                for k in range(3):
                    total += entries[row, at] * x[b, k]
                    at += 1
                    if at == ENTRIES:
                        row += 1
                        at = 0
            out[a, c] = scale * total
        store3(out, a, mat_vec(turn, load3(out, a)))


@kernel
def interpolated_forces(m, d, f, springs, dampers):
    """node_force and node_drag of flex f; reads work_node, node_rate, which it turns into the flex's frame."""
    turn = rotation(m, d, f)
    if springs:
        displace(m, d, f, turn)
        multiply(m, d, f, turn, 1.0, d.node_shift, d.node_force)
    if dampers:
        for a in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
            store3(d.node_rate, a, mat_t_vec(turn, load3(d.node_rate, a)))
        multiply(m, d, f, turn, m.flex_damping[f], d.node_rate, d.node_drag)
