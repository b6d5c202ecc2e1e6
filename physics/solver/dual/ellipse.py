"""PGS update of an elliptic contact: along the ray, then within the slice of the cone.

Along the coordinate axes alone one gets stuck on a cone's surface. So the force is first scaled along
the ray from the tip of the cone, then the friction is optimized in the ellipsoid that the cone has
at this normal force. At the tip itself there is no ray: one leaves along the axis or along the surface, where pushing in order
to brake pays more than pushing alone (leave_tip). No bound is absolute: forces may be of any size, and near the tip
of the size of rounding. Source: MuJoCo documentation, Computation, PGS.
"""

import math

from tumble.physics.kernel import kernel
from tumble.physics.solver.product import add_scaled
from tumble.physics.state.constants import mjMINVAL

# Rows of dual_small, the numbers of one contact
OLD, NEW, RES, PULL, STEP = 0, 1, 2, 3, 4
# A normal force below this share of what friction asks for is the tip: a ray through it is as good as none.
AT_TIP = 1e-8
# The axis is left aside only where it saves less than this share of what the steepest ray does: the order of updates, and so
# what PGS has reached when it stops, is otherwise that of the reference.
PAYS = 1e-6


@kernel
def update_cone(d, c, i):
    """A better force of contact c, whose rows start at i; returns how much the dual cost fell."""
    n, dim, w = d.nefc, d.contact_dim[c], d.dual_small
    for j in range(dim):
        w[OLD, j] = d.efc_force[i + j]
        w[NEW, j] = w[OLD, j]
        w[RES, j] = d.dual_res[i + j]
    braking = 0.0
    for j in range(1, dim):
        braking += (d.contact_friction[c, j - 1] * w[RES, j]) ** 2
    braking = math.sqrt(braking)
    if w[OLD, 0] <= AT_TIP * braking * d.dual_inv[i]:
        leave_tip(d, c, i, dim, braking)
    else:
        scale_ray(d, i, dim)
    if w[NEW, 0] <= 0.0:
        for j in range(1, dim):
            w[NEW, j] = 0.0
    else:
        slice_cone(d, c, i, dim, False)
    gain = cone_gain(d, i, dim)
    if gain < -1e-10:
        return 0.0
    for j in range(dim):
        change = w[NEW, j] - w[OLD, j]
        if change != 0.0:
            d.efc_force[i + j] = w[NEW, j]
            d.dual_moved += change * change * d.efc_AR[(i + j) * (n + 1)]
            add_scaled(d.dual_res, change, d.efc_AR[(i + j) * n : (i + j + 1) * n], n)
    return gain


@kernel
def leave_tip(d, c, i, dim, braking):
    """From the tip: the best normal force alone or, where that saves next to nothing, the best force on the steepest ray.

    With the slopes g of the cost, a ray (1, v) with |v_j / friction_j| <= 1 has the slope g_0 + v g, and the steepest one
    v_j = -friction_j^2 g_j / t, t = |friction_j g_j| = braking, has g_0 - t. So the tip is best where g_0 >= t, not where
    g_0 >= 0. Along a ray with the slope s < 0 and the curvature a the cost falls by s^2 / 2a.
    """
    n, w, ar, fri = d.nefc, d.dual_small, d.efc_AR, d.contact_friction
    w[NEW, 0] = max(0.0, -w[RES, 0] * d.dual_inv[i])
    for j in range(1, dim):
        w[NEW, j] = 0.0
    slope = w[RES, 0] - braking
    if slope >= 0.0 or braking == 0.0:
        return
    w[PULL, 0] = 1.0
    for j in range(1, dim):
        w[PULL, j] = -(fri[c, j - 1] ** 2) * w[RES, j] / braking
    bend = 0.0
    for j in range(dim):
        for k in range(dim):
            bend += w[PULL, j] * ar[(i + j) * n + i + k] * w[PULL, k]
    if w[NEW, 0] > 0.0 and w[RES, 0] ** 2 * d.dual_inv[i] * bend >= PAYS * slope * slope:
        return
    if bend > 0.0:
        for j in range(dim):
            w[NEW, j] = -slope / bend * w[PULL, j]


@kernel
def scale_ray(d, i, dim):
    """Best point on the ray through the old force, not beyond the tip."""
    n, w, ar = d.nefc, d.dual_small, d.efc_AR
    bend, slope = 0.0, 0.0
    for j in range(dim):
        along = w[OLD, j] / w[OLD, 0]
        slope += along * w[RES, j]
        for k in range(dim):
            bend += along * ar[(i + j) * n + i + k] * (w[OLD, k] / w[OLD, 0])
    if bend > 0.0:
        length = max(0.0, 1.0 - slope / bend / w[OLD, 0])
        for j in range(dim):
            w[NEW, j] = length * w[OLD, j]


