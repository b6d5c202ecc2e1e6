"""Intersections of a line with the surface of a geom.

The part of a line p + t v inside a convex volume is an interval of t. Volumes intersect where their intervals do, and
the interval of a convex union of them reaches from the first beginning to the last end.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, norm3, sub3, unit3
from tumble.physics.collision.filter import has_shape
from tumble.physics.collision.ray.hfield_rays import ray_hfield
from tumble.physics.collision.ray.interval import FAR, hull, overlap, slab
from tumble.physics.collision.ray.mesh import face_normal, ray_mesh
from tumble.physics.collision.sdf.ray import ray_sdf
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom

PLANE, SPHERE, CAPSULE = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE)
ELLIPSOID, CYLINDER, BOX = int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
MESH, HFIELD, SDF = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)
NONE = -1  # no geom, and the distance to none


@kernel
def round_part(p, v, scale, radius):
    """The interval of t where the scaled p + t v is within a radius: spheres, ellipsoids, and (scale 0) cylinders.

    From the line's point that is nearest to the centre, which keeps the digits of a radius seen from afar.
    """
    p = (scale[0] * p[0], scale[1] * p[1], scale[2] * p[2])
    v = (scale[0] * v[0], scale[1] * v[1], scale[2] * v[2])
    a = dot3(v, v)
    if a == 0.0:  # along the cylinder
        return (-FAR, FAR) if dot3(p, p) <= radius * radius else (FAR, -FAR)
    middle = -dot3(p, v) / a
    near = add_scaled3(p, middle, v)
    rest = radius * radius - dot3(near, near)
    if not rest >= 0.0:
        return FAR, -FAR
    half = math.sqrt(rest / a)
    return middle - half, middle + half


@kernel
def line_part(kind, size, p, v):
    """The interval of t where p + t v, in the frame of a sphere, capsule, ellipsoid, cylinder or box, is inside it."""
    ball = (1.0, 1.0, 1.0)
    if kind == SPHERE:
        return round_part(p, v, ball, size[0])
    if kind == ELLIPSOID:
        return round_part(p, v, (1.0 / size[0], 1.0 / size[1], 1.0 / size[2]), 1.0)
    if kind == CYLINDER or kind == CAPSULE:
        part = overlap(round_part(p, v, (1.0, 1.0, 0.0), size[0]), slab(p[2], v[2], -size[1], size[1]))
        if kind == CAPSULE:
            top, bottom = (p[0], p[1], p[2] - size[1]), (p[0], p[1], p[2] + size[1])
            part = hull(part, hull(round_part(top, v, ball, size[0]), round_part(bottom, v, ball, size[0])))
        return part
    sides = overlap(slab(p[0], v[0], -size[0], size[0]), slab(p[1], v[1], -size[1], size[1]))
    return overlap(sides, slab(p[2], v[2], -size[2], size[2]))


@kernel
def local_normal(kind, size, x):
    """Outward unit normal at a point of the surface, in the geom's frame."""
    normal = x
    if kind == PLANE:
        normal = (0.0, 0.0, 1.0)
    elif kind == ELLIPSOID:
        normal = (x[0] / (size[0] * size[0]), x[1] / (size[1] * size[1]), x[2] / (size[2] * size[2]))
    elif kind == CAPSULE:
        normal = (x[0], x[1], x[2] - min(max(x[2], -size[1]), size[1]))
    elif kind == CYLINDER:
        if abs(abs(x[2]) - size[1]) < abs(math.hypot(x[0], x[1]) - size[0]):
            normal = (0.0, 0.0, x[2])
        else:
            normal = (x[0], x[1], 0.0)
    elif kind == BOX:
        a, b, c = abs(abs(x[0]) - size[0]), abs(abs(x[1]) - size[1]), abs(abs(x[2]) - size[2])
        if a <= b and a <= c:
            normal = (x[0], 0.0, 0.0)
        else:
            normal = (0.0, x[1], 0.0) if b <= c else (0.0, 0.0, x[2])
    normal, _ = unit3(normal)
    return normal


@kernel
def ray_local(kind, size, p, v):
    """Smallest t >= 0 at which the ray p + t v, in the geom's frame, meets its surface; negative: it does not.

    Planes are met from above only, within their size, and 0 is without end.
    """
    if kind == PLANE:
        t = -p[2] / v[2] if v[2] < 0.0 else -1.0
        x, y = abs(p[0] + t * v[0]), abs(p[1] + t * v[1])
        inside = (size[0] <= 0.0 or x <= size[0]) and (size[1] <= 0.0 or y <= size[1])
        return t if t >= 0.0 and inside else -1.0
    if kind < SPHERE or kind > BOX:
        return -1.0
    low, high = line_part(kind, size, p, v)
    if low > high or high < 0.0:
        return -1.0
    return low if low >= 0.0 else high


