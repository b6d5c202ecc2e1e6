"""What a script's window tells its script: keys by GLFW's numbers, and which commands are the script's own to obey."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tumble.app.simulation import commands
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import Go
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.viewer.window import TAKES_STEPS, glfw_key, whose

K = Qt.Key


@pytest.mark.parametrize(
    ("key", "number"),
    [(K.Key_A, 65), (K.Key_Space, 32), (K.Key_Right, 262), (K.Key_Up, 265), (K.Key_F1, 290), (K.Key_F12, 301),
     (K.Key_Escape, 256), (K.Key_Return, 257), (K.Key_Plus, ord("=")), (K.Key_Question, ord("/")), (K.Key_Comma, 44),
     (K.Key_Shift, 340), (K.Key_VolumeUp, -1)],
)  # fmt: skip
def test_keys_have_the_numbers_of_glfw(key: Qt.Key, number: int) -> None:
    assert glfw_key(key) == number


def test_digits_of_the_keypad_are_keys_of_their_own() -> None:
    assert (glfw_key(K.Key_7), glfw_key(K.Key_7, keypad=True)) == (55, 327)


def test_commands_go_to_script_or_window_by_what_they_change() -> None:
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.ones(3), np.array([1.0, 0, 0, 0]))
    for command, there, here in (
        (commands.Hold(grip), True, False),
        (commands.SetCtrl(2, 0.5), True, True),  # what is shown here at once
        (commands.SetModel(Change("opt.timestep", None, (0.001,))), True, True),
        (commands.Reset(1), True, False),  # what comes back with the script's next moment
        (commands.SetState("qpos", 0, (1.0,)), True, False),
        (commands.SetPaused(True), False, True),
        (Go(3), False, True),
    ):
        assert whose(command, driven=False) == (there, here, "")
    assert whose(commands.Step(1), driven=False) == (False, False, TAKES_STEPS)
    for command in (commands.Step(2), commands.SetPaused(True)):
        assert whose(command, driven=True) == (True, False, "")
