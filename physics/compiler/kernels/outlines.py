"""Triangles of a hull put together: which of them are nearly parallel, and the lines around those."""

from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f8_at, i4_at

_SAME = 0.99999872  # cosine of the angle 0.0016 [1]
_NONE = -1
_SPARSE = 6  # entries of a hash table for each triangle, which has three edges

# ---------------------------------------------------------------- normals
#
# A sorted set of unit normals, in descending order of x, then y, then z, in which those that are nearly parallel count as one.
# Which normals meet there depends on the path of the search: the comparison is not a strict order. A red-black tree that
# stops at the first normal that counts as the same finds what the reference finds.
#
# An entry is a row of five numbers in `tree`: what is before it, what is after it, what is above it, whether it is red, and
# the first triangle with its normal.

_BEFORE, _AFTER, _ABOVE, _RED, _FACE, _ROW = 0, 1, 2, 3, 4, 5


@exact
def _compare(normal, p, q):
    """1: the normal of triangle p comes before that of q; -1: after; 0: they count as the same."""
    ax, ay, az = normal[3 * p], normal[3 * p + 1], normal[3 * p + 2]
    bx, by, bz = normal[3 * q], normal[3 * q + 1], normal[3 * q + 2]
    if ax * bx + ay * by + az * bz > _SAME or (ax == bx and ay == by and az == bz):
        return 0
    if ax != bx:
        return 1 if ax > bx else -1
    if ay != by:
        return 1 if ay > by else -1
    return 1 if az > bz else -1


@exact
def _rotate(tree, root, at, side):
    """Let an entry sink to a side; its child on the other takes its place."""
    child = tree[_ROW * at + 1 - side]
    inner = tree[_ROW * child + side]
    tree[_ROW * at + 1 - side] = inner
    if inner != _NONE:
        tree[_ROW * inner + _ABOVE] = at
    above = tree[_ROW * at + _ABOVE]
    tree[_ROW * child + _ABOVE] = above
    if above == _NONE:
        root = child
    elif tree[_ROW * above + side] == at:
        tree[_ROW * above + side] = child
    else:
        tree[_ROW * above + 1 - side] = child
    tree[_ROW * child + side] = at
    tree[_ROW * at + _ABOVE] = child
    return root


@exact
def _balance(tree, root, at):
    """Repair after a red entry was hung in, until no red one has a red parent; returns the root."""
    while tree[_ROW * at + _ABOVE] != _NONE and tree[_ROW * tree[_ROW * at + _ABOVE] + _RED] != 0:
        above = tree[_ROW * at + _ABOVE]
        top = tree[_ROW * above + _ABOVE]
        side = 0 if tree[_ROW * top] == above else 1
        uncle = tree[_ROW * top + 1 - side]
        if uncle != _NONE and tree[_ROW * uncle + _RED] != 0:
            tree[_ROW * above + _RED] = tree[_ROW * uncle + _RED] = 0
            tree[_ROW * top + _RED] = 1
            at = top
            continue
        if tree[_ROW * above + 1 - side] == at:
            root = _rotate(tree, root, above, side)
            at, above = above, at
        tree[_ROW * above + _RED], tree[_ROW * top + _RED] = 0, 1
        root = _rotate(tree, root, top, 1 - side)
    tree[_ROW * root + _RED] = 0
    return root


@exact
def _group(normal, count, tree, group, rank):
    """Number the groups as they appear, then rank them in their order."""
    root, entries = _NONE, 0
    for k in range(count):
        at, above, side, same = root, _NONE, 0, False
        while at != _NONE and not same:
            order = _compare(normal, k, tree[_ROW * at + _FACE])
            same = order == 0
            if not same:
                above, side = at, 0 if order > 0 else 1
                at = tree[_ROW * at + side]
        group[k] = at if same else entries
        if same:
            continue
        new, entries = entries, entries + 1
        tree[_ROW * new], tree[_ROW * new + _AFTER], tree[_ROW * new + _ABOVE] = _NONE, _NONE, above
        tree[_ROW * new + _RED], tree[_ROW * new + _FACE] = 1, k
        if above == _NONE:
            root = new
        else:
            tree[_ROW * above + side] = new
        root = _balance(tree, root, new)
    at, place = root, 0
    while at != _NONE and tree[_ROW * at] != _NONE:  # the first one
        at = tree[_ROW * at]
    while at != _NONE:
        rank[at] = place
        place += 1
        if tree[_ROW * at + _AFTER] != _NONE:
            at = tree[_ROW * at + _AFTER]
            while tree[_ROW * at] != _NONE:
                at = tree[_ROW * at]
            continue
        below = at
        at = tree[_ROW * at + _ABOVE]
        while at != _NONE and tree[_ROW * at + _AFTER] == below:
            below = at
            at = tree[_ROW * at + _ABOVE]


@query(INT, INT, INT, INT, INT)
def group_normals(normals, count, tree, group, rank):
    """group (count,) i4 <- the group of nearly parallel normals, (count, 3) f8, of each; rank (count,) i4 <- each group's place.

    Groups are numbered as they first appear. tree: (count, 5) i4 of working memory.
    """
    _group(f8_at(normals, 3 * count), count, i4_at(tree, _ROW * count), i4_at(group, count), i4_at(rank, count))


# ---------------------------------------------------------------- lines
#
# Edges that two triangles of a group pass in both directions are inside. Those that are left over are followed from vertex to
# vertex, each vertex's edges in the order in which they appeared.


