"""Products with the constraint Jacobian, and which kind of problem a model makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.constraint.impedance import impedance
from tumble.physics.query.argument_checks import Array, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtCone, mjtSolver
from tumble.physics.state.model import Model


def _entries(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, columns and values of the numbers in efc_J."""
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
    rows, columns, values = _entries(m, d)
    res[...] = np.bincount(rows, values * vector(vec, "vec", m.nv, "nv")[columns], d.nefc)


@checked
def mj_mulJacTVec(m: Model, d: Data, res: Array, vec: Any) -> None:
    """Write res <- J' vec: from forces of the constraint rows (nefc,) to joint forces (nv,)."""
    res = output(res, "res", (m.nv,), "(nv,)")
    rows, columns, values = _entries(m, d)
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
