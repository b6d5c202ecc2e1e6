"""Sweeps over the rows: the splittings A = B + C and the iteration lambda <- LCP(B, C lambda + b).

    Jacobi         B = D/omega       every row sees the impulses before the sweep; omega is chosen for each sweep
    Gauss-Seidel   B = L + D         every row sees the rows before it as they are now
    SOR            B = L + D/omega   the same, and each update is stretched by omega

With B (block) lower triangular the inner problem falls apart into one of a single row, whose solution is to clip
lambda - omega w / D to the bounds, or of a 3x3 block (block.py). Only D and the running y = X' lambda (rows.py) are
needed. For A positive definite the iteration converges if B - C is positive definite, which for SOR is
2/omega > 1. For Jacobi it is 2 D/omega - A: with omega = 1 that seldom holds where several contacts are on one body, so
each sweep takes the omega, at most 1, with which the cost x'A x/2 + b'x ends least.
The bounds of friction are those of the normal impulse of the moment, so that they move with the iteration.
Source: seed document on contact as a linear complementarity problem (tazz).
"""

from tumble.physics.kernel import kernel
from tumble.physics.solver.lcp.block import solve_block
from tumble.physics.solver.lcp.disc import aim_disc, disc_error, shrink_disc
from tumble.physics.solver.lcp.rows import BLOCK
from tumble.physics.solver.product import copy
from tumble.physics.state.constants import mjMINVAL


@kernel
def row_velocity(d, r):
    """w of row r: b plus the row of A times lambda."""
    half, columns, y = d.lcp_half, d.lcp_colind, d.lcp_momentum
    w = d.lcp_b[r]
    for a in range(d.lcp_rowadr[r], d.lcp_rowadr[r] + d.lcp_rownnz[r]):
        w += half[a] * y[columns[a]]
    return w


@kernel
def set_impulse(d, r, new):
    """Gives row r an impulse; returns how much velocity [m/s or rad/s] of its own that changes."""
    change = new - d.lcp_impulse[r]
    if change == 0.0:
        return 0.0
    half, columns, y = d.lcp_half, d.lcp_colind, d.lcp_momentum
    for a in range(d.lcp_rowadr[r], d.lcp_rowadr[r] + d.lcp_rownnz[r]):
        y[columns[a]] += half[a] * change
    d.lcp_impulse[r] = new
    return abs(change) * d.lcp_diag[r]


@kernel
def clip(d, r, x):
    """x within the bounds that row r has at present."""
    base = d.lcp_base[r]
    if base >= 0:
        top = d.lcp_high[r] * d.lcp_impulse[base]
        return min(max(x, -top), top)
    return min(max(x, d.lcp_low[r]), d.lcp_high[r])


@kernel
def best(d, r, w, omega):
    """The impulse of row r for its velocity w; a row that moves nothing keeps none."""
    if d.lcp_diag[r] < mjMINVAL:
        return 0.0
    return clip(d, r, d.lcp_impulse[r] - omega * w / d.lcp_diag[r])


@kernel
def sweep_jacobi(m, d, blocks, tolerance):
    """One sweep from lcp_velocity; returns the largest change of a row's velocity by its own impulse.

    With the bounds as they are, the change of all rows is a projected step down the gradient w in the metric of D, so the
    cost falls at first along it: the sweep ends where it is least, x + omega (next - x). Then friction keeps its new bounds.
    """
    aim(d, blocks, tolerance)
    slope = aimed_slope(m, d)
    if blocks and slope >= 0.0:  # a block takes the bounds of its own new normal, for which the cost need not fall
        aim(d, False, tolerance)
        slope = aimed_slope(m, d)
    bend, moved = 0.0, 0.0
    for i in range(m.nv):
        bend += d.lcp_search_momentum[i] ** 2
    omega = min(1.0, -slope / bend) if bend > 0.0 and slope < 0.0 else 1.0
    for r in range(d.nlcp):
        moved = max(moved, set_impulse(d, r, d.lcp_impulse[r] + omega * (d.lcp_next[r] - d.lcp_impulse[r])))
    r = 0
    while r < d.nlcp:
        if d.lcp_disc[r] > 0:
            copy_rows(d.lcp_impulse, d.lcp_next, r, r + d.lcp_disc[r])
            shrink_disc(d, r, d.lcp_next)
            moved = max(moved, set_disc(d, r))
            r += d.lcp_disc[r]
        else:
            if d.lcp_base[r] >= 0:
                moved = max(moved, set_impulse(d, r, clip(d, r, d.lcp_impulse[r])))
            r += 1
    return moved