@kernel
def ray_surface(m, d, g, p, v, limit):
    """The smallest t >= 0 at which the ray p + t v, in a geom's frame, meets its surface, and the outward unit normal there.

    If it is not met below the limit, t is negative or not below it, and the normal says nothing.
    """
    kind, normal = m.geom_type[g], (0.0, 0.0, 0.0)
    if not has_shape(m, g):
        return -1.0, normal
    if kind == HFIELD:
        return ray_hfield(m, m.geom_dataid[g], p, v)
    if kind == SDF and m.geom_plugin[g] >= 0:
        return ray_sdf(m, d, g, p, v)
    if kind == MESH or kind == SDF:
        t, face = ray_mesh(m, d, g, p, v, limit)
        if 0.0 <= t < limit:
            normal = face_normal(m, g, face)
        return t, normal
    size = load3(m.geom_size, g)
    t = ray_local(kind, size, p, v)
    if 0.0 <= t < limit:
        normal = local_normal(kind, size, add_scaled3(p, t, v))
    return t, normal


@kernel
def is_seen(m, g, groups, static, without):
    """True if rays meet a geom: by group (bits; -1: all), by whether it moves, by its body, and by its colour."""
    body = m.geom_bodyid[g]
    if body == without or (not static and m.body_weldid[body] == 0):
        return False
    if groups >= 0 and not (groups >> min(max(m.geom_group[g], 0), 5)) & 1:
        return False
    material = m.geom_matid[g]
    return m.mat_rgba[material, 3] != 0.0 if 0 <= material < m.nmat else m.geom_rgba[g, 3] != 0.0


@kernel
def cast(m, d, p, v, groups, static, without):
    """The first geom that the ray from the world point p along v meets: distance in lengths of v, geom, normal.

    groups, static, without: see is_seen. If there is none, the distance and the geom are -1, the normal is zero.
    """
    best, found, normal = FAR, NONE, (0.0, 0.0, 0.0)
    vv = dot3(v, v)
    for g in range(m.ngeom):
        if not is_seen(m, g, groups, static, without):
            continue
        offset, bound = sub3(p, load3(d.geom_xpos, g)), m.geom_rbound[g]
        if bound > 0.0:  # planes have none
            along = -dot3(offset, v) / vv
            near = add_scaled3(offset, max(0.0, along), v)
            if dot3(near, near) > bound * bound * 1.0000001:
                continue
        mat = load9(d.geom_xmat, g)
        t, surface = ray_surface(m, d, g, mat_t_vec(mat, offset), mat_t_vec(mat, v), best)
        if 0.0 <= t < best:
            best, found, normal = t, g, surface
    if found < 0:
        return -1.0, NONE, normal
    return best, found, mat_vec(load9(d.geom_xmat, found), normal)


@stage
def cast_query(m, d):
    """Casts the ray in d.ray_query; writes d.ray_result: see their declaration."""
    q = d.ray_query
    p, v = (q[0], q[1], q[2]), (q[3], q[4], q[5])
    t, geom, normal = -1.0, NONE, (0.0, 0.0, 0.0)
    if norm3(v) >= mjMINVAL:
        t, geom, normal = cast(m, d, p, v, int(q[6]), q[7] != 0.0, int(q[8]))
    d.ray_result[0], d.ray_result[1] = t, float(geom)
    d.ray_result[2], d.ray_result[3], d.ray_result[4] = normal


@stage
def cast_at_geom(m, d):
    """Casts the ray in d.ray_query at one geom, whose number is there in place of the groups; writes d.ray_result."""
    q = d.ray_query
    g, p, v = int(q[6]), (q[0], q[1], q[2]), (q[3], q[4], q[5])
    mat = load9(d.geom_xmat, g)
    t, normal = ray_surface(m, d, g, mat_t_vec(mat, sub3(p, load3(d.geom_xpos, g))), mat_t_vec(mat, v), FAR)
    met = 0.0 <= t < FAR
    d.ray_result[0], d.ray_result[1] = t if met else -1.0, float(g if met else NONE)
    d.ray_result[2], d.ray_result[3], d.ray_result[4] = mat_vec(mat, normal) if met else (0.0, 0.0, 0.0)
