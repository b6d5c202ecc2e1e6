"""Which sensors are computed."""

from __future__ import annotations

from physics.sensor.kinds import BY_TYPE
from physics.state.enums import mjtSensor
from physics.state.model import Model


def unsupported_sensors(m: Model) -> list[str]:
    """One line for each sensor that reads 0 because its type is not computed yet."""
    found = []
    for s in range(m.nsensor):
        name = m.sensor(s).name or f"number {s}"
        kind = BY_TYPE[mjtSensor(m.sensor_type[s])]
        if kind.status:
            found.append(f"sensor {name}: {kind.tag} is not computed yet, it reads 0")
    return found
