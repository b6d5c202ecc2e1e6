"""Fixed tendons: linear combinations of scalar joint positions."""

from tumble.physics.dynamics.asleep import ASLEEP, some_asleep, tendon_state
from tumble.physics.kernel import kernel, stage


@stage
def tendon(m, d):
    """Reads qpos; writes ten_length, ten_J (a dense row each) and its pattern ten_J_rownnz, _rowadr, _colind."""
    skip = some_asleep(m, d)
    for t in range(m.ntendon):
        if not (skip and tendon_state(m, d, t) == ASLEEP):
            fixed_tendon(m, d, t)


@kernel
def fixed_tendon(m, d, t):
    """Length and moment arms of one tendon."""
    nv = m.nv
    for i in range(nv):
        d.ten_J[t, i] = 0.0
    length, count = 0.0, 0
    d.ten_J_rowadr[t] = t * nv
    for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
        j = m.wrap_objid[w]
        i = m.jnt_dofadr[j]
        length += m.wrap_prm[w] * d.qpos[m.jnt_qposadr[j]]
        # insert the dof into the row's ascending columns; a joint listed twice adds up
        k = count
        while k > 0 and d.ten_J_colind[t, k - 1] > i:
            k -= 1
        if k == 0 or d.ten_J_colind[t, k - 1] != i:
            for s in range(count, k, -1):
                d.ten_J_colind[t, s] = d.ten_J_colind[t, s - 1]
            d.ten_J_colind[t, k] = i
            count += 1
        d.ten_J[t, i] += m.wrap_prm[w]
    d.ten_J_rownnz[t] = count
    d.ten_length[t] = length
