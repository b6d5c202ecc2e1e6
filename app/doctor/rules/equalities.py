"""Rules conflict and redundant: equality constraints that cannot all hold, and those that say the same twice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import ENERGY_GROWS, OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed

_EQUALITY = int(physics.mjtConstraint.mjCNSTR_EQUALITY)
APART = 0.02  # residual at the end of a run that is a conflict [m or rad]
CLOSED = 2e-3  # residual at the start that a run should close [m or rad]
STAYS = 0.5  # share of the residual at the start that is left at the end
SAME = 1e-6  # share of a row that others do not span, below which it says nothing new
MOST = 300  # rows of which the rank is computed


def _residuals(case: Examination, ends: bool) -> dict[int, float]:
    data = case.data if ends else case.start
    rows = np.flatnonzero(np.asarray(data.efc_type)[: data.nefc] == _EQUALITY)
    worst: dict[int, float] = {}
    for row in rows:
        equality = int(data.efc_id[row])
        worst[equality] = max(worst.get(equality, 0.0), abs(float(data.efc_pos[row])))
    return worst


def _conflict(case: Examination) -> Iterable[Finding]:
    before, after = _residuals(case, False), _residuals(case, True)
    for equality, residual in after.items():
        start = before.get(equality, 0.0)
        if residual > APART or (start > CLOSED and residual > STAYS * start):
            yield Finding(
                CONFLICT.id, Severity.WARNING,
                f"the constraint {case.name(OBJ.mjOBJ_EQUALITY, equality)} is off by {residual:.3g} (m or rad) after "
                f"{float(case.data.time):g} s, by {before.get(equality, 0.0):.3g} at the start",
                "Something stronger holds it open: another constraint, a limit, a contact or a load.",
                ((OBJ.mjOBJ_EQUALITY, equality),), {"residual": residual, "residual_start": before.get(equality, 0.0)},
                time=float(case.data.time),
            )  # fmt: skip


def _redundant(case: Examination) -> Iterable[Finding]:
    model, data = case.model, case.start
    rows = np.flatnonzero(np.asarray(data.efc_type)[: data.nefc] == _EQUALITY)
    if len(rows) > MOST or len(set(np.asarray(data.efc_id)[rows].tolist())) < 2:  # of a single one the kind says which repeat
        return
    dense = np.zeros((int(data.nefc), model.nv))
    if physics.mj_isSparse(model):
        physics.mju_sparse2dense(dense, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
    else:
        dense[:] = np.asarray(data.efc_J).reshape(-1, model.nv)[: data.nefc]
    length = np.linalg.norm(dense[rows], axis=1)
    rows, length = rows[length > 0], length[length > 0]
    spare, rank = _repeating(np.asarray(data.efc_id)[rows], dense[rows] / length[:, None])
    if spare:
        names = listed([case.name(OBJ.mjOBJ_EQUALITY, e) for e in spare])
        yield Finding(
            REDUNDANT.id, Severity.ADVICE, f"equality constraints repeat what others say already: {names}",
            "The load is shared between them as their softness has it; no force of a single one means anything.",
            tuple((OBJ.mjOBJ_EQUALITY, e) for e in spare), {"rows": len(rows), "rank": rank},
        )  # fmt: skip


def _repeating(owner: np.ndarray, jacobian: np.ndarray) -> tuple[list[int], int]:
    """Equalities that repeat earlier ones, and the rank of all rows.

    owner: (n,) equality of each row; jacobian: (n, nv), rows of length 1. Rows of one equality that depend on each other are no
    repetition: a weld at the end of three joints has six.
    """
    spare: list[int] = []
    basis = np.zeros((0, jacobian.shape[1]))
    for equality in dict.fromkeys(owner.tolist()):
        own = _independent(jacobian[owner == equality])
        new = _independent(own - own @ basis.T @ basis)
        if len(new) < len(own):
            spare.append(int(equality))
        basis = np.concatenate([basis, new])
    return sorted(spare), len(basis)


def _independent(rows: np.ndarray) -> np.ndarray:
    """Orthonormal rows (r, nv) that span the given ones, of a length of at most 1; next to none counts as none."""
    _, sizes, axes = np.linalg.svd(rows, full_matrices=False)
    spanned: np.ndarray = axes[sizes > SAME]
    return spanned


CONFLICT = DoctorRule(
    "conflict", "Equality constraints that are held open",
    "A soft constraint gives way to what is stronger. One that has not closed after a run is opposed by something.", _conflict,
    explains=ENERGY_GROWS,
)  # fmt: skip
REDUNDANT = DoctorRule(
    "redundant", "Equality constraints that say the same",
    "Rows of the Jacobian that depend on each other constrain the same motion. Soft constraints may be redundant, but their "
    "forces are then those of springs in parallel.",
    _redundant,
)  # fmt: skip
