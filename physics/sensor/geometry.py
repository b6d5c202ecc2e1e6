"""Sensors that look at shapes: rays, distances, volumes, and where a camera sees a point.

They are a stage of their own, which position sensors call: few models have them, and what they need takes long to compile.
"""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add_scaled3, dot3, load3, scale3, sub3, unit3
from tumble.physics.collision.convex.distance import geom_distance
from tumble.physics.collision.ray.geom import cast
from tumble.physics.collision.ray.many import cast_gathered, gather
from tumble.physics.dynamics.object import object_pos
from tumble.physics.kernel import kernel, stage
from tumble.physics.sensor.delayed import keeps_reading
from tumble.physics.sensor.output import clamp, is_in_site, put1
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtObj, mjtRayDataField, mjtSensor

RANGEFINDER, CAMPROJECTION = int(mjtSensor.mjSENS_RANGEFINDER), int(mjtSensor.mjSENS_CAMPROJECTION)
INSIDESITE, GEOMDIST = int(mjtSensor.mjSENS_INSIDESITE), int(mjtSensor.mjSENS_GEOMDIST)
GEOMNORMAL, GEOMFROMTO = int(mjtSensor.mjSENS_GEOMNORMAL), int(mjtSensor.mjSENS_GEOMFROMTO)
SITE, GEOM = int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_GEOM)
DIST, DIR = int(mjtRayDataField.mjRAYDATA_DIST), int(mjtRayDataField.mjRAYDATA_DIR)
ORIGIN, POINT = int(mjtRayDataField.mjRAYDATA_ORIGIN), int(mjtRayDataField.mjRAYDATA_POINT)
NORMAL, DEPTH = int(mjtRayDataField.mjRAYDATA_NORMAL), int(mjtRayDataField.mjRAYDATA_DEPTH)
_HALF_DEGREE = math.pi / 360.0


@stage
def sensor_shapes(m, d):
    """Reads poses; writes the sensors of this module in sensordata."""
    for s in range(m.nsensor):
        kind = m.sensor_type[s]
        if keeps_reading(m, d, s):
            continue
        if kind == RANGEFINDER:
            rangefinder(m, d, s)
        elif kind == CAMPROJECTION:
            project(m, d, s)
        elif kind == INSIDESITE:
            put1(m, d, s, is_inside(m, d, s))
        elif kind in (GEOMDIST, GEOMNORMAL, GEOMFROMTO):
            distance(m, d, s)
        else:
            continue
        if kind != GEOMFROMTO:  # its cutoff is a distance, its numbers are places
            clamp(m, d, s)


@kernel
def rangefinder(m, d, s):
    """The ray along the z axis of a site, or those through the pixels of a camera, row by row from the top."""
    i, at = m.sensor_objid[s], m.sensor_adr[s]
    if m.sensor_objtype[s] == SITE:
        axis = column(load9(d.site_xmat, i), 2)
        start = load3(d.site_xpos, i)
        put_ray(m, d, s, at, start, axis, axis, cast(m, d, start, axis, -1, True, m.site_bodyid[i]))
        return
    mat, pos, body = load9(d.cam_xmat, i), load3(d.cam_xpos, i), m.cam_bodyid[i]
    ahead = scale3(-1.0, column(mat, 2))
    fx, fy, cx, cy = lens(m, i)
    if not m.cam_projection[i]:
        gather(m, d, pos, -1, True, body, math.inf)
    one, end = ray_width(m, s), at + m.sensor_dim[s]
    for row in range(m.cam_resolution[i, 1]):
        for pixel in range(m.cam_resolution[i, 0]):
            if at + one > end:  # the camera was given more pixels than the sensor was compiled for
                return
            x, y = (pixel + 0.5 - cx) / fx, -(row + 0.5 - cy) / fy
            if m.cam_projection[i]:  # orthographic: parallel rays from the pixels
                start = add_scaled3(add_scaled3(pos, x, column(mat, 0)), y, column(mat, 1))
                at = put_ray(m, d, s, at, start, ahead, ahead, cast(m, d, start, ahead, -1, True, body))
            else:
                along, _ = unit3(mat_vec(mat, (x, y, -1.0)))
                at = put_ray(m, d, s, at, pos, along, ahead, cast_gathered(m, d, along))


@kernel
def ray_width(m, s):
    """Number of values of one ray of sensor s."""
    wanted, width = m.sensor_intprm[s, 0], 0
    for field in range(DEPTH + 1):
        if (wanted >> field) & 1:
            width += 1 if field == DIST or field == DEPTH else 3
    return width


