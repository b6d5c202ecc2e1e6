"""The unit of a single number, where the table of fields leaves a choice: `m or rad` is one of them for each joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.describe.names import ctrl_unit
from tumble.physics.sensor.components import part

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.state.fields import Field

_SUPERSCRIPTS = {"^2": "²", "^3": "³", "^4": "⁴"}
_HINGE, _SLIDE = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
_BALL, _FREE = int(physics.mjtJoint.mjJNT_BALL), int(physics.mjtJoint.mjJNT_FREE)


def shown_unit(model: MjModel, field: Field, row: int, column: int, width: int) -> str:
    """Displayed unit of one number of a field; "" if it has none or is unknown."""
    if field.name == "sensordata":
        return _pretty(_sensor(model, row))
    if field.name == "ctrl":
        return ctrl_unit(model, row) if row < model.nu else ""
    if field.name == "history":
        return _history(model, row)
    parts = field.unit.split(", ")
    if len(parts) > 1:
        if width % len(parts):
            return ""
        unit = parts[column // (width // len(parts))]
    else:
        unit = parts[0]
    choice = unit.split(" or ")
    if len(choice) == 2:
        kind = _rotates(model, field, row)
        unit = unit if kind is None else choice[int(kind)] if kind in (0, 1) else "1"
    return "" if unit == "1" or unit.startswith("unit of") else _pretty(unit)


def _pretty(unit: str) -> str:
    """`N m/s^2` as N·m/s²."""
    for plain, sign in _SUPERSCRIPTS.items():
        unit = unit.replace(plain, sign)
    return " or ".join(part.replace(" ", "·") for part in unit.split(" or "))


def _rotates(model: MjModel, field: Field, row: int) -> int | None:
    """Kind of a row: translation (0), rotation (1) or quaternion (2); None if undefined."""
    size = field.shape[0] if field.shape else ""
    if size == "njnt":
        joint, at = row, 0
    elif size in ("nq", "nv"):
        addresses = model.jnt_qposadr if size == "nq" else model.jnt_dofadr
        joint = int(addresses.searchsorted(row, side="right")) - 1
        at = row - int(addresses[joint]) if joint >= 0 else 0
    else:
        return None
    if not 0 <= joint < model.njnt:
        return None
    kind = int(model.jnt_type[joint])
    if kind == _FREE and at < 3:
        return 0
    if kind in (_FREE, _BALL):
        return 2 if size == "nq" else 1
    return int(kind == _HINGE)


def _history(model: MjModel, row: int) -> str:
    """Unit of a number of a buffer (physics/algebra/ring_buffer.py); those of actuators precede those of sensors."""
    for prefix in ("sensor", "actuator"):
        starts = getattr(model, f"{prefix}_historyadr")
        owners = np.flatnonzero((starts >= 0) & (starts <= row))
        if owners.size == 0:
            continue
        owner = int(owners[-1])
        at, n = row - int(starts[owner]), int(getattr(model, f"{prefix}_history")[owner, 0])
        if at < 2:
            return "s" if at == 0 and prefix == "sensor" else ""
        if at < 2 + n:
            return "s"
        if prefix == "actuator":
            return ctrl_unit(model, owner)
        return _pretty(part(model, owner, (at - 2 - n) % int(model.sensor_dim[owner])).unit)
    return ""


def _sensor(model: MjModel, row: int) -> str:
    owner = int(model.sensor_adr.searchsorted(row, side="right")) - 1
    if not 0 <= owner < model.nsensor:
        return "1"
    return part(model, owner, row - int(model.sensor_adr[owner])).unit
