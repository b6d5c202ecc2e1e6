"""A capsule against a box: the sphere nearest the box, and a second one where the capsule leaves it.

Along its segment a capsule is a row of spheres. The place t in [-1, 1] of the first contact is where
the segment is nearest to the box: an end over a face, or where it passes an edge or corner. The
second place is found by walking from there along the segment, over the face that the capsule is
most parallel to, until the segment ends or crosses that face's border: so a capsule that lies on a
box lies on two points. Both are then spheres against the box.

Everything here is in the box's frame: c the capsule's middle, a its half segment, s the box's half
sizes. A corner is a number whose bits tell its positive coordinates.
"""

import math

from tumble.physics.algebra.mat3 import column, load9
from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, pick3, scale3, sub3
from tumble.physics.collision.hit import touch_spheres
from tumble.physics.collision.pairs.sphere import spare_normal, touch_sphere_box
from tumble.physics.kernel import exact, kernel, stage
from tumble.physics.state.constants import mjMINVAL

# Whether the nearest feature of the box is a face, an edge or a corner.
_FACE, _EDGE, _CORNER = 0, 1, 2

# In place of a walk, which is in [-2, 2]: there is no second point. A walk of 0 is one, on the first.
_NOWHERE = -4.0


@exact
def _turned(mat, v):
    """mat' v. Of a capsule parallel to the box, rounding decides the signs of `going`: round as the reference."""
    return (
        mat[0] * v[0] + mat[3] * v[1] + mat[6] * v[2],
        mat[1] * v[0] + mat[4] * v[1] + mat[7] * v[2],
        mat[2] * v[0] + mat[5] * v[1] + mat[8] * v[2],
    )


@exact
def _dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@exact
def _nearest_end(c, a, s, far):
    """The end that is nearest to the box, among those over a face or inside.

    Returns the squared distance (far if there is none), t and the face's axis (-1: inside).
    """
    best, t, face = far, 0.0, -1
    for k in range(2):
        way = 2.0 * k - 1.0
        end = (c[0] + way * a[0], c[1] + way * a[1], c[2] + way * a[2])
        beyond, axis, dist = 0, -1, 0.0
        for i in range(3):
            out = abs(pick3(end, i)) - pick3(s, i)
            if out > 0.0:
                beyond, axis, dist = beyond + 1, i, dist + out * out
        if beyond <= 1 and dist < best:
            best, t, face = dist, 2.0 * k - 1.0, axis
    return best, t, face


@exact
def _edge_segment(c, a, half_length, s, corner, axis):
    """Nearest points of an edge (in the direction of an axis, through a corner) and the segment.

    Returns the squared distance (-1 where they are parallel), the places x along the edge and t along
    the segment in [-1, 1], and the end of the edge, -1 or 1, that counts as the nearest corner, or 0.
    That end is the one first met, even if clipping t brings x back from it (as in the reference).
    """
    half = pick3(s, axis)
    dif = (
        (0.0 if axis == 0 else (s[0] if corner & 1 else -s[0])) - c[0],
        (0.0 if axis == 1 else (s[1] if corner & 2 else -s[1])) - c[1],
        (0.0 if axis == 2 else (s[2] if corner & 4 else -s[2])) - c[2],
    )
    u, v = -half * pick3(dif, axis), _dot(a, dif)
    ee, et, tt = half * half, half * pick3(a, axis), half_length * half_length
    det = ee * tt - et * et
    if abs(det) < mjMINVAL:
        return -1.0, 0.0, 0.0, 0.0
    x, t = (tt * u + et * v) / det, (ee * v + et * u) / det
    end = 0.0
    if abs(x) > 1.0:
        x = end = math.copysign(1.0, x)
        t = (v + x * et) / tt
    if abs(t) > 1.0:
        t = math.copysign(1.0, t)
        x = (u + t * et) / ee
        if abs(x) > 1.0:
            x = end = math.copysign(1.0, x)
    dif = (dif[0] - a[0] * t, dif[1] - a[1] * t, dif[2] - a[2] * t)
    total = 0.0
    for i in range(3):
        gap = pick3(dif, i) + (half * x if i == axis else 0.0)
        total += gap * gap
    return total, x, t, end


