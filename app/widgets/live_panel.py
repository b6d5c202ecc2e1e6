"""A panel that follows the simulation while visible, and costs nothing while hidden."""

from __future__ import annotations

from typing import Generic

from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.simulation.hooks import Probe, Reading
from tumble.app.widgets.dock import Dock, Panel

INTERVAL = 0.1  # wall time between two updates [s]: numbers that change faster cannot be read, and cost time to draw


class LivePanel(Panel, Generic[Reading]):
    """Watches a probe while it is visible, and shows its readings a few times a second.

    Subclasses set their content, and override `build` (another model runs, or none yet) and `show_reading`.
    """

    def __init__(self, dock: Dock, session: Session, probe: Probe[Reading], interval: float = INTERVAL) -> None:
        """interval [s]."""
        super().__init__(dock)
        self.session = session
        self.probe: Probe[Reading] = probe
        self._in_turn = session.frame_budget.new_turn(interval)
        self._live = False
        session.model_loaded.connect(self.build)
        session.advanced.connect(self._advance)
        dock.in_sight.connect(self._set_live)

    @property
    def live(self) -> bool:
        """True while the panel follows the simulation."""
        return self._live

    def catch_up(self) -> None:
        """Show the loaded model, or that there is none."""
        self.build()

    def build(self) -> None:
        """Another model is loaded: session.model; None: none yet."""

    def become_live(self) -> None:
        """The panel has become visible."""

    def show_reading(self, reading: Reading) -> None:
        """Show the probe's data; session.snapshot is of the same moment."""

    def refresh(self) -> None:
        """Show the present reading now."""
        reading = self.session.reading(self.probe)
        if reading is not None and self._live:
            self.show_reading(reading)

    def _set_live(self, visible: bool) -> None:
        if visible == self._live:
            return
        self._live = visible
        if visible:
            self.session.send(WatchProbe(self.probe, True))
            self.become_live()
            self.refresh()
        else:
            self.session.send(WatchProbe(self.probe, False))

    def _advance(self) -> None:
        if self._live:
            self._in_turn.take(self.refresh)
