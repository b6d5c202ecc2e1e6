"""Waking sleeping trees: by the user, by a coupling to an awake tree, or by a contact with one.

All are looked for in the position stage, before anything that depends on which trees are awake. Trees that fell asleep together
wake together.
Source: MuJoCo documentation, Simulation, Sleeping islands.
"""

import numpy as np

from tumble.physics.dynamics.asleep import AWAKE, coupled_body, coupled_tree, some_asleep, tendon_state
from tumble.physics.dynamics.contact_force import contact_bodies
from tumble.physics.dynamics.kinematics import body_pose
from tumble.physics.kernel import kernel, stage
from tumble.physics.sleep.lists import WIDE_AWAKE, update_lists, wake_cycle
from tumble.physics.state.enums import mjtDisableBit
from tumble.physics.state.memory import words_of

NO_LIMIT, NO_EQUALITY = int(mjtDisableBit.mjDSBL_LIMIT), int(mjtDisableBit.mjDSBL_EQUALITY)
NO_CONSTRAINT = int(mjtDisableBit.mjDSBL_CONSTRAINT)


@stage
def rouse(m, d):
    """Without the flag no tree sleeps."""
    if some_asleep(m, d):
        for t in range(m.ntree):
            d.tree_asleep[t] = WIDE_AWAKE
        update_lists(m, d)


@stage
def wake_touched(m, d):
    """Wakes the trees that the user has moved or pushed: reads qpos, qvel, qfrc_applied, xfrc_applied, mocap_*.

    Forces and velocities touch where any byte is not zero (a negative zero is a nudge without a push), positions where
    they change a pose, a mocap body where it carries a tree.
    """
    stale = False
    for t in range(m.ntree):
        stale = stale or (d.tree_asleep[t] < 0) != (d.tree_awake[t] == 1)
    if stale:  # a script wrote tree_asleep: it is the state, the lists follow
        refresh(m, d)
    woken = carry(m, d) if m.nmocap > 0 else 0
    if some_asleep(m, d):
        # the runs in between those that are awake
        start = 0
        for k in range(d.awake_nrun + 1):
            end = d.awake_tree[k, 0] if k < d.awake_nrun else m.ntree
            if start < end and run_is_touched(m, d, start, end - 1):
                for t in range(start, end):
                    if d.tree_asleep[t] >= 0 and is_touched(m, d, t):
                        woken += wake_cycle(d, t)
            start = d.awake_tree[k, 1] if k < d.awake_nrun else m.ntree
    if woken > 0:
        refresh(m, d)


@kernel
def refresh(m, d):
    """The lists, after a tree woke."""
    update_lists(m, d)
    if m.nmocap > 0:
        mark_moved(m, d)


@kernel
def has_moved(d, k):
    """True if mocap body k is elsewhere than at the last step."""
    moved = False
    for i in range(3):
        moved = moved or d.sleep_mocap[k, i] != d.mocap_pos[k, i]
    for i in range(4):
        moved = moved or d.sleep_mocap[k, 3 + i] != d.mocap_quat[k, i]
    return moved


@kernel
def remember_mocap(m, d):
    """sleep_mocap <- where the mocap bodies are."""
    for k in range(m.nmocap):
        for i in range(3):
            d.sleep_mocap[k, i] = d.mocap_pos[k, i]
        for i in range(4):
            d.sleep_mocap[k, 3 + i] = d.mocap_quat[k, i]


@kernel
def mark_moved(m, d):
    """body_stirs of mocap bodies and of what is fixed to them: whether they move."""
    for b in range(1, m.nbody):
        k = m.body_mocapid[m.body_rootid[b]]
        if k >= 0 and m.body_treeid[b] < 0:
            d.body_stirs[b] = 1 if has_moved(d, k) else 0


@kernel
def carry(m, d):
    """Wake the trees whose base a mocap body has moved; returns how many. Writes body_stirs of mocap bodies."""
    mark_moved(m, d)
    woken = 0
    for t in range(m.ntree):
        k = m.body_mocapid[m.body_rootid[m.tree_bodyadr[t]]]
        if k >= 0 and d.tree_asleep[t] >= 0 and has_moved(d, k):
            woken += wake_cycle(d, t)
    return woken


@kernel
def any_bits(words):
    """True if any byte is not zero."""
    total = np.int64(0)
    for k in range(words.shape[0]):
        total |= words[k]
    return total != 0


@kernel
def differ(words, others):
    """True if any byte differs."""
    total = np.int64(0)
    for k in range(words.shape[0]):
        total |= words[k] ^ others[k]
    return total != 0


@kernel
def first_coordinate(m, i):
    """Index in qpos of dof i's coordinates; i is the first of a tree, or nv."""
    return m.nq if i >= m.nv else int(m.jnt_qposadr[m.dof_jntid[i]])


