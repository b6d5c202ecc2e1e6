"""Flexes with each other and with themselves."""

from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3, sub3, unit3
from tumble.physics.collision.convex.element import FIRST, SECOND
from tumble.physics.collision.flex.candidates import with_itself
from tumble.physics.collision.flex.convex import collide_elements
from tumble.physics.collision.flex.flex_contact import add_flex_contacts, flex_flex_margin, set_side
from tumble.physics.collision.flex.flex_elements import (
    boxes_overlap,
    flex_box,
    load_element,
    place_of,
    stirs,
    takes_part,
    vertex_of,
)
from tumble.physics.collision.flex.primitive import across_of, segment_of, touch_triangle
from tumble.physics.collision.hit import touch
from tumble.physics.collision.pairs.sphere import touch_sphere_capsule
from tumble.physics.kernel import kernel, stage


@kernel
def masks_meet_flexes(m, f1, f2):
    """True if the contype of either flex meets the conaffinity of the other."""
    return (m.flex_contype[f1] & m.flex_conaffinity[f2]) != 0 or (m.flex_contype[f2] & m.flex_conaffinity[f1]) != 0


@kernel
def _is_near(box, e, centre, half, margin):
    """True if row e of boxes is within the margin [m] of a box."""
    return (
        abs(box[e, 0] - centre[0]) <= box[e, 3] + half[0] + margin and abs(box[e, 1] - centre[1]) <= box[e, 4] + half[1] + margin
        and abs(box[e, 2] - centre[2]) <= box[e, 5] + half[2] + margin
    )  # fmt: skip


@kernel
def _between(m, d, f1, f2):
    """Contacts of two flexes: of those of their elements that are near to the other flex."""
    margin, box, near = flex_flex_margin(m, f1, f2), d.flexelem_aabb, d.flex_open
    first1, first2 = m.flex_elemadr[f1], m.flex_elemadr[f2]
    centre, half = flex_box(d, f1)
    count = 0
    for e in range(m.flex_elemnum[f2]):
        if half[0] >= 0.0 and takes_part(m, f2, e) and _is_near(box, first2 + e, centre, half, margin):
            near[count] = e
            count += 1
    if count == 0:
        return
    centre, half = flex_box(d, f2)
    for e1 in range(m.flex_elemnum[f1]):
        if not takes_part(m, f1, e1) or not _is_near(box, first1 + e1, centre, half, margin):
            continue
        loaded = False
        for k in range(count):
            e2 = near[k] + 0
            if boxes_overlap(box, first1 + e1, box, first2 + e2, margin):
                if not loaded:
                    load_element(m, d, FIRST, f1, e1)
                    loaded = True
                collide_elements(m, d, f1, e1, f2, e2, margin)


@stage
def flex_flexes(m, d):
    """Contacts of flexes with each other, then of each with itself; counts them in d.hit_found."""
    for f1 in range(m.nflex):
        for f2 in range(f1 + 1, m.nflex):
            if masks_meet_flexes(m, f1, f2) and (stirs(m, d, f1) or stirs(m, d, f2)):
                _between(m, d, f1, f2)
    for f in range(m.nflex):
        if not m.flex_rigid[f] and m.flex_contype[f] & m.flex_conaffinity[f] != 0 and stirs(m, d, f):
            if m.flex_internal[f]:
                inside_out(m, d, f)
            with_itself(m, d, f)


SOLID = 3


@kernel
def _opposite(k):
    """The vertices of face k of a tetrahedron, so that its normal is inward, and the one opposite to it."""
    if k == 0:
        return 0, 1, 2, 3
    if k == 1:
        return 0, 2, 3, 1
    return (0, 3, 1, 2) if k == 2 else (1, 3, 2, 0)


@kernel
def _faces(m, d, f, e):
    """Contacts of the four vertices of a tetrahedron with the faces opposite to them."""
    for k in range(4):
        i, j, h, v = _opposite(k)
        own = vertex_of(m, f, e, v)
        a, p = place_of(m, d, f, vertex_of(m, f, e, i)), place_of(m, d, f, own)
        b, c = place_of(m, d, f, vertex_of(m, f, e, j)), place_of(m, d, f, vertex_of(m, f, e, h))
        inward, area = unit3(cross3(sub3(c, a), sub3(b, a)))
        if not area > 0.0:
            continue
        height = dot3(sub3(p, a), inward)
        dist = height - 2.0 * m.flex_radius[f]
        if dist <= 0.0:
            d.hit_num = 0
            touch(d, dist, add_scaled3(p, -0.5 * height, inward), inward)
            set_side(d, 0, -1, f, e, -1)
            set_side(d, 1, -1, f, -1, own)
            first = d.hit_found
            add_flex_contacts(m, d, 0.0)
            if first < d.maxcon:
                d.contact_dim[first] = 1


@kernel
def _neighbours(m, d, f):
    """Contacts of vertices with the elements that flex_evpair names."""
    d.hit_margin = 0.0
    for k in range(m.flex_evpairadr[f], m.flex_evpairadr[f] + m.flex_evpairnum[f]):
        e, v = m.flex_evpair[k, 0] + 0, m.flex_evpair[k, 1] + 0
        load_element(m, d, SECOND, f, e)
        d.hit_num = 0
        p, radius = place_of(m, d, f, v), m.flex_radius[f]
        if m.flex_dim[f] == 1:
            middle, axis, half = segment_of(d, SECOND)
            touch_sphere_capsule(d, p, radius, middle, axis, half, radius, across_of(axis))
        else:
            touch_triangle(d, p, radius, SECOND)
        set_side(d, 0, -1, f, -1, v)
        set_side(d, 1, -1, f, e, -1)
        add_flex_contacts(m, d, 0.0)


@kernel
def inside_out(m, d, f):
    """Contacts that the flag `internal` of a flex asks for."""
    if m.flex_dim[f] == SOLID:
        for e in range(m.flex_elemnum[f]):
            _faces(m, d, f, e)
    _neighbours(m, d, f)
