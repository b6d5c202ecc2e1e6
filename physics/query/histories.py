"""Histories of controls and sensors: reading them at any time, and filling them before a simulation begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.algebra.ring_buffer import HEAD, place, read
from tumble.physics.errors import ModelError, ShapeError
from tumble.physics.query.argument_checks import Array, index, numbers, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


@checked
def mj_readCtrl(m: Model, d: Data, id: int, time: float, interp: int) -> float:
    """The control that an actuator with a history sees at a time [s]: that of time - delay; without one, its control now.

    interp: 0 holds the sample before, 1 is linear, 2 cubic (Catmull-Rom), -1 as the model says; beyond the samples the signal is
    constant. Raises UnknownIndexError, and ModelError for another interp.
    """
    i = index(id, "actuator", m.nu)
    n, order = _order(m.actuator_history[i], interp)
    if n <= 0:
        return float(d.ctrl[i])
    found = np.empty(1)
    read(d.history, m.actuator_historyadr[i], n, 1, time - m.actuator_delay[i], order, found, 0)
    return float(found[0])


@checked
def mj_readSensor(m: Model, d: Data, id: int, time: float, result: Array, interp: int) -> Array:
    """Write to result what a sensor with a history measured at time - delay [s]; without one, its sensordata.

    result: sensor_dim numbers; it is returned. interp: as in mj_readCtrl. Raises UnknownIndexError, ShapeError, and ModelError
    for another interp.
    """
    s = index(id, "sensor", m.nsensor)
    dim, start = int(m.sensor_dim[s]), int(m.sensor_adr[s])
    result = output(result, "result", (dim,), "(sensor_dim,)")
    n, order = _order(m.sensor_history[s], interp)
    if n <= 0:
        result[...] = d.sensordata[start : start + dim]
    else:
        read(d.history, m.sensor_historyadr[s], n, dim, time - m.sensor_delay[s], order, result, 0)
    return result


@checked
def mj_initCtrlHistory(m: Model, d: Data, id: int, times: Any | None, values: Any) -> None:
    """Fill an actuator's history: nsample values, oldest first, and their times [s], None: those that it has.

    Raises UnknownIndexError, ShapeError, and ModelError for an actuator without a history or times that do not increase.
    """
    i = index(id, "actuator", m.nu)
    n = _length(m.actuator_history[i], f"actuator {i}")
    _fill(d, int(m.actuator_historyadr[i]), n, times, vector(values, "values", n, "nsample of the actuator"))


@checked
def mj_initSensorHistory(m: Model, d: Data, id: int, times: Any | None, values: Any, phase: float) -> None:
    """Fill a sensor's history: (nsample, sensor_dim) values, oldest first, and their times [s], None: those that it has.

    phase: when a sensor with an interval last was computed [s]. Raises as mj_initCtrlHistory does.
    """
    s = index(id, "sensor", m.nsensor)
    n = _length(m.sensor_history[s], f"sensor {s}")
    dim, at = int(m.sensor_dim[s]), int(m.sensor_historyadr[s])
    given = numbers(values, "values")
    if given.shape != (n, dim) and not (dim == 1 and given.shape == (n,)):
        raise ShapeError(f"values should be ({n}, {dim}) numbers, (nsample, sensor_dim); it has shape {given.shape}")
    _fill(d, at, n, times, given.ravel())
    d.history[at] = phase


def _order(history: Array, interp: int) -> tuple[int, int]:
    """The number of samples, and the order of interpolation."""
    if interp not in (-1, 0, 1, 2):
        raise ModelError(f"interp {interp} is unknown; valid are 0 zoh, 1 linear, 2 cubic, -1 as the model says")
    return int(history[0]), int(history[1]) if interp < 0 else int(interp)


def _length(history: Array, whose: str) -> int:
    if history[0] <= 0:
        raise ModelError(f"{whose} has no history: its nsample is {history[0]}")
    return int(history[0])


def _fill(d: Data, at: int, n: int, times: Any | None, values: Array) -> None:
    """Write times and values, oldest first, from the beginning of a buffer."""
    if times is None:
        times = d.history[at + HEAD : at + HEAD + n][[place(d.history, at, n, k) for k in range(n)]]
    else:
        times = vector(times, "times", n, "nsample")
        wrong = np.flatnonzero(~(np.diff(times) > 0))
        if len(wrong):
            k = int(wrong[0])
            raise ModelError(f"times must increase: number {k} is {times[k]:g}, number {k + 1} is {times[k + 1]:g}")
    d.history[at + 1], d.history[at + HEAD : at + HEAD + n] = n - 1, times
    d.history[at + HEAD + n : at + HEAD + n + len(values)] = values
