"""A state that is not finite: the view goes on, and no keyframe is made of it."""

import math

import pytest

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.editing.keyframes import Keyframes

pytestmark = pytest.mark.pumped


def test_the_view_draws_a_state_that_is_not_a_number_and_no_keyframe_is_saved_of_it(window, qtbot, pump):
    session, view, told = window.session, window.viewport, []
    session.set_paused(True)
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    session.set_state("qpos", 0, (math.nan,) * 3, running=True)
    pump.obey()
    session.look()
    assert math.isnan(session.snapshot.qpos[0])
    view.grabFramebuffer()
    assert not view._broken
    session.status.connect(told.append)
    assert session.part(Keyframes).save() is None
    assert "not finite" in told[-1]
