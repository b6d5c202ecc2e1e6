"""The chain of dofs that move a body: the last one, and from each the one above (dof_parentid)."""

from tumble.physics.kernel import kernel


@kernel
def last_dof(m, b):
    """The last dof that moves body b; -1: none."""
    w = m.body_weldid[b]
    return m.body_dofadr[w] + m.body_dofnum[w] - 1 if w > 0 else -1