@kernel
def cone_gain(d, i, dim):
    """Decrease of the dual cost from the old to the new force."""
    n, w, ar = d.nefc, d.dual_small, d.efc_AR
    gain = 0.0
    for j in range(dim):
        change = w[NEW, j] - w[OLD, j]
        gain -= change * w[RES, j]
        for k in range(dim):
            gain -= 0.5 * change * ar[(i + j) * n + i + k] * (w[NEW, k] - w[OLD, k])
    return gain


@kernel
def slice_cone(d, c, i, dim, hard):
    """Best friction at the new normal force: a quadratic in an ellipsoid.

    hard: without R; then there is no best friction if it cannot move anything, and it is zero.

    In y_j = f_j / friction_j the ellipsoid is the ball |y| <= f_0, and the minimum of 1/2 y' Q y + q' y is
    y = -(Q + x)^-1 q with the smallest multiplier x >= 0 that brings it into the ball. By Newton's method
    on 1 / |y(x)|, which is nearly linear in x: it approaches the root from one side.
    """
    n, w, ar, fri, k = d.nefc, d.dual_small, d.efc_AR, d.contact_friction, dim - 1
    radius = w[NEW, 0]
    q, l = d.solve_cone, d.solve_cone_root
    for j in range(k):
        s = w[RES, j + 1] + ar[(i + j + 1) * n + i] * (w[NEW, 0] - w[OLD, 0])
        for p in range(k):
            a = ar[(i + j + 1) * n + i + p + 1]
            if hard and j == p:
                a -= d.efc_R[i + j + 1]
            s -= a * w[OLD, p + 1]
            q[j, p] = a * fri[c, j] * fri[c, p]
        w[PULL, j] = s * fri[c, j]
    if hard and is_singular(q, l, k):
        return
    multiplier = 0.0
    for _ in range(20):
        length, bend = solve_ball(q, l, w, k, multiplier)
        if length <= radius * (1.0 + 1e-12) and (multiplier == 0.0 or length >= radius * (1.0 - 1e-12)):
            break
        if bend <= 0.0:
            break
        step = (length / radius - 1.0) * length * length / bend
        multiplier = max(0.0, multiplier + step)
        if step <= 1e-15 * multiplier and length <= radius * (1.0 + 1e-9):
            break
    shrink = min(1.0, radius / length) if length > 0.0 else 1.0  # rounding must not leave the cone
    for j in range(k):
        w[NEW, j + 1] = w[STEP, j] * fri[c, j] * shrink


@kernel
def is_singular(q, l, k):
    """True if Q has no inverse worth having, by the reference's measures: the determinant up to 3 dims, each pivot beyond."""
    least, product = 1.0, 1.0
    for j in range(k):
        for p in range(j + 1):
            s = q[j, p]
            for t in range(p):
                s -= l[j, t] * l[p, t]
            if p < j:
                l[j, p] = s / l[p, p]
            else:
                l[j, j] = math.sqrt(max(s, mjMINVAL))
                least, product = min(least, s), product * s
    return least <= 0.0 or (product if k <= 3 else least) < 1e-10


@kernel
def solve_ball(q, l, w, k, x):
    """STEP <- y = -(Q + x)^-1 q; returns |y| and y' (Q + x)^-1 y, which is -|y| d|y|/dx."""
    for j in range(k):
        for p in range(j + 1):
            s = q[j, p] + x if p == j else q[j, p]
            for t in range(p):
                s -= l[j, t] * l[p, t]
            l[j, p] = math.sqrt(max(s, mjMINVAL)) if p == j else s / l[p, p]
    for j in range(k):
        s = -w[PULL, j]
        for p in range(j):
            s -= l[j, p] * w[STEP, p]
        w[STEP, j] = s / l[j, j]
    for j in range(k - 1, -1, -1):
        s = w[STEP, j]
        for p in range(j + 1, k):
            s -= l[p, j] * w[STEP, p]
        w[STEP, j] = s / l[j, j]
    length, bend = 0.0, 0.0
    for j in range(k):
        s = w[STEP, j]
        length += s * s
        for p in range(j):
            s -= l[j, p] * w[STEP + 1, p]
        w[STEP + 1, j] = s / l[j, j]
        bend += w[STEP + 1, j] * w[STEP + 1, j]
    return math.sqrt(length), bend
