"""Output of readings: a sensor's numbers in sensordata, clamped to its cutoff."""

from tumble.physics.algebra.mat3 import load9, mat_t_vec
from tumble.physics.algebra.vec3 import load3, sub3
from tumble.physics.collision.ray.geom import line_part
from tumble.physics.kernel import kernel
from tumble.physics.sensor.kinds import APART
from tumble.physics.state.enums import mjtDataType

REAL, POSITIVE = int(mjtDataType.mjDATATYPE_REAL), int(mjtDataType.mjDATATYPE_POSITIVE)


@kernel
def is_apart(kind):
    """True if sensors of a kind are computed by a stage of their own."""
    return (APART >> kind) & 1 != 0


@kernel
def put1(m, d, s, x):
    """The one number of sensor s."""
    d.sensordata[m.sensor_adr[s]] = x


@kernel
def put3(m, d, s, v):
    """The three numbers of sensor s."""
    a = m.sensor_adr[s]
    d.sensordata[a], d.sensordata[a + 1], d.sensordata[a + 2] = v


@kernel
def put4(m, d, s, q):
    """The four numbers of sensor s."""
    a = m.sensor_adr[s]
    d.sensordata[a], d.sensordata[a + 1], d.sensordata[a + 2], d.sensordata[a + 3] = q


@kernel
def clamp(m, d, s):
    """Real readings to -cutoff..cutoff, positive ones to cutoff; directions and orientations as they are."""
    cutoff, kind = m.sensor_cutoff[s], m.sensor_datatype[s]
    if cutoff > 0.0 and kind in (REAL, POSITIVE):
        for a in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
            x = min(d.sensordata[a], cutoff)
            d.sensordata[a] = max(x, -cutoff) if kind == REAL else x


@kernel
def limit_row(d, kind, i):
    """The first limit row of a constraint type that belongs to joint or tendon i; -1 while the limit is not active."""
    first = d.ne + d.nf
    for r in range(first, first + d.nl):
        if d.efc_type[r] == kind and d.efc_id[r] == i:
            return r
    return -1


@kernel
def is_in_site(m, d, site, point):
    """True if a world point is in the volume of a site, its surface included."""
    p = mat_t_vec(load9(d.site_xmat, site), sub3(point, load3(d.site_xpos, site)))
    low, high = line_part(m.site_type[site], load3(m.site_size, site), p, (0.0, 0.0, 1.0))
    return low <= 0.0 <= high
