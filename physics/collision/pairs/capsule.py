"""A capsule against a capsule: two segments with a radius."""

from tumble.physics.algebra.mat3 import column, load9
from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, scale3, sub3
from tumble.physics.collision.hit import touch_spheres
from tumble.physics.collision.pairs.sphere import spare_normal
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL

# Squared sines of the angle of two axes: below the first, rounding tells nothing; below the second, it tells half the digits.
_PARALLEL, _NEARLY = 1e-13, 1e-7


@kernel
def _clip(x):
    return min(max(x, -1.0), 1.0)


@kernel
def _spheres_at(d, c1, a1, r1, x1, c2, a2, r2, x2, spare):
    """The two spheres at the places x1, x2 in [-1, 1] along the segments."""
    touch_spheres(d, add_scaled3(c1, x1, a1), r1, add_scaled3(c2, x2, a2), r2, spare)


@stage
def capsule_capsule(m, d):
    """One point between the nearest points of the segments; between parallel ones up to two, at their ends."""
    g, h = d.hit_geom1, d.hit_geom2
    mat1, mat2 = load9(d.geom_xmat, g), load9(d.geom_xmat, h)
    c1, c2, r1, r2 = load3(d.geom_xpos, g), load3(d.geom_xpos, h), m.geom_size[g, 0], m.geom_size[h, 0]
    a1, a2 = scale3(m.geom_size[g, 1], column(mat1, 2)), scale3(m.geom_size[h, 1], column(mat2, 2))
    touch_capsules(d, c1, a1, r1, c2, a2, r2, spare_normal(mat1, mat2))


@kernel
def touch_capsules(d, c1, a1, r1, c2, a2, r2, spare):
    """The same of capsules with middles c, half segments a and radii r [m]; spare: the normal where they cross at one point."""
    offset = sub3(c1, c2)

    # distance^2 over (x1, x2) has the gradient 2 [aa x1 - ab x2 - u, bb x2 - ab x1 - v]
    aa, ab, bb = dot3(a1, a1), dot3(a1, a2), dot3(a2, a2)
    u, v = -dot3(a1, offset), dot3(a2, offset)
    det = aa * bb - ab * ab
    if abs(det) >= max(mjMINVAL, _PARALLEL * aa * bb):
        x1, x2 = (bb * u + ab * v) / det, (aa * v + ab * u) / det
        if x1 > 1.0 or x1 < -1.0:
            x1 = _clip(x1)
            x2 = (v + x1 * ab) / bb
        if x2 > 1.0 or x2 < -1.0:
            x2 = _clip(x2)
            x1 = _clip((u + x2 * ab) / aa)
        if det < _NEARLY * aa * bb:  # the determinant has lost digits: from the one place to the other
            x2 = _clip((v + x1 * ab) / bb)
            x1 = _clip((u + x2 * ab) / aa)
        _spheres_at(d, c1, a1, r1, x1, c2, a2, r2, x2, spare)
        return
    for k in range(4):  # each end against its nearest point, while that end lies alongside the other capsule
        end = 1.0 if k % 2 == 0 else -1.0
        if d.hit_num < 2:
            if k < 2:
                _spheres_at(d, c1, a1, r1, end, c2, a2, r2, _clip((v + end * ab) / bb), spare)
            else:
                _spheres_at(d, c1, a1, r1, _clip((u + end * ab) / aa), c2, a2, r2, end, spare)
