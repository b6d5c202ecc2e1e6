"""Initial contents of histories: zeros, as if steps had been made before time 0. Source: MuJoCo documentation, Delays.

physics/algebra/ring_buffer.py says how a buffer is laid out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.physics.errors import ModelError

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock


def buffer_size(n: int, dim: int) -> int:
    """Numbers that a buffer of n samples takes, each of dim numbers; 0 or less samples: none."""
    return 2 + n + n * dim if n > 0 else 0


def buffer_of(m: ModelBlock, prefix: str, i: int) -> tuple[int, int]:
    """First number in history, and numbers there, of an element, by the prefix of its fields: actuator or sensor."""
    if prefix not in ("actuator", "sensor"):
        return 0, 0
    dim = int(m.sensor_dim[i]) if prefix == "sensor" else 1
    size = buffer_size(int(getattr(m, f"{prefix}_history")[i, 0]), dim)
    return (int(getattr(m, f"{prefix}_historyadr")[i]), size) if size else (0, 0)


def begin_history(m: ModelBlock, history: np.ndarray) -> None:
    """Fill the buffers of a model, history (nhistory,), as a reset does. Raises ModelError for an impossible time step."""
    if m.nhistory == 0:
        return
    h = float(m.opt_timestep)
    if not h > 0:
        raise ModelError(f"option timestep={h:g}: histories of controls and sensors need a positive time step")
    for (n, _), at in zip(m.actuator_history, m.actuator_historyadr, strict=True):
        if n > 0:
            _fill(history, at, 0.0, _steps_back(n, h))
    for s, ((n, _), at) in enumerate(zip(m.sensor_history, m.sensor_historyadr, strict=True)):
        if n <= 0:
            continue
        period, phase = m.sensor_interval[s]
        if period > 0:
            last = phase if phase != 0 else -period
            due = last - np.arange(n - 1, -1, -1) * period
            _fill(history, at, last, np.ceil(due / h) * h)  # the steps that would have found it due
        else:
            _fill(history, at, -h, _steps_back(n, h))


def _steps_back(n: int, h: float) -> np.ndarray:
    return -np.arange(n, 0, -1) * h


def _fill(history: np.ndarray, at: int, user: float, times: np.ndarray) -> None:
    """Times, oldest first, and what goes before them; the values stay."""
    n = len(times)
    history[at : at + 2 + n] = (user, n - 1, *times)
