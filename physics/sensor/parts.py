"""Names and units of a sensor's numbers, for sensors with different ones."""

from __future__ import annotations

from typing import NamedTuple

from tumble.physics.sensor.kinds import BY_TYPE, OF_CONTACT, OF_RAY, Asked
from tumble.physics.state.enums import mjtJoint, mjtObj, mjtRayDataField, mjtSensor
from tumble.physics.state.model import Model

_TAXEL = (("pressure", ""), ("slide1", "m/s"), ("slide2", "m/s"))


class SensorNumber(NamedTuple):
    """One number of a sensor: its name within the sensor, and its unit, "" if it has none or it is not known."""

    name: str
    unit: str


def part(m: Model, s: int, k: int) -> SensorNumber:
    """Label of number k of sensor s: `force x`, or `2 force x` of several contacts; `5` if all are of one kind."""
    kind = BY_TYPE[mjtSensor(int(m.sensor_type[s]))]
    fields = int(m.sensor_intprm[s, 0])
    if kind.type == mjtSensor.mjSENS_CONTACT:
        return _slotted(OF_CONTACT, fields, k, several=int(m.sensor_intprm[s, 2]) > 1)
    if kind.type == mjtSensor.mjSENS_RANGEFINDER and fields != 1 << mjtRayDataField.mjRAYDATA_DIST:
        return _slotted(OF_RAY, fields, k, several=m.sensor_objtype[s] == mjtObj.mjOBJ_CAMERA)
    if kind.type == mjtSensor.mjSENS_TACTILE:
        block, taxel = divmod(k, max(1, int(m.sensor_dim[s]) // len(_TAXEL)))
        return SensorNumber(f"{_TAXEL[block][0]} {taxel}", _TAXEL[block][1])
    if kind.type == mjtSensor.mjSENS_GEOMFROMTO:
        return SensorNumber(f"{('from', 'to')[k // 3]} {'xyz'[k % 3]}", "m")
    unit = kind.unit
    if isinstance(unit, tuple):
        unit = unit[int(m.jnt_type[m.sensor_objid[s]] == mjtJoint.mjJNT_HINGE)]
    return SensorNumber(str(k), unit)


def _slotted(table: Asked, fields: int, k: int, several: bool) -> SensorNumber:
    """Number k of sensors that give the same fields for one slot after the other."""
    names = [
        SensorNumber(f"{name} {'xyz'[axis]}" if width == 3 else name, unit)
        for field, (name, unit, width) in enumerate(table) if fields >> field & 1 for axis in range(width)
    ]  # fmt: skip
    slot, k = divmod(k, len(names))
    return SensorNumber(f"{slot} {names[k].name}", names[k].unit) if several else names[k]
