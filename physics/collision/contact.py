"""From points to contacts: the parameters of a pair of geoms, mixed, and the contact frame."""

from physics.algebra.vec3 import add_scaled3, cross3, dot3, load3, norm3, store3, unit3
from physics.kernel import kernel
from physics.state.constants import mjMINMU, mjMINVAL
from physics.state.enums import mjtEnableBit

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
    if m.geom_priority[g1] != m.geom_priority[g2]:
        return 1.0 if m.geom_priority[g1] > m.geom_priority[g2] else 0.0
    s1, s2 = m.geom_solmix[g1], m.geom_solmix[g2]
    if s1 >= mjMINVAL and s2 >= mjMINVAL:
        return s1 / (s1 + s2)
    if s1 < mjMINVAL and s2 < mjMINVAL:
        return 0.5
    return 0.0 if s1 < mjMINVAL else 1.0


@kernel
def times_mix(m, g1, g2):
    """Whether solref is weighed: times and damping ratios are, and whatever has priority.

    Stiffness and damping given directly (negative) are not: the greater wins.
    """
    return m.geom_priority[g1] != m.geom_priority[g2] or (m.geom_solref[g1, 0] > 0.0 and m.geom_solref[g2, 0] > 0.0)


@kernel
def _dynamic_parameters(m, d, c, g1, g2):
    """Parameters of a contact between two geoms, mixed from theirs."""
    rank = m.geom_priority[g1] - m.geom_priority[g2]
    mix = first_share(m, g1, g2)
    if rank == 0:
        d.contact_dim[c] = max(m.geom_condim[g1], m.geom_condim[g2])
    else:
        d.contact_dim[c] = m.geom_condim[g1] if rank > 0 else m.geom_condim[g2]
    for k in range(5):
        i = 0 if k < 2 else (1 if k == 2 else 2)  # two sliding, one torsional, two rolling
        f1, f2 = m.geom_friction[g1, i], m.geom_friction[g2, i]
        d.contact_friction[c, k] = max(f1, f2) if rank == 0 else (f1 if rank > 0 else f2)
        d.contact_solimp[c, k] = mix * m.geom_solimp[g1, k] + (1.0 - mix) * m.geom_solimp[g2, k]
    weigh = times_mix(m, g1, g2)
    for k in range(2):
        r1, r2 = m.geom_solref[g1, k], m.geom_solref[g2, k]
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
        _dynamic_parameters(m, d, c, g1, g2)
    if m.opt_enableflags & OVERRIDE:
        _override_parameters(m, d, c)
    for i in range(5):
        d.contact_friction[c, i] = max(mjMINMU, d.contact_friction[c, i])


@kernel
def _copy_parameters(d, c, source):
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
    """Whether the normal or the wished tangent of point k differs from those of the point before."""
    turned = False
    for i in range(6):
        turned = turned or f[k, i] != f[k - 1, i]
    return turned


@kernel
def add_contact(m, d, c, k, g1, g2, pair, margin):
    """Make the found point k of a pair of geoms the contact c; point k - 1 is the contact before."""
    d.contact_dist[c] = d.hit_dist[k]
    store3(d.contact_pos, c, load3(d.hit_pos, k))
    f = d.hit_frame
    if k == 0 or _is_turned(f, k):
        _frame(d, c, (f[k, 0], f[k, 1], f[k, 2]), (f[k, 3], f[k, 4], f[k, 5]))
    else:
        for i in range(9):
            d.contact_frame[c, i] = d.contact_frame[c - 1, i]
    if k == 0:
        set_parameters(m, d, c, g1, g2, pair)
    else:
        _copy_parameters(d, c, c - 1)
    gap = m.pair_gap[pair] if pair >= 0 else m.geom_gap[g1] + m.geom_gap[g2]
    d.contact_includemargin[c] = margin - gap
    d.contact_exclude[c] = 1 if d.hit_dist[k] >= margin - gap else 0
    d.contact_mu[c] = 0.0
    for i in range(36):
        d.contact_H[c, i] = 0.0
    d.contact_geom[c, 0] = g1
    d.contact_geom[c, 1] = g2
    for i in range(2):
        d.contact_flex[c, i] = -1
        d.contact_elem[c, i] = -1
        d.contact_vert[c, i] = -1
    d.contact_efc_address[c] = -1