@kernel
def is_pushed(m, d, first, last):
    """True if a force of the user acts on the trees from `first` to `last`, or on static bodies between them."""
    i, end = m.tree_dofadr[first], m.tree_dofadr[last] + m.tree_dofnum[last]
    b, after = m.tree_bodyadr[first], m.tree_bodyadr[last] + m.tree_bodynum[last]
    forces = words_of(d.xfrc_applied)
    return any_bits(words_of(d.qfrc_applied)[i:end]) or any_bits(forces[6 * b : 6 * after])


@kernel
def run_is_touched(m, d, first, last):
    """True if any of the trees from `first` to `last` may have been touched."""
    i, end = m.tree_dofadr[first], m.tree_dofadr[last] + m.tree_dofnum[last]
    a, b = first_coordinate(m, i), first_coordinate(m, end)
    if any_bits(words_of(d.qvel)[i:end]) or differ(words_of(d.qpos)[a:b], words_of(d.sleep_qpos)[a:b]):
        return True
    return is_pushed(m, d, first, last)


@kernel
def is_touched(m, d, t):
    """True if the user has touched sleeping tree t."""
    i, end = m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]
    if any_bits(words_of(d.qvel)[i:end]) or is_pushed(m, d, t, t):
        return True
    a, b = first_coordinate(m, i), first_coordinate(m, end)
    if not differ(words_of(d.qpos)[a:b], words_of(d.sleep_qpos)[a:b]):
        return False
    # a quaternion of another length is the same pose
    for n in range(m.tree_bodyadr[t], m.tree_bodyadr[t] + m.tree_bodynum[t]):
        pos, quat = body_pose(m, d, n)
        for k in range(3):
            if pos[k] != d.xpos[n, k]:
                return True
        for k in range(4):
            if quat[k] != d.xquat[n, k]:
                return True
    for k in range(a, b):
        d.sleep_qpos[k] = d.qpos[k]
    return False


@stage
def wake_coupled(m, d):
    """Wakes what a limited tendon or an active equality constraint ties to an awake tree.

    Two sleepers of different islands that an equality now ties together wake as well. Reads ten_length, eq_active.
    """
    while some_asleep(m, d):
        if wake_tendons(m, d) + wake_equalities(m, d) == 0:
            return
        refresh(m, d)


@kernel
def wake_tendon(m, d, t):
    """Wake the sleeping trees of tendon t; returns how many woke with them."""
    count = 0
    for k in range(min(2, m.tendon_treenum[t])):
        count += wake_cycle(d, m.tendon_treeid[t, k])
    return count


@kernel
def wake_tendons(m, d):
    """Wake along tendons at their limits."""
    count = 0
    if m.opt_disableflags & (NO_LIMIT | NO_CONSTRAINT):
        return count
    for t in range(m.ntendon):
        if m.tendon_limited[t] and m.tendon_treenum[t] > 1 and tendon_state(m, d, t) == AWAKE:
            low, high = d.ten_length[t] - m.tendon_range[t, 0], m.tendon_range[t, 1] - d.ten_length[t]
            if min(low, high) < m.tendon_margin[t]:
                count += wake_tendon(m, d, t)
    return count


@kernel
def wake_equalities(m, d):
    """Wake along active equality constraints."""
    count = 0
    if m.opt_disableflags & (NO_EQUALITY | NO_CONSTRAINT):
        return count
    for e in range(m.neq):
        if d.eq_active[e] and tugs(m, d, e):
            for k in range(4):
                t = coupled_tree(m, e, k)
                if t >= 0:
                    count += wake_cycle(d, t)
    return count


@kernel
def tugs(m, d, e):
    """True if equality constraint e ties a sleeping tree to an awake one, one of another cycle, or a moving mocap body."""
    awake, leader, apart = False, -1, False
    for k in range(4):
        t = coupled_tree(m, e, k)
        if t >= 0 and d.tree_asleep[t] < 0:
            awake = True
        elif t >= 0:
            apart = apart or (leader >= 0 and leader != d.sleep_leader[t])
            leader = int(d.sleep_leader[t])
        elif k % 2 == 0:
            b = coupled_body(m, e, k > 1)
            awake = awake or (b >= 0 and d.body_stirs[b] == 1)
    return leader >= 0 and (awake or apart)


@kernel
def wake_contacts(m, d):
    """Wake what the contacts that were found touch; returns how many trees woke, and updates the lists."""
    count = 0
    for c in range(d.ncon):
        for side in range(2):
            for k in range(contact_bodies(m, d, c, side, 0)):
                t = m.body_treeid[d.side_body[k]]
                if t >= 0 and d.tree_asleep[t] >= 0:
                    count += wake_cycle(d, t)
    if count > 0:
        refresh(m, d)
    return count
