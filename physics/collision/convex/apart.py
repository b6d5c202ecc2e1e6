"""The axis that showed that two geoms are apart, kept for the next step: most pairs that are near do not touch, for long.

Two looks for a farthest point then replace a walk, and they begin where the last ones ended. An axis is a proof wherever it
comes from: what is kept can cost time, or save it, and changes no contact. A geom has room for an axis to each of a few others,
which take each other's places.
"""

from tumble.physics.algebra.vec3 import dot3, load3, scale3
from tumble.physics.collision.convex.support import MESH, core_radius, support
from tumble.physics.kernel import kernel

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
