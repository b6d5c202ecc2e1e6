"""Whether the Jacobian is sparse."""

from physics.kernel import kernel
from physics.state.constants import SPARSE_FROM
from physics.state.enums import mjtJacobian

SPARSE, AUTO = int(mjtJacobian.mjJAC_SPARSE), int(mjtJacobian.mjJAC_AUTO)


@kernel
def is_sparse(m):
    """What the option `jacobian` asks for; auto: sparse for large models."""
    return m.opt_jacobian == SPARSE or (m.opt_jacobian == AUTO and m.nv >= SPARSE_FROM)
