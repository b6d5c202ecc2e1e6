"""Progress of the tour."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.app.shell.tour.steps import Situation, TourStep


class TourProgress:
    """One step at a time. What was done stays done, whichever way the user goes; no step has to be done to go on."""

    def __init__(self, steps: Sequence[TourStep]) -> None:
        self._steps = tuple(steps)
        self._begin = Situation()
        self._done: set[int] = set()
        self.index = 0

    @property
    def step(self) -> TourStep:
        """The present step."""
        return self._steps[self.index]

    @property
    def count(self) -> int:
        """Steps in all."""
        return len(self._steps)

    @property
    def is_first(self) -> bool:
        """True for the first step."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """True for the last step."""
        return self.index == self.count - 1

    @property
    def is_done(self) -> bool:
        """True if the step's task is done; False for a step without one."""
        return self.index in self._done

    def go(self, by: int) -> None:
        """So many steps on, or back, as far as there are any."""
        self.index = min(max(self.index + by, 0), self.count - 1)

    def begin(self, now: Situation) -> None:
        """The step begins, in this situation; what is so already is done."""
        self._begin = now
        self.look(now)

    def restart(self, now: Situation) -> None:
        """The step begins again: its scene has only just come, and what was seen before it was not the user's doing."""
        self._done.discard(self.index)
        self.begin(now)

    def look(self, now: Situation) -> bool:
        """True if the step is done, or was before."""
        task = self.step.task
        if task is not None and task.done(self._begin, now):
            self._done.add(self.index)
        return self.is_done