@kernel
def _over_corner(a, s, t, differ):
    """Distance to walk from the corner's place; differ: bits of the axes along which the capsule leaves the corner.

    Returns _NOWHERE where the capsule points at the corner or away from it.
    """
    if differ in (0, 7):
        return _NOWHERE
    single = differ in (1, 2, 4)
    way = 1.0 if single else -1.0
    bits = differ if single else 7 - differ
    axis = 0 if bits == 1 else (1 if bits == 2 else 2)
    along = pick3(a, axis)
    if along * along > 0.5 * dot3(a, a):  # along an edge
        return way * min(1.0 - way * t, 2.0 * pick3(s, axis) / abs(along))
    i, j = (axis + 1) % 3, (axis + 2) % 3  # across a face
    border = 2.0 * min(pick3(s, i) / abs(pick3(a, i)), pick3(s, j) / abs(pick3(a, j)))
    return -way * min(1.0 + way * t, border)


@kernel
def _over_edge(a, s, t, x, axis, differ, positive):
    """Distance to walk from a place on an edge, over the adjacent face that the capsule is more parallel to.

    differ: bits of the axes along which the capsule leaves the edge; positive: whether it goes up the edge.
    Returns _NOWHERE where capsule and edge cross.
    """
    bits = differ & (7 - (1 << axis))
    if bits not in (1, 2, 4):
        return _NOWHERE
    i, j = (axis + 1) % 3, (axis + 2) % 3
    if abs(pick3(a, i)) > abs(pick3(a, j)):
        i, j = j, i
    forward = bits & (1 << j) != 0
    way = 1.0 if forward else -1.0
    border = 2.0 * pick3(s, j) / abs(pick3(a, j))
    left = 1.0 - x if positive == forward else 1.0 + x
    return way * min(1.0 - way * t, border, pick3(s, axis) * left / abs(pick3(a, axis)))


@kernel
def _over_face(c, a, s, t, face):
    """Distance to walk from an end over a face."""
    way = -t
    end = add_scaled3(c, t, a)
    walk = 2.0
    for i in range(3):
        if i != face:
            for k in range(2):
                border = (pick3(s, i) if k == 0 else -pick3(s, i)) - pick3(end, i)
                reach = border / pick3(a, i) * way
                if reach > 0.0:
                    walk = min(walk, reach)
    return way * walk


@kernel
def _find_places(c, a, half_length, s, far):
    """The first place, and how far it is from there to the second one."""
    best, t, face = _nearest_end(c, a, s, far)
    feature, corner, axis, x = _FACE, 0, 0, 0.0
    for j in range(3):
        for i in range(8):
            if i & (1 << j) == 0:
                dist, x_new, t_new, end = _edge_segment(c, a, half_length, s, i, j)
                if 0.0 <= dist < best - mjMINVAL:
                    best, t, x, axis = dist, t_new, x_new, j
                    feature = _CORNER if end != 0.0 else _EDGE
                    corner = i + (1 << j) if end > 0.0 else i
    going = (1 if a[0] > 0.0 else 0) + (2 if a[1] > 0.0 else 0) + (4 if a[2] > 0.0 else 0)
    if feature == _CORNER:
        return t, _over_corner(a, s, t, going ^ corner)
    if feature == _EDGE:
        return t, _over_edge(a, s, t, x, axis, going ^ corner, going & (1 << axis) != 0)
    if face < 0:
        return t, _NOWHERE  # inside: one point, and out by the nearest face
    return t, _over_face(c, a, s, t, face)


