"""From points to contacts: the parameters of a pair of geoms, mixed, and the contact frame."""

from tumble.physics.algebra.vec3 import add_scaled3, cross3, dot3, load3, norm3, store3, unit3
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINMU, mjMINVAL
from tumble.physics.state.enums import mjtEnableBit

OVERRIDE = int(mjtEnableBit.mjENBL_OVERRIDE)


@kernel
def pair_margin(m, g1, g2, pair):
    """The distance [m] within which two geoms make contacts. pair: the explicit pair, or -1."""
    if m.opt_enableflags & OVERRIDE:
        return m.opt_o_margin
    if pair >= 0:
        return m.pair_margin[pair]
    return m.geom_margin[g1] + m.geom_margin[g2]


@kernel
def contact_axes(normal, tangent):
    """The unit normal, the part of the wished tangent across it, else of the y (or z) axis, and what is across both."""
    x, _ = unit3(normal)
    y = tangent
    if norm3(y) < 0.5:
        y = (0.0, 1.0, 0.0) if -0.5 < x[1] < 0.5 else (0.0, 0.0, 1.0)
    y, _ = unit3(add_scaled3(y, -dot3(x, y), x))
    if abs(dot3(x, y)) > 1e-6:  # the wish was for the normal's own direction: what is left of it is rounding
        y = (0.0, 1.0, 0.0) if -0.5 < x[1] < 0.5 else (0.0, 0.0, 1.0)
        y, _ = unit3(add_scaled3(y, -dot3(x, y), x))
    return x, y, cross3(x, y)


@kernel
def _frame(d, c, normal, tangent):
    """The rows of the frame."""
    x, y, z = contact_axes(normal, tangent)
    f = d.contact_frame
    f[c, 0], f[c, 1], f[c, 2] = x
    f[c, 3], f[c, 4], f[c, 5] = y
    f[c, 6], f[c, 7], f[c, 8] = z


@kernel
def first_share(m, g1, g2):
    """Weight of the first geom in solver parameters: by priority, else by solmix."""
    return share_of_first(m.geom_priority[g1] - m.geom_priority[g2], m.geom_solmix[g1], m.geom_solmix[g2])


@kernel
def share_of_first(rank, s1, s2):
    """The same of any two, by the difference of their priorities and their solmix."""
    if rank != 0:
        return 1.0 if rank > 0 else 0.0
    if s1 >= mjMINVAL and s2 >= mjMINVAL:
        return s1 / (s1 + s2)
    if s1 < mjMINVAL and s2 < mjMINVAL:
        return 0.5
    return 0.0 if s1 < mjMINVAL else 1.0


@kernel
def times_mix(m, g1, g2):
    """True if solref is weighed: times and damping ratios are, and whatever has priority.

    Stiffness and damping given directly (negative) are not: the greater wins.
    """
    return are_weighed(m.geom_priority[g1] - m.geom_priority[g2], m.geom_solref[g1, 0], m.geom_solref[g2, 0])


@kernel
def are_weighed(rank, r1, r2):
    """The same of any two, by the difference of their priorities and the first numbers of their solref."""
    return rank != 0 or (r1 > 0.0 and r2 > 0.0)


@kernel
def geom_side(m, g):
    """Contact parameters of a geom: row, priority, solmix, condim, and the arrays friction, solref, solimp."""
    return g, m.geom_priority[g], m.geom_solmix[g], m.geom_condim[g], m.geom_friction, m.geom_solref, m.geom_solimp


@kernel
def mix_sides(d, c, first, second):
    """Parameters of contact c, mixed from those of its two sides, each as `geom_side` tells it."""
    i1, priority1, solmix1, dim1, friction1, solref1, solimp1 = first
    i2, priority2, solmix2, dim2, friction2, solref2, solimp2 = second
    rank = priority1 - priority2
    mix = share_of_first(rank, solmix1, solmix2)
    d.contact_dim[c] = max(dim1, dim2) if rank == 0 else (dim1 if rank > 0 else dim2)
    for k in range(5):
        i = 0 if k < 2 else (1 if k == 2 else 2)  # two sliding, one torsional, two rolling
        f1, f2 = friction1[i1, i], friction2[i2, i]
        d.contact_friction[c, k] = max(f1, f2) if rank == 0 else (f1 if rank > 0 else f2)
        d.contact_solimp[c, k] = mix * solimp1[i1, k] + (1.0 - mix) * solimp2[i2, k]
    weigh = are_weighed(rank, solref1[i1, 0], solref2[i2, 0])
    for k in range(2):
        r1, r2 = solref1[i1, k], solref2[i2, k]
        d.contact_solref[c, k] = mix * r1 + (1.0 - mix) * r2 if weigh else min(r1, r2)
        d.contact_solreffriction[c, k] = 0.0


