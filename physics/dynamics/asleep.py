"""Sleep state of elements coupled to trees (tendons, actuators, equality constraints): awake, asleep or static.

A stage asks only while some tree is asleep.
"""

from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtEq, mjtObj, mjtSleepState, mjtTrn

STATIC, ASLEEP, AWAKE = int(mjtSleepState.mjS_STATIC), int(mjtSleepState.mjS_ASLEEP), int(mjtSleepState.mjS_AWAKE)
JOINT, IN_PARENT, TENDON = int(mjtTrn.mjTRN_JOINT), int(mjtTrn.mjTRN_JOINTINPARENT), int(mjtTrn.mjTRN_TENDON)
SITE, BODY = int(mjtTrn.mjTRN_SITE), int(mjtTrn.mjTRN_BODY)

EQ_JOINT, EQ_TENDON, SITE_OBJECT = int(mjtEq.mjEQ_JOINT), int(mjtEq.mjEQ_TENDON), int(mjtObj.mjOBJ_SITE)
EQ_FLEX, EQ_FLEXVERT = int(mjtEq.mjEQ_FLEX), int(mjtEq.mjEQ_FLEXVERT)


@kernel
def some_asleep(m, d):
    """True if there is anything to skip."""
    return d.ntree_awake < m.ntree


@kernel
def tendon_state(m, d, t):
    """Awake if one of the tendon's trees is; a tendon of more than two, none of which may sleep, always is."""
    if m.tendon_treenum[t] == 0:
        return STATIC
    if m.tendon_treenum[t] > 2 or d.tree_awake[m.tendon_treeid[t, 0]] == 1:
        return AWAKE
    if m.tendon_treenum[t] == 2 and d.tree_awake[m.tendon_treeid[t, 1]] == 1:
        return AWAKE
    return ASLEEP


@kernel
def actuator_state(m, d, i):
    """The state of what actuator i pulls at; awake if that is not a single joint, tendon, site or body."""
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if kind == TENDON:
        return tendon_state(m, d, target)
    if kind == JOINT or kind == IN_PARENT:
        return int(d.body_awake[m.jnt_bodyid[target]])
    if kind == SITE and m.actuator_trnid[i, 1] < 0:
        return int(d.body_awake[m.site_bodyid[target]])
    if kind == BODY:
        return int(d.body_awake[target])
    return AWAKE


@kernel
def is_awake(m, d, i):
    """True if dof i is."""
    return d.tree_awake[m.dof_treeid[i]] == 1


@kernel
def coupled_body(m, e, second):
    """The body at one end of equality constraint e, -1 if there is none; a tendon has no body, and a flex never sleeps."""
    index, kind = m.eq_obj2id[e] if second else m.eq_obj1id[e], m.eq_type[e]
    if kind == EQ_TENDON or kind == EQ_FLEX or kind == EQ_FLEXVERT or index < 0:
        return -1
    if m.eq_type[e] == EQ_JOINT:
        return int(m.jnt_bodyid[index])
    return int(m.site_bodyid[index]) if m.eq_objtype[e] == SITE_OBJECT else int(index)


@kernel
def coupled_tree(m, e, k):
    """Tree k of the four at most that equality constraint e holds, two at each end; -1: there is none."""
    second = k > 1
    if m.eq_type[e] == EQ_TENDON:
        tendon = m.eq_obj2id[e] if second else m.eq_obj1id[e]
        return int(m.tendon_treeid[tendon, k % 2]) if tendon >= 0 else -1
    body = coupled_body(m, e, second)
    return int(m.body_treeid[body]) if body >= 0 and k % 2 == 0 else -1


@kernel
def equality_sleeps(m, d, e):
    """True if nothing that the constraint holds is awake, and something sleeps."""
    asleep = False
    for k in range(4):
        t = coupled_tree(m, e, k)
        if t >= 0:
            if d.tree_awake[t] == 1:
                return False
            asleep = True
    return asleep
