"""The axis along which two shapes overlap least, to rounding, from one that is near to it.

Of round shapes the polytope's nearest face tells the depth to the tolerance, but its normal only to the root of that. Here the
shapes are moved apart along the axis, a little farther than they touch, and the distance walk tells the axis of the gap,
which is nearer to the right one: where the depth is d, the gap e and the difference's radius of curvature R, the angle that
is left shrinks by the factor (d + e) / (R + e). Flat sides are met at once. R is no less than d where the overlap is least,
and mostly far greater; where it is not, the steps are a geometric series, and its sum is taken.

Source: C. J. Ong, E. G. Gilbert, Growth distances, 1996, for depth by distances of shapes that are moved apart.
"""

from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, norm3, scale3, sub3, unit3
from tumble.physics.collision.convex.gjk import combine, walk
from tumble.physics.collision.convex.support import MESH, add_vertex, bound, core_radius, support, vertex
from tumble.physics.kernel import kernel

_ROUNDS = 12
_NEAR = 1e-7  # rad: a step of the axis that is no longer ends the search
_CLEAR = 1e-2  # gap, as a part of the smaller shape
_PROVED = 1e-6  # of the gap: by so little a walk may miss the overlap along the axis that it began with
_AS_GOOD = 1e-9  # of the gap: an overlap that is greater by so little is as good, and its points can be nearer to the right ones
_SHARP = 1e-10  # tolerance of the squared gap, as a part of it


@kernel
def overlap(m, d, axis):
    """Distance that geom2 has to move along a unit axis to separate the shapes [m]; writes vertex 0."""
    add_vertex(m, d, 0, axis)
    return dot3(vertex(d, 0), axis)


@kernel
def clearance(m, d):
    """The gap [m] that the shapes are moved apart to."""
    return _CLEAR * min(bound(m, d, d.hit_geom1), bound(m, d, d.hit_geom2))


@kernel
def _moved_apart(m, d, axis, far, tolerance):
    """The axis of the gap where geom2 is moved along an axis by a length [m], the overlap on it [m], and the point of geom1."""
    shift = scale3(far, axis)
    d.ccd_shift[0], d.ccd_shift[1], d.ccd_shift[2] = shift
    n, weights, v, gap = walk(m, d, scale3(-1.0, axis), 1e300, tolerance)
    d.ccd_shift[0], d.ccd_shift[1], d.ccd_shift[2] = 0.0, 0.0, 0.0
    if not gap > 0.0:
        return axis, 1e300, shift
    found = scale3(-1.0 / gap, v)
    return found, dot3(found, shift) - gap, combine(d, n, weights, 3)


@kernel
def _sum_of_steps(axis, step, last):
    """The axis to which steps lead that are each a fraction of the one before."""
    before = dot3(last, last)
    ratio = min(dot3(step, last) / before, 0.95) if before > 0.0 else 0.0
    if ratio < 0.1:
        return axis
    far, _ = unit3(add_scaled3(axis, ratio / (1.0 - ratio), step))
    return far


@kernel
def refine(m, d, axis):
    """Distance (negative: depth) of the shapes as they are dressed, normal and points, from an axis near to the normal.

    The distance is -1e300 if no walk came to what the axis itself proves: nothing is deeper than the overlap along any axis.
    """
    room = clearance(m, d)
    known, best = False, overlap(m, d, axis) + _PROVED * room
    normal, point, last = axis, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(_ROUNDS):
        found, depth, near = _moved_apart(m, d, axis, overlap(m, d, axis) + room, _SHARP * room * room)
        if not depth < best + _AS_GOOD * room:
            if k == 0 or axis == normal:
                break
            axis, last = normal, (0.0, 0.0, 0.0)  # too far: from the best one, without a guess
            continue
        known, best, normal, point = True, depth, found, near
        step = sub3(found, axis)
        if norm3(step) < _NEAR:
            break
        axis = _sum_of_steps(found, step, last)
        last = step if axis == found else (0.0, 0.0, 0.0)
    if not known:
        return -1e300, axis, point, point
    return -best, normal, point, add_scaled3(point, -best, normal)


_FEW = 4  # others of a geom; a row of collide_apart has six numbers of each: 1 + the other geom, the axis, where searches start
_ROUNDING = 1e-12  # of the distance of the centres and of the sizes


@kernel
def _place(d):
    """The first column of the pair in the row of geom2."""
    return 6 * (d.hit_geom1 % _FEW)


@kernel
def keep_axis(d, axis):
    """Keep a unit axis from geom1 to geom2 of the pair, which is apart, and the corners found last; zeros: there is none."""
    c, row = _place(d), d.hit_geom2
    d.collide_apart[row, c] = d.hit_geom1 + 1
    for k in range(3):
        d.collide_apart[row, c + 1 + k] = axis[0] if k == 0 else (axis[1] if k == 1 else axis[2])
    for k in range(2):
        d.collide_apart[row, c + 4 + k] = d.ccd_start[k]


@kernel
def forget_axis(d):
    """The pair touches."""
    d.collide_apart[d.hit_geom2, _place(d)] = 0.0


@kernel
def _start(m, g, corner):
    """Cached start of a search on geom g: -1 if the geom has no such corner, or has another mesh by now."""
    if m.geom_type[g] != MESH:
        return -1
    mesh = m.geom_dataid[g]
    adr = m.mesh_graphadr[mesh]
    number = m.mesh_graph[adr] if adr >= 0 else m.mesh_vertnum[mesh]
    return int(corner) if 0.0 <= corner < number else -1


@kernel
def is_still_apart(m, d):
    """True if the axis that is kept for the pair shows that it is farther apart than the margin."""
    c, g, h = _place(d), d.hit_geom1, d.hit_geom2
    if d.collide_apart[h, c] != g + 1:
        return False
    axis = d.collide_apart[h, c + 1], d.collide_apart[h, c + 2], d.collide_apart[h, c + 3]
    d.ccd_start[0], d.ccd_start[1] = _start(m, g, d.collide_apart[h, c + 4]), _start(m, h, d.collide_apart[h, c + 5])
    origin = load3(d.geom_xpos, g)
    low = dot3(axis, support(m, d, h, 1, origin, scale3(-1.0, axis))) - core_radius(m, d, h)
    high = dot3(axis, support(m, d, g, 0, origin, axis)) + core_radius(m, d, g)
    d.collide_apart[h, c + 4], d.collide_apart[h, c + 5] = d.ccd_start[0], d.ccd_start[1]
    room = d.hit_margin + m.opt_ccd_tolerance
    return low - high > room + _ROUNDING * (abs(low) + abs(high))
