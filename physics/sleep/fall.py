"""Falling asleep: trees that have been slow for mjMINAWAKE steps, if all that they are joined with have been too.

A tree is slow in a step at whose beginning no velocity, times dof_length, reaches sleep_tolerance, or all are
zero, and in which the user exerts no force.
Source: MuJoCo documentation, Simulation, Sleeping islands.
"""

from tumble.physics.island.discover import join_trees, number_islands
from tumble.physics.kernel import kernel, stage
from tumble.physics.sleep.lists import WIDE_AWAKE, chain_cycle, update_lists
from tumble.physics.sleep.wake import first_coordinate, is_pushed, remember_mocap
from tumble.physics.state.enums import mjtSleepPolicy

INIT = int(mjtSleepPolicy.mjSLEEP_INIT)
NEVER, AUTO_NEVER = int(mjtSleepPolicy.mjSLEEP_NEVER), int(mjtSleepPolicy.mjSLEEP_AUTO_NEVER)
READY = -1  # tree_asleep of a tree that may fall asleep


@kernel
def point_speed(velocity, length):
    """Speed [m/s] of a dof that sleep_tolerance is meant for; length: its dof_length. Numbers, or in Python arrays of them."""
    return abs(velocity) * length


@kernel
def is_slow(m, d, t):
    """True if tree t has nearly come to rest."""
    for i in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        speed = point_speed(d.qvel[i], m.dof_length[i])
        if not (speed < m.opt_sleep_tolerance or speed == 0.0):  # true of not-a-number too
            return False
    return not is_pushed(m, d, t, t)


@kernel
def count_down(m, d):
    """tree_asleep of those awake, one step nearer to READY, or back to the start; returns how many are ready."""
    ready = 0
    for k in range(d.awake_nrun):
        for t in range(d.awake_tree[k, 0], d.awake_tree[k, 1]):
            policy = m.tree_sleep_policy[t]
            if policy == NEVER or policy == AUTO_NEVER or not is_slow(m, d, t):
                d.tree_asleep[t] = WIDE_AWAKE
            else:
                d.tree_asleep[t] = min(d.tree_asleep[t] + 1, READY)
                ready += d.tree_asleep[t] == READY
    return ready


@kernel
def fall(m, d):
    """Put islands to sleep all of whose trees are ready, their velocities zero; returns how many trees fell asleep.

    The lists are not updated: what depends on velocity has to be computed for the sleepers once more.
    """
    if d.nisland == 0 and d.nefc > 0:  # islands are disabled: which trees are joined is unknown
        return 0
    return fall_ready(m, d) if count_down(m, d) > 0 else 0


@kernel
def fall_ready(m, d):
    """Put islands to sleep all of whose trees are READY; returns how many trees fell asleep."""
    count, last = 0, 0
    for k in range(d.nisland):
        first, n = d.island_itreeadr[k], d.island_ntree[k]
        last = first + n
        if are_ready(d, d.map_itree2tree, first, n):
            put_to_sleep(m, d, d.map_itree2tree, first, n)
            count += n
    for p in range(last, m.ntree):  # trees that no row touches come last
        if are_ready(d, d.map_itree2tree, p, 1):
            put_to_sleep(m, d, d.map_itree2tree, p, 1)
            count += 1
    return count


@stage
def begin_asleep(m, d):
    """Puts all islands to sleep whose trees all have the policy init; drops the constraint rows.

    Reads the rows of the initial position, and the trees they join, regardless of the flag island.
    """
    count_down(m, d)
    d.nisland = 0
    if d.nefc > 0 and join_trees(m, d):
        number_islands(m, d)
    elif d.nefc == 0:
        for t in range(m.ntree):
            d.map_itree2tree[t] = t
    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == INIT:
            d.tree_asleep[t] = READY
    if d.nefc == 0 or d.nisland > 0:
        fall_ready(m, d)
    d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nisland, d.nidof = 0, 0, 0, 0, 0, 0, 0
    for t in range(m.ntree):
        if d.tree_asleep[t] == READY:
            d.tree_asleep[t] = WIDE_AWAKE
    update_lists(m, d)
    remember_mocap(m, d)


@kernel
def are_ready(d, trees, first, count):
    """True if all trees of an island may fall asleep."""
    ready = True
    for k in range(first, first + count):
        ready = ready and d.tree_asleep[trees[k]] == READY
    return ready


@kernel
def put_to_sleep(m, d, trees, first, count):
    """Trees[first] ... fall asleep where they are, all velocities zero."""
    chain_cycle(d, trees, first, count)
    for k in range(first, first + count):
        i = m.tree_dofadr[trees[k]]
        end = i + m.tree_dofnum[trees[k]]
        for j in range(i, end):
            d.qvel[j] = 0.0
        for a in range(first_coordinate(m, i), first_coordinate(m, end)):
            d.sleep_qpos[a] = d.qpos[a]
