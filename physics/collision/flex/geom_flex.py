"""Geoms against flexes: planes against vertices, all else against elements.

Contacts stand in the order of bodies, flexes, geoms, then vertices or elements. A geom does not touch the elements of which a
vertex belongs to its own body; planes do touch all vertices.
"""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, sub3
from tumble.physics.collision.convex.element import SECOND, corner, element_radius
from tumble.physics.collision.filter import PLANE, SDF, SPHERE, box_of, has_shape
from tumble.physics.collision.flex.flex_contact import add_flex_contacts, geom_flex_margin, set_side
from tumble.physics.collision.flex.flex_elements import (
    bound_flexes,
    flex_box,
    has_body,
    load_element,
    place_of,
    stirs,
    takes_part,
)
from tumble.physics.collision.flex.flex_table import ELEMENTS
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel, run, stage

_GRAZING = 1e-10  # boxes are larger by this part, so that rounding parts no two that touch


@kernel
def masks_meet_flex(m, g, f):
    """True if the contype of a geom or a flex meets the conaffinity of the other."""
    return (m.geom_contype[g] & m.flex_conaffinity[f]) != 0 or (m.flex_contype[f] & m.geom_conaffinity[g]) != 0


@kernel
def _plane_vertices(m, d, g, f, margin):
    """Contacts of a plane with the vertices below it; each vertex is a ball of the flex's radius."""
    normal, origin, radius = column(load9(d.geom_xmat, g), 2), load3(d.geom_xpos, g), m.flex_radius[f]
    set_side(d, 0, g, -1, -1, -1)
    for v in range(m.flex_vertnum[f]):
        p = place_of(m, d, f, v)
        dist = dot3(sub3(p, origin), normal) - radius
        if dist <= margin:
            d.hit_num = 0
            touch(d, dist, add_scaled3(p, -0.5 * dist - radius, normal), normal)
            set_side(d, 1, -1, f, -1, v)
            add_flex_contacts(m, d, margin)


@kernel
def _world_box(m, d, g):
    """Centre and half sides, along the world's axes, of the box around a geom; without end where it has none."""
    mat = load9(d.geom_xmat, g)
    middle, half = box_of(m, g)
    grow = 1.0 + _GRAZING
    reach = (
        grow * (abs(mat[0]) * half[0] + abs(mat[1]) * half[1] + abs(mat[2]) * half[2]),
        grow * (abs(mat[3]) * half[0] + abs(mat[4]) * half[1] + abs(mat[5]) * half[2]),
        grow * (abs(mat[6]) * half[0] + abs(mat[7]) * half[1] + abs(mat[8]) * half[2]),
    )
    return add3(load3(d.geom_xpos, g), mat_vec(mat, middle)), reach


@kernel
def _box_meets(d, e, centre, half, margin):
    """True if the box of an element, of all flexes' elements, is within the margin [m] of another."""
    box = d.flexelem_aabb
    return (
        abs(box[e, 0] - centre[0]) <= box[e, 3] + half[0] + margin and abs(box[e, 1] - centre[1]) <= box[e, 4] + half[1] + margin
        and abs(box[e, 2] - centre[2]) <= box[e, 5] + half[2] + margin
    )  # fmt: skip


@kernel
def _is_off_sides(m, d, g, margin):
    """True if a side of the box along a geom's own axes shows that the loaded element is farther than the margin [m]."""
    mat, origin = load9(d.geom_xmat, g), load3(d.geom_xpos, g)
    middle, half = box_of(m, g)
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for k in range(4):
        x = sub3(mat_t_vec(mat, sub3(corner(d, SECOND, k), origin)), middle)
        low = min(low[0], x[0]), min(low[1], x[1]), min(low[2], x[2])
        high = max(high[0], x[0]), max(high[1], x[1]), max(high[2], x[2])
    room = element_radius(d, SECOND) + margin
    gap = max(max(low[0], -high[0]) - half[0], max(low[1], -high[1]) - half[1], max(low[2], -high[2]) - half[2])
    return gap > room + _GRAZING * (room + half[0] + half[1] + half[2])


@kernel
def _elements(m, d, g, f, margin):
    """Contacts of a geom with the elements near it."""
    address = m.collide_fn[ELEMENTS + 3 * m.geom_type[g] + m.flex_dim[f] - 1]
    centre, half = _world_box(m, d, g)
    first, body, sharp = m.flex_elemadr[f], m.geom_bodyid[g], SPHERE < m.geom_type[g] <= SDF
    for e in range(m.flex_elemnum[f]):
        if not _box_meets(d, first + e, centre, half, margin) or not takes_part(m, f, e) or has_body(m, f, e, body):
            continue
        load_element(m, d, SECOND, f, e)
        if sharp and _is_off_sides(m, d, g, margin):
            continue
        if address == 0:
            d.needcollide = 1
            return
        d.hit_geom1, d.hit_geom2, d.hit_margin, d.hit_num = g, SECOND, margin, 0
        run(address, m, d)
        if d.hit_num > 0:
            set_side(d, 0, g, -1, -1, -1)
            set_side(d, 1, -1, f, e, -1)
            add_flex_contacts(m, d, margin)


@kernel
def _body_flex(m, d, b, f):
    """Contacts of the geoms of a body with a flex."""
    centre, half = flex_box(d, f)
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        if not masks_meet_flex(m, g, f):
            continue
        margin = geom_flex_margin(m, g, f)
        if m.geom_type[g] == PLANE:
            _plane_vertices(m, d, g, f, margin)
            continue
        middle, reach = _world_box(m, d, g)
        apart = sub3(middle, centre)
        if (
            half[0] >= 0.0 and abs(apart[0]) <= reach[0] + half[0] + margin and abs(apart[1]) <= reach[1] + half[1] + margin
            and abs(apart[2]) <= reach[2] + half[2] + margin and has_shape(m, g)
        ):  # fmt: skip
            _elements(m, d, g, f, margin)


@stage
def flex_geoms(m, d):
    """Contacts of the bodies from d.hit_body to before d.hit_bodyend with all flexes; moves d.hit_body on, and d.hit_found."""
    skip = d.ntree_awake < m.ntree
    if d.hit_body == 0:
        bound_flexes(m, d)
    for b in range(d.hit_body, d.hit_bodyend):
        if m.body_geomnum[b] == 0:
            continue
        for f in range(m.nflex):
            if not skip or d.body_stirs[b] != 0 or stirs(m, d, f):
                _body_flex(m, d, b, f)
    d.hit_body = d.hit_bodyend
