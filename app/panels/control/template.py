"""The text of a new controller for a model: it runs as it is, holds the controls and swings the first actuator."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tumble.physics import MjModel

MOST_NAMED = 60  # actuators that the comment lists
SWING = 0.1  # part of half the range by which the first actuator swings; of 1 without a range

_HEAD = '''"""Controller for {model}: Tumble calls control(model, data) before every step.

Save this file, and Tumble asks whether the new version may run. docs/controllers.md says what a controller may do.
"""

import numpy as np
from tumble import physics as mujoco  # the engine that runs; the installed package mujoco is another one
'''

_WITH_ACTUATORS = """
# Actuators of the model: index, name, range of its control.
{actuators}

HOLD = np.array({hold})


def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    # To read: data.time [s], data.qpos, data.qvel, data.sensordata, data.joint("name").qpos, data.sensor("name").data ...
    data.ctrl[:] = HOLD
    data.ctrl[0] += {swing:.6g} * np.sin(2 * np.pi * data.time)
"""

_WITHOUT_ACTUATORS = """

# This model has no actuators. Forces on joints and bodies move it all the same; they stay until they are changed.


def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    # To read: data.time [s], data.qpos, data.qvel, data.sensordata, data.joint("name").qpos, data.sensor("name").data ...
    data.qfrc_applied[:] = 0.0  # (nv,) [N] along slides, [N m] about hinges
    data.xfrc_applied[:] = 0.0  # (nbody, 6) force [N] and torque [N m] on each body, in the world's axes
"""


def new_controller(model: MjModel, ctrl: ArrayLike, name: str) -> str:
    """The file's text. ctrl: (nu,) controls to hold; name: of the model's file.

    Names of a model stand in comments as Python literals in ASCII, so that none can end its line and become code.
    """
    head = _HEAD.format(model=_literal(name))
    if model.nu == 0:
        return head + _WITHOUT_ACTUATORS
    lines = [f"#   {i}  {_literal(model.actuator(i).name)}  {_range(model, i)}" for i in range(min(model.nu, MOST_NAMED))]
    if model.nu > MOST_NAMED:
        lines.append(f"#   and {model.nu - MOST_NAMED} more")
    half = np.ptp(model.actuator_ctrlrange[0]) / 2 if model.actuator_ctrllimited[0] else 1.0
    hold = np.array2string(np.asarray(ctrl, float), separator=", ", max_line_width=100, precision=6, threshold=model.nu + 1)
    return head + _WITH_ACTUATORS.format(actuators="\n".join(lines), hold=hold, swing=SWING * half)


def _literal(name: str) -> str:
    """A name in quotation marks, without any character that ends a line, a comment or a docstring."""
    return "'" + ascii(name)[1:-1].replace('"', r"\x22") + "'"


def _range(model: MjModel, i: int) -> str:
    if not model.actuator_ctrllimited[i]:
        return "no range"
    low, high = (float(x) for x in model.actuator_ctrlrange[i])
    return f"{low:g} to {high:g}"