@kernel
def _explicit_parameters(m, d, c, pair):
    """Parameters of a contact of an explicit pair."""
    d.contact_dim[c] = m.pair_dim[pair]
    for k in range(5):
        d.contact_friction[c, k] = m.pair_friction[pair, k]
        d.contact_solimp[c, k] = m.pair_solimp[pair, k]
    for k in range(2):
        d.contact_solref[c, k] = m.pair_solref[pair, k]
        d.contact_solreffriction[c, k] = m.pair_solreffriction[pair, k]


@kernel
def _override_parameters(m, d, c):
    """Parameters that the options impose on every contact."""
    for k in range(5):
        d.contact_friction[c, k] = m.opt_o_friction[k]
        d.contact_solimp[c, k] = m.opt_o_solimp[k]
    for k in range(2):
        d.contact_solref[c, k] = m.opt_o_solref[k]
        d.contact_solreffriction[c, k] = m.opt_o_solref[k]


@kernel
def set_parameters(m, d, c, g1, g2, pair):
    """Everything of contact c that depends on the geoms and not on the point."""
    if pair >= 0:
        _explicit_parameters(m, d, c, pair)
    else:
        mix_sides(d, c, geom_side(m, g1), geom_side(m, g2))
    impose_options(m, d, c)


@kernel
def impose_options(m, d, c):
    """Apply the options' overrides to contact c, and the minimum friction."""
    if m.opt_enableflags & OVERRIDE:
        _override_parameters(m, d, c)
    for i in range(5):
        d.contact_friction[c, i] = max(mjMINMU, d.contact_friction[c, i])


@kernel
def copy_parameters(d, c, source):
    """The same, of another point of the same pair."""
    d.contact_dim[c] = d.contact_dim[source]
    for k in range(5):
        d.contact_friction[c, k] = d.contact_friction[source, k]
        d.contact_solimp[c, k] = d.contact_solimp[source, k]
    for k in range(2):
        d.contact_solref[c, k] = d.contact_solref[source, k]
        d.contact_solreffriction[c, k] = d.contact_solreffriction[source, k]


@kernel
def _is_turned(f, k):
    """True if the normal or the wished tangent of point k differs from those of the point before."""
    turned = False
    for i in range(6):
        turned = turned or f[k, i] != f[k - 1, i]
    return turned


@kernel
def add_contact(m, d, c, k, g1, g2, pair, margin):
    """Make the found point k of a pair of geoms the contact c; point k - 1 is the contact before."""
    place_contact(d, c, k)
    if k == 0:
        set_parameters(m, d, c, g1, g2, pair)
    else:
        copy_parameters(d, c, c - 1)
    gap = m.pair_gap[pair] if pair >= 0 else m.geom_gap[g1] + m.geom_gap[g2]
    begin_contact(d, c, margin - gap)
    d.contact_geom[c, 0] = g1
    d.contact_geom[c, 1] = g2
    for i in range(2):
        d.contact_flex[c, i] = -1
        d.contact_elem[c, i] = -1
        d.contact_vert[c, i] = -1


@kernel
def place_contact(d, c, k):
    """Distance, place and frame of contact c, of the found point k; point k - 1 is the contact before."""
    d.contact_dist[c] = d.hit_dist[k]
    store3(d.contact_pos, c, load3(d.hit_pos, k))
    f = d.hit_frame
    if k == 0 or _is_turned(f, k):
        _frame(d, c, (f[k, 0], f[k, 1], f[k, 2]), (f[k, 3], f[k, 4], f[k, 5]))
    else:
        for i in range(9):
            d.contact_frame[c, i] = d.contact_frame[c - 1, i]


@kernel
def begin_contact(d, c, includemargin):
    """Common fields of every new contact; includemargin: it pushes when closer than this [m]."""
    d.contact_includemargin[c] = includemargin
    d.contact_exclude[c] = 1 if d.contact_dist[c] >= includemargin else 0
    d.contact_mu[c] = 0.0
    for i in range(36):
        d.contact_H[c, i] = 0.0
    d.contact_efc_address[c] = -1
