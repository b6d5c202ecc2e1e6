"""The inertia matrix: in full, times a vector, and solved with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.errors import ShapeError
from tumble.physics.query.argument_checks import Array, address, numbers, output, source, target, vector
from tumble.physics.query.compiled import full_inertia, solve_inertia, times_inertia
from tumble.physics.query.matrices import entries, triplets
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


@checked
def mj_fullM(m: Model, dst: Array, M: Array) -> None:
    """Write the whole symmetric matrix (nv, nv) [kg or kg m^2] of an inertia in the layout of d.qM."""
    to = target(dst, "dst", (m.nv, m.nv), "(nv, nv)")
    _held, at = source(M, "M", m.nM, "nM")
    full_inertia.call(m.address, at, to)


@checked
def mj_mulM(m: Model, d: Data, res: Array, vec: Array) -> None:
    """Write res <- M vec, (nv,) each; reads d.M."""
    nv = m.nv
    to = target(res, "res", (nv,), "(nv,)")
    x, at = source(vec, "vec", nv, "nv")
    if abs(to - at) < 8 * nv:  # they share memory
        x = x.copy()
        at = address(x)
    run = m.bound or m  # held until the call returns
    times_inertia.call(run.address, d.address, to, at)


@checked
def mj_solveM(m: Model, d: Data, x: Array, y: Array) -> None:
    """Write x <- M^-1 y, for (nv,) or rows (n, nv); reads the factor d.qLD.

    Raises ShapeError for rows of another length.
    """
    x, right = _rows(m, x, y)
    x[...] = right
    run = m.bound or m  # held until the call returns
    solve_inertia.call(run.address, d.address, address(x), right.size // m.nv if m.nv else 0)


def _rows(m: Model, x: Array, y: Array) -> tuple[Array, Array]:
    """x, to be written, and y as rows (n, nv), or (nv,), both. Raises ShapeError for others."""
    right = numbers(y, "y")
    if right.shape[-1:] != (m.nv,):
        raise ShapeError(f"y should have rows of {m.nv} numbers, nv; its shape is {right.shape}")
    return output(x, "x", right.shape), right


@checked
def mj_getTotalmass(m: Model) -> float:
    """The mass of all bodies together [kg]."""
    return float(m.body_mass.sum())


@checked
def mj_setTotalmass(m: Model, newmass: float) -> None:
    """Scale masses and inertias of all bodies so that they weigh newmass [kg] together; mj_setConst updates the rest."""
    scale = max(mjMINVAL, newmass / max(mjMINVAL, mj_getTotalmass(m)))
    m.body_mass *= scale
    m.body_inertia *= scale


@checked
def mj_mulM2(m: Model, d: Data, res: Array, vec: Array) -> None:
    """Write res (nv,) <- D^1/2 L vec with M = L' D L, the factor d.qLD: the square of res is vec' M vec."""
    res = output(res, "res", (m.nv,), "(nv,)")
    x = vector(vec, "vec", m.nv, "nv")
    rows, columns = np.repeat(np.arange(m.nv), m.M_rownnz), m.M_colind
    lower = np.where(rows == columns, 1.0, d.qLD)
    res[...] = np.bincount(rows, lower * x[columns], m.nv) / np.sqrt(d.qLDiagInv)


@checked
def mj_solveM2(m: Model, d: Data, x: Array, y: Array, sqrtInvD: Array) -> None:
    """Write x <- D^-1/2 L'^-1 y for rows (n, nv): half of a solve with M = L' D L.

    sqrtInvD: (nv,) roots of d.qLDiagInv. Raises ShapeError for rows of another length.
    """
    x, source = _rows(m, x, y)
    work = source.reshape(-1, m.nv).T.copy()  # a dof's numbers side by side
    for i in range(m.nv - 1, -1, -1):
        start, last = m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1
        work[m.M_colind[start:last]] -= d.qLD[start:last, None] * work[i]
    work *= vector(np.ravel(sqrtInvD), "sqrtInvD", m.nv, "nv")[:, None]
    x[...] = work.T.reshape(x.shape)


@checked
def mj_addM(
    m: Model, d: Data, dst: Array, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]
) -> None:
    """Add the lower triangle of the inertia matrix d.M to a sparse matrix of nv rows: numbers dst in the columns colind.

    Raises ShapeError, and adds nothing, if a number of d.M has no place in its pattern.
    """
    dst = output(dst, "dst", np.shape(colind), "of colind")
    _, columns, _ = triplets(dst, rownnz, rowadr, colind)
    rows, places = entries(rownnz, rowadr)
    if len(np.asarray(rownnz)) != m.nv:
        raise ShapeError(f"rownnz should have {m.nv} numbers, nv; it has {len(np.asarray(rownnz))}")
    cells, wanted = rows * m.nv + columns, np.repeat(np.arange(m.nv), m.M_rownnz) * m.nv + m.M_colind
    order = np.argsort(cells)
    found = np.searchsorted(cells, wanted, sorter=order)
    if len(wanted) and (found.max() >= len(cells) or (cells[order[found]] != wanted).any()):
        raise ShapeError("a number of the inertia matrix has no place in the pattern of rownnz, rowadr and colind")
    dst[places[order[found]]] += d.M
