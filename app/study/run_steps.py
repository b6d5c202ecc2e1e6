"""The steps of a run one at a time: for a controller, which is called before each, and for a tape, which records them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.simulation.controller_file import (
    CallGuard,
    Control,
    ControllerError,
    ControllerSource,
    Interrupted,
    error_words,
    load,
)
from tumble.physics.state.enums import mjtState

if TYPE_CHECKING:
    from tumble.app.replay.tape import Tape
    from tumble.physics import MjData, MjModel

Array = NDArray[np.float64]

FULL = int(mjtState.mjSTATE_FULLPHYSICS)
MOCAP = int(mjtState.mjSTATE_MOCAP_POS | mjtState.mjSTATE_MOCAP_QUAT)
GIVEN = int(mjtState.mjSTATE_CTRL) | MOCAP  # a state has them in this order
_AGAIN = 0.2  # time between two looks at whether a controller has to be interrupted [s]


class Inputs(Struct, frozen=True):
    """Inputs of a run: its steps, its first state (1, size), controls and poses of mocap bodies (1, steps or 1, size)."""

    steps: int
    start: Array
    given: Array


def run_steps(
    model: MjModel,
    data: MjData,
    inputs: Inputs,
    source: ControllerSource | None,
    stopped: Callable[[], bool],
    record: Callable[[], Tape] | None = None,
) -> Tape | None:
    """Do a run as a rollout does it, from the state after a reset on, until its end, its first warning or `stopped`.

    record: makes the tape, once the data are where the run begins. A controller sees data with all results at its first call, and
    begins as if its file had just been opened. Raises ControllerError for an exception in it.
    """
    place_first(model, data, inputs, forward=source is not None)
    tape = None if record is None else record()
    if source is None:
        _steps(model, data, inputs, None, stopped, tape)
        return tape
    guard, over = CallGuard(), threading.Event()

    def end_it() -> None:
        while not over.wait(_AGAIN):
            if stopped():
                guard.interrupt()

    threading.Thread(target=end_it, name="end of a controller", daemon=True).start()
    try:
        guard.call(lambda: _steps(model, data, inputs, load(source), stopped, tape))
    except Interrupted:
        guard.leave()
    except physics.PhysicsError:
        raise
    except BaseException as error:  # SystemExit too: a controller ends its run, not the program
        raise ControllerError(f"{source.path.name}: {error_words(error, str(source.path))[0]}") from error
    finally:
        over.set()
    return tape


def place_first(model: MjModel, data: MjData, inputs: Inputs, *, forward: bool) -> None:
    """Put data into the state in which a run begins, without a warm start; forward: with all results."""
    physics.mj_resetData(model, data)
    physics.mj_setState(model, data, inputs.start[0], FULL)
    physics.mj_setState(model, data, inputs.given[0, 0], GIVEN)
    if forward:
        physics.mj_forward(model, data)


def _steps(
    model: MjModel, data: MjData, inputs: Inputs, control: Control | None, stopped: Callable[[], bool], tape: Tape | None
) -> None:
    given, number = inputs.given[0], data.warning.number
    for step in range(inputs.steps):
        changed = 0 < step < len(given) and (control is not None or not np.array_equal(given[step], given[step - 1]))
        if tape is not None and (changed or control is not None):
            tape.hold()
        if changed:
            physics.mj_setState(model, data, given[step], GIVEN)
        if control is not None:
            control(model, data)
        if tape is not None:
            tape.note()
        physics.mj_step(model, data)
        if tape is not None:
            tape.took(1)
        if number.any() or stopped():
            return
