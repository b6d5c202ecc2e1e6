"""Callbacks are of the whole process: no test leaves one to the next."""

import mujoco
import pytest

import physics
from physics.callback.table import PLACES


@pytest.fixture(autouse=True)
def _no_callbacks():
    yield
    physics.mj_resetCallbacks()
    physics.reset_mjCOLLISIONFUNC()
    for place in PLACES:
        getattr(mujoco, f"set_mjcb_{place.name}")(None)
    mujoco.set_mjcb_time(None)
