"""A step that lacks something stops, so that Python can help."""

import mujoco
import pytest

from tests.physics.reference import mirror_model
from tests.physics.state.kinds import KINDS
from tumble.physics.dispatch.room import lacks_room
from tumble.physics.state.data import Data
from tumble.physics.state.fields.buffers import BUFFERS
from tumble.physics.step.forward import is_short

NEEDS = [buffer.need for buffer in BUFFERS if buffer.need] + ["needcollide"]


@pytest.fixture(scope="module")
def d():
    return Data(mirror_model(mujoco.MjModel.from_xml_string(KINDS)))


def test_a_step_that_lacks_nothing_goes_on(d):
    assert not is_short(d)  # the kernel's Python form
    assert not lacks_room(d)


@pytest.mark.parametrize("need", NEEDS)
def test_a_step_stops_for_whatever_a_stage_asks_for(d, need):
    setattr(d, need, 1)
    try:
        assert is_short(d)
        assert lacks_room(d)
    finally:
        setattr(d, need, 0)
