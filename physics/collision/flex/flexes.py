"""Flexes with each other and with themselves."""

from tumble.physics.collision.convex.element import FIRST
from tumble.physics.collision.flex.candidates import with_itself
from tumble.physics.collision.flex.contact import flex_flex_margin
from tumble.physics.collision.flex.element import boxes_overlap, flex_box, load_element, stirs, takes_part
from tumble.physics.collision.flex.internal import inside_out
from tumble.physics.collision.flex.pair import collide_elements
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
