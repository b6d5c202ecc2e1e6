"""A plot in the window's style."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PyQt6.QtWidgets import QSizePolicy

from app import theme


def make_plot(left: str, bottom: str, *, log: bool = False, whole: bool = False) -> Any:
    """An empty plot whose axes fit what is drawn; log: the upright one; whole: ticks below are whole numbers."""
    axes = {"bottom": _WholeAxis("bottom")} if whole else {}
    plot = pg.PlotWidget(background=theme.colour("field"), axisItems=axes)
    plot.setMinimumSize(120, 90)
    plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # it takes what room there is
    plot.setToolTip("Wheel and right drag zoom, drag moves; the A in the corner fits again")
    item = plot.getPlotItem()
    item.setMenuEnabled(False)
    item.showGrid(x=True, y=True, alpha=0.12)
    item.setLogMode(y=log)
    item.setLabel("left", left, color=theme.colours()["dim"], size="8pt")
    item.setLabel("bottom", bottom, color=theme.colours()["dim"], size="8pt")
    for side in ("left", "bottom"):
        axis = item.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setPen(theme.colour("line"))
        axis.setTextPen(theme.colour("dim"))
        axis.setTickFont(theme.sans(8))
    item.getAxis("left").setWidth(58)
    return plot


class _WholeAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis with ticks at whole numbers only."""

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        spacing = [(max(1.0, float(round(step))), offset) for step, offset in super().tickSpacing(low, high, size)]
        return list(dict.fromkeys(spacing))
