"""Length of contact force arrows: one setting for all views of a window."""

from __future__ import annotations

import math

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import settings
from tumble.app.session.session import Session

LEAST, MOST = settings.FORCE_SIZES.low, settings.FORCE_SIZES.high  # of the usual length
STEPS = 40  # of a slider: the same factor each


class ArrowLength(QObject):
    """value: a factor, 1 where the strongest force in view is a third of the picture; changed: a new value."""

    changed = pyqtSignal(float)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._store = session.store
        self.value = self._store.get(settings.FORCE_SIZE)

    def set(self, value: float) -> None:
        """Set the length factor of arrows, within the limits."""
        value = _within(value)
        if value != self.value:
            self.value = value
            self._store.put(settings.FORCE_SIZE, value)
            self.changed.emit(value)

    def stretch(self, factor: float) -> None:
        """Multiply the length factor."""
        self.set(self.value * factor)

    @property
    def words(self) -> str:
        """The length as text."""
        return f"{100 * self.value:.0f} %"

    @property
    def step(self) -> int:
        """Slider position, 0 to STEPS; the middle is the default length."""
        return round(STEPS * math.log(self.value / LEAST) / math.log(MOST / LEAST))

    def set_step(self, step: int) -> None:
        """A slider was moved."""
        if step != self.step:
            self.set(LEAST * (MOST / LEAST) ** (step / STEPS))


def _within(value: float) -> float:
    return min(max(value, LEAST), MOST) if math.isfinite(value) else 1.0