@kernel
def put_ray(m, d, s, at, p, along, ahead, met):
    """Writes what sensor s wants to know of one ray, from `at` on; returns where the next goes.

    ahead: the axis of depth; met: what `cast` found.
    """
    out, wanted = d.sensordata, m.sensor_intprm[s, 0]
    t, _, normal = met
    zero, hit = (0.0, 0.0, 0.0), t >= 0.0
    for field in range(DEPTH + 1):
        if not (wanted >> field) & 1:
            continue
        if field == DIST or field == DEPTH:
            out[at] = t if field == DIST or not hit else t * dot3(along, ahead)
            at += 1
            continue
        v = p if field == ORIGIN else zero
        if hit and field == DIR:
            v = along
        elif hit and field == POINT:
            v = add_scaled3(p, t, along)
        elif hit and field == NORMAL:
            v = normal
        out[at], out[at + 1], out[at + 2] = v
        at += 3
    return at


@kernel
def lens(m, i):
    """Focal lengths and centre of camera i in pixels, as it is rendered; of an orthographic one, pixels in a metre."""
    width, height = float(m.cam_resolution[i, 0]), float(m.cam_resolution[i, 1])
    if m.cam_projection[i]:
        f = height / m.cam_fovy[i]
        return f, f, 0.5 * width, 0.5 * height
    if m.cam_sensorsize[i, 0] > 0.0 and m.cam_sensorsize[i, 1] > 0.0:
        x, y = width / m.cam_sensorsize[i, 0], height / m.cam_sensorsize[i, 1]
        prm = m.cam_intrinsic
        return prm[i, 0] * x, prm[i, 1] * y, 0.5 * width - prm[i, 2] * x, 0.5 * height + prm[i, 3] * y
    f = 0.5 * height / math.tan(_HALF_DEGREE * m.cam_fovy[i])
    return f, f, 0.5 * width, 0.5 * height


@kernel
def project(m, d, s):
    """The pixel of a camera's image in which a site is seen, from the left and from the top."""
    i, camera = m.sensor_objid[s], m.sensor_refid[s]
    x, y, z = mat_t_vec(load9(d.cam_xmat, camera), sub3(load3(d.site_xpos, i), load3(d.cam_xpos, camera)))
    fx, fy, cx, cy = lens(m, camera)
    depth = -z
    if m.cam_projection[camera]:
        depth = 1.0
    elif abs(depth) < mjMINVAL:
        depth = mjMINVAL
    at = m.sensor_adr[s]
    d.sensordata[at], d.sensordata[at + 1] = cx + fx * x / depth, cy - fy * y / depth


@kernel
def is_inside(m, d, s):
    """1 if the object's centre is in the volume of a site, else 0."""
    return 1.0 if is_in_site(m, d, m.sensor_refid[s], object_pos(d, m.sensor_objtype[s], m.sensor_objid[s])) else 0.0


@kernel
def distance(m, d, s):
    """Distance, normal or segment between two geoms, or between the nearest geoms of two bodies."""
    limit, kind, at = m.sensor_cutoff[s], m.sensor_type[s], m.sensor_adr[s]
    first1, last1 = geoms_of(m, m.sensor_objtype[s], m.sensor_objid[s])
    first2, last2 = geoms_of(m, m.sensor_reftype[s], m.sensor_refid[s])
    best, p1, p2 = limit, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for g1 in range(first1, last1):
        for g2 in range(first2, last2):
            dist, q1, q2 = geom_distance(m, d, g1, g2, best)
            if dist < best:
                best, p1, p2 = dist, q1, q2
    if kind == GEOMDIST:
        put1(m, d, s, best)
        return
    gap = sub3(p2, p1)
    if kind == GEOMNORMAL:
        normal, length = unit3(gap)
        gap = normal if length >= mjMINVAL else (0.0, 0.0, 0.0)
    for k in range(3):
        if kind == GEOMNORMAL:
            d.sensordata[at + k] = gap[k]
        else:
            d.sensordata[at + k], d.sensordata[at + 3 + k] = p1[k], p2[k]


@kernel
def geoms_of(m, kind, i):
    """First geom of a geom or body, and the one after the last."""
    if kind == GEOM:
        return i, i + 1
    return m.body_geomadr[i], m.body_geomadr[i] + m.body_geomnum[i]
