"""Indices of d.qDeriv's elements, and products that are added to it.

Row i of the square pattern holds the chain of dofs above i, then i, then the dofs below i, which have the numbers that
follow. So the rows of a dof and of one above it begin alike, and no element has to be searched for.
"""

from tumble.physics.kernel import kernel


@kernel
def diagonal(m, i):
    """Place of element (i, i); element (i, k) of a dof k below i is k - i places on."""
    return m.D_rowadr[i] + m.D_diag[i]


@kernel
def clear_derivative(m, d):
    """Zero the rows of awake dofs."""
    for k in range(d.awake_nrun):
        first, last = d.awake_dof[k, 0], d.awake_dof[k, 1] - 1
        for a in range(m.D_rowadr[first], m.D_rowadr[last] + m.D_rownnz[last]):
            d.qDeriv[a] = 0.0


@kernel
def is_above(m, j, i):
    """True if dof j < i is above dof i: i is then among the numbers that end row j."""
    return m.D_rownnz[j] - m.D_diag[j] > i - j


@kernel
def symmetric_matrix(m, d, first, end):
    """qH <- M - h qDeriv, rows `first` to `end` of the lower triangle."""
    h = m.opt_timestep
    for a in range(m.M_rowadr[first], m.M_rowadr[end - 1] + m.M_rownnz[end - 1]):
        d.qH[a] = d.M[a] - h * d.qDeriv[m.mapD2M[a]]
