"""Derivative by velocity of the Coriolis, centrifugal and gyroscopic forces, qfrc_bias.

Recursive Newton-Euler finds, about the centre of the tree and with cdof = S, cdof_dot = S':

    v_b = sum of S_i q'_i,   a_b = sum of S'_i q'_i,   f_b = I_b a_b + v_b x* (I_b v_b),   qfrc_bias_i = S_i . sum of f_b,

the first sums over the dofs above body b, the last over the bodies below dof i. S'_i = v x S_i with a velocity v that holds
all motions but those that S_i does not turn with. Hence for a dof j above body b, with v(j) the velocity after its joint,

    dv_b/dq'_j = S_j,   da_b/dq'_j = W_j - v_b x S_j,   W_j = S'_j + v(j) x S_j,
    df_b/dq'_j = I_b W_j + K_b S_j,   K_b S = v_b x* (I_b S) + S x* (I_b v_b) - I_b (v_b x S).

With Jacobi's identity, K_b takes the form of a 3 x 3 matrix N and the linear momentum p: a rotation s and a translation t
lead to the torque N s and the force 2 s x p, whatever t is, where with angular velocity w, velocity u, inertia J, and mass
times centre h

    N = w x (2 J - trace(J)) + 2 (h . u) - 2 u h'.

I and K add up over the bodies below a dof. So both elements (i, j) and (j, i) of a dof j above i follow from the sums at i,
as those of the inertia matrix do (Featherstone, Rigid Body Dynamics Algorithms, section 6.2). For single dofs a joint
this is the result of Singh, Russell and Wensing (2022), Efficient analytical derivatives of rigid-body dynamics.
The bias force of tendon armature (tendon_bias) is left out, as in MuJoCo.
"""

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.spatial import add6, add_scaled6, cross_motion, dot6, inertia_mul, load6, load10, store6
from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3
from tumble.physics.dynamics.com import STILL
from tumble.physics.dynamics.derivative.pattern import diagonal
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtJoint

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)


@stage
def rne_derivative(m, d):
    """Reads cdof, cdof_dot, cvel, cinert, crb; subtracts the derivative of qfrc_bias from qDeriv."""
    for n in range(1, d.nbody_awake):
        gyration(d, d.body_awake_ind[n])
    for n in range(d.nbody_awake - 1, 0, -1):
        b = d.body_awake_ind[n]
        p = m.body_parentid[b]
        if p > 0:
            for k in range(12):
                d.body_gyro[p, k] += d.body_gyro[b, k]
    for k in range(d.awake_nrun):
        for j in range(d.awake_joint[k, 0], d.awake_joint[k, 1]):
            axis_rates(m, d, j)
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            subtract_dof(m, d, i)


@kernel
def gyration(d, b):
    """body_gyro of body b alone: N by rows, then p."""
    i, v, out = load10(d.cinert, b), load6(d.cvel, b), d.body_gyro
    w, u, h = (v[0], v[1], v[2]), (v[3], v[4], v[5]), (i[6], i[7], i[8])
    trace, middle = i[0] + i[1] + i[2], 2.0 * dot3(h, u)
    # columns of w x (2 J - trace)
    x = cross3(w, (2.0 * i[0] - trace, 2.0 * i[3], 2.0 * i[4]))
    y = cross3(w, (2.0 * i[3], 2.0 * i[1] - trace, 2.0 * i[5]))
    z = cross3(w, (2.0 * i[4], 2.0 * i[5], 2.0 * i[2] - trace))
    for r in range(3):
        out[b, 3 * r] = x[r] - 2.0 * u[r] * h[0]
        out[b, 3 * r + 1] = y[r] - 2.0 * u[r] * h[1]
        out[b, 3 * r + 2] = z[r] - 2.0 * u[r] * h[2]
        out[b, 4 * r] += middle
    momentum = inertia_mul(i, v)
    out[b, 9], out[b, 10], out[b, 11] = momentum[3], momentum[4], momentum[5]


@kernel
def axis_rates(m, d, j):
    """dof_rate of the dofs of joint j: W."""
    i, kind = m.jnt_dofadr[j], m.jnt_type[j]
    if kind == FREE:
        for k in range(3):
            store6(d.dof_rate, i + k, STILL)
        i += 3
    if kind == FREE or kind == BALL:
        turn = STILL  # velocity of the joint, with which its axes turn
        for k in range(3):
            turn = add_scaled6(turn, d.qvel[i + k], load6(d.cdof, i + k))
        for k in range(3):
            store6(d.dof_rate, i + k, add_scaled6(cross_motion(turn, load6(d.cdof, i + k)), 2.0, load6(d.cdof_dot, i + k)))
    else:
        store6(d.dof_rate, i, add_scaled6(STILL, 2.0, load6(d.cdof_dot, i)))


@kernel
def subtract_dof(m, d, i):
    """Row i of qDeriv up to the diagonal, and column i above it."""
    b, end = m.dof_bodyid[i], diagonal(m, i)
    axis, rate, inertia, n = load6(d.cdof, i), load6(d.dof_rate, i), load10(d.crb, b), load9(d.body_gyro, b)
    p = (d.body_gyro[b, 9], d.body_gyro[b, 10], d.body_gyro[b, 11])
    s, t = (axis[0], axis[1], axis[2]), (axis[3], axis[4], axis[5])
    ns, force = mat_vec(n, s), cross3(s, p)
    right = add6(inertia_mul(inertia, rate), (ns[0], ns[1], ns[2], 2.0 * force[0], 2.0 * force[1], 2.0 * force[2]))
    momentum, turning = inertia_mul(inertia, axis), add_scaled3(mat_t_vec(n, s), 2.0, cross3(p, t))
    d.qDeriv[end] -= dot6(axis, right)
    for a in range(m.D_rowadr[i], end):
        j = m.D_colind[a]
        above = load6(d.cdof, j)
        d.qDeriv[a] -= dot6(momentum, load6(d.dof_rate, j)) + dot3(turning, (above[0], above[1], above[2]))
        d.qDeriv[diagonal(m, j) + i - j] -= dot6(above, right)
