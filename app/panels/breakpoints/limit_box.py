"""A field for the limit of a breakpoint."""

from __future__ import annotations

from PyQt6.QtWidgets import QDoubleSpinBox

from app.describe.numbers import plain

DECIMALS = 4


class LimitBox(QDoubleSpinBox):
    """Shows the decimals that its number needs: 10.0 mm/s, 0.25 mm."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)

    def textFromValue(self, value: float) -> str:
        """The number, without its unit."""
        return plain(value, 1, DECIMALS)
