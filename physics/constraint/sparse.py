"""Storage of the Jacobian: dense or sparse, and where its rows begin."""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import SPARSE_FROM
from tumble.physics.state.enums import mjtJacobian

SPARSE, AUTO = int(mjtJacobian.mjJAC_SPARSE), int(mjtJacobian.mjJAC_AUTO)


@kernel
def is_sparse(m):
    """True if the option `jacobian` selects sparse storage; auto: for large models."""
    return m.opt_jacobian == SPARSE or (m.opt_jacobian == AUTO and m.nv >= SPARSE_FROM)


@kernel
def start_rows(m, d):
    """No entries yet, in the form that the options ask for."""
    d.flg_sparse = 1 if is_sparse(m) else 0
    d.nJ = 0
