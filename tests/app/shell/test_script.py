"""What a script's window tells its script: keys by GLFW's numbers, and which commands are the script's own to obey."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt

from tumble.app.shell.script.glfw_keys import glfw_key
from tumble.app.shell.script.telling import Telling
from tumble.app.simulation import commands
from tumble.app.simulation.changes import Change
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.simulation.tape_commands import Go

K = Qt.Key


@pytest.mark.parametrize(
    ("key", "number"),
    [(K.Key_A, 65), (K.Key_Space, 32), (K.Key_Right, 262), (K.Key_Up, 265), (K.Key_F1, 290), (K.Key_F12, 301),
     (K.Key_Escape, 256), (K.Key_Return, 257), (K.Key_Plus, ord("=")), (K.Key_Question, ord("/")), (K.Key_Comma, 44),
     (K.Key_Shift, 340), (K.Key_VolumeUp, -1)],
)  # fmt: skip
def test_keys_have_the_numbers_of_glfw(key, number):
    assert glfw_key(key) == number


def test_digits_of_the_keypad_are_keys_of_their_own():
    assert (glfw_key(K.Key_7), glfw_key(K.Key_7, keypad=True)) == (55, 327)


def test_what_concerns_the_simulation_is_told_and_what_concerns_the_picture_is_not(session):
    telling = Telling(session, driven=False)
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.ones(3), np.array([1.0, 0, 0, 0]))
    told, taken = telling.message(commands.Hold(grip))
    assert (told["say"], told["grip"]["target"], taken) == ("grip", [1.0, 1.0, 1.0], True)
    for command, say, here in (
        (commands.SetCtrl(2, 0.5), "ctrl", True),
        (commands.SetModel(Change("opt.timestep", None, (0.001,))), "model", True),
        (commands.Reset(1), "reset", False),
        (commands.SetState("qpos", 0, (1.0,)), "state", False),
    ):
        told, taken = telling.message(command)
        assert told["say"] == say
        assert taken is not here  # what is shown here at once, and what comes back with the script's next moment
    assert telling.message(commands.SetPaused(True)) == (None, False)
    assert telling.message(Go(3)) == (None, False)
    assert telling.message(commands.Step(1)) == (None, True)
    driven = Telling(session, driven=True)
    assert driven.message(commands.Step(2)) == ({"say": "step", "count": 2}, True)
    assert driven.message(commands.SetPaused(True)) == ({"say": "paused", "paused": True}, True)
