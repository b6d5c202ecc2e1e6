"""Callbacks are of the whole process: no test leaves one to the next."""

import mujoco
import pytest

from tumble import physics
from tumble.physics.callback.table import PLACES


@pytest.fixture(autouse=True)
def _no_callbacks():
    yield
    physics.mj_resetCallbacks()
    physics.reset_mjCOLLISIONFUNC()
    for place in PLACES:
        getattr(mujoco, f"set_mjcb_{place.name}")(None)
    mujoco.set_mjcb_time(None)
