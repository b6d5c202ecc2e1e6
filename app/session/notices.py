"""Notices of what the simulation did since the last snapshot: controls that it changed, and warnings of the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from tumble.app.describe.warnings import describe
from tumble.app.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

# Wall time between two lines about the same kind of warning [s]: a model that diverges does it in every frame.
INTERVAL = 1.0


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


class WarningsTold:
    """Tracks which of a run's counted warnings the log has already reported."""

    def __init__(self, snapshot: Snapshot) -> None:
        """snapshot: the first of the run; its warnings are not reported."""
        self._counts = snapshot.warning_number.copy()  # by kind
        self._when: dict[int, float] = {}  # when a kind was last reported [s]
        self._time = snapshot.time  # of the snapshot before

    def look(self, model: MjModel, snapshot: Snapshot) -> None:
        """Report warnings that arrived since the last call."""
        before, self._time = self._time, snapshot.time
        np.minimum(self._counts, snapshot.warning_number, out=self._counts)  # a reset by the user clears the counts
        now = monotonic()
        for kind in map(int, np.flatnonzero(snapshot.warning_number > self._counts)):
            if now - self._when.get(kind, -INTERVAL) < INTERVAL:
                continue  # counted, and reported with the next
            self._when[kind] = now
            # The engine resets the time with the state: the moment before is when it happened, to a frame.
            text = describe(model, kind, int(snapshot.warning_info[kind]), max(before, snapshot.time))
            count = int(snapshot.warning_number[kind] - self._counts[kind])
            log.warning("%s%s", text, f" ({count} times)" if count > 1 else "")
            self._counts[kind] = snapshot.warning_number[kind]
