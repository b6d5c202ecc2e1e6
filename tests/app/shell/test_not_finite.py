"""A state that is not finite: the view goes on, and no keyframe is made of it."""

from __future__ import annotations

import math

import pytest
from pytestqt.qtbot import QtBot

from tests.app.conftest import MODELS, open_and_wait
from tests.app.pump import HandPumped
from tumble.app.editing.keyframes import Keyframes
from tumble.app.shell.main_window import MainWindow
from tumble.app.simulation.commands import SetState

pytestmark = pytest.mark.pumped


def test_the_view_draws_a_state_that_is_not_a_number_and_no_keyframe_is_saved_of_it(
    window: MainWindow, qtbot: QtBot, pump: HandPumped
) -> None:
    session, view, told = window.session, window.viewport, []
    session.set_paused(True)
    open_and_wait(qtbot, session, MODELS / "ball.xml")
    session.send(SetState("qpos", 0, (math.nan,) * 3, running=True))
    pump.obey()
    session.look()
    assert session.snapshot is not None
    assert math.isnan(session.snapshot.qpos[0])
    view.grabFramebuffer()
    assert not view._broken
    session.status.connect(told.append)
    assert session.part(Keyframes).save() is None
    assert "not finite" in told[-1]
