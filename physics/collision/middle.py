"""The middle phase: boxes of the trees over groups of geoms, and which of their geoms come near to others.

A node's box holds the bounding spheres below it, margins included, in the frame of the group's body; the static group is
in the world's. Boxes are computed again when a geom's place, radius or margin differs from what they were computed for:
every step looks, which is far cheaper than to compute them, because a script may move a geom of the model at any time.
"""

from tumble.physics.algebra.mat3 import load9, mat_mul, mat_t_vec, mat_vec, transpose
from tumble.physics.algebra.vec3 import add3, dot3, load3, sub3
from tumble.physics.collision.consider import bodies_meet, consider
from tumble.physics.collision.contact import OVERRIDE
from tumble.physics.collision.filter import PLANE
from tumble.physics.kernel import kernel

# A point turned into another frame is rounded: whatever is compared there is larger by this part of the numbers in it.
_ROUNDING = 1e-14


@kernel
def reach_of(m, g):
    """Reach of a geom from its centre [m]: its bounding sphere and its part of the margin."""
    if m.opt_enableflags & OVERRIDE:
        return m.geom_rbound[g] + 0.5 * m.opt_o_margin
    return m.geom_rbound[g] + m.geom_margin[g]


@kernel
def _size3(v):
    """The sum of a vector's numbers without their signs."""
    return abs(v[0]) + abs(v[1]) + abs(v[2])


@kernel
def _seat(m, d, g):
    """The centre of a geom of a group, in the group's frame."""
    return load3(d.geom_xpos, g) if m.collide_group[m.collide_home[g], 0] == 0 else load3(m.geom_pos, g)


@kernel
def _are_stale(m, d):
    """True if boxes were computed for other trees, places, radii or margins."""
    stale = d.collide_stamp != m.collide_stamp
    for g in range(m.ngeom):
        if m.collide_home[g] >= 0:
            x, y, z = _seat(m, d, g)
            stale |= (
                d.collide_seat[g, 0] != x or d.collide_seat[g, 1] != y or d.collide_seat[g, 2] != z
                or d.collide_seat[g, 3] != reach_of(m, g)
            )  # fmt: skip
    return stale


@kernel
def _take_seats(m, d):
    """Remember what boxes are computed for."""
    d.collide_stamp = m.collide_stamp
    for g in range(m.ngeom):
        if m.collide_home[g] >= 0:
            d.collide_seat[g, 0], d.collide_seat[g, 1], d.collide_seat[g, 2] = _seat(m, d, g)
            d.collide_seat[g, 3] = reach_of(m, g)


@kernel
def _fit_leaf(m, d, node):
    """The box of a leaf."""
    seat, box = d.collide_seat, d.collide_tree
    for c in range(3):
        low, high = 1e300, -1e300
        for k in range(m.collide_node[node, 0], m.collide_node[node, 1]):
            g = m.collide_leaf[k]
            x, reach = seat[g, c], seat[g, 3]
            reach += _ROUNDING * (abs(seat[g, 0]) + abs(seat[g, 1]) + abs(seat[g, 2]) + reach)
            low, high = min(low, x - reach), max(high, x + reach)
        box[node, c], box[node, 3 + c] = low, high


@kernel
def fit_trees(m, d):
    """Bring the boxes up to date."""
    if m.collide_ngroup == 0 or not _are_stale(m, d):
        return
    _take_seats(m, d)
    box = d.collide_tree
    for node in range(m.collide_nnode - 1, -1, -1):  # children stand after their parents
        right = m.collide_node[node, 2]
        if right < 0:
            _fit_leaf(m, d, node)
            continue
        for c in range(3):
            box[node, c] = min(box[node + 1, c], box[right, c])
            box[node, 3 + c] = max(box[node + 1, 3 + c], box[right, 3 + c])


@kernel
def _middle(box, node):
    """The centre of a node's box."""
    return 0.5 * (box[node, 0] + box[node, 3]), 0.5 * (box[node, 1] + box[node, 4]), 0.5 * (box[node, 2] + box[node, 5])


@kernel
def _half(box, node):
    """Half the side lengths of a node's box."""
    return 0.5 * (box[node, 3] - box[node, 0]), 0.5 * (box[node, 4] - box[node, 1]), 0.5 * (box[node, 5] - box[node, 2])


@kernel
def _turned(mat, half):
    """Half the sides of the box about a turned box."""
    return (
        abs(mat[0]) * half[0] + abs(mat[1]) * half[1] + abs(mat[2]) * half[2],
        abs(mat[3]) * half[0] + abs(mat[4]) * half[1] + abs(mat[5]) * half[2],
        abs(mat[6]) * half[0] + abs(mat[7]) * half[1] + abs(mat[8]) * half[2],
    )


@kernel
def group_box(m, d, k):
    """Centre and half sides of the box in the world about a group."""
    b, root = m.collide_group[k, 0], m.collide_group[k, 1]
    mat = load9(d.xmat, b)
    centre = add3(load3(d.xpos, b), mat_vec(mat, _middle(d.collide_tree, root)))
    half = _turned(mat, _half(d.collide_tree, root))
    slack = _ROUNDING * (_size3(centre) + _size3(half))
    return centre, (half[0] + slack, half[1] + slack, half[2] + slack)


@kernel
def _stir(d, m, b1, b2):
    """True if anything may have come near since the last step: one of two bodies moves, 0 being all that is static."""
    return d.ntree_awake == m.ntree or d.body_stirs[b1] | d.body_stirs[b2] != 0


