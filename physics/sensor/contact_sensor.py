"""The contact sensor: contacts between two sides, reduced to a fixed number of slots.

A side is a geom, a body, a subtree or nothing, which every geom belongs to; instead of the first side, the volume of a
site may hold the contact's point. What is told of a contact points from the first side to the second: where they are
found in the other order, normal and first tangent are reversed. The second tangent stays, being the product of the two,
so that the contact's frame stays right-handed; the force on the second side keeps its components but that along it.

A stage of its own, which the acceleration sensors call: only models with such a sensor compile and run it.
Source: MuJoCo documentation, XML reference, sensor/contact.
"""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, load3, norm3, scale3, sub3
from tumble.physics.collision.ray.geom import line_part
from tumble.physics.dynamics.contact_force import contact_force, contact_point, to_world
from tumble.physics.kernel import kernel, stage
from tumble.physics.sensor.delayed import keeps_reading
from tumble.physics.sensor.output import is_in_site
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtConDataField, mjtObj, mjtSensor

CONTACT, NONE = int(mjtSensor.mjSENS_CONTACT), int(mjtObj.mjOBJ_UNKNOWN)
BODY, SUBTREE = int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_XBODY)
GEOM, SITE = int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_SITE)
FOUND, FORCE = 1 << int(mjtConDataField.mjCONDATA_FOUND), 1 << int(mjtConDataField.mjCONDATA_FORCE)
TORQUE, DIST = 1 << int(mjtConDataField.mjCONDATA_TORQUE), 1 << int(mjtConDataField.mjCONDATA_DIST)
POS, NORMAL = 1 << int(mjtConDataField.mjCONDATA_POS), 1 << int(mjtConDataField.mjCONDATA_NORMAL)
TANGENT = 1 << int(mjtConDataField.mjCONDATA_TANGENT)
MINDIST, MAXFORCE, NETFORCE = 1, 2, 3  # how matches are reduced, as in sensor_intprm; 0: the first ones
ZERO = (0.0, 0.0, 0.0)


@stage
def sensor_contacts(m, d):
    """Reads contacts and efc_force; writes the contact sensors in sensordata. They have no cutoff."""
    for s in range(m.nsensor):
        if m.sensor_type[s] == CONTACT and not keeps_reading(m, d, s):
            reduction, slots = m.sensor_intprm[s, 1], m.sensor_intprm[s, 2]
            for k in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
                d.sensordata[k] = 0.0
            found = gather(m, d, s)
            if reduction == NETFORCE:
                put_net(m, d, s, found)
                continue
            if reduction != 0:
                sort_first(d, found, slots, reduction)
            at = m.sensor_adr[s]
            for k in range(min(found, slots)):
                at = put_contact(m, d, s, at, found, d.felt_contact[k], d.felt_side[k])


@kernel
def gather(m, d, s):
    """felt_contact, felt_side <- the contacts that sensor s tells of, in their order, and their directions; their number."""
    found = 0
    for c in range(d.ncon):
        side = direction(m, d, s, c)
        if side != 0:
            d.felt_contact[found], d.felt_side[found] = c, side
            found += 1
    return found


@kernel
def direction(m, d, s, c):
    """1 if contact c goes from the first side of sensor s to the second, -1 if it goes back, 0 if it is another contact."""
    kind, i, kind2, i2 = m.sensor_objtype[s], m.sensor_objid[s], m.sensor_reftype[s], m.sensor_refid[s]
    first, second = d.contact_geom[c, 0], d.contact_geom[c, 1]
    if kind == SITE:
        if not is_in_site(m, d, i, contact_point(d, c)):
            return 0
        kind = NONE
    if belongs(m, kind, i, first) and belongs(m, kind2, i2, second):
        return 1
    if belongs(m, kind, i, second) and belongs(m, kind2, i2, first):
        return -1
    return 0


@kernel
def belongs(m, kind, i, g):
    """True if geom g (-1: a flex) is geom i, one of body i, or one of the subtree of body i; all belong to nothing."""
    if kind == NONE:
        return True
    if g < 0:
        return False
    b = m.geom_bodyid[g]
    if kind == GEOM:
        return g == i
    if kind == SUBTREE:
        while b > i:
            b = m.body_parentid[b]
    return b == i


@kernel
def sort_first(d, found, slots, reduction):
    """Brings the nearest or the strongest contacts to the first places, equal ones in their order."""
    key, contact, side = d.felt_key, d.felt_contact, d.felt_side
    kept = 0
    for k in range(found):
        c, way = contact[k], side[k]
        if reduction == MINDIST:
            x = d.contact_dist[c]
        else:
            force, _ = contact_force(d, c)
            x = -norm3(force)
        p = kept
        if kept < slots:
            kept += 1
        elif x < key[kept - 1]:
            p -= 1
        else:
            continue
        while p > 0 and key[p - 1] > x:
            key[p], contact[p], side[p] = key[p - 1], contact[p - 1], side[p - 1]
            p -= 1
        key[p], contact[p], side[p] = x, c, way


