"""Jacobians of points fixed to bodies: from joint velocities to velocities in the world, read off the motion axes.

They read cdof and subtree_com: call mj_forward (or kinematics and com_pos) first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.constraint.impedance import impedance
from tumble.physics.dynamics.object import velocity_at
from tumble.physics.query.argument_checks import Array, address, index, output, target, vector
from tumble.physics.query.compiled import jacobian, subtree_jacobian
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtCone, mjtJoint, mjtSolver
from tumble.physics.state.model import Model


def dofs_of(m: Model, body: int) -> list[int]:
    """The dofs that move a body: its own and its ancestors'."""
    while body > 0 and m.body_dofnum[body] == 0:
        body = m.body_parentid[body]
    found: list[int] = []
    i = int(m.body_dofadr[body] + m.body_dofnum[body] - 1) if body > 0 else -1
    while i >= 0:
        found.append(i)
        i = int(m.dof_parentid[i])
    return found


@checked
def mj_jac(m: Model, d: Data, jacp: Array | None, jacr: Array | None, point: Any, body: int) -> None:
    """Write the Jacobians, each (3, nv) or None, of a world point [m] that moves with a body.

    jacp: velocity of the point [1 or m]; jacr: angular velocity [1]. ShapeError (a TypeError) for other shapes.
    """
    at = np.ascontiguousarray(vector(point, "point", 3))
    _write(m, d, jacp, jacr, address(at), index(body, "body", m.nbody))


def _write(m: Model, d: Data, jacp: Array | None, jacr: Array | None, at: int, body: int) -> None:
    """Write the Jacobians of the point at an address."""
    shape = 3, m.nv
    to_p = 0 if jacp is None else target(jacp, "jacp", shape, "(3, nv)")
    to_r = 0 if jacr is None else target(jacr, "jacr", shape, "(3, nv)")
    run = m.bound or m  # held until the call returns
    jacobian.call(run.address, d.address, to_p, to_r, at, body)


@checked
def mj_jacBody(m: Model, d: Data, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """The same as mj_jac, for the origin of a body's frame."""
    _write(m, d, jacp, jacr, d.place("xpos", index(body, "body", m.nbody)), int(body))


@checked
def mj_jacBodyCom(m: Model, d: Data, jacp: Array | None, jacr: Array | None, body: int) -> None:
    """The same as mj_jac, for a body's centre of mass."""
    _write(m, d, jacp, jacr, d.place("xipos", index(body, "body", m.nbody)), int(body))


@checked
def mj_jacGeom(m: Model, d: Data, jacp: Array | None, jacr: Array | None, geom: int) -> None:
    """The same as mj_jac, for a geom's centre."""
    _write(m, d, jacp, jacr, d.place("geom_xpos", index(geom, "geom", m.ngeom)), int(m.geom_bodyid[geom]))


@checked
def mj_jacSite(m: Model, d: Data, jacp: Array | None, jacr: Array | None, site: int) -> None:
    """The same as mj_jac, for a site's centre."""
    _write(m, d, jacp, jacr, d.place("site_xpos", index(site, "site", m.nsite)), int(m.site_bodyid[site]))


@checked
def mj_jacSubtreeCom(m: Model, d: Data, jacp: Array | None, body: int) -> None:
    """Write the Jacobian (3, nv), or None, of the centre of mass of a body and its descendants [1 or m]."""
    if jacp is None:
        return
    to = target(jacp, "jacp", (3, m.nv), "(3, nv)")
    run = m.bound or m  # held until the call returns
    subtree_jacobian.call(run.address, d.address, to, index(body, "body", m.nbody))


@checked
def mj_jacPointAxis(
    m: Model, d: Data, jacPoint: Array | None, jacAxis: Array | None, point: Any, axis: Any, body: int
) -> None:
    """Write the Jacobians, each (3, nv) or None, of a world point [m] and of a world direction that move with a body."""
    if jacAxis is not None:
        jacAxis = output(jacAxis, "jacAxis", (3, m.nv), "(3, nv)")
    turn = np.empty((3, m.nv))
    mj_jac(m, d, jacPoint, turn, point, body)
    if jacAxis is not None:
        jacAxis[...] = np.cross(turn.T, vector(axis, "axis", 3)).T


@checked
def mj_jacDot(m: Model, d: Data, jacp: Array | None, jacr: Array | None, point: Any, body: int) -> None:
    """Write the rates, each (3, nv) or None, of the Jacobians of mj_jac [1/s or m/s]; reads cdof_dot and cvel too."""
    body, point = index(body, "body", m.nbody), vector(point, "point", 3)
    for name, jac in (("jacp", jacp), ("jacr", jacr)):
        if jac is not None:
            output(jac, name, (3, m.nv), "(3, nv)")
    dofs = dofs_of(m, body)
    arm = point - d.subtree_com[m.body_rootid[body]]
    velocity = np.array(velocity_at(d.cvel[body], arm))
    rate = _axis_rates(m, d, dofs)
    move = np.stack(velocity_at(rate.T, arm), axis=1) + np.cross(d.cdof[dofs, :3], velocity)
    for jac, columns in ((jacp, move), (jacr, rate[:, :3])):
        if jac is not None:
            jac[...] = 0.0
            jac[:, dofs] = columns.T


def _axis_rates(m: Model, d: Data, dofs: list[int]) -> Array:
    """Rates (n, 6) of the motion axes of dofs: cdof_dot, but that the axes of a ball turn with what it carries.

    (In cdof_dot they do not: their own rotation adds nothing to the acceleration, and there it is summed over the dofs.)
    """
    rates = d.cdof_dot[dofs].copy()
    for k, i in enumerate(dofs):
        j = int(m.dof_jntid[i])
        start = int(m.jnt_dofadr[j]) + (3 if m.jnt_type[j] == mjtJoint.mjJNT_FREE else 0)
        if m.jnt_type[j] not in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL) or i < start:
            continue
        b = int(m.jnt_bodyid[j])
        later = slice(start + 3, int(m.body_dofadr[b] + m.body_dofnum[b]))
        carried = d.cvel[b] - d.qvel[later] @ d.cdof[later]
        turn, move, axis = carried[:3], carried[3:], d.cdof[i]
        rates[k, :3] = np.cross(turn, axis[:3])
        rates[k, 3:] = np.cross(turn, axis[3:]) + np.cross(move, axis[:3])
    return rates


