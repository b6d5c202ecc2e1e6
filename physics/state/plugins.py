"""Plugins that are parts of the engine, other than signed distance functions: their names, attributes and numbers.

A model holds the attributes of an instance as texts (plugin_attr). Kernels read numbers made of them (plugin_prm), in the order
of the attributes; one that is two numbers takes two places. Source of names and defaults: MuJoCo's documentation of its plugins.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from msgspec import Struct

from tumble.physics.errors import MisfitError
from tumble.physics.state.constants import mjMAXPLUGINPRM
from tumble.physics.state.enums import mjtPluginCapabilityBit

Given = Mapping[str, str]

# Places in plugin_prm.
PID_KP, PID_KI, PID_KD, PID_IMAX, PID_SLEW = range(5)
CABLE_TWIST, CABLE_BEND, CABLE_FLAT, CABLE_VMAX = range(4)
GRID_CHANNELS, GRID_X, GRID_Y, GRID_FOV_X, GRID_FOV_Y, GRID_GAMMA = range(6)


def plugin_number(name: str) -> int:
    """The number that m.plugin has for a name: the same in every process, for a saved model has it."""
    return zlib.crc32(name.encode()) >> 1


def require_known(name: str, given: Given, attributes: Iterable[str]) -> None:
    """Raise MisfitError, with the valid names, for an attribute that a plugin does not have."""
    known = list(attributes)
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        raise MisfitError(f'{name} has no attribute "{unknown}"; it has: {", ".join(known) or "none"}')


class Plugin(Struct, frozen=True, eq=False):
    """A plugin. attributes: names, in the order in which models hold their texts; numbers: what kernels read, from the texts."""

    name: str
    capability: mjtPluginCapabilityBit
    attributes: tuple[str, ...]
    numbers: Callable[[Given], Iterable[float]]

    def values(self, given: Given) -> np.ndarray:
        """The numbers (mjMAXPLUGINPRM,), zeros after the last. Raises ValueError that says what is wrong, with valid names."""
        require_known(self.name, given, self.attributes)
        result = np.zeros(mjMAXPLUGINPRM)
        try:
            numbers = list(self.numbers(given))
        except ValueError as problem:
            raise MisfitError(f"{self.name}: {problem}") from None
        result[: len(numbers)] = numbers
        return result


def _numbers(given: Given, key: str, count: int = 1) -> list[float]:
    """The numbers of an attribute, none if it is not given. Raises MisfitError for texts and other counts."""
    words = given.get(key, "").split()
    try:
        found = [float(word) for word in words]
    except ValueError:
        raise MisfitError(f'{key}="{given[key]}" is not a number') from None
    if words and len(words) != count:
        raise MisfitError(f"{key} must be {count} number{'s' * (count > 1)}, has {len(words)}")
    if not all(map(math.isfinite, found)):
        raise MisfitError(f"{key} must be finite, is {given[key]}")
    return found


def _number(given: Given, key: str, default: float = 0.0) -> float:
    return (_numbers(given, key) or [default])[0]


def _whole(numbers: Iterable[float], key: str, most: float = math.inf) -> list[float]:
    """The numbers, if all are whole and positive. Raises MisfitError."""
    found = list(numbers)
    if any(number < 1 or number > most or number != int(number) for number in found):
        span = "positive" if most == math.inf else f"1 to {most:g}"
        raise MisfitError(f"{key} must be whole and {span}, is {' '.join(f'{number:g}' for number in found)}")
    return found


def _pid(given: Given) -> list[float]:
    """Gains kp, ki, kd; imax [force] and slewmax [unit of the control / s], -1 where there is no such limit."""
    limits = [_numbers(given, key) for key in ("imax", "slewmax")]
    for key, limit in zip(("imax", "slewmax"), limits, strict=True):
        if limit and limit[0] < 0:
            raise MisfitError(f"{key} must not be negative, is {limit[0]:g}")
    return [*(_number(given, key) for key in ("kp", "ki", "kd")), *((limit or [-1.0])[0] for limit in limits)]


def _cable(given: Given) -> list[float]:
    """Shear and Young's modulus [Pa], 1 for a cable that is straight at rest, most stress of its colours [N/m^2]."""
    flat = given.get("flat", "").strip()
    if flat not in ("", "true", "false"):
        raise MisfitError(f'flat must be true or false, is "{flat}"')
    return [_number(given, "twist"), _number(given, "bend"), float(flat == "true"), _number(given, "vmax")]


def _touch_grid(given: Given) -> list[float]:
    """Channels, columns, rows, half the angle of view across and up [rad], how much finer the middle is (0 to 1)."""
    channels = _whole([_number(given, "nchannel", 1.0) or 1.0], "nchannel", 6)
    size, view = _numbers(given, "size", 2), _numbers(given, "fov", 2)
    if not size or not view:
        raise MisfitError(f"{'fov' if size else 'size'} needs two numbers, across and up")
    for angle, most, which in zip(view, (180.0, 90.0), ("first", "second"), strict=True):
        if not 0 < angle <= most:
            raise MisfitError(f"the {which} number of fov must be above 0 and at most {most:g} degrees, is {angle:g}")
    gamma = _number(given, "gamma")
    if not 0 <= gamma <= 1:
        raise MisfitError(f"gamma must be 0 to 1, is {gamma:g}")
    return [*channels, *_whole(size, "size"), *map(math.radians, view), gamma]


PID = Plugin("mujoco.pid", mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR, ("kp", "ki", "kd", "imax", "slewmax"), _pid)
CABLE = Plugin("mujoco.elasticity.cable", mjtPluginCapabilityBit.mjPLUGIN_PASSIVE, ("twist", "bend", "flat", "vmax"), _cable)
TOUCH_GRID = Plugin("mujoco.sensor.touch_grid", mjtPluginCapabilityBit.mjPLUGIN_SENSOR, ("nchannel", "size", "fov", "gamma"),
                    _touch_grid)  # fmt: skip

BUILT_IN = {plugin.name: plugin for plugin in (PID, CABLE, TOUCH_GRID)}
BY_NUMBER = {plugin_number(name): plugin for name, plugin in BUILT_IN.items()}
