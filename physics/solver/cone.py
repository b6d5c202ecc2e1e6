"""The elliptic friction cone of one contact: its cost, force and Hessian.

With z = J qacc - aref of a contact, let N = mu z_0 and T = |(friction_j z_j)|. Scaled so, the dual cone
is N >= mu T and the normal cone mu N + T <= 0: between the two the nearest point of the cone lies on its
surface, and the cost is a quadratic of the distance N - mu T to it:

    satisfied   N >= mu T        0
    quadratic   mu N + T <= 0    1/2 sum D_j z_j^2
    cone        else             1/2 E (N - mu T)^2,  E = D_0 / (mu^2 (1 + mu^2))

It is once continuously differentiable because R_j friction_j^2 is one number for all friction rows, and
mu = friction_0 sqrt(R_1 / R_0). Source: MuJoCo documentation, Computation, Reduced primal problem; Todorov 2014.
"""

import math

from tumble.physics.algebra.choose import larger, select
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtConstraintState

SATISFIED = int(mjtConstraintState.mjCNSTRSTATE_SATISFIED)
QUADRATIC = int(mjtConstraintState.mjCNSTRSTATE_QUADRATIC)
CONE = int(mjtConstraintState.mjCNSTRSTATE_CONE)


@kernel
def cone_zone(normal, tangent, mu):
    """The state of a contact at N = normal, T = tangent; numbers, or in Python arrays of them."""
    return select(normal >= mu * tangent, SATISFIED, select(mu * normal + tangent <= 0.0, QUADRATIC, CONE))


@kernel
def cone_curvature(stiff, mu):
    """E, the curvature across the cone's surface; stiff: D of the normal row."""
    return stiff / larger(mjMINVAL, mu * mu * (1.0 + mu * mu))


@kernel
def cone_scale(d, c, i):
    """E of contact c, whose rows start at i."""
    return cone_curvature(d.efc_D[i], d.contact_mu[c])


@kernel
def cone_pull(stiff, mu, normal, tangent):
    """The normal force, negative, of a contact in the cone state."""
    return cone_curvature(stiff, mu) * (normal - mu * tangent) * mu


@kernel
def cone_friction(pull, friction, z, tangent):
    """The force of a friction row of a contact in the cone state; friction, z: of this row."""
    return pull * friction * friction * z / tangent


@kernel
def cone_point(d, c, i, z):
    """N and T of contact c, whose rows start at i, for z = J qacc - aref."""
    tt = 0.0
    for j in range(1, d.contact_dim[c]):
        u = d.contact_friction[c, j - 1] * z[i + j]
        tt += u * u
    return d.contact_mu[c] * z[i], math.sqrt(tt)


@kernel
def cone_cost(d, c, i, z):
    """Cost of contact c; writes the forces and states of its rows."""
    mu, dim = d.contact_mu[c], d.contact_dim[c]
    normal, tangent = cone_point(d, c, i, z)
    zone = cone_zone(normal, tangent, mu)
    cost = 0.0
    for j in range(i, i + dim):
        d.efc_state[j] = zone
        d.efc_force[j] = 0.0
    if zone == QUADRATIC:
        for j in range(i, i + dim):
            d.efc_force[j] = -d.efc_D[j] * z[j]
            cost += 0.5 * d.efc_D[j] * z[j] * z[j]
    elif zone == CONE:
        pull = cone_pull(d.efc_D[i], mu, normal, tangent)
        d.efc_force[i] = -pull
        for j in range(1, dim):
            d.efc_force[i + j] = cone_friction(pull, d.contact_friction[c, j - 1], z[i + j], tangent)
        cost = 0.5 * pull / mu * (normal - mu * tangent)
    return cost


@kernel
def cone_hessian(d, c, i, z):
    """contact_H <- second derivative of the cost by z, dim x dim numbers, of a contact in the cone state.

    With u_j = friction_j^2 z_j / T: grad (N - mu T) = mu (1, -u), grad u_j = (friction_j^2 delta_jk - u_j u_k) / T.
    """
    mu, dim, h = d.contact_mu[c], d.contact_dim[c], d.contact_H
    normal, tangent = cone_point(d, c, i, z)
    scale = cone_scale(d, c, i)
    bend = -scale * (normal - mu * tangent) * mu / tangent
    for j in range(dim):
        fri_j = d.contact_friction[c, j - 1] if j > 0 else 0.0
        uj = fri_j * fri_j * z[i + j] / tangent
        for k in range(j + 1):
            fri_k = d.contact_friction[c, k - 1] if k > 0 else 0.0
            uk = fri_k * fri_k * z[i + k] / tangent
            slope_j = 1.0 if j == 0 else -uj
            slope_k = 1.0 if k == 0 else -uk
            value = scale * mu * mu * slope_j * slope_k - bend * uj * uk
            if j == k:
                value += bend * fri_j * fri_j
            h[c, j * dim + k] = value
            h[c, k * dim + j] = value
