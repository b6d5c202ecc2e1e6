"""Forces on bodies that depend on the bodies' velocity, and what that adds to d.qDeriv.

A body b that moves with the spatial velocity v feels the wrench f(v); B = df/dv is a 6 x 6 matrix. Its dofs' motion axes
are the columns of J, and J' B J is what it adds. Taken about the centre of the tree, where the motion axes are expressed
(cdof), matrices of different bodies add up, as inertias do: with the sum C over all bodies below a dof, the element (i, j)
is cdof_i' C cdof_j, where C is that of the lower of the two. This is the method of composite bodies (Featherstone, Rigid
Body Dynamics Algorithms, section 6.2): the work of a tree grows with the elements of the pattern, not with bodies times these.

A stage calls clear_wrenches, then add_wrench for every awake body that feels such a force, and at last gather_wrenches.
"""

from tumble.physics.algebra.mat3 import mat_t_vec, mat_vec
from tumble.physics.algebra.spatial import add_scaled6, dot6, load6
from tumble.physics.algebra.vec3 import add3, cross3, load3, sub3
from tumble.physics.dynamics.derivative.pattern import diagonal
from tumble.physics.kernel import kernel


@kernel
def clear_wrenches(d):
    """Zero d.body_slope of the awake bodies."""
    for n in range(d.nbody_awake):
        b = d.body_awake_ind[n]
        for r in range(6):
            for c in range(6):
                d.body_slope[b, r, c] = 0.0


@kernel
def add_wrench(m, d, b, point, frame, slope):
    """Add to d.body_slope the derivative of a wrench on body b.

    point: (3,) a world point of the body; frame: (9,) axes as columns, such as those of a body or geom.
    slope: (6, 6) array, the derivative of torque and force at the point [N m, N] by angular and linear velocity of the
    point [rad/s, m/s], all along these axes, rotation before translation.
    """
    arm = sub3(point, load3(d.subtree_com, m.body_rootid[b]))
    for c in range(6):  # what a unit motion about the tree's centre leads to
        spin = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        slide = add3((1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0), cross3(spin, arm))
        w, u = mat_t_vec(frame, spin), mat_t_vec(frame, slide)
        v = (w[0], w[1], w[2], u[0], u[1], u[2])
        torque = mat_vec(frame, (dot6(load6(slope, 0), v), dot6(load6(slope, 1), v), dot6(load6(slope, 2), v)))
        force = mat_vec(frame, (dot6(load6(slope, 3), v), dot6(load6(slope, 4), v), dot6(load6(slope, 5), v)))
        moment = add3(torque, cross3(arm, force))
        for r in range(3):
            d.body_slope[b, r, c] += moment[r]
            d.body_slope[b, 3 + r, c] += force[r]


@kernel
def gather_wrenches(m, d):
    """qDeriv += J' B J of all awake bodies; adds up d.body_slope towards the roots."""
    for n in range(d.nbody_awake - 1, 0, -1):
        b = d.body_awake_ind[n]
        p = m.body_parentid[b]
        if p > 0:
            for r in range(6):
                for c in range(6):
                    d.body_slope[p, r, c] += d.body_slope[b, r, c]
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            gather_dof(m, d, i)


@kernel
def gather_dof(m, d, i):
    """Row i of qDeriv up to the diagonal, and column i above it."""
    b, axis, end = m.dof_bodyid[i], load6(d.cdof, i), diagonal(m, i)
    c0, c1, c2 = load6(d.body_slope[b], 0), load6(d.body_slope[b], 1), load6(d.body_slope[b], 2)
    c3, c4, c5 = load6(d.body_slope[b], 3), load6(d.body_slope[b], 4), load6(d.body_slope[b], 5)
    right = (dot6(c0, axis), dot6(c1, axis), dot6(c2, axis), dot6(c3, axis), dot6(c4, axis), dot6(c5, axis))
    left = add_scaled6(add_scaled6((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), axis[0], c0), axis[1], c1)
    left = add_scaled6(add_scaled6(left, axis[2], c2), axis[3], c3)
    left = add_scaled6(add_scaled6(left, axis[4], c4), axis[5], c5)
    d.qDeriv[end] += dot6(left, axis)
    for a in range(m.D_rowadr[i], end):
        j = m.D_colind[a]
        above = load6(d.cdof, j)
        d.qDeriv[a] += dot6(left, above)
        d.qDeriv[diagonal(m, j) + i - j] += dot6(above, right)
