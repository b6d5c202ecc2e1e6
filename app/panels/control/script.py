"""Python files of the user: controllers, of which `control(model, data)` runs before every step, and files of functions.

A file of functions has signed distance functions of a model, next to it: `knot.sdf.py` for `knot.xml`. It is looked for when a
model names a function that is not known. It registers functions by physics.set_sdf, and these stay until the program ends: models
that are open may use them. No file runs before it is trusted; a new controller is trusted, for its text is the program's own.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tumble import physics
from tumble.app.simulation.controller_file import (
    STOPPED,
    CallGuard,
    ControllerError,
    ControllerSource,
    Interrupted,
    error_words,
    load,
)

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class Script:
    """An InputDriver that runs a controller. It switches itself off for good when that raises, returns wrongly or is interrupted.

    failed: called in the simulation thread with a one-line message, and the traceback in the file.
    """

    def __init__(self, source: ControllerSource, failed: Callable[[Script, str, str], None]) -> None:
        self.source = source
        self.guard = CallGuard()
        self._failed = failed
        self._control: Callable[[MjModel, MjData], object] | None = None

    def begin(self, model: MjModel, data: MjData) -> None:
        """Run the file, which defines control(model, data)."""
        self._run(self._load)

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Call the controller for the next step."""
        control = self._control
        if control is not None:
            self._run(lambda: control(model, data))

    def end(self) -> None:
        """The callbacks that the file installed go with it: they are of the whole process, and other models would call them."""
        physics.mj_resetCallbacks()
        physics.reset_mjCOLLISIONFUNC()

    def _load(self) -> None:
        self._control = load(self.source)

    def _run(self, function: Callable[[], object]) -> None:
        try:
            self.guard.call(function)
        except Interrupted:
            self.guard.leave()
            self._control = None
            self._failed(self, STOPPED, "")
        except BaseException as error:  # noqa: BLE001 - SystemExit too: a controller ends itself, not the program
            self._control = None
            self._failed(self, *error_words(error, str(self.source.path)))


FUNCTIONS_SUFFIX = ".sdf.py"
LIMIT = 60.0  # time that such a file may take, for it may compile; then it is ended [s]
_AGAIN = 0.2  # time between interruptions of one that swallows them [s]


def functions_wanted_by(message: str, model: Path | None) -> Path | None:
    """The file that may have the function that a model lacked, from the message of the failed load; None if missing."""
    from tumble.physics.compiler.plugins import UNKNOWN  # imports the grammar of MJCF; a load has failed, so it is loaded already

    if model is None or UNKNOWN not in message:
        return None
    path = model.with_name(model.stem + FUNCTIONS_SUFFIX)
    return path if path.is_file() else None


def has_functions(path: Path) -> bool:
    """True for a Python file of functions, by its name; False for a controller."""
    return path.name.endswith(FUNCTIONS_SUFFIX)


def run_functions(source: ControllerSource, limit: float = LIMIT) -> None:
    """Run such a file. Raises ControllerError: its exception with the line, or that it did not finish within `limit` [s]."""
    module = types.ModuleType("functions")
    module.__file__ = str(source.path)
    guard, over = CallGuard(), threading.Event()

    def end_it() -> None:
        wait = limit
        while not over.wait(wait):
            guard.interrupt()
            wait = _AGAIN

    threading.Thread(target=end_it, name="limit of a file of functions", daemon=True).start()
    try:
        guard.call(lambda: exec(compile(source.text, str(source.path), "exec"), module.__dict__))  # agreed to: this very text
    except Interrupted:
        raise ControllerError(f"{source.path.name}: was stopped: it did not finish within {limit:g} s") from None
    except BaseException as error:  # SystemExit too: it ends itself, not the program
        raise ControllerError(f"{source.path.name}: {error_words(error, str(source.path))[0]}") from error
    finally:
        over.set()


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
