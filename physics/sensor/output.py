"""Output of readings: a sensor's numbers in sensordata, clamped to its cutoff."""

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
