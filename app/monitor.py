"""What looks at every single step, in the simulation thread."""

from __future__ import annotations

from typing import Any, Protocol


class StepMonitor(Protocol):
    """Sees the data before and after each step; while there is one, steps are taken one at a time."""

    def before_step(self, model: Any, data: Any) -> None:
        """A step is about to be taken."""

    def after_step(self, model: Any, data: Any) -> bool:
        """A step was taken; whether the simulation shall stop here."""

    def back(self, model: Any, data: Any, steps: int) -> int:
        """Go back so many steps, as far as they are kept; how many it were."""
