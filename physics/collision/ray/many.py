"""Many rays from one point: what can be met is gathered once, the nearest first, so that most rays look at a few geoms."""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, norm3, sub3
from tumble.physics.collision.ray.geom import NONE, PLANE, is_seen, ray_surface
from tumble.physics.collision.ray.interval import FAR
from tumble.physics.kernel import kernel, stage

_SLACK = 1e-12  # by which a bound of a distance can be wrong, of the distance


@kernel
def _store(m, d, g, p):
    """Remember where a geom is seen from p: offset, square of the radius of the sphere around it; returns its least distance [m].

    A plane has no sphere, which a negative square says.
    """
    offset, bound, b = sub3(p, load3(d.geom_xpos, g)), m.geom_rbound[g], d.ray_ball
    far = norm3(offset)
    reach = bound + _SLACK * far
    b[g, 0], b[g, 1], b[g, 2] = offset
    b[g, 3] = reach * reach * 1.0000001 if bound > 0.0 else -1.0
    near = far - bound
    if m.geom_type[g] == PLANE:
        near = abs(dot3(offset, column(load9(d.geom_xmat, g), 2)))
    b[g, 4] = max(near - _SLACK * far, 0.0)
    return near


@kernel
def _sort(d, n):
    """Shell's sort of the first n geoms in ray_geom by their least distance."""
    ids, b = d.ray_geom, d.ray_ball
    step = n // 2
    while step > 0:
        for k in range(step, n):
            g, at = ids[k] + 0, k
            while at >= step and b[ids[at - step], 4] > b[g, 4]:
                ids[at] = ids[at - step]
                at -= step
            ids[at] = g
        step //= 2


@kernel
def gather(m, d, p, groups, static, without, cutoff):
    """Put the geoms that rays from the world point p can meet into d.ray_geom, and their number into d.ray_ngeom.

    groups, static, without: see is_seen; geoms whose bounding sphere is beyond the cutoff [m] are left out.
    """
    n = 0
    for g in range(m.ngeom):
        if is_seen(m, g, groups, static, without) and _store(m, d, g, p) <= cutoff:
            d.ray_geom[n] = g
            n += 1
    _sort(d, n)
    d.ray_ngeom = n


@kernel
def cast_gathered(m, d, v):
    """The first of the gathered geoms that the ray along v meets: distance in lengths of v, geom and normal, as of `cast`."""
    best, found, normal, b = FAR, NONE, (0.0, 0.0, 0.0), d.ray_ball
    vv = dot3(v, v)
    length = math.sqrt(vv)
    for k in range(d.ray_ngeom):
        g = d.ray_geom[k] + 0
        if b[g, 4] > best * length:
            break
        offset = (b[g, 0], b[g, 1], b[g, 2])
        if b[g, 3] >= 0.0:
            near = add_scaled3(offset, max(0.0, -dot3(offset, v) / vv), v)
            if dot3(near, near) > b[g, 3]:
                continue
        mat = load9(d.geom_xmat, g)
        t, surface = ray_surface(m, d, g, mat_t_vec(mat, offset), mat_t_vec(mat, v), best * (1.0 + _SLACK))
        if 0.0 <= t < best or (t == best and g < found):  # of equally near ones the first, as for a single ray
            best, found, normal = t, g, surface
    if found < 0:
        return -1.0, NONE, normal
    return best, found, mat_vec(load9(d.geom_xmat, found), normal)


@stage
def cast_many(m, d):
    """Casts the rays in d.ray_many from the point in d.ray_query; writes d.ray_found: see their declaration."""
    q, rays, out = d.ray_query, d.ray_many, d.ray_found
    if q[3] != 0.0:
        gather(m, d, (q[0], q[1], q[2]), int(q[6]), q[7] != 0.0, int(q[8]), q[4])
    for k in range(int(q[5])):
        t, geom, normal = cast_gathered(m, d, (rays[k, 0], rays[k, 1], rays[k, 2]))
        out[k, 0], out[k, 1] = t, float(geom)
        out[k, 2], out[k, 3], out[k, 4] = normal
