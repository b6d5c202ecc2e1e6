"""What looks at every single step, in the simulation thread."""

from __future__ import annotations

from typing import Any, Protocol

from app.replay.tape import Tape


class StepMonitor(Protocol):
    """Sees the data before and after each step; while there is one, steps are taken one at a time."""

    def begin(self, tape: Tape) -> None:
        """It is put in charge, or the simulation has gone to another position on its tape."""

    def before_step(self, model: Any, data: Any) -> None:
        """A step is about to be taken."""

    def after_step(self, model: Any, data: Any) -> bool:
        """A step was taken; whether the simulation shall stop here."""
