"""`launch`: a window that controls the simulation, and a script that waits until it is closed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

from tumble import physics
from tumble.app.viewer.handle import ViewerHandle
from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)

FRAME = 1 / 125  # time between two looks of the window [s]
REST = 0.002  # [s]


Loader = Callable[[], tuple[MjModel, MjData]]


def run_there(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401 - which sides are shown
    """Let the window take the steps, as in its own window, until it is closed; then copy its final state.

    loader: called for another model and its data when the window requests it.
    """
    handle = ViewerHandle(model, data, follow=False, reloads=loader is not None, **shown)
    try:
        while not handle.wait(0.2):
            handle.take_changes()
            model, data = _reloaded(handle, loader) or (model, data)
    finally:
        handle.close()
    handle.take_changes()
    if handle.last_state is not None:
        try:
            handle.last_state.place(model, data)
        except (physics.PhysicsError, ValueError, TypeError) as error:  # another model was opened in the window
            log.warning("the window's state is not of this model: %s", error)
            return
        physics.mj_forward(model, data)


def run_here(model: MjModel, data: MjData, loader: Loader | None, **shown: Any) -> None:  # noqa: ANN401
    """Take the steps in this process, for the sake of its callbacks, in real time as the window commands, until it is closed."""
    handle = ViewerHandle(model, data, driven=True, reloads=loader is not None, **shown)
    looked = 0.0
    try:
        while handle.is_running():
            handle.take_changes()
            _reloaded(handle, loader)
            handle.simulation.advance()
            if perf_counter() - looked >= FRAME:
                handle.sync()
                looked = perf_counter()
            sleep(REST)
    finally:
        handle.close()


def _reloaded(handle: ViewerHandle, loader: Loader | None) -> tuple[MjModel, MjData] | None:
    """Another model and its data, when the window requests them; it is shown."""
    if loader is None or not handle.reload_wanted:
        return None
    handle.reload_wanted = False
    model, data = loader()
    handle.show(model, data)
    return model, data
