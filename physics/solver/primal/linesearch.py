"""Exact line search: where the slope of the cost along a direction vanishes.

Along qacc + a search, every row's cost is a quadratic of a in pieces, an elliptic contact's also has
a square root. The slope is continuous and grows with a; Newton's method on it, kept inside the bracket
where its sign changes, ends in few steps: one, while no row changes its state.
"""

import math

from tumble.physics.algebra.sparse import mul_sym
from tumble.physics.kernel import kernel
from tumble.physics.solver.cone import CONE, QUADRATIC, cone_scale, cone_zone
from tumble.physics.solver.limits import most_iterations
from tumble.physics.solver.product import dot, mul_jac
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtConstraint

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)


@kernel
def line_search(m, d, scale):
    """The step along solve_search, the scaled slope left there, and how often the slope was evaluated."""
    search, n = d.solve_search, m.nv
    length = math.sqrt(dot(search, search, n))
    if length < mjMINVAL:
        return 0.0, 0.0, 0
    smooth, curve = prepare_line(m, d)
    scale /= length
    tolerance = m.opt_tolerance * m.opt_ls_tolerance / scale
    slope0, bend = line_slope(d, 0.0, smooth, curve)
    if not (slope0 < -mjMINVAL and bend >= mjMINVAL):  # true of not-a-number too
        return 0.0, 0.0, 1
    low, low_slope, high, high_slope = 0.0, slope0, -1.0, 0.0  # high < 0: none yet
    at, slope = -slope0 / bend, slope0
    most = max(1, most_iterations(m.opt_ls_iterations))  # Newton's own step is tried whatever the option says
    for count in range(most):
        slope, bend = line_slope(d, at, smooth, curve)
        step = slope / max(mjMINVAL, bend)
        # The step is also done when rounding is all that is left of the slope.
        if abs(slope) < tolerance or abs(step) <= 1e-12 * at:
            return at, scale * abs(slope), count + 2
        if slope < 0.0:
            low, low_slope = at, slope
        elif slope >= 0.0:
            high, high_slope = at, slope
        else:  # not a number: the cost overflows there
            break
        at -= step
        if high >= 0.0 and not low < at < high:
            at = 0.5 * (low + high)
            if at <= low or at >= high:
                break
    # Out of iterations. The cost falls all the way to the low end; if that is the start, interpolate the slope.
    if low > 0.0:
        return low, scale * abs(low_slope), most + 1
    if high < 0.0:  # nowhere to go that is known to be better
        return 0.0, scale * abs(slope0), most + 1
    return high * slope0 / (slope0 - high_slope), scale * high_slope, most + 1


@kernel
def prepare_line(m, d):
    """Products with the direction; returns slope at zero and curvature of what is quadratic along all of the line."""
    n, search = m.nv, d.solve_search
    mul_sym(m.M_rownnz, m.M_rowadr, m.M_colind, d.M, search, d.solve_Mv)
    mul_jac(m, d, search, d.solve_Jv)
    z, v, dv = d.solve_jar, d.solve_Jv, d.solve_DJv
    for r in range(d.nefc):
        dv[r] = d.efc_D[r] * v[r]
    smooth = dot(search, d.solve_Ma, n) - dot(search, d.qfrc_smooth, n) + dot(dv, z, d.ne)
    curve = dot(search, d.solve_Mv, n) + dot(dv, v, d.ne)
    r = d.ne + d.nf + d.nl
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            prepare_cone(d, c, r, z, v)
            r += d.contact_dim[c]
        else:
            r += 1
    return smooth, curve


@kernel
def prepare_cone(d, c, i, z, v):
    """solve_line <- N = N0 + a N1 and T^2 = UU + 2 a UV + a^2 VV of an elliptic contact along the line."""
    mu, line = d.contact_mu[c], d.solve_line
    uu, uv, vv = 0.0, 0.0, 0.0
    for j in range(1, d.contact_dim[c]):
        fri = d.contact_friction[c, j - 1]
        u, w = fri * z[i + j], fri * v[i + j]
        uu += u * u
        uv += u * w
        vv += w * w
    line[c, 0] = mu * z[i]
    line[c, 1] = mu * v[i]
    line[c, 2] = uu
    line[c, 3] = uv
    line[c, 4] = vv


@kernel
def line_slope(d, a, smooth, curve):
    """First and second derivative of the cost along the line, at a."""
    z, v, dv = d.solve_jar, d.solve_Jv, d.solve_DJv
    friction, limit, n = d.ne + d.nf, d.ne + d.nf + d.nl, d.nefc
    slope, bend = smooth + a * curve, curve
    for r in range(d.ne, friction):
        x, top = z[r] + a * v[r], d.efc_frictionloss[r]
        reach = d.efc_R[r] * top
        if x <= -reach:
            slope -= top * v[r]
        elif x >= reach:
            slope += top * v[r]
        else:
            slope += dv[r] * x
            bend += dv[r] * v[r]
    s, b = line_one_sided(z[friction:limit], v[friction:limit], dv[friction:limit], a)
    slope += s
    bend += b
    r = limit
    while r < n:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            s, b = line_cone(d, c, r, a)
            end = r + d.contact_dim[c]
        else:
            end = r + 1
            while end < n and d.efc_type[end] != ELLIPTIC:
                end += 1
            s, b = line_one_sided(z[r:end], v[r:end], dv[r:end], a)
        slope += s
        bend += b
        r = end
    return slope, bend


@kernel
def line_one_sided(z, v, dv, a):
    """Derivatives of the cost of rows that only push."""
    slope, bend = 0.0, 0.0
    for k in range(z.shape[0]):
        x = z[k] + a * v[k]
        push = dv[k] if x < 0.0 else 0.0
        slope += push * x
        bend += push * v[k]
    return slope, bend


@kernel
def line_cone(d, c, i, a):
    """Derivatives of the cost of an elliptic contact."""
    n0, n1 = d.solve_line[c, 0], d.solve_line[c, 1]
    uu, uv, vv = d.solve_line[c, 2], d.solve_line[c, 3], d.solve_line[c, 4]
    mu = d.contact_mu[c]
    normal, half = n0 + a * n1, uv + a * vv
    tangent = math.sqrt(max(0.0, uu + a * (uv + half)))
    zone = cone_zone(normal, tangent, mu)
    if zone == QUADRATIC:  # in the scaled variables all rows of a contact have the curvature D_0 / mu^2
        scale = d.efc_D[i] / max(mjMINVAL, mu * mu)
        return scale * (normal * n1 + half), scale * (n1 * n1 + vv)
    if zone == CONE:
        scale, distance = cone_scale(d, c, i), normal - mu * tangent
        rate = half / tangent
        climb = n1 - mu * rate
        return scale * distance * climb, scale * (climb * climb - distance * mu * (vv - rate * rate) / tangent)
    return 0.0, 0.0
