"""`launch`: a window that says when time runs, and a script that waits until it is closed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

import numpy as np

from tumble import physics
from tumble.app.remote.lines import Message
from tumble.app.replay.state import State
from tumble.app.simulation.clock import Clock
from tumble.mujoco.viewing.handle import ViewerHandle
from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)

FRAME = 1 / 125  # time between two looks of the window [s]
REST = 0.002  # [s]


Loader = Callable[[], tuple[MjModel, MjData]]


def run_there(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401 - which sides are shown
    """Let the window take the steps, as in a window of its own, until it is closed; then take over what it has come to.

    loader: called for another model and its data where the window asks for that.
    """
    handle = ViewerHandle(model, data, follow=False, reloads=loader is not None, **shown)
    try:
        while not handle.wait(0.2):
            handle.take_changes()
            if loader is not None and any(message["say"] == "reload" for message in [*handle.events]):
                handle.events.clear()
                model, data = loader()
                handle.show(model, data)
    finally:
        handle.close()
    handle.take_changes()
    for message in [*handle.events]:
        if message["say"] == "state_now":
            _take_state(model, data, message)


def _take_state(model: MjModel, data: MjData, message: Message) -> None:
    values, asleep, mocap = (
        np.array(message[name], kind) for name, kind in (("values", "f8"), ("asleep", "i4"), ("mocap", "f8"))
    )
    try:
        State(values, asleep, mocap).place(model, data)
    except (physics.PhysicsError, ValueError, TypeError) as error:  # another model was opened in the window
        log.warning("the window's state is not of this model: %s", error)
        return
    physics.mj_forward(model, data)


def run_here(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401
    """Take the steps in this process, for the sake of its callbacks, in real time and as the window says, until it is closed."""
    handle = ViewerHandle(model, data, driven=True, reloads=loader is not None, **shown)
    clock, paused, looked = Clock(), False, 0.0
    try:
        while handle.is_running():
            while handle.events:
                message = handle.events.popleft()
                if message["say"] == "paused":
                    paused = bool(message["paused"])
                    clock.stop()
                elif message["say"] == "rate":
                    clock.rate = float(message["rate"])
                elif message["say"] == "step":
                    paused = True
                    physics.mj_step(model, data, int(message["count"]))
                elif message["say"] == "reload" and loader is not None:
                    model, data = loader()
                    handle.show(model, data)
            now, timestep = perf_counter(), float(model.opt.timestep)
            if not paused and (count := clock.due(now, timestep)):
                physics.mj_step(model, data, count)
                clock.done(perf_counter(), count, timestep, perf_counter() - now)
            if now - looked >= FRAME:
                handle.sync()
                looked = now
            sleep(REST)
    finally:
        handle.close()