@kernel
def touch_capsule_box(d, centre, axis, length, r, middle, mat, size):
    """A capsule of a middle, a unit axis, half a length and a radius [m] against a box."""
    half = scale3(length, axis)
    reach = d.hit_margin + 2.0 * (r + length + size[0] + size[1] + size[2])
    local_centre, local_half = _turned(mat, sub3(centre, middle)), scale3(length, _turned(mat, axis))
    t, walk = _find_places(local_centre, local_half, length, size, reach * reach)
    touch_sphere_box(d, add_scaled3(centre, t, half), r, middle, mat, size)
    if walk != _NOWHERE:
        touch_sphere_box(d, add_scaled3(centre, t + walk, half), r, middle, mat, size)


@stage
def capsule_box(m, d):
    """Up to two points."""
    g, h = d.hit_geom1, d.hit_geom2
    centre, axis = load3(d.geom_xpos, g), column(load9(d.geom_xmat, g), 2)
    mat, size = load9(d.geom_xmat, h), load3(m.geom_size, h)
    touch_capsule_box(d, centre, axis, m.geom_size[g, 1], m.geom_size[g, 0], load3(d.geom_xpos, h), mat, size)


# Squared sines of the angle of two axes: below the first, rounding tells nothing; below the second, it tells half the digits.
_PARALLEL, _NEARLY = 1e-13, 1e-7


@kernel
def _clip(x):
    return min(max(x, -1.0), 1.0)


@kernel
def _spheres_at(d, c1, a1, r1, x1, c2, a2, r2, x2, spare):
    """The two spheres at the places x1, x2 in [-1, 1] along the segments."""
    touch_spheres(d, add_scaled3(c1, x1, a1), r1, add_scaled3(c2, x2, a2), r2, spare)


@stage
def capsule_capsule(m, d):
    """One point between the nearest points of the segments; between parallel ones up to two, at their ends."""
    g, h = d.hit_geom1, d.hit_geom2
    mat1, mat2 = load9(d.geom_xmat, g), load9(d.geom_xmat, h)
    c1, c2, r1, r2 = load3(d.geom_xpos, g), load3(d.geom_xpos, h), m.geom_size[g, 0], m.geom_size[h, 0]
    a1, a2 = scale3(m.geom_size[g, 1], column(mat1, 2)), scale3(m.geom_size[h, 1], column(mat2, 2))
    touch_capsules(d, c1, a1, r1, c2, a2, r2, spare_normal(mat1, mat2))


@kernel
def touch_capsules(d, c1, a1, r1, c2, a2, r2, spare):
    """The same of capsules with middles c, half segments a and radii r [m]; spare: the normal where they cross at one point."""
    offset = sub3(c1, c2)

    # distance^2 over (x1, x2) has the gradient 2 [aa x1 - ab x2 - u, bb x2 - ab x1 - v]
    aa, ab, bb = dot3(a1, a1), dot3(a1, a2), dot3(a2, a2)
    u, v = -dot3(a1, offset), dot3(a2, offset)
    det = aa * bb - ab * ab
    if abs(det) >= max(mjMINVAL, _PARALLEL * aa * bb):
        x1, x2 = (bb * u + ab * v) / det, (aa * v + ab * u) / det
        if x1 > 1.0 or x1 < -1.0:
            x1 = _clip(x1)
            x2 = (v + x1 * ab) / bb
        if x2 > 1.0 or x2 < -1.0:
            x2 = _clip(x2)
            x1 = _clip((u + x2 * ab) / aa)
        if det < _NEARLY * aa * bb:  # the determinant has lost digits: from the one place to the other
            x2 = _clip((v + x1 * ab) / bb)
            x1 = _clip((u + x2 * ab) / aa)
        _spheres_at(d, c1, a1, r1, x1, c2, a2, r2, x2, spare)
        return
    for k in range(4):  # each end against its nearest point, while that end lies alongside the other capsule
        end = 1.0 if k % 2 == 0 else -1.0
        if d.hit_num < 2:
            if k < 2:
                _spheres_at(d, c1, a1, r1, end, c2, a2, r2, _clip((v + end * ab) / bb), spare)
            else:
                _spheres_at(d, c1, a1, r1, _clip((u + end * ab) / aa), c2, a2, r2, end, spare)
