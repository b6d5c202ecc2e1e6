"""What the tests of recording and export share: the replay of what a model does."""

import sys

from tumble import physics
from tumble.app.replay.replay_file import Replay
from tumble.app.replay.tape import Tape
from tumble.app.session.loader import read_compiled


def recorded(path, steps, start=lambda model, data: None):
    """So many steps of a model file, from where `start` brings the data."""
    compiled = read_compiled(path)
    data = physics.MjData(compiled.model)
    start(compiled.model, data)
    tape = Tape(compiled.model, data, sys.maxsize)
    for _ in range(steps):
        physics.mj_step(compiled.model, data)
        tape.took(1)
    return Replay(compiled.bundle, tape.timeline())
