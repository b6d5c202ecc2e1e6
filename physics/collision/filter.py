"""Filters of geom pairs: kinematic structure, masks, exclusions, bounding spheres."""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, dot3, load3, pick3, sub3
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtDisableBit, mjtGeom

PLANE, SPHERE, CAPSULE = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE)
ELLIPSOID, CYLINDER, BOX = int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
HFIELD, MESH, SDF = int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_SDF)
FILTERPARENT = int(mjtDisableBit.mjDSBL_FILTERPARENT)
TYPES = int(mjtGeom.mjNGEOMTYPES)

# Boxes are taken as larger by this part, so that rounding parts no two that touch.
_GRAZING = 1e-10

# More pairs than this are cheaper to sweep than to look at one by one.
LISTED = 512


@kernel
def place(t1, t2):
    """Index in collide_fn of two geom types' narrow phase, the lower type first."""
    return TYPES * t1 + t2


@kernel
def has_shape(m, g):
    """True if a geom's type is known and what it names exists: mesh, height field, function. Scripts write these numbers too."""
    kind, data = m.geom_type[g], m.geom_dataid[g]
    if kind == HFIELD:
        return 0 <= data < m.nhfield
    if kind < MESH:
        return kind >= 0
    if kind > SDF or not 0 <= data < m.nmesh or (kind == SDF and m.geom_plugin[g] >= m.nplugin):
        return False
    return m.mesh_octnum[data] <= 0 or 0 <= m.mesh_octadr[data] <= m.noct - m.mesh_octnum[data]


@kernel
def masks_meet(m, g1, g2):
    """True if the contype of either geom meets the conaffinity of the other."""
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 or (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0


@kernel
def spheres_meet(m, d, g1, g2, margin):
    """True if the bounding spheres (or the plane and the sphere) are within the margin [m]."""
    offset = sub3(load3(d.geom_xpos, g2), load3(d.geom_xpos, g1))
    if m.geom_type[g1] == PLANE:
        return m.geom_type[g2] == PLANE or dot3(offset, column(load9(d.geom_xmat, g1), 2)) <= m.geom_rbound[g2] + margin
    reach = m.geom_rbound[g1] + m.geom_rbound[g2] + margin
    return dot3(offset, offset) <= reach * reach


@kernel
def box_of(m, g):
    """Centre and half sides of the box about a geom, along its axes: of simple shapes by their present sizes."""
    kind, x, y, z = m.geom_type[g], m.geom_size[g, 0], m.geom_size[g, 1], m.geom_size[g, 2]
    if kind == SPHERE:
        return (0.0, 0.0, 0.0), (x, x, x)
    if kind == CAPSULE:
        return (0.0, 0.0, 0.0), (x, x, x + y)
    if kind == CYLINDER:
        return (0.0, 0.0, 0.0), (x, x, y)
    if kind == BOX or kind == ELLIPSOID:
        return (0.0, 0.0, 0.0), (x, y, z)
    return load3(m.geom_aabb, g), (m.geom_aabb[g, 3], m.geom_aabb[g, 4], m.geom_aabb[g, 5])


@kernel
def ball_meets_box(m, d, g1, g2, margin):
    """True if the bounding sphere of a geom comes within the margin [m] of the box along the axes of another, g2."""
    mat = load9(d.geom_xmat, g2)
    middle, half = box_of(m, g2)
    at = sub3(mat_t_vec(mat, sub3(load3(d.geom_xpos, g1), load3(d.geom_xpos, g2))), middle)
    reach = (m.geom_rbound[g1] + margin) * (1.0 + _GRAZING)
    x, y, z = max(abs(at[0]) - half[0], 0.0), max(abs(at[1]) - half[1], 0.0), max(abs(at[2]) - half[2], 0.0)
    return x * x + y * y + z * z <= reach * reach


@kernel
def _apart_along(mat1, mat2, offset, half1, half2, margin):
    """True if an axis of the first box has two boxes on different sides, a margin apart; offset: between their centres."""
    for k in range(3):
        axis = column(mat1, k)
        reach = pick3(half1, k) + margin
        for j in range(3):
            reach += abs(dot3(axis, column(mat2, j))) * pick3(half2, j)
        if abs(dot3(axis, offset)) > reach + _GRAZING * reach:
            return True
    return False


@kernel
def boxes_meet(m, d, g1, g2, margin):
    """True if the boxes along the axes of two geoms can be within the margin [m]: no face of either parts them."""
    mat1, mat2 = load9(d.geom_xmat, g1), load9(d.geom_xmat, g2)
    middle1, half1 = box_of(m, g1)
    middle2, half2 = box_of(m, g2)
    offset = sub3(add3(load3(d.geom_xpos, g2), mat_vec(mat2, middle2)), add3(load3(d.geom_xpos, g1), mat_vec(mat1, middle1)))
    if _apart_along(mat1, mat2, offset, half1, half2, margin):
        return False
    return not _apart_along(mat2, mat1, offset, half2, half1, margin)


@kernel
def pair_stirs(m, d, g1, g2):
    """True if one of two geoms is awake, or moves with a mocap body."""
    return d.body_stirs[m.geom_bodyid[g1]] | d.body_stirs[m.geom_bodyid[g2]] != 0


@kernel
def nothing_stirs(m, d):
    """True if no new contact is possible: no tree is awake, no mocap body moves."""
    if d.ntree_awake > 0:
        return False
    if m.nmocap > 0:
        for b in range(m.nbody):
            if d.body_stirs[b] != 0:
                return False
    return True


@kernel
def list_is_stale(m):
    """True if masks or flags changed since collide_active was made: users change them between steps."""
    if m.collide_flags != m.opt_disableflags & FILTERPARENT:
        return True
    changed = 0
    for g in range(m.ngeom):  # without a way out, so that it vectorizes
        changed |= (m.collide_contype[g] ^ m.geom_contype[g]) | (m.collide_conaffinity[g] ^ m.geom_conaffinity[g])
    return changed != 0


@kernel
def _list_units(m):
    """Units of the broad phase under the current masks: geoms that can touch others, and groups of them as -1 - group."""
    n = 0
    for g in range(m.ngeom):
        if m.collide_home[g] < 0 and (m.geom_contype[g] != 0 or m.geom_conaffinity[g] != 0):
            m.collide_unit[n] = g
            n += 1
    for k in range(m.collide_ngroup):
        m.collide_unit[n] = -1 - k
        n += 1
    m.collide_nunit = n


@stage
def refilter(m, d):
    """Make collide_active from collide_list: the pairs that the masks and the parent flag let collide; and collide_unit."""
    keep_parents = m.opt_disableflags & FILTERPARENT
    m.collide_flags = -1  # until the list is whole: another thread that steps this model makes it too, and the same
    for g in range(m.ngeom):
        m.collide_contype[g] = m.geom_contype[g]
        m.collide_conaffinity[g] = m.geom_conaffinity[g]
    _list_units(m)
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
