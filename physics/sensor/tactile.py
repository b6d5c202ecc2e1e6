"""The tactile sensor: how deep shapes press into the points of a pad, and how fast they slide over it.

The vertices of a mesh, in the frame of a geom, are the taxels; shapes in contact with the geom's body press on them. For
each taxel there are three numbers, stored as three blocks: what the deepest shape at its place gives as pressure, and the
speeds at which this shape slides along the two tangents that the mesh has there: of three normals per vertex, the second
and third. Primitive shapes and signed distance fields press; the depth in meshes and height fields is not known, which is
noted when a model has any.

The pressure is that of a layer of soft skin, -depth / (DEEPEST + depth): proportional to the depth while that is small, and
never beyond -1. Like the depth it comes from, it is negative.

A stage of its own, which the acceleration sensors call: only models with such a sensor compile and run it.
Source: MuJoCo documentation, XML reference, sensor/tactile; the law of the pressure was measured.
"""

from tumble.physics.algebra.mat3 import load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, dot3, load3, sub3
from tumble.physics.collision.sdf.field import HFIELD, MESH, distance_at
from tumble.physics.dynamics.object import point_velocity
from tumble.physics.kernel import kernel, stage
from tumble.physics.sensor.delayed import keeps_reading
from tumble.physics.state.enums import mjtSensor

TACTILE = int(mjtSensor.mjSENS_TACTILE)
DEEPEST = 0.05  # thickness of the skin [m]


@stage
def sensor_taxels(m, d):
    """Reads poses, velocities and which geoms are in contact; writes the tactile sensors in sensordata."""
    for s in range(m.nsensor):
        if m.sensor_type[s] == TACTILE and not keeps_reading(m, d, s):
            for k in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
                d.sensordata[k] = 0.0
            own, last = m.body_weldid[m.geom_bodyid[m.sensor_refid[s]]], -1
            for c in range(d.ncon):
                g = pressing(m, d, c, own)
                if g >= 0 and g != last:  # contacts of two geoms come together, and one of them is enough
                    press(m, d, s, g)
                    last = g


@kernel
def pressing(m, d, c, own):
    """The geom that contact c brings against a body or what is welded to it; -1 if there is none."""
    first, second = d.contact_geom[c, 0], d.contact_geom[c, 1]
    if first < 0 or second < 0:
        return -1
    if m.body_weldid[m.geom_bodyid[first]] == own:
        return int(second)
    if m.body_weldid[m.geom_bodyid[second]] == own:
        return int(first)
    return -1


@kernel
def press(m, d, s, other):
    """Writes the taxels of sensor s in which a geom is deeper than what was found there before."""
    mesh, own = m.sensor_objid[s], m.sensor_refid[s]
    count, vertex, normal = m.mesh_vertnum[mesh], m.mesh_vertadr[mesh], m.mesh_normaladr[mesh]
    has_tangents = m.mesh_normalnum[mesh] == 3 * count
    mat, pos = load9(d.geom_xmat, own), load3(d.geom_xpos, own)
    other_mat, other_pos = load9(d.geom_xmat, other), load3(d.geom_xpos, other)
    known, out = m.geom_type[other] != MESH and m.geom_type[other] != HFIELD, d.sensordata
    for k in range(count):
        point = add3(pos, mat_vec(mat, load3(m.mesh_vert, vertex + k)))
        place = mat_t_vec(other_mat, sub3(point, other_pos))
        dist = min(distance_at(m, d, other, place), 0.0) if known else 0.0
        pressure, at = dist / (DEEPEST - dist), m.sensor_adr[s] + k
        if pressure >= out[at]:
            continue
        out[at] = pressure
        if has_tangents:
            slip = sliding(m, d, own, other, mat, point)
            out[at + count] = abs(dot3(slip, load3(m.mesh_normal, normal + 3 * k + 1)))
            out[at + 2 * count] = abs(dot3(slip, load3(m.mesh_normal, normal + 3 * k + 2)))


@kernel
def sliding(m, d, own, other, mat, point):
    """Velocity of one geom relative to another at a world point [m/s], in axes by the matrix `mat`."""
    _, v = point_velocity(m, d, m.geom_bodyid[own], point)
    _, w = point_velocity(m, d, m.geom_bodyid[other], point)
    return mat_t_vec(mat, sub3(w, v))