@exact
def _find(start, end, table, room, p, q):
    """The slot of an edge in an open hash table of edge numbers, or the free one in which it would be."""
    slot = ((p * 0x1E3779B97F4A7C15 ^ q * 0x42B2AE3D27D4EB4F) >> 24) & (room - 1)
    while table[slot] != _NONE and (start[table[slot]] != p or end[table[slot]] != q):
        slot = (slot + 1) & (room - 1)
    return slot


@exact
def _edges(face, first, last, order, start, end, alive, table, room):
    """The edges of triangles order[first:last] in the order in which they appeared; alive: not passed in both directions."""
    count = 0
    for i in range(first, last):
        for k in range(3):
            p, q = face[3 * order[i] + k], face[3 * order[i] + (k + 1) % 3]
            back = table[_find(start, end, table, room, q, p)]
            if back != _NONE and alive[back] != 0:
                alive[back] = 0
                continue
            slot = _find(start, end, table, room, p, q)
            if table[slot] != _NONE and alive[table[slot]] != 0:
                continue
            start[count], end[count], alive[count] = p, q, 1
            table[slot] = count  # in place of one that is not alive any more
            count += 1
    return count


@exact
def _follow(begin, end, head, tail, path, seen, corner, number, at):
    """Walk from a vertex along edges that nobody has walked; returns where the lists of corners and of numbers now end.

    head: the first edge that is left of each vertex; tail: the one after each edge. at: where the lists end before.
    """
    corners, loops = at
    path[0], seen[begin], length = begin, 0, 1
    while head[path[length - 1]] != _NONE:
        edge = head[path[length - 1]]
        head[path[length - 1]] = tail[edge]
        v = end[edge]
        if seen[v] == _NONE:
            seen[v] = length
            path[length] = v
            length += 1
            continue
        # Closed: where the line met itself in one corner, what hangs there is a polygon of its own.
        number[loops] = length - seen[v]
        loops += 1
        for i in range(seen[v], length):
            corner[corners] = path[i]
            corners += 1
        for i in range(seen[v] + 1, length):
            seen[path[i]] = _NONE
        length = seen[v] + 1
    for i in range(length):
        seen[path[i]] = _NONE
    return corners, loops


@exact
def _lines(start, end, alive, count, head, tail, last, path, seen, corner, number, at):
    """The closed lines of the edges that are alive, after those that are there; returns as `_follow`."""
    for i in range(count):
        if alive[i] != 0:
            p = start[i]
            tail[i] = _NONE
            if head[p] == _NONE:
                head[p] = i
            else:
                tail[last[p]] = i
            last[p] = i
    for i in range(count):
        if alive[i] != 0:
            while head[start[i]] != _NONE:
                at = _follow(start[i], end, head, tail, path, seen, corner, number, at)
    return at


@exact
def _trace(face, order, bound, groups, table, start, end, alive, tail, path, head, last, seen, corner, number):
    """The lines of each group in turn; returns how many corners and lines there are."""
    corners, loops = 0, 0
    for g in range(groups):
        first, stop = bound[g], bound[g + 1]
        if stop - first == 1:
            for k in range(3):
                corner[corners + k] = face[3 * order[first] + k]
            number[loops] = 3
            corners, loops = corners + 3, loops + 1
            continue
        room = 8
        while room < _SPARSE * (stop - first):
            room *= 2
        for slot in range(room):
            table[slot] = _NONE
        count = _edges(face, first, stop, order, start, end, alive, table, room)
        corners, loops = _lines(start, end, alive, count, head, tail, last, path, seen, corner, number, (corners, loops))
    return corners, loops


def table_room(triangles: int) -> int:
    """Entries of the hash table for the edges of a group of triangles."""
    room = 8
    while room < _SPARSE * triangles:
        room *= 2
    return room


@query(INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT)
def trace_outlines(faces, nface, order, bounds, groups, table, room, edges, capacity, vertices, nvert, corners, numbers, counts):
    """corners (3 nface,) i4, numbers (nface,) i4 <- the vertices of all closed lines, and how many each has.

    faces: (nface, 3) i4; order: (nface,) i4 the triangles by group; bounds: (groups + 1,) i4 where each group begins in it.
    counts: (2,) i4 <- how many corners and lines there are. Lines that do not close are left out. Working memory:
    table: (room,) i4, `table_room` of the largest group.
    edges: (5, capacity) i4, capacity above three times that group.
    vertices: (3, nvert) i4 of -1.
    """
    edge, vertex = 4 * capacity, 4 * nvert  # bytes of a row
    start, end, alive = i4_at(edges, capacity), i4_at(edges + edge, capacity), i4_at(edges + 2 * edge, capacity)
    tail, path = i4_at(edges + 3 * edge, capacity), i4_at(edges + 4 * edge, capacity)
    head, last, seen = i4_at(vertices, nvert), i4_at(vertices + vertex, nvert), i4_at(vertices + 2 * vertex, nvert)
    total, lines = _trace(
        i4_at(faces, 3 * nface), i4_at(order, nface), i4_at(bounds, groups + 1), groups, i4_at(table, room),
        start, end, alive, tail, path, head, last, seen, i4_at(corners, 3 * nface), i4_at(numbers, nface),
    )  # fmt: skip
    i4_at(counts, 2)[0] = total
    i4_at(counts, 2)[1] = lines
