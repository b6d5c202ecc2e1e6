"""Steps of interpolated flexes by the implicit integrators: their elasticity is taken at the end of the step.

Their forces f = R K u, with u' = v and a damping c R K v, change over a step h by (h c + h^2) K v' + h K v to first order, where
K is turned with the flex and R is held. So the acceleration a solves

    (M - h D - (h c + h^2) J'KJ) a = qfrc_smooth + qfrc_constraint + h J'K v

with D, qDeriv, the derivative of all other forces, and J the Jacobian of the nodes. -K is positive semidefinite. Nodes are
coupled all with all, so that no pattern of dofs holds the matrix: it is multiplied, and the equations are solved by conjugate
gradients with M - h D as preconditioner. What is not symmetric in D enters by repeating that on what is left over.
"""

from tumble.physics.algebra.mat3 import load9, mat_t_vec, store9
from tumble.physics.algebra.sparse import factor_part, solve_part
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, store3, sub3
from tumble.physics.dynamics.flex.elastic import has_stretch
from tumble.physics.dynamics.flex.interpolated import multiply, rotation
from tumble.physics.dynamics.object import apply_force, last_dof
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtDisableBit

NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
ROUNDS = 8  # solutions of what is left over, at most; two are the rule
ENOUGH = 1e-24  # squared residual relative to the right side: rounding


@stage
def implicit_flex(m, d):
    """Reads M, qDeriv, qfrc_smooth, qfrc_constraint, work_node; work_dof <- the acceleration that the step takes."""
    turn_flexes(m, d)
    for i in range(m.nv):
        d.flex_rest[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
        d.work_dof[i] = 0.0
    add_stiffness(m, d, d.qvel, d.flex_rest, m.opt_timestep, 0.0)
    factor(m, d)
    enough = ENOUGH * dot(m, d.flex_rest, d.flex_rest)
    for _ in range(ROUNDS):
        if not dot(m, d.flex_rest, d.flex_rest) > enough:
            return
        improve(m, d, enough)
        for i in range(m.nv):
            d.flex_rest[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
        add_stiffness(m, d, d.qvel, d.flex_rest, m.opt_timestep, 0.0)
        apply(m, d, d.work_dof, d.flex_image, True)
        for i in range(m.nv):
            d.flex_rest[i] -= d.flex_image[i]


@stage
def inverse_flex(m, d):
    """Reads qacc, qvel; work_dof += M a' - M a, where a is the acceleration of such a step, and a' that in continuous time."""
    turn_flexes(m, d)
    h = m.opt_timestep
    add_stiffness(m, d, d.qacc, d.work_dof, -h * h, -h)
    add_stiffness(m, d, d.qvel, d.work_dof, -h, 0.0)


@kernel
def turn_flexes(m, d):
    """flex_turn <- the rotations of interpolated flexes."""
    for f in range(m.nflex):
        if resists(m, f):
            store9(d.flex_turn, f, rotation(m, d, f))


@kernel
def resists(m, f):
    """True if flex f is interpolated and elastic."""
    return m.flex_interp[f] != 0 and not m.flex_rigid[f] and has_stretch(m, f)


@kernel
def factor(m, d):
    """qH, qHDiagInv <- factors of the lower triangle of M - h qDeriv."""
    for a in range(m.nC):
        d.qH[a] = d.M[a] - m.opt_timestep * d.qDeriv[m.mapD2M[a]]
    factor_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, 0, m.nv)


@kernel
def improve(m, d, enough):
    """work_dof += the solution of the symmetric equations with the right side flex_rest."""
    left, step, image, near = d.flex_rest, d.flex_step, d.flex_image, d.flex_near
    precondition(m, d, left, near)
    for i in range(m.nv):
        step[i] = near[i]
    now = dot(m, left, near)
    for _ in range(2 * m.nv):
        apply(m, d, step, image, False)
        across = dot(m, step, image)
        if not across > 0.0:
            return
        length = now / across
        for i in range(m.nv):
            d.work_dof[i] += length * step[i]
            left[i] -= length * image[i]
        if dot(m, left, left) <= enough:
            return
        precondition(m, d, left, near)
        before, now = now, dot(m, left, near)
        for i in range(m.nv):
            step[i] = near[i] + now / before * step[i]


@kernel
def precondition(m, d, x, out):
    """out <- the solution of the equations without flexes."""
    for i in range(m.nv):
        out[i] = x[i]
    solve_part(m.M_rownnz, m.M_rowadr, m.M_colind, d.qH, d.qHDiagInv, out, 0, m.nv)


@kernel
def dot(m, x, y):
    """The dot product of two vectors over dofs."""
    total = 0.0
    for i in range(m.nv):
        total += x[i] * y[i]
    return total


@kernel
def apply(m, d, x, out, whole):
    """out <- the matrix times x; whole: with what is not symmetric in qDeriv."""
    h = m.opt_timestep
    for i in range(m.nv):
        out[i] = 0.0
    for i in range(m.nv):
        for a in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
            j = m.D_colind[a]
            if whole or j <= i:
                at = m.mapM2D[a]
                value = ((d.M[at] if at >= 0 else 0.0) - h * d.qDeriv[a]) * x[j]
                out[i] += value
    if not whole:
        for i in range(m.nv):
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
                out[m.M_colind[a]] += (d.M[a] - h * d.qDeriv[m.mapD2M[a]]) * x[i]
    add_stiffness(m, d, x, out, -h * h, -h)


@kernel
def add_stiffness(m, d, x, out, spring, damper):
    """out += (spring + damper times flex_damping) J'KJ x, of all interpolated flexes; flags leave out either."""
    spring = 0.0 if m.opt_disableflags & NO_SPRING else spring
    damper = 0.0 if m.opt_disableflags & NO_DAMPER else damper
    for f in range(m.nflex):
        scale = spring + damper * m.flex_damping[f]
        if scale == 0.0 or not resists(m, f):
            continue
        turn = load9(d.flex_turn, f)
        first, end = m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]
        for a in range(first, end):
            store3(d.node_rate, a, mat_t_vec(turn, node_motion(m, d, a, x)))
        multiply(m, d, f, turn, scale, d.node_rate, d.node_force)
        for a in range(first, end):
            apply_force(m, d, m.flex_nodebodyid[a], load3(d.work_node, a), load3(d.node_force, a), (0.0, 0.0, 0.0), out)


@kernel
def node_motion(m, d, a, x):
    """The motion of node a by the motion x of the dofs."""
    b, move, turn = m.flex_nodebodyid[a], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    i = last_dof(m, b)
    while i >= 0:
        turn = add_scaled3(turn, x[i], (d.cdof[i, 0], d.cdof[i, 1], d.cdof[i, 2]))
        move = add_scaled3(move, x[i], (d.cdof[i, 3], d.cdof[i, 4], d.cdof[i, 5]))
        i = m.dof_parentid[i]
    return add3(move, cross3(turn, sub3(load3(d.work_node, a), load3(d.subtree_com, m.body_rootid[b]))))
