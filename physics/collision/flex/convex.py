"""Elements of flexes against what has no closed form with them, and against each other: one point by the general narrow phase."""

from tumble.physics.algebra.vec3 import cross3, dot3, scale3, unit3
from tumble.physics.collision.convex.element import FIRST, SECOND, element_radius, is_triangle
from tumble.physics.collision.convex.pair import convex_contact, midpoint
from tumble.physics.collision.convex.portal import surface_normal, touch_portal
from tumble.physics.collision.convex.refine import overlap
from tumble.physics.collision.flex.flex_contact import add_flex_contacts, set_side
from tumble.physics.collision.flex.flex_elements import are_apart, load_element, shares_body
from tumble.physics.collision.flex.flex_table import PAIRS, SEGMENTS
from tumble.physics.collision.flex.primitive import across_of, segment_of
from tumble.physics.collision.hit import touch
from tumble.physics.collision.pairs.capsule_box import touch_capsules
from tumble.physics.kernel import kernel, run, stage


@kernel
def _at_surface(m, d, normal, point):
    """On triangles the normal of a round geom at its surface, where it supports the depth as well as that of the search.

    Which is the reference's way; its segments and tetrahedra keep that of the search.
    """
    if d.hit_geom1 < 0 or not is_triangle(d, SECOND):
        return normal
    found = surface_normal(m, d, d.hit_geom1, point)
    if dot3(found, found) > 0.0 and overlap(m, d, found) <= overlap(m, d, normal) + m.opt_ccd_tolerance:
        return found
    return normal


@stage
def convex_element(m, d):
    """The point of the shapes d.hit_geom1, d.hit_geom2, of which one or both are elements.

    A search to a tolerance tells the normal to the root of that; where a geom is round, its surface tells it better.
    """
    dist, normal, p1, p2 = convex_contact(m, d, d.hit_margin)
    if dist < 1e300:
        point = midpoint(d, p1, p2)
        touch(d, dist, point, _at_surface(m, d, normal, point))


@stage
def portal_element(m, d):
    """The same by portals (flag nativeccd disabled)."""
    touch_portal(m, d)


@stage
def segment_segment(m, d):
    """Two segments: one point, or two where they are parallel."""
    c1, u1, h1 = segment_of(d, FIRST)
    c2, u2, h2 = segment_of(d, SECOND)
    spare, sine = unit3(cross3(u1, u2))
    if sine < 1e-10:
        spare = across_of(u1)
    touch_capsules(d, c1, scale3(h1, u1), element_radius(d, FIRST), c2, scale3(h2, u2), element_radius(d, SECOND), spare)


@kernel
def collide_elements(m, d, f1, e1, f2, e2, margin):
    """Contacts of element e1 of flex f1 and element e2 of flex f2, if they have no body in common.

    The first is already loaded as FIRST.
    """
    if shares_body(m, f1, e1, f2, e2):
        return
    load_element(m, d, SECOND, f2, e2)
    dim1, dim2 = m.flex_dim[f1], m.flex_dim[f2]
    address = m.collide_fn[SEGMENTS if dim1 == 1 and dim2 == 1 else PAIRS]
    if address == 0:
        d.needcollide = 1
        return
    if dim1 + dim2 > 2 and are_apart(d, dim1 == 2 and dim2 == 2, margin):
        return
    d.hit_geom1, d.hit_geom2, d.hit_margin, d.hit_num = FIRST, SECOND, margin, 0
    run(address, m, d)
    if d.hit_num > 0:
        set_side(d, 0, -1, f1, e1, -1)
        set_side(d, 1, -1, f2, e2, -1)
        add_flex_contacts(m, d, margin)
