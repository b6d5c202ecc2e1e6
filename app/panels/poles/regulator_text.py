"""The Python file of a controller that keeps a state by linear feedback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.observe.linear.linearization import Regulator, RegulatorWeights

if TYPE_CHECKING:
    from tumble.physics import MjModel

_TEXT = '''"""Linear quadratic regulator for {model}: it keeps the position that the model had at {time:.6g} s.

Costs of a step: position {weights.position:g}, velocity {weights.velocity:g}, control {weights.control:g}. The slowest mode
changes {growth:.6g}-fold in a step of {timestep:g} s. docs/controllers.md says what a controller may do.
"""

import numpy as np
from tumble import physics as mujoco  # the engine that runs; the installed package mujoco is another one

QPOS = np.array({qpos})
ACT = np.array({act})
HOLD = np.array({hold})  # controls that keep the position
GAIN = np.array({gain})
x = np.zeros(GAIN.shape[1])  # deviation: positions along the dofs, velocities, activations


def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    mujoco.mj_differentiatePos(model, x[: model.nv], 1.0, QPOS, data.qpos)
    x[model.nv : 2 * model.nv] = data.qvel
    x[2 * model.nv :] = data.act - ACT
    data.ctrl[:] = HOLD - GAIN @ x
'''


def regulator_text(model: MjModel, name: str, time: float, regulator: Regulator, weights: RegulatorWeights) -> str:
    """The file's text. name: of the model's file, which stands in the text as a literal in ASCII, so that it cannot end it."""
    return _TEXT.format(
        model=ascii(name)[1:-1].replace('"', r"\x22"), time=time, weights=weights, growth=regulator.growth,
        timestep=float(model.opt.timestep), qpos=_literal(regulator.qpos), act=_literal(regulator.act),
        hold=_literal(regulator.hold), gain=_rows(regulator.gain),
    )  # fmt: skip


def _literal(values: Sequence[float] | NDArray[np.float64]) -> str:
    return "[" + ", ".join(f"{float(value)!r}" for value in values) + "]"


def _rows(matrix: NDArray[np.float64]) -> str:
    return "[\n" + "".join(f"    {_literal(row)},\n" for row in matrix) + "]"
