"""A box to choose how much time a plot shows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tumble.app.describe.numbers import span_text
from tumble.app.widgets.element_choice import CalmCombo


class SpanBox(CalmCombo):
    """Spans of simulated time [s], and all of it."""

    def __init__(self, spans: Sequence[float], first: float) -> None:
        super().__init__()
        self.setToolTip("Simulated time shown")
        for span in spans:
            self.addItem(span_text(span), span)
        self.addItem("all", math.inf)
        self.setCurrentIndex(list(spans).index(first))

    def limits(self, first: float, last: float) -> tuple[float, float]:
        """The times at the edges of a plot that follows samples from `first` to `last` [s]."""
        span = float(self.currentData())
        if math.isinf(span):
            return first, max(last, first + 0.1)
        return max(0.0, last - span), max(last, span)
