"""Sweeps combined as by conjugate gradients: a distance that sweeps cover in small steps is covered in one.

A sweep moves the impulses by -g, g = lambda - sweep(lambda), which is zero in the solution: a gradient, already preconditioned.
Where bounds do not change, Gauss-Seidel is linear, and the slow modes of a stack, an impulse carried one contact a sweep, are
what conjugate directions are good at. So the next sweep does not start where the last ended, but beyond, by Fletcher
and Reeves' share of the direction so far; where that share is above one the gradients grow, bounds have changed, and the
direction is restarted. Impulses may leave their bounds on the way: the sweep that follows brings them back,
and only what a sweep has left is ever an answer.
Source: Silcowitz-Hansen, Niebe, Erleben: A nonsmooth nonlinear conjugate gradient method for interactive contact force problems,
The Visual Computer 26, 2010.
"""

from tumble.physics.kernel import kernel
from tumble.physics.solver.product import copy


@kernel
def mark_start(m, d):
    """Remember where a sweep starts."""
    copy(d.lcp_impulse, d.lcp_start, d.nlcp)
    copy(d.lcp_momentum, d.lcp_start_momentum, m.nv)


@kernel
def go_beyond(m, d, before):
    """Move on from the end of a sweep along the direction so far; returns |g|^2. before: that of the last sweep, 0: none.

    Lengths are those of the diagonal of A, so that metres and radians mean the same. The velocities of the impulses are linear
    in them, so that lcp_momentum follows without a product.
    """
    length = 0.0
    for r in range(d.nlcp):
        g = d.lcp_start[r] - d.lcp_impulse[r]
        length += g * g * d.lcp_diag[r]
    share = length / before if before > 0.0 else 0.0
    if not share <= 1.0:
        share = 0.0
    go(d.lcp_impulse, d.lcp_start, d.lcp_search, share, d.nlcp)
    go(d.lcp_momentum, d.lcp_start_momentum, d.lcp_search_momentum, share, m.nv)
    return length


@kernel
def go(x, start, search, share, n):
    """x <- x + share search, search <- share search + (x - start), with x as it was."""
    for k in range(n):
        moved, direction = x[k] - start[k], share * search[k] if share > 0.0 else 0.0  # what an earlier step left counts as none
        x[k] += direction
        search[k] = direction + moved
