"""Sleeping sensors: those whose objects all sleep keep their last reading.

Rangefinders, clocks, and the user's own sensors always are awake, and so is whatever belongs to no object that sleeps:
energies, and force and torque on a static body. A contact sensor is awake if it names no body or geom, names static ones
only, or a site.
Source: MuJoCo documentation, Simulation, Sleeping sensors.
"""

from tumble.physics.dynamics.asleep import ASLEEP, AWAKE, STATIC, actuator_state, tendon_state
from tumble.physics.dynamics.object import object_body
from tumble.physics.kernel import kernel
from tumble.physics.sensor.kinds import ALWAYS_AWAKE
from tumble.physics.state.enums import mjtObj, mjtSensor

CONTACT = int(mjtSensor.mjSENS_CONTACT)
JOINT, TENDON, ACTUATOR = int(mjtObj.mjOBJ_JOINT), int(mjtObj.mjOBJ_TENDON), int(mjtObj.mjOBJ_ACTUATOR)
BODY, XBODY, GEOM = int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_XBODY), int(mjtObj.mjOBJ_GEOM)
SITE, CAMERA = int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_CAMERA)


@kernel
def object_state(m, d, kind, i):
    """True if object i of a kind is static, asleep or awake; nothing, and the world, is static."""
    if i < 0:
        return STATIC
    if kind == JOINT:
        return int(d.body_awake[m.jnt_bodyid[i]])
    if kind == TENDON:
        return tendon_state(m, d, i)
    if kind == ACTUATOR:
        return actuator_state(m, d, i)
    if kind in (BODY, XBODY, GEOM, SITE, CAMERA):
        return int(d.body_awake[object_body(m, kind, i)])
    return AWAKE


@kernel
def sensor_sleeps(m, d, s):
    """True if sensor s keeps its last reading."""
    if d.ntree_awake == m.ntree:
        return False
    kind, obj = m.sensor_type[s], m.sensor_objtype[s]
    if (ALWAYS_AWAKE >> kind) & 1 or (kind == CONTACT and obj == SITE):
        return False
    first = object_state(m, d, obj, m.sensor_objid[s])
    second = object_state(m, d, m.sensor_reftype[s], m.sensor_refid[s])
    return max(first, second) == ASLEEP
