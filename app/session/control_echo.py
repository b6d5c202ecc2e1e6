"""Controls changed by the simulation, without an echo of the user's own changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tumble.app.simulation.snapshot import Snapshot


class ControlEcho:
    """The controls (nu,) of the last notification."""

    def __init__(self, tell: Callable[[int, float], None]) -> None:
        """tell: called with an actuator and its control whenever it changes."""
        self._tell = tell
        self._told = np.zeros(0)
        self._sent = 0  # commands when the last that concerned controls was sent

    def begin(self, snapshot: Snapshot) -> None:
        """Another model runs: these are its controls, which need no notification."""
        self._told = snapshot.ctrl.copy()

    def note_sent(self, sent: int) -> None:
        """Note that the last of a number of sent commands changes controls."""
        self._sent = sent

    def set(self, index: int, value: float) -> None:
        """The user has set a control."""
        self._told[index] = value
        self._tell(index, value)

    def follow(self, snapshot: Snapshot) -> None:
        """Report the changed controls of a snapshot."""
        if snapshot.obeyed < self._sent:
            return  # taken before the user's last input: an outdated echo
        for i in np.flatnonzero(snapshot.ctrl != self._told):
            self._tell(int(i), float(snapshot.ctrl[i]))
        self._told[:] = snapshot.ctrl
