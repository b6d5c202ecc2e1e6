"""Monitors, which check every step in the simulation thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tumble.app.replay.tape import Tape

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class StepMonitor(Protocol):
    """Sees the data before and after each step; while there is one, steps are taken one at a time."""

    def begin(self, tape: Tape) -> None:
        """The monitor is installed, or the simulation has gone to another position on its tape."""

    def before_step(self, model: MjModel, data: MjData) -> None:
        """A step is about to be taken."""

    def after_step(self, model: MjModel, data: MjData) -> bool:
        """A step was taken; returns True if the simulation shall stop here."""