@kernel
def _ball_meets(box, node, p, reach):
    """True if a ball reaches into a node's box."""
    away = 0.0
    for c in range(3):
        x = p[0] if c == 0 else (p[1] if c == 1 else p[2])
        gap = max(box[node, c] - x, x - box[node, 3 + c])
        if gap > 0.0:
            away += gap * gap
    return away <= reach * reach


@kernel
def _balls_meet(seat, h, p, reach):
    """True if a ball reaches that of geom h of a group."""
    x, y, z, both = seat[h, 0] - p[0], seat[h, 1] - p[1], seat[h, 2] - p[2], seat[h, 3] + reach
    both += _ROUNDING * (abs(seat[h, 0]) + abs(seat[h, 1]) + abs(seat[h, 2]) + both)
    return x * x + y * y + z * z <= both * both


@kernel
def _plane_meets(box, node, p, normal, reach):
    """True if a node's box comes as near to a plane as this."""
    half = _half(box, node)
    lowest = dot3(sub3(_middle(box, node), p), normal)
    return lowest - abs(normal[0]) * half[0] - abs(normal[1]) * half[1] - abs(normal[2]) * half[2] <= reach


@kernel
def geom_among(m, d, g, k):
    """Consider a geom with those of group k that are near to it."""
    b = m.collide_group[k, 0]
    if not _stir(d, m, m.geom_bodyid[g], b) or not bodies_meet(m, m.geom_bodyid[g], b):
        return
    mat, flat = load9(d.xmat, b), m.geom_type[g] == PLANE
    p, origin = load3(d.geom_xpos, g), load3(d.xpos, b)
    normal = d.geom_xmat[g, 2], d.geom_xmat[g, 5], d.geom_xmat[g, 8]
    reach = reach_of(m, g)
    reach += _ROUNDING * (_size3(p) + _size3(origin) + reach)
    p, normal = mat_t_vec(mat, sub3(p, origin)), mat_t_vec(mat, normal)
    box, tree, stack = d.collide_tree, m.collide_node, d.collide_stack
    stack[0, 0], depth = m.collide_group[k, 1], 1
    while depth > 0:
        depth -= 1
        node = stack[depth, 0]
        if not (_plane_meets(box, node, p, normal, reach) if flat else _ball_meets(box, node, p, reach)):
            continue
        if tree[node, 2] >= 0:
            stack[depth, 0], stack[depth + 1, 0] = tree[node, 2], node + 1
            depth += 2
        else:
            for i in range(tree[node, 0], tree[node, 1]):
                h = m.collide_leaf[i]
                if flat or _balls_meet(d.collide_seat, h, p, reach):
                    consider(m, d, g, h)


@kernel
def _boxes_meet(box, i, j, mat, offset, slack):
    """True if node i of one tree may touch node j of another, whose frame sees the first's turned by mat, moved by offset."""
    centre, half = add3(offset, mat_vec(mat, _middle(box, i))), _turned(mat, _half(box, i))
    between, other = sub3(centre, _middle(box, j)), _half(box, j)
    return (
        abs(between[0]) <= half[0] + other[0] + slack and abs(between[1]) <= half[1] + other[1] + slack
        and abs(between[2]) <= half[2] + other[2] + slack
    )  # fmt: skip


@kernel
def _leaves_meet(m, d, i, j):
    """Consider the geoms of one leaf with those of another."""
    tree = m.collide_node
    for p in range(tree[i, 0], tree[i, 1]):
        for q in range(tree[j, 0], tree[j, 1]):
            consider(m, d, m.collide_leaf[p], m.collide_leaf[q])


@kernel
def groups_meet(m, d, k1, k2):
    """Consider the geoms of two groups that are near to each other."""
    b1, b2 = m.collide_group[k1, 0], m.collide_group[k2, 0]
    if not _stir(d, m, b1, b2) or not bodies_meet(m, b1, b2):
        return
    back = transpose(load9(d.xmat, b2))
    mat, offset = mat_mul(back, load9(d.xmat, b1)), mat_vec(back, sub3(load3(d.xpos, b1), load3(d.xpos, b2)))
    box, tree, stack = d.collide_tree, m.collide_node, d.collide_stack
    stack[0, 0], stack[0, 1], depth = m.collide_group[k1, 1], m.collide_group[k2, 1], 1
    slack = _ROUNDING * (_size3(load3(d.xpos, b1)) + _size3(load3(d.xpos, b2)) + _size3(_half(box, stack[0, 0])))
    slack += _ROUNDING * (_size3(_half(box, stack[0, 1])) + _size3(_middle(box, stack[0, 1])))
    while depth > 0:
        depth -= 1
        i, j = stack[depth, 0] + 0, stack[depth, 1] + 0
        if not _boxes_meet(box, i, j, mat, offset, slack):
            continue
        ends1, ends2 = tree[i, 2] < 0, tree[j, 2] < 0
        if ends1 and ends2:
            _leaves_meet(m, d, i, j)
        elif ends2 or (not ends1 and _size3(_half(box, i)) >= _size3(_half(box, j))):  # the larger is opened
            stack[depth, 0], stack[depth, 1], stack[depth + 1, 0], stack[depth + 1, 1] = tree[i, 2], j, i + 1, j
            depth += 2
        else:
            stack[depth, 0], stack[depth, 1], stack[depth + 1, 0], stack[depth + 1, 1] = i, tree[j, 2], i, j + 1
            depth += 2
