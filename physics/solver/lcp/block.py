"""The inner problem of the block splittings: one contact's normal and two tangents together.

The 3x3 block of A is exact here, so that what a contact does to itself, most of all where it pushes far from the
centre of mass, costs no sweeps. The answer is one of three: the contact opens (no impulse), it sticks (a linear
system), or it slides, and then rows are updated in turn until they stand still.
"""

from tumble.physics.kernel import kernel
from tumble.physics.solver.lcp.disc import slide_disc
from tumble.physics.state.constants import mjMINVAL

SINGULAR = 1e-10  # a pivot below this part of its diagonal says that the block does not determine its impulses
TURNS = 20  # most turns of a sliding contact: what is missing after them, the next sweep gets


@kernel
def solve_block(d, r, w, omega, tolerance):
    """Impulses of rows r, r + 1, r + 2, for their velocities w at the present ones; omega: relaxation."""
    old = (d.lcp_impulse[r], d.lcp_impulse[r + 1], d.lcp_impulse[r + 2])
    diag = (d.lcp_diag[r] / omega, d.lcp_diag[r + 1] / omega, d.lcp_diag[r + 2] / omega)
    cross = (d.lcp_cross[r, 0] / omega, d.lcp_cross[r, 1] / omega, d.lcp_cross[r, 2] / omega)
    if diag[0] < mjMINVAL:
        return 0.0, 0.0, 0.0
    alone = (
        w[0] - diag[0] * old[0] - cross[0] * old[1] - cross[1] * old[2],
        w[1] - cross[0] * old[0] - diag[1] * old[1] - cross[2] * old[2],
        w[2] - cross[1] * old[0] - cross[2] * old[1] - diag[2] * old[2],
    )  # velocities if this contact had no impulse
    if alone[0] >= 0.0:
        return 0.0, 0.0, 0.0
    mu = (d.lcp_high[r + 1], d.lcp_high[r + 2])
    sticks, x = stick(diag, cross, alone)
    if d.lcp_disc[r + 1] > 0:
        if sticks and x[0] > 0.0 and (x[1] * mu[1]) ** 2 + (x[2] * mu[0]) ** 2 <= (mu[0] * mu[1] * x[0]) ** 2:
            return x
        return slide_disc(diag, cross, alone, mu, old, TURNS, tolerance)
    if sticks and x[0] > 0.0 and abs(x[1]) <= mu[0] * x[0] and abs(x[2]) <= mu[1] * x[0]:
        return x
    return slide(diag, cross, alone, mu, old, tolerance)


@kernel
def stick(diag, cross, alone):
    """True if the block is regular, and the impulses that stop all three velocities: elimination, tangents first."""
    if diag[1] < mjMINVAL or diag[2] < mjMINVAL:
        return False, alone
    f = cross[2] / diag[2]
    second = diag[1] - f * cross[2]
    across = cross[0] - f * cross[1]
    if second <= SINGULAR * diag[1]:
        return False, alone
    g, e = across / second, cross[1] / diag[2]
    first = diag[0] - e * cross[1] - g * across
    if first <= SINGULAR * diag[0]:
        return False, alone
    v1 = alone[1] - f * alone[2]
    x0 = -(alone[0] - e * alone[2] - g * v1) / first
    x1 = -v1 / second - g * x0
    return True, (x0, x1, -alone[2] / diag[2] - e * x0 - f * x1)


@kernel
def slide(diag, cross, alone, mu, x, tolerance):
    """Normal, then tangents within its friction, in turn, from x on; the normal row is known to move something."""
    x0, x1, x2 = x
    for _ in range(TURNS):
        y0 = max(0.0, -(alone[0] + cross[0] * x1 + cross[1] * x2) / diag[0])
        y1 = tangent(alone[1] + cross[0] * y0 + cross[2] * x2, diag[1], mu[0] * y0)
        y2 = tangent(alone[2] + cross[1] * y0 + cross[2] * y1, diag[2], mu[1] * y0)
        moved = max(abs(y0 - x0) * diag[0], abs(y1 - x1) * diag[1], abs(y2 - x2) * diag[2])
        x0, x1, x2 = y0, y1, y2
        if moved <= 0.01 * tolerance:
            break
    return x0, x1, x2


@kernel
def tangent(w, diag, top):
    """The friction impulse against a velocity w, at most top."""
    return min(max(-w / diag, -top), top) if diag >= mjMINVAL else 0.0
