"""Awake trees, in all forms that the stages need: flags, index lists and runs of neighbours.

tree_asleep alone is the state; all the rest follows from it. A stage whose work on a body is large goes through the
index lists; one that does a little for every dof goes through the runs, which are contiguous: while every tree is
awake there is one run and its loop is the plain loop over all dofs.
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINAWAKE
from tumble.physics.state.enums import mjtSleepState

STATIC, ASLEEP, AWAKE = int(mjtSleepState.mjS_STATIC), int(mjtSleepState.mjS_ASLEEP), int(mjtSleepState.mjS_AWAKE)
WIDE_AWAKE = -1 - mjMINAWAKE  # tree_asleep of a tree that has moved, or been touched, just now


@kernel
def update_lists(m, d):
    """From tree_asleep to tree_awake, body_awake, body_stirs, the index lists of bodies and dofs, and the runs."""
    list_trees(m, d)
    list_bodies(m, d)
    count = 0
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.dof_awake_ind[count] = i
            count += 1
    d.nv_awake = count


@kernel
def list_trees(m, d):
    """tree_awake, ntree_awake, and the runs."""
    runs, count, before = 0, 0, False
    for t in range(m.ntree):
        awake = d.tree_asleep[t] < 0
        d.tree_awake[t] = 1 if awake else 0
        if awake:
            if not before:
                d.awake_tree[runs, 0] = t
                runs += 1
            d.awake_tree[runs - 1, 1] = t + 1
            count += 1
        before = awake
    for k in range(runs):
        first, last = d.awake_tree[k, 0], d.awake_tree[k, 1] - 1
        i, end = m.tree_dofadr[first], m.tree_dofadr[last] + m.tree_dofnum[last]
        d.awake_dof[k, 0], d.awake_dof[k, 1] = i, end
        d.awake_joint[k, 0], d.awake_joint[k, 1] = m.dof_jntid[i], m.dof_jntid[end - 1] + 1
    d.ntree_awake = count
    d.awake_nrun = runs


@kernel
def list_bodies(m, d):
    """body_awake, body_stirs, body_awake_ind, parent_awake_ind and their numbers."""
    present, under = 0, 0
    for b in range(m.nbody):
        t = m.body_treeid[b]
        if t >= 0:
            state = AWAKE if d.tree_awake[t] == 1 else ASLEEP
            d.body_stirs[b] = d.tree_awake[t]
        else:
            state = AWAKE if m.body_mocapid[m.body_rootid[b]] >= 0 else STATIC
            d.body_stirs[b] = 0  # a mocap body that moves is marked when that is found
        d.body_awake[b] = state
        if state != ASLEEP:
            d.body_awake_ind[present] = b
            present += 1
        if b > 0 and d.body_awake[m.body_parentid[b]] != ASLEEP:
            d.parent_awake_ind[under] = b
            under += 1
    d.nbody_awake = present
    d.nparent_awake = under


@kernel
def wake_cycle(d, t):
    """Wake tree t and all that fell asleep with it; returns how many trees that were."""
    count, n = 0, d.tree_asleep.shape[0]
    while 0 <= t < n and d.tree_asleep[t] >= 0:
        following = d.tree_asleep[t]
        d.tree_asleep[t] = WIDE_AWAKE
        count += 1
        t = following
    return count


@kernel
def chain_cycle(d, trees, first, count):
    """Put trees[first] ... trees[first + count - 1] to sleep: each names the next, the last the first."""
    for k in range(count):
        d.sleep_leader[trees[first + k]] = trees[first]
        d.tree_asleep[trees[first + k]] = trees[first + (k + 1) % count]
