"""The shortest path from one point to another around a sphere or a cylinder, or through its inside.

Both are problems in a plane: that of the two points and the sphere's centre, or the one across the cylinder's axis.
Around: a straight piece to the circle, an arc, a straight piece from it. Through: two straight pieces that meet at the
point of the circle which makes them shortest. Along the axis of a cylinder, the path rises evenly.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, norm3, scale3, sub3, unit3
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtWrap

SPHERE = int(mjtWrap.mjWRAP_SPHERE)
FULL = 2.0 * math.pi
_STEPS = 60  # halvings that bring any angle to rounding; Newton's steps need fewer


@kernel
def wrap(m, d, kind, geom, side, p0, p1):
    """Path of world points p0, p1 over a geom, kind: SPHERE or CYLINDER; side: a site that tells the side, or -1.

    Returns the length [m] on the surface, negative: the straight line is the path, and where the surface is met and left.
    """
    centre, mat, radius = load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), m.geom_size[geom, 0]
    x0, x1 = mat_t_vec(mat, sub3(p0, centre)), mat_t_vec(mat, sub3(p1, centre))
    e0, e1 = plane_axes(kind, x0, x1)
    a0, b0, a1, b1 = dot3(x0, e0), dot3(x0, e1), dot3(x1, e0), dot3(x1, e1)
    inside, sided, sa, sb = False, side >= 0, 0.0, 0.0
    if sided:
        s = mat_t_vec(mat, sub3(load3(d.site_xpos, side), centre))
        inside = norm3(s) < radius
        sa, sb = dot3(s, e0), dot3(s, e1)
    if inside:
        length, (c0, d0, c1, d1) = through(a0, b0, a1, b1, radius)
    else:
        length, (c0, d0, c1, d1) = around(a0, b0, a1, b1, radius, sided, sa, sb)
    if length < 0.0:
        return length, p0, p1
    q0, q1 = add_scaled3(scale3(c0, e0), d0, e1), add_scaled3(scale3(c1, e0), d1, e1)
    if kind != SPHERE:
        before, after = math.hypot(c0 - a0, d0 - b0), math.hypot(c1 - a1, d1 - b1)
        rise = (x1[2] - x0[2]) / max(mjMINVAL, before + length + after)
        q0, q1 = (c0, d0, x0[2] + rise * before), (c1, d1, x1[2] - rise * after)
        length = math.hypot(length, rise * length)
    return length, add3(centre, mat_vec(mat, q0)), add3(centre, mat_vec(mat, q1))


@kernel
def plane_axes(kind, x0, x1):
    """Two unit axes of the plane of the path, in the geom's frame."""
    if kind != SPHERE:
        return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    e0, _ = unit3(x0)
    normal, length = unit3(cross3(x0, x1))
    if length < mjMINVAL:  # any plane through the centre and both points
        if abs(e0[0]) >= abs(e0[1]) and abs(e0[0]) >= abs(e0[2]):
            spare = (0.0, 1.0, 0.0)
        else:
            spare = (0.0, 0.0, 1.0) if abs(e0[1]) >= abs(e0[2]) else (1.0, 0.0, 0.0)
        normal, _ = unit3(cross3(e0, spare))
    e1, _ = unit3(cross3(normal, e0))
    return e0, e1


