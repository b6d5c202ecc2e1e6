"""A force at a point of a body, mapped to joint space: J'f without forming J."""

from tumble.physics.algebra.spatial import dot6, load6
from tumble.physics.algebra.vec3 import add3, cross3, load3, sub3
from tumble.physics.kernel import kernel


@kernel
def apply_force(m, d, b, point, force, torque, out):
    """out += J'(force [N] at a world point, torque [N m]) for body b; reads cdof, subtree_com."""
    # move the force to the centre of the tree, where the motion axes are expressed
    moment = add3(torque, cross3(sub3(point, load3(d.subtree_com, m.body_rootid[b])), force))
    f = (moment[0], moment[1], moment[2], force[0], force[1], force[2])
    while b > 0 and m.body_dofnum[b] == 0:
        b = m.body_parentid[b]
    if b > 0:
        i = m.body_dofadr[b] + m.body_dofnum[b] - 1
        while i >= 0:
            out[i] += dot6(load6(d.cdof, i), f)
            i = m.dof_parentid[i]
