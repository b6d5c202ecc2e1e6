"""A field for the limit of a breakpoint."""

from __future__ import annotations

from tumble.app.describe.numbers import plain
from tumble.app.widgets.live_field import LiveSpinBox

DECIMALS = 4


class LimitBox(LiveSpinBox):
    """Shows the decimals that its number needs: 10.0 mm/s, 0.25 mm."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)

    def textFromValue(self, value: float) -> str:
        """The number, without its unit."""
        return plain(value, 1, DECIMALS)
