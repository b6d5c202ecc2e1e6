"""Histories of controls and sensors: how many samples are kept and where, how they are read, delays and intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.relations.sensors import Sensor
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.block import MOST_BYTES
from tumble.physics.state.history import buffer_size
from tumble.physics.state.model import Model

INTERPOLATIONS = ("zoh", "linear", "cubic")
_MOST_SAMPLES = 2**24  # of one buffer


def history_size(draft: Draft, sensors: Sequence[Sensor]) -> int:
    """Numbers that the histories of all actuators and sensors take.

    Raises MjcfError for a delay, an interval or a number of samples that cannot be.
    """
    total = 0
    for element, dim in zip(_elements(draft), [1] * len(draft.actuators) + [sensor.dim for sensor in sensors], strict=True):
        _check(element)
        total += _buffer_size(element, dim)
        if 8 * total > MOST_BYTES:
            raise element.error(f"nsample brings the histories of all signals to {8 * total} bytes; {MOST_BYTES} are the most")
    return total


def _buffer_size(element: Element, dim: int) -> int:
    return buffer_size(int(element.get("nsample", 0)), dim)


def _check(element: Element) -> None:
    n, delay = element.get("nsample", 0), element.get("delay", 0.0)
    period, phase = read_interval(element)
    if delay > 0 and n <= 0:
        raise element.error("delay needs a history: give it nsample, the number of samples to keep")
    if n > _MOST_SAMPLES:
        raise element.error(f"nsample must be at most {_MOST_SAMPLES}, is {n}")
    if period < 0:
        raise element.error(f"interval must not be negative, is {period:g}")
    if phase > 0:
        raise element.error(f"the phase of interval must not be positive, is {phase:g}: it is a time before the beginning")
    if period > 0 and phase <= -period:
        raise element.error(f"the phase of interval must be greater than {-period:g}, is {phase:g}")
    if delay < 0:
        element.warn(f"delay is negative, {delay:g}: nothing is known in advance")
    if period > 0 and n <= 0:
        element.warn("interval needs a history, nsample: the sensor is computed at every step")
    if phase < 0 and period == 0:
        element.warn("interval has a phase and no period: the sensor is computed at every step")


def read_interval(element: Element) -> tuple[float, float]:
    """Period and phase [s] of a sensor; zeros for what has none."""
    given = [float(v) for v in np.atleast_1d(element.get("interval", 0.0))]
    return given[0], given[1] if len(given) > 1 else 0.0


def fill_histories(draft: Draft, sensors: Sequence[Sensor], m: Model) -> None:
    """Write the histories of a model: the buffers of its actuators, then those of its sensors."""
    dims = [1] * m.nu + [sensor.dim for sensor in sensors]
    sizes = np.array([_buffer_size(element, dim) for element, dim in zip(_elements(draft), dims, strict=True)], int)
    addresses = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
    m.actuator_historyadr, m.sensor_historyadr = addresses[: m.nu], addresses[m.nu :]
    for kind, elements in (("actuator", draft.actuators), ("sensor", draft.sensors)):
        if elements:
            kept = [(element.get("nsample", 0), INTERPOLATIONS.index(element.get("interp", "zoh"))) for element in elements]
            setattr(m, f"{kind}_history", kept)
            setattr(m, f"{kind}_delay", [element.get("delay", 0.0) for element in elements])
    if draft.sensors:
        m.sensor_interval = [read_interval(element) for element in draft.sensors]


def _elements(draft: Draft) -> list[Element]:
    return [*draft.actuators, *draft.sensors]