@kernel
def around(a0, b0, a1, b1, radius, sided, sa, sb):
    """Arc length and the two ends of the arc; negative where the straight line is free, or a point inside the circle.

    sided: the path has to pass on the side of (sa, sb), even where the straight line would be free on the other.
    """
    none = (0.0, 0.0, 0.0, 0.0)
    s0, s1 = a0 * a0 + b0 * b0, a1 * a1 + b1 * b1
    if s0 < radius * radius or s1 < radius * radius or radius < mjMINVAL:
        return -1.0, none
    da, db = a1 - a0, b1 - b0
    dd = da * da + db * db
    if dd < mjMINVAL:
        return -1.0, none
    t = min(max(-(da * a0 + db * b0) / dd, 0.0), 1.0)
    na, nb = a0 + t * da, b0 + t * db  # where the straight line is nearest to the centre
    if na * na + nb * nb > radius * radius and (not sided or sa * na + sb * nb >= 0.0):
        return -1.0, none
    best, length, ends = -math.inf, -1.0, none
    for k in range(2):  # counter-clockwise, then clockwise
        turn = 1.0 - 2.0 * k
        c0, d0 = tangent(a0, b0, s0, radius, turn)
        c1, d1 = tangent(a1, b1, s1, radius, -turn)
        if crosses(a0, b0, c0, d0, a1, b1, c1, d1):
            continue
        if sided:
            middle = max(mjMINVAL, math.hypot(c0 + c1, d0 + d1))
            merit = ((c0 + c1) * sa + (d0 + d1) * sb) / middle
        else:
            merit = -math.hypot(c1 - c0, d1 - d0)
        if merit > best:
            angle = turn * math.atan2(c0 * d1 - d0 * c1, c0 * c1 + d0 * d1)
            best, length, ends = merit, radius * (angle + FULL if angle < 0.0 else angle), (c0, d0, c1, d1)
    return length, ends


@kernel
def tangent(a, b, square, radius, turn):
    """Tangent point on the circle from an outside point; turn: sense of rotation afterwards."""
    along, across = radius * radius / square, turn * radius * math.sqrt(square - radius * radius) / square
    return along * a - across * b, along * b + across * a


@kernel
def crosses(a0, b0, c0, d0, a1, b1, c1, d1):
    """True if the segments (a0, b0)-(c0, d0) and (a1, b1)-(c1, d1) intersect."""
    u, v, x, y = c0 - a0, d0 - b0, c1 - a1, d1 - b1
    det = u * y - v * x
    if abs(det) < mjMINVAL:
        return False
    s = ((a1 - a0) * y - (b1 - b0) * x) / det
    t = ((a1 - a0) * v - (b1 - b0) * u) / det
    return 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0


@kernel
def through(a0, b0, a1, b1, radius):
    """Zero and twice the point of the circle that makes the path by it shortest; negative where the line meets the circle.

    Measured from the first point's direction towards the second's, the sum of both lengths falls at the angle 0 and
    rises at the angle between them.
    """
    none = (0.0, 0.0, 0.0, 0.0)
    l0, l1 = math.hypot(a0, b0), math.hypot(a1, b1)
    if l0 <= radius or l1 <= radius or radius < mjMINVAL:
        return -1.0, none
    da, db = a1 - a0, b1 - b0
    dd = da * da + db * db
    if dd > mjMINVAL:
        t = -(da * a0 + db * b0) / dd
        if 0.0 < t < 1.0 and math.hypot(a0 + t * da, b0 + t * db) <= radius:
            return -1.0, none
    whole = math.atan2(a0 * b1 - b0 * a1, a0 * a1 + b0 * b1)
    turn, low, high = math.copysign(1.0, whole), 0.0, abs(whole)
    gap = high
    angle = 0.5 * high
    for _ in range(_STEPS):
        slope0, bend0 = length_slope(l0, radius, angle)
        slope1, bend1 = length_slope(l1, radius, gap - angle)
        slope = slope0 - slope1
        if slope > 0.0:
            high = angle
        else:
            low = angle
        bend = bend0 + bend1
        after = angle - slope / bend if bend > 0.0 else low - 1.0
        after = after if low < after < high else 0.5 * (low + high)
        if abs(after - angle) <= 1e-15 * gap:
            break
        angle = after
    e0a, e0b = radius * a0 / l0, radius * b0 / l0
    c, s = math.cos(angle), turn * math.sin(angle)
    x, y = c * e0a - s * e0b, c * e0b + s * e0a
    return 0.0, (x, y, x, y)


@kernel
def length_slope(distance, radius, angle):
    """First and second derivative, by the angle between them, of the distance of two points at these distances from a centre."""
    c, s = math.cos(angle), math.sin(angle)
    length = math.sqrt(max(mjMINVAL, distance * distance + radius * radius - 2.0 * distance * radius * c))
    slope = distance * radius * s / length
    return slope, (distance * radius * c - slope * slope) / length
