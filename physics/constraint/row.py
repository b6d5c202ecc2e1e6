"""One row of the constraint: what every kind of row has in common.

Rows past the capacity are counted, not written: make_constraint asks for room and the step is redone.
"""

from physics.constraint.impedance import damping, impedance, stiffness
from physics.kernel import kernel
from physics.state.constants import mjMINVAL


@kernel
def clear_row(d, r, nv, first, end):
    """Zero row r of the Jacobian; its nonzeros will lie in the columns from first to end."""
    row = d.efc_J[r * nv : (r + 1) * nv]
    for k in range(nv):
        row[k] = 0.0
    d.efc_first[r] = first
    d.efc_end[r] = end


@kernel
def put_row(d, r, kind, index, pos, margin, loss):
    """What row r belongs to, its residual, margin and largest friction force."""
    d.efc_type[r] = kind
    d.efc_id[r] = index
    d.efc_pos[r] = pos
    d.efc_margin[r] = margin
    d.efc_frictionloss[r] = loss


@kernel
def put_response(d, r, k, b, imp, slope, regularizer):
    """Stiffness, damping, impedance and regularizer of row r.

    diagApprox is told as the inverse inertia that gives this regularizer, which friction cones have rescaled.
    """
    d.efc_KBIP[r, 0] = k
    d.efc_KBIP[r, 1] = b
    d.efc_KBIP[r, 2] = imp
    d.efc_KBIP[r, 3] = slope
    d.efc_R[r] = regularizer
    d.efc_D[r] = 1.0 / regularizer
    d.efc_diagApprox[r] = regularizer * imp / (1.0 - imp)


@kernel
def put_scalar(d, r, solref, solimp, invweight, dry):
    """Response of a limit or (dry) friction row: friction has no position to restore."""
    imp, slope = impedance(solimp, d.efc_pos[r] - d.efc_margin[r])
    k = 0.0 if dry else stiffness(solref, solimp[1])
    put_response(d, r, k, damping(solref, solimp[1]), imp, slope, max(mjMINVAL, (1.0 - imp) * invweight / imp))