@kernel
def copy_rows(source, to, first, end):
    """to <- source from row `first` to `end`."""
    for k in range(first, end):
        to[k] = source[k]


@kernel
def set_disc(d, r):
    """Gives the rows of the disc at r the impulses of lcp_next; returns as set_impulse."""
    moved = 0.0
    for k in range(r, r + d.lcp_disc[r]):
        moved = max(moved, set_impulse(d, k, d.lcp_next[k]))
    return moved


@kernel
def aim(d, blocks, tolerance):
    """lcp_next <- the impulse that each row, or block, would take if the others stayed; reads lcp_velocity."""
    r, w = 0, d.lcp_velocity
    while r < d.nlcp:
        if blocks and d.lcp_size[r] == BLOCK:
            x = solve_block(d, r, (w[r], w[r + 1], w[r + 2]), 1.0, tolerance)
            d.lcp_next[r], d.lcp_next[r + 1], d.lcp_next[r + 2] = x
            r += BLOCK
        elif d.lcp_disc[r] > 0:
            aim_disc(d, r, 1.0)
            r += d.lcp_disc[r]
        else:
            d.lcp_next[r] = best(d, r, w[r], 1.0)
            r += 1


@kernel
def aimed_slope(m, d):
    """The slope of the cost along lcp_next - lcp_impulse; lcp_search_momentum <- what that adds to lcp_momentum."""
    slope, half, columns, y = 0.0, d.lcp_half, d.lcp_colind, d.lcp_search_momentum
    for i in range(m.nv):
        y[i] = 0.0
    for r in range(d.nlcp):
        change = d.lcp_next[r] - d.lcp_impulse[r]
        if change != 0.0:
            slope += d.lcp_velocity[r] * change
            for a in range(d.lcp_rowadr[r], d.lcp_rowadr[r] + d.lcp_rownnz[r]):
                y[columns[a]] += half[a] * change
    return slope


@kernel
def sweep_sor(d, blocks, omega, tolerance):
    """One sweep in the order of the rows; returns the largest change of a row's velocity by its own impulse."""
    r, moved = 0, 0.0
    while r < d.nlcp:
        if blocks and d.lcp_size[r] == BLOCK:
            w = (row_velocity(d, r), row_velocity(d, r + 1), row_velocity(d, r + 2))
            x = solve_block(d, r, w, omega, tolerance)
            moved = max(moved, set_impulse(d, r, x[0]), set_impulse(d, r + 1, x[1]), set_impulse(d, r + 2, x[2]))
            r += BLOCK
        elif d.lcp_disc[r] > 0:
            disc_velocities(d, r)
            aim_disc(d, r, omega)
            moved = max(moved, set_disc(d, r))
            r += d.lcp_disc[r]
        else:
            moved = max(moved, set_impulse(d, r, best(d, r, row_velocity(d, r), omega)))
            r += 1
    return moved


@kernel
def disc_velocities(d, r):
    """lcp_velocity <- w of the rows of the disc at r."""
    for k in range(r, r + d.lcp_disc[r]):
        d.lcp_velocity[k] = row_velocity(d, k)


@kernel
def natural_map(d):
    """lcp_velocity <- w; returns the largest |lambda - clip(lambda - w / D)| D [m/s or rad/s]: zero in the solution.

    Between its bounds that is |w|; at a bound, the part of w that the bound does not excuse.
    """
    largest, total, r = 0.0, 0.0, 0
    while r < d.nlcp:
        if d.lcp_disc[r] > 0:
            disc_velocities(d, r)
            error = disc_error(d, r, aim_disc(d, r, 1.0))
            r += d.lcp_disc[r]
        else:
            w = row_velocity(d, r)
            d.lcp_velocity[r] = w
            error = abs(d.lcp_impulse[r] - best(d, r, w, 1.0)) * d.lcp_diag[r]
            r += 1
        largest = max(largest, error)
        total += error
    return largest if total == total else total  # max forgets not-a-number


@kernel
def cost(d):
    """x'A x/2 + b'x of the impulses x at lcp_velocity [J]: what they add to the energy, stabilization apart.

    At a solution it is -x'A x/2 or less, for there no row has x w > 0, and b = w - A x.
    """
    total = 0.0
    for r in range(d.nlcp):
        total += d.lcp_impulse[r] * (d.lcp_velocity[r] + d.lcp_b[r])
    return 0.5 * total


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
