"""Counts how often the user has pulled a body: the first task for newcomers."""

from __future__ import annotations

from tumble.app.simulation.perturbation import Grip, GripMode


class PullWatch:
    """Called repeatedly with the mouse's hold on a body; a pull counts once the body has been moved."""

    def __init__(self) -> None:
        self.count = 0
        self._begin: Grip | None = None
        self._counted = False

    def note(self, grip: Grip | None) -> None:
        """Follow the mouse's grip; None if no body is held."""
        if grip is None or grip.mode is not GripMode.TRANSLATE:
            self._begin, self._counted = None, False
        elif self._begin is None or grip.body != self._begin.body:
            self._begin, self._counted = grip, False
        elif not self._counted and bool((grip.target != self._begin.target).any()):
            self.count, self._counted = self.count + 1, True
