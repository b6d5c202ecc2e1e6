"""Which pairs of geoms may collide at all: kinematic structure, masks, exclusions, bounding spheres."""

from physics.algebra.mat3 import column, load9, mat_vec
from physics.algebra.vec3 import add3, dot3, load3, sub3
from physics.kernel import kernel, stage
from physics.state.enums import mjtDisableBit, mjtGeom

PLANE = int(mjtGeom.mjGEOM_PLANE)
FILTERPARENT = int(mjtDisableBit.mjDSBL_FILTERPARENT)
TYPES = int(mjtGeom.mjNGEOMTYPES)

# More pairs than this are cheaper to sweep than to look at one by one.
LISTED = 512


@kernel
def place(t1, t2):
    """Where collide_fn has the narrow phase of two types of geoms, the lower one first."""
    return TYPES * t1 + t2


@kernel
def masks_meet(m, g1, g2):
    """Whether the contype of either geom meets the conaffinity of the other."""
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 or (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0


@kernel
def spheres_meet(m, d, g1, g2, margin):
    """Whether the bounding spheres (or the plane and the sphere) are within the margin [m]."""
    offset = sub3(load3(d.geom_xpos, g2), load3(d.geom_xpos, g1))
    if m.geom_type[g1] == PLANE:
        return m.geom_type[g2] == PLANE or dot3(offset, column(load9(d.geom_xmat, g1), 2)) <= m.geom_rbound[g2] + margin
    reach = m.geom_rbound[g1] + m.geom_rbound[g2] + margin
    return dot3(offset, offset) <= reach * reach


@kernel
def _apart_along(m, mat1, mat2, offset, g1, g2, margin):
    """Whether an axis of geom g1's box has the two boxes on different sides, a margin apart; offset: between their centres."""
    for k in range(3):
        axis = column(mat1, k)
        reach = m.geom_aabb[g1, 3 + k] + margin
        for j in range(3):
            reach += abs(dot3(axis, column(mat2, j))) * m.geom_aabb[g2, 3 + j]
        if abs(dot3(axis, offset)) > reach:
            return True
    return False


@kernel
def boxes_meet(m, d, g1, g2, margin):
    """Whether the boxes along the axes of two geoms can be within the margin [m]: no face of either parts them."""
    mat1, mat2 = load9(d.geom_xmat, g1), load9(d.geom_xmat, g2)
    middle1 = mat_vec(mat1, (m.geom_aabb[g1, 0], m.geom_aabb[g1, 1], m.geom_aabb[g1, 2]))
    middle2 = mat_vec(mat2, (m.geom_aabb[g2, 0], m.geom_aabb[g2, 1], m.geom_aabb[g2, 2]))
    offset = sub3(add3(load3(d.geom_xpos, g2), middle2), add3(load3(d.geom_xpos, g1), middle1))
    if _apart_along(m, mat1, mat2, offset, g1, g2, margin):
        return False
    return not _apart_along(m, mat2, mat1, offset, g2, g1, margin)


@kernel
def pair_stirs(m, d, g1, g2):
    """Whether one of two geoms is awake, or moves with a mocap body."""
    return d.body_stirs[m.geom_bodyid[g1]] | d.body_stirs[m.geom_bodyid[g2]] != 0


@kernel
def nothing_stirs(m, d):
    """Whether no new contact is possible: no tree is awake, no mocap body moves."""
    if d.ntree_awake > 0:
        return False
    if m.nmocap > 0:
        for b in range(m.nbody):
            if d.body_stirs[b] != 0:
                return False
    return True


@kernel
def list_is_stale(m):
    """Whether masks or flags changed since collide_active was made: users change them between steps."""
    if m.collide_flags != m.opt_disableflags & FILTERPARENT:
        return True
    for g in range(m.ngeom):
        if m.collide_contype[g] != m.geom_contype[g] or m.collide_conaffinity[g] != m.geom_conaffinity[g]:
            return True
    return False


@stage
def refilter(m, d):
    """Make collide_active from collide_list: the pairs that the masks and the parent flag let collide."""
    keep_parents = m.opt_disableflags & FILTERPARENT
    m.collide_flags = -1  # until the list is whole: another thread that steps this model makes it too, and the same
    for g in range(m.ngeom):
        m.collide_contype[g] = m.geom_contype[g]
        m.collide_conaffinity[g] = m.geom_conaffinity[g]
    n = 0
    for k in range(m.collide_list.shape[0]):
        g1, g2, pair = m.collide_list[k, 0], m.collide_list[k, 1], m.collide_list[k, 2]
        if pair < 0 and (not masks_meet(m, g1, g2) or (m.collide_list[k, 3] == 1 and keep_parents == 0)):
            continue
        m.collide_active[n, 0] = g1
        m.collide_active[n, 1] = g2
        m.collide_active[n, 2] = pair
        n += 1
    if m.collide_list.shape[0] > 0:  # else there are too many geoms for a list, or none that can meet
        m.collide_nactive = n if n <= LISTED else -1
    m.collide_flags = keep_parents
