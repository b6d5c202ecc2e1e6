"""How good a solution is, by its definition: residuals in numpy, with none of the engine's kernels.

The dual problem is min 1/2 f' (A + R) f + f' b over the forces that the rows may have, A = J M^-1 J', b = J qacc_smooth - aref;
its optimum is that of the primal, where z = J qacc - aref = -R f in the rows that are free. Four numbers say how far from it a
solution is, each relative to the size of what it is made of.
"""

import numpy as np
from msgspec import Struct

from tumble.physics import MjData, MjModel, mj_fullM, mjtConstraint

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


class Optimality(Struct, frozen=True):
    """All are zero at the optimum, and rounding there."""

    motion: float  # M qacc - qfrc_smooth - J' f: forces make the acceleration
    admissible: float  # how far forces are outside of what their rows allow
    projection: float  # f - P(f - D g), g = (A + R) f + b: no admissible change of a row's or contact's force lowers the cost
    gap: float  # primal plus dual cost, relative to their size


def problem(m: MjModel, d: MjData) -> tuple[np.ndarray, np.ndarray]:
    """Dense M and J."""
    mass, jac = np.zeros((m.nv, m.nv)), np.zeros((d.nefc, m.nv))
    mj_fullM(m, mass, d.qM)
    for r in range(d.nefc):
        at, n = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
        columns = d.efc_J_colind[at : at + n] if d.flg_sparse else np.arange(m.nv)
        jac[r, columns] = d.efc_J[at : at + n]
    return mass, jac


def to_cone(f: np.ndarray, mu: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The point of {|f_j / mu_j| <= f_0} that is nearest to f, in the norm of the weights; those make the cone round."""
    scale = np.sqrt(weight)
    slope = float(mu[0] * scale[1] / scale[0])  # weight_j mu_j^2 is one number
    x = f * scale
    tangent = float(np.linalg.norm(x[1:]))
    if tangent <= slope * x[0]:
        return f
    if slope * tangent <= -x[0]:
        return np.zeros_like(f)
    normal = (x[0] + slope * tangent) / (1 + slope * slope)
    return np.concatenate(([normal], x[1:] / tangent * slope * normal)) / scale


def project(m: MjModel, d: MjData, f: np.ndarray) -> np.ndarray:
    """The nearest admissible forces, in the norm of R."""
    out, dry = f.copy(), slice(d.ne, d.ne + d.nf)
    out[dry] = np.clip(f[dry], -d.efc_frictionloss[dry], d.efc_frictionloss[dry])
    r = d.ne + d.nf
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            dim = d.contact.dim[c]
            out[r : r + dim] = to_cone(f[r : r + dim], d.contact.friction[c, : dim - 1], d.efc_R[r : r + dim])
            r += dim
        else:
            out[r] = max(f[r], 0.0)
            r += 1
    return out


def measure(m: MjModel, d: MjData) -> Optimality:
    """The residuals of the data after mj_forward."""
    mass, jac = problem(m, d)
    f, z = d.efc_force.copy(), jac @ d.qacc - d.efc_aref
    size = 1 + float(np.abs(f).max(initial=0))
    pull = jac.T @ f
    motion = np.abs(mass @ d.qacc - d.qfrc_smooth - pull).max(initial=0) / (1 + np.abs(pull).max(initial=0))
    # with the gradient z + R f of a row, the projected step D of it is P(-D z): the force that the definition gives
    wanted = project(m, d, -z / d.efc_R)
    away = d.qacc - d.qacc_smooth
    primal = 0.5 * away @ mass @ away - wanted @ z - 0.5 * wanted @ (d.efc_R * wanted)
    b = jac @ d.qacc_smooth - d.efc_aref
    dual = 0.5 * f @ (jac @ np.linalg.solve(mass, jac.T) @ f + d.efc_R * f) + f @ b
    return Optimality(
        float(motion),
        float(np.abs(f - project(m, d, f)).max(initial=0)) / size,
        float(np.abs(f - wanted).max(initial=0)) / size,
        float(abs(primal + dual)) / (1 + abs(primal)),
    )
