"""Touch grids: contact forces on a body as images, seen from a site of it; the plugin mujoco.sensor.touch_grid.

The site looks along its negative z axis, as a camera does. A contact of its body at p in the site's frame is at the angles
atan2(x, -z) across and atan2(y, |(x, z)|) up, which lie in one of the pixels. Their edges are at the angles
fov ((1 - gamma) s + gamma s^5), with s evenly spaced from -1 to 1: for gamma > 0 the middle is finer. A pixel holds the sum of
the contacts' forces [N], of their components along z, x, y of the site; then come torques [N m] in the same order. Each of
these channels is an image, row by row from below; there are as many as nchannel says.

The sign is the reference's, which takes the force of a contact as one on the body with the higher number. It is one on the body
of the second geom. Where that has the lower number, which depends on the shapes, the image shows the opposite of the force on
the site's body.

A stage of its own, which the acceleration sensors call: only models with such a sensor compile and run it.
Source: MuJoCo documentation, plugin/sensor; the exponent and the sign were measured.
"""

import math

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import load3, scale3, sub3
from tumble.physics.dynamics.contact_force import contact_force, contact_point, to_world
from tumble.physics.kernel import kernel, stage
from tumble.physics.sensor.contact_sensor import body_of
from tumble.physics.sensor.delayed import keeps_reading
from tumble.physics.sensor.output import clamp
from tumble.physics.state.enums import mjtObj, mjtSensor
from tumble.physics.state.plugins import (
    GRID_CHANNELS,
    GRID_FOV_X,
    GRID_FOV_Y,
    GRID_GAMMA,
    GRID_X,
    GRID_Y,
    TOUCH_GRID,
    plugin_number,
)

NUMBER = plugin_number(TOUCH_GRID.name)
PLUGIN, SITE = int(mjtSensor.mjSENS_PLUGIN), int(mjtObj.mjOBJ_SITE)


@stage
def sensor_grids(m, d):
    """Reads contacts and efc_force; writes the touch grids in sensordata."""
    for s in range(m.nsensor):
        if m.sensor_type[s] == PLUGIN and not keeps_reading(m, d, s):
            for a in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
                d.sensordata[a] = 0.0
            k = m.sensor_plugin[s]
            if k < 0 or m.plugin[k] != NUMBER or m.sensor_objtype[s] != SITE:
                continue
            b = m.site_bodyid[m.sensor_objid[s]]
            for c in range(d.ncon):
                first, second = body_of(m, d.contact_geom[c, 0]), body_of(m, d.contact_geom[c, 1])
                if (first == b) != (second == b) and d.contact_efc_address[c] >= 0:
                    add_contact(m, d, s, k, c, sign_of(b, first, second))
            clamp(m, d, s)


@kernel
def sign_of(b, first, second):
    """1 if the force of a contact counts as one on body b, -1 for its opposite, from the contact's two bodies (-1: a flex)."""
    other = second if first == b else first
    return (1.0 if second == b else -1.0) if other < 0 else (1.0 if b > other else -1.0)


@kernel
def add_contact(m, d, s, k, c, sign):
    """Add contact c to the pixel of touch grid s where it is, if that sees it. sign: of the force on the body."""
    site, prm = m.sensor_objid[s], m.plugin_prm
    mat = load9(d.site_xmat, site)
    p = mat_t_vec(mat, sub3(contact_point(d, c), load3(d.site_xpos, site)))
    columns, rows, gamma = int(prm[k, GRID_X]), int(prm[k, GRID_Y]), prm[k, GRID_GAMMA]
    column = pixel(math.atan2(p[0], -p[2]), prm[k, GRID_FOV_X], columns, gamma)
    row = pixel(math.atan2(p[1], math.sqrt(p[0] * p[0] + p[2] * p[2])), prm[k, GRID_FOV_Y], rows, gamma)
    channels, at = int(prm[k, GRID_CHANNELS]), row * columns + column
    if column < 0 or row < 0 or channels * columns * rows > m.sensor_dim[s]:
        return
    force, torque = contact_force(d, c)
    force = mat_t_vec(mat, scale3(sign, to_world(d, c, force)))
    torque = mat_t_vec(mat, scale3(sign, to_world(d, c, torque)))
    values = (force[2], force[0], force[1], torque[2], torque[0], torque[1])
    for channel in range(min(channels, 6)):
        d.sensordata[m.sensor_adr[s] + channel * columns * rows + at] += values[channel]


@kernel
def pixel(angle, fov, count, gamma):
    """The pixel of an angle [rad] among `count`; -1 outside. Its lower edge belongs to the one before, as in the reference."""
    if not -fov < angle <= fov:
        return -1
    for i in range(1, count):
        if angle <= fov * bent(2.0 * i / count - 1.0, gamma):
            return i - 1
    return count - 1


@kernel
def bent(s, gamma):
    """An edge of a pixel, -1 to 1, from its evenly spaced place."""
    return (1.0 - gamma) * s + gamma * s**5
