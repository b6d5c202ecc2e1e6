"""Derivative by velocity of the dampers along the edges of flexes."""

from tumble.physics.dynamics.asleep import is_awake, some_asleep
from tumble.physics.dynamics.derivative.pattern import diagonal, is_above
from tumble.physics.dynamics.derivative.smooth import add_pair
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtDisableBit

NO_DAMPER = int(mjtDisableBit.mjDSBL_DAMPER)


@stage
def flex_derivative(m, d):
    """Reads flexedge_J; qDeriv -= J' damping J of the edges, within the pattern: what joins two trees is left out."""
    if m.opt_disableflags & NO_DAMPER:
        return
    for f in range(m.nflex):
        damping = m.flex_edgedamping[f]
        if damping == 0.0 or m.flex_rigid[f] or m.flex_interp[f] != 0:
            continue
        for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            edge_derivative(m, d, e, damping)


@kernel
def edge_derivative(m, d, e, damping):
    """The same of one edge."""
    skip, begin = some_asleep(m, d), m.flexedge_J_rowadr[e]
    for p in range(begin, begin + m.flexedge_J_rownnz[e]):
        i = m.flexedge_J_colind[p]
        if skip and not is_awake(m, d, i):
            continue
        s = damping * d.flexedge_J[p]
        d.qDeriv[diagonal(m, i)] -= s * d.flexedge_J[p]
        for q in range(begin, p):
            j = m.flexedge_J_colind[q]
            if is_above(m, j, i):
                add_pair(m, d, i, j, -s * d.flexedge_J[q])