@kernel
def put_contact(m, d, s, at, found, c, way):
    """Writes what sensor s tells of contact c, from `at` on; returns where the next goes. way: 1, or -1 to reverse it."""
    wanted, sign = m.sensor_intprm[s, 0], float(way)
    force, torque = ZERO, ZERO
    if wanted & (FORCE | TORQUE):
        force, torque = contact_force(d, c)
    f = d.contact_frame
    normal, tangent = scale3(sign, (f[c, 0], f[c, 1], f[c, 2])), scale3(sign, (f[c, 3], f[c, 4], f[c, 5]))
    force, torque = (force[0], force[1], sign * force[2]), (torque[0], torque[1], sign * torque[2])
    return put_slot(d, wanted, at, float(found), force, torque, d.contact_dist[c], contact_point(d, c), normal, tangent)


@kernel
def put_net(m, d, s, found):
    """Writes one contact that acts as all that were found, at their centre weighted by force, in the global frame."""
    total, pos = 0.0, ZERO
    for k in range(found):
        c = d.felt_contact[k]
        force, _ = contact_force(d, c)
        size = norm3(force)
        total, pos = total + size, add_scaled3(pos, size, contact_point(d, c))
    pos = scale3(1.0 / max(total, mjMINVAL), pos)
    net, moment = ZERO, ZERO
    for k in range(found):
        c, sign = d.felt_contact[k], float(d.felt_side[k])
        force, torque = contact_force(d, c)
        force, torque = scale3(sign, to_world(d, c, force)), scale3(sign, to_world(d, c, torque))
        net = add3(net, force)
        moment = add3(moment, add3(torque, cross3(sub3(contact_point(d, c), pos), force)))
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    put_slot(d, m.sensor_intprm[s, 0], m.sensor_adr[s], float(found), net, moment, 0.0, pos, x, y)


@kernel
def put_slot(d, wanted, at, found, force, torque, dist, pos, normal, tangent):
    """Writes the wanted ones of these, from `at` on; returns the place after the last."""
    if wanted & FOUND:
        at = put_number(d, at, found)
    if wanted & FORCE:
        at = put_vector(d, at, force)
    if wanted & TORQUE:
        at = put_vector(d, at, torque)
    if wanted & DIST:
        at = put_number(d, at, dist)
    if wanted & POS:
        at = put_vector(d, at, pos)
    if wanted & NORMAL:
        at = put_vector(d, at, normal)
    if wanted & TANGENT:
        at = put_vector(d, at, tangent)
    return at


@kernel
def put_number(d, at, x):
    """Writes a number, and returns the place after it."""
    d.sensordata[at] = x
    return at + 1


@kernel
def put_vector(d, at, v):
    """Writes three numbers, and returns the place after them."""
    d.sensordata[at], d.sensordata[at + 1], d.sensordata[at + 2] = v
    return at + 3


@kernel
def touch_force(m, d, site):
    """Sum of the normal forces [N] on the site's body of contacts that the site's volume sees.

    A contact is seen if the ray from it, along its normal and out of the body, meets the volume: the
    contact may lie in it or, for a thin sensor, just below it.
    """
    b, total = m.site_bodyid[site], 0.0
    for c in range(d.ncon):
        first, second = body_of(m, d.contact_geom[c, 0]), body_of(m, d.contact_geom[c, 1])
        if d.contact_efc_address[c] >= 0 and (first == b or second == b):
            force, _ = contact_force(d, c)
            normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
            ray = scale3(-1.0 if second == b else 1.0, normal)
            if force[0] > 0.0 and meets_site(m, d, site, contact_point(d, c), ray):
                total += force[0]
    return total


@kernel
def body_of(m, g):
    """The body of a geom; -1 of a flex, which is of many."""
    return m.geom_bodyid[g] if g >= 0 else -1


@kernel
def meets_site(m, d, site, point, ray):
    """True if the ray from a world point meets the volume of a site."""
    mat = load9(d.site_xmat, site)
    p, v = mat_t_vec(mat, sub3(point, load3(d.site_xpos, site))), mat_t_vec(mat, ray)
    size, kind = load3(m.site_size, site), m.site_type[site]
    return meets(line_part(kind, size, p, v))


@kernel
def meets(part):
    """True if an interval of a ray has a part with t >= 0."""
    return part[0] <= part[1] and part[1] >= 0.0
