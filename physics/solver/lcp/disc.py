"""Friction that a disc limits: the tangents of a contact, with torsion and rolling, in lengths of their coefficients.

The rows s = impulse / coefficient of a contact are in a ball whose radius is the impulse of its normal. A step goes down the
gradient of the cost by the largest curvature that it can meet, and back into the ball along its radius: where it stands still,
friction is against the sliding velocity, and at most the coefficient times the normal's. One row after the other, each within
what the others leave, would stand still elsewhere, too.
Source: projected gradients, as in Nocedal and Wright, Numerical Optimization, section 16.7.
"""

import math

from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjMINVAL


@kernel
def curvature(d, r):
    """At least the largest curvature of the cost over the ball of the rows from r on: the trace of their block of A."""
    total = 0.0
    for k in range(r, r + d.lcp_disc[r]):
        total += d.lcp_high[k] ** 2 * d.lcp_diag[k]
    return total


@kernel
def aim_disc(d, r, omega):
    """lcp_next <- impulses of the rows of the disc at r after a step from the present ones; reads lcp_velocity.

    Returns the curvature. omega: relaxation.
    """
    most, end = curvature(d, r), r + d.lcp_disc[r]
    for k in range(r, end):
        mu = d.lcp_high[k]
        moves = mu > 0.0 and d.lcp_diag[k] >= mjMINVAL and most >= mjMINVAL * mu * mu
        d.lcp_next[k] = d.lcp_impulse[k] - omega * mu * mu * d.lcp_velocity[k] / most if moves else 0.0
    shrink_disc(d, r, d.lcp_next)
    return most


@kernel
def shrink_disc(d, r, x):
    """Bring impulses x of the rows of the disc at r into it, along its radius."""
    share = filled(d, r, x)
    for k in range(r, r + d.lcp_disc[r]):
        x[k] = x[k] / share if share > 1.0 else x[k]


@kernel
def filled(d, r, x):
    """Radius of impulses x of the disc at r over that of the disc; 0 without impulses, infinity without a disc."""
    top, square = d.lcp_impulse[d.lcp_base[r]], 0.0
    for k in range(r, r + d.lcp_disc[r]):
        if x[k] != 0.0:
            square += (x[k] / d.lcp_high[k]) ** 2
    if square <= 0.0:
        return 0.0
    return math.sqrt(square) / top if top > 0.0 else math.inf


@kernel
def disc_error(d, r, most):
    """Largest velocity that the disc at r does not excuse; after aim_disc, which returned the curvature `most`."""
    largest = 0.0
    for k in range(r, r + d.lcp_disc[r]):
        if d.lcp_high[k] > 0.0:
            largest = max(largest, abs(d.lcp_impulse[k] - d.lcp_next[k]) * most / d.lcp_high[k] ** 2)
    return largest


@kernel
def slide_disc(diag, cross, alone, mu, x, turns, tolerance):
    """Normal, then both tangents within the disc, in turn, from x on; as block.py's slide."""
    x0, x1, x2 = x
    a, b, c = mu[0] ** 2 * diag[1], mu[1] ** 2 * diag[2], mu[0] * mu[1] * cross[2]
    most = 0.5 * (a + b) + math.sqrt(0.25 * (a - b) ** 2 + c * c)
    for _ in range(turns):
        y0 = max(0.0, -(alone[0] + cross[0] * x1 + cross[1] * x2) / diag[0])
        w1 = alone[1] + cross[0] * y0 + diag[1] * x1 + cross[2] * x2
        w2 = alone[2] + cross[1] * y0 + cross[2] * x1 + diag[2] * x2
        s1 = x1 / mu[0] - mu[0] * w1 / most if mu[0] > 0.0 and diag[1] >= mjMINVAL else 0.0
        s2 = x2 / mu[1] - mu[1] * w2 / most if mu[1] > 0.0 and diag[2] >= mjMINVAL else 0.0
        radius = math.sqrt(s1 * s1 + s2 * s2)
        share = y0 / radius if radius > y0 else 1.0
        y1, y2 = mu[0] * s1 * share, mu[1] * s2 * share
        moved = max(abs(y0 - x0) * diag[0], abs(y1 - x1) * diag[1], abs(y2 - x2) * diag[2])
        x0, x1, x2 = y0, y1, y2
        if moved <= 0.01 * tolerance:
            break
    return x0, x1, x2
