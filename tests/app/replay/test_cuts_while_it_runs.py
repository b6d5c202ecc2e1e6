"""Parts of the tape that other threads get (to save, to fork, to report) are theirs: what goes on tears none of them."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from queue import Queue

import numpy as np
import pytest

from tumble import physics
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.tape import Tape
from tumble.app.replay.timeline import Timeline

MODEL = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .3"><joint name="a" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
  <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>
  </worldbody><actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""
ROUNDS, STEPS = 60, 12  # cuts, and steps between two of them
MEMORY = 20_000  # bytes of the tape: what is first on it goes all the time


class SharedTape(Tape):
    """A tape that is wrong: what it has cut before is written over."""

    _cut: Timeline | None = None

    def timeline(self, begin=0):
        """As a tape, but for the memory."""
        made = super().timeline(begin)
        if self._cut is None or self._cut.jump_values.shape != made.jump_values.shape:
            self._cut = made
        np.copyto(self._cut.jump_values, made.jump_values)
        return replace(made, jump_values=self._cut.jump_values)


def torn(kind):
    """How many cuts do not lead where the simulation went, and of how many, played by one thread while another steps."""
    model = Bundle("m.xml", MODEL.encode(), {}).compile()
    cuts = Queue()
    seen = []

    def simulate():
        rng, data = np.random.default_rng(1), physics.MjData(model)
        tape = kind(model, data, MEMORY)
        for _ in range(ROUNDS):
            for _ in range(STEPS):
                tape.hold()
                data.ctrl = rng.normal(size=2)
                if rng.random() < 0.1:
                    data.qpos = rng.normal(size=2)
                tape.note()
                physics.mj_step(model, data)
                tape.took(1)
            cuts.put((tape.timeline(tape.now - 2 * STEPS), np.concatenate((data.qpos, data.qvel))))
        cuts.put(None)

    def play():
        while (found := cuts.get()) is not None:
            cut, wanted = found
            data = physics.MjData(model)
            tape = Tape.of(cut, model, data)
            while tape.now < tape.end:
                physics.mj_step(model, data)
                tape.followed(1)
            seen.append(bool(tape.strayed) or not np.array_equal(np.concatenate((data.qpos, data.qvel)), wanted))

    threads = [threading.Thread(target=work) for work in (simulate, play)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    return sum(seen), len(seen)


@pytest.mark.parametrize("kind", [Tape, SharedTape])
def test_what_is_cut_from_a_tape_is_whole_whatever_is_recorded_meanwhile(kind):
    wrong, number = torn(kind)
    assert number == ROUNDS
    assert wrong == 0 if kind is Tape else wrong > 0  # a torn one would be seen
