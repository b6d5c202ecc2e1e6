"""A conversation of two processes: objects arrive in order, nobody waits for the other, and an end is noticed."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from tumble.app.simulation.commands import Hold, SetCtrl
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.viewer import connection
from tumble.app.viewer.connection import Ask, Channel


class Side:
    """One side; received: what has arrived."""

    def __init__(self, connection: Any) -> None:
        self.received: SimpleQueue[Any] = SimpleQueue()
        self.ended = threading.Event()
        self.channel = Channel(connection, self.received.put, self.ended.set)


def test_channel_delivers_snapshots_and_closes_both_ends() -> None:
    script, window = map(Side, Pipe())
    grip = Grip(1, GripMode.ROTATE, np.zeros(3), np.arange(3.0), np.array([1.0, 0, 0, 0]))
    pixels = np.zeros((300, 400, 3), np.uint8)
    window.channel.send(Ask(1, SetCtrl(2, 0.5)))
    window.channel.send(Ask(2, Hold(grip)))
    script.channel.send(pixels)
    pixels[:] = 7
    assert script.received.get() == Ask(1, SetCtrl(2, 0.5))
    hold = script.received.get().command
    assert (hold.grip.mode, hold.grip.target.tolist()) == (GripMode.ROTATE, [0.0, 1.0, 2.0])
    assert not window.received.get().any()
    window.channel.send("the last")
    window.channel.close()
    assert script.received.get() == "the last"
    assert script.ended.wait(60.0)
    assert window.ended.wait(60.0)
    window.channel.send("nobody is there")
    script.channel.close()  # again is harmless


def test_a_side_that_is_gone_ends_the_conversation() -> None:
    mine, theirs = Pipe()
    side = Side(mine)
    theirs.close()
    assert side.ended.wait(60.0)


def test_unread_channel_is_closed_without_blocking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_UNREAD", 1 << 20)
    mine, theirs = Pipe()
    side = Side(mine)
    while not side.ended.is_set():
        side.channel.send(b"x" * 100_000)
    while theirs.recv() is not None:  # what was sent before can still be read, and then the end
        pass
    theirs.close()
