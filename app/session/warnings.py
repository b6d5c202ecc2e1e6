"""Reports the engine's warnings while a model runs: at most one per second and kind."""

from __future__ import annotations

import logging
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
