"""From points found between flexes, or a flex and a geom, to contacts."""

from tumble.physics.collision.contact import (
    OVERRIDE,
    begin_contact,
    copy_parameters,
    geom_side,
    impose_options,
    mix_sides,
    place_contact,
)
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import CONTACT_PASSIVE

GEOM, FLEX, ELEM, VERT = 0, 1, 2, 3  # columns of d.hit_side


@kernel
def flex_side(m, f):
    """Contact parameters of a flex, as `geom_side` for a geom."""
    return f, m.flex_priority[f], m.flex_solmix[f], m.flex_condim[f], m.flex_friction, m.flex_solref, m.flex_solimp


@kernel
def set_side(d, side, geom, flex, elem, vert):
    """Say what is on a side, 0 or 1, of the contacts to come: -1 what there is not."""
    row = d.hit_side
    row[side, GEOM], row[side, FLEX], row[side, ELEM], row[side, VERT] = geom, flex, elem, vert


@kernel
def geom_flex_margin(m, g, f):
    """The distance [m] within which a geom and a flex make contacts."""
    return m.opt_o_margin if m.opt_enableflags & OVERRIDE else m.geom_margin[g] + m.flex_margin[f]


@kernel
def flex_flex_margin(m, f1, f2):
    """The same of two flexes."""
    return m.opt_o_margin if m.opt_enableflags & OVERRIDE else m.flex_margin[f1] + m.flex_margin[f2]


@kernel
def _gap(m, g, f):
    """The gap [m] of a geom, or of a flex if that is -1."""
    return m.geom_gap[g] if g >= 0 else m.flex_gap[f]


@kernel
def _mix(m, d, c, s):
    """Parameters of contact c by its sides, rows of hit_side."""
    if s[0, GEOM] >= 0:
        mix_sides(d, c, geom_side(m, s[0, GEOM]), flex_side(m, s[1, FLEX]))
    else:
        mix_sides(d, c, flex_side(m, s[0, FLEX]), flex_side(m, s[1, FLEX]))
    impose_options(m, d, c)


@kernel
def add_flex_contacts(m, d, margin):
    """Make the found points contacts of what d.hit_side says; counts them in d.hit_found, stored or not.

    margin [m]: 0 within a flex, where gaps do not count either.
    """
    s, own = d.hit_side, d.hit_side[0, FLEX] == d.hit_side[1, FLEX]
    gap = 0.0 if own else _gap(m, s[0, GEOM], s[0, FLEX]) + _gap(m, s[1, GEOM], s[1, FLEX])
    passive = (s[0, FLEX] >= 0 and m.flex_passive[s[0, FLEX]] != 0) or (s[1, FLEX] >= 0 and m.flex_passive[s[1, FLEX]] != 0)
    for k in range(d.hit_num):
        c = d.hit_found
        d.hit_found = c + 1
        if c >= d.maxcon:
            continue
        place_contact(d, c, k)
        if k == 0:
            _mix(m, d, c, s)
        else:
            copy_parameters(d, c, c - 1)
        begin_contact(d, c, margin - gap)
        if passive:
            d.contact_exclude[c] = CONTACT_PASSIVE
        for i in range(2):
            d.contact_geom[c, i], d.contact_flex[c, i] = s[i, GEOM], s[i, FLEX]
            d.contact_elem[c, i], d.contact_vert[c, i] = s[i, ELEM], s[i, VERT]