@checked
def mj_angmomMat(m: Model, d: Data, mat: Array, body: int) -> None:
    """Write the matrix (3, nv) from velocities to the angular momentum [kg m^2/s] of a subtree about its centre of mass."""
    mat = output(mat, "mat", (3, m.nv), "(3, nv)")
    mat[...] = 0.0
    body, centre = index(body, "body", m.nbody), d.subtree_com[body]
    mean, move, turn = (np.empty((3, m.nv)) for _ in range(3))
    inside = np.zeros(m.nbody, bool)
    mj_jacSubtreeCom(m, d, mean, body)
    inside[body] = True
    for b in range(body, m.nbody):
        inside[b] |= b > body and inside[m.body_parentid[b]]
        if inside[b]:
            mj_jac(m, d, move, turn, d.xipos[b], b)
            axes = d.ximat[b].reshape(3, 3)
            mat += (axes * m.body_inertia[b]) @ axes.T @ turn
            mat += m.body_mass[b] * np.cross(d.xipos[b] - centre, (move - mean).T).T


def row_entries(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, dof and value of the numbers in efc_J."""
    if not d.flg_sparse:
        return np.repeat(np.arange(d.nefc), m.nv), np.tile(np.arange(m.nv), d.nefc), d.efc_J
    rows = np.repeat(np.arange(d.nefc), d.efc_J_rownnz)
    first = np.cumsum(d.efc_J_rownnz) - d.efc_J_rownnz
    at = np.arange(len(rows)) + np.repeat(d.efc_J_rowadr - first, d.efc_J_rownnz)
    return rows, d.efc_J_colind[at], d.efc_J[at]


@checked
def mj_mulJacVec(m: Model, d: Data, res: Array, vec: Any) -> None:
    """Write res <- J vec: from joint velocities (nv,) to the velocities of the constraint rows (nefc,)."""
    res = output(res, "res", (d.nefc,), "(nefc,)")
    rows, columns, values = row_entries(m, d)
    res[...] = np.bincount(rows, values * vector(vec, "vec", m.nv, "nv")[columns], d.nefc)


@checked
def mj_mulJacTVec(m: Model, d: Data, res: Array, vec: Any) -> None:
    """Write res <- J' vec: from forces of the constraint rows (nefc,) to joint forces (nv,)."""
    res = output(res, "res", (m.nv,), "(nv,)")
    rows, columns, values = row_entries(m, d)
    res[...] = np.bincount(columns, values * vector(vec, "vec", d.nefc, "nefc")[rows], m.nv)


@checked
def mj_isPyramidal(m: Model) -> int:
    """1 if friction cones are pyramids."""
    return int(m.opt.cone == mjtCone.mjCONE_PYRAMIDAL)


@checked
def mj_isSparse(m: Model) -> int:
    """1 if the constraint Jacobian is sparse."""
    return int(m.sparse)


@checked
def mj_isDual(m: Model) -> int:
    """1 if a solver of the dual problem is used: PGS, or the no-slip pass."""
    return int(m.opt.solver == mjtSolver.mjSOL_PGS or m.opt.noslip_iterations > 0)


def impedances(solimp: tuple[float, float, float, float, float], depths: Any) -> Array:
    """Impedance d [1] at each of some depths [m or rad] of any shape and sign; solimp: valid, as valid_imp makes it."""
    flat = np.ravel(depths).tolist()
    law = impedance.function
    return np.array([law(solimp, x)[0] for x in flat], np.float64).reshape(np.shape(depths))
