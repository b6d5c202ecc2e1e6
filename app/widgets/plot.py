"""A plot in the window's style."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPen, QResizeEvent
from PyQt6.QtWidgets import QSizePolicy

from tumble.app.look import theme

Tick = tuple[QPen, QPointF, QPointF]
Label = tuple[QRectF, Qt.AlignmentFlag, str]
Specs = tuple[Tick, list[Tick], list[Label]]


def make_plot(left: str, bottom: str, *, log: bool = False, count: CountAxis | None = None) -> pg.PlotWidget:
    """An empty plot whose axes fit its data; log: vertical axis; count: horizontal axis."""
    plot = plot_widget(count)
    plot.setMinimumSize(120, 90)
    plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # it takes the available room
    plot.setToolTip("Wheel and right drag zoom, drag moves; the A in the corner shows everything")
    item = plot.getPlotItem()
    style_axes(item)
    item.setLogMode(y=log)
    if log:
        item.getViewBox().setLimits(minYRange=2)  # decades: less than that is rounding, drawn large
    item.setLabel("left", left, color=theme.colours()["dim"], size="8pt")
    item.setLabel("bottom", bottom, color=theme.colours()["dim"], size="8pt")
    item.getAxis("left").setWidth(58)
    return plot


def plot_widget(below: QuietAxis | None = None) -> pg.PlotWidget:
    """A plot whose axes are blank while it is empty. below: its horizontal axis, where it is a special one."""
    axes = {"left": QuietAxis("left"), "bottom": below or QuietAxis("bottom")}
    box = QuietBox(enableMenu=False)
    plot = LowPlot(background=theme.colour("field"), viewBox=box, axisItems=axes, enableMenu=False)
    box.setParentItem(plot.getPlotItem())  # which owns it: Python would delete it once more
    return plot


class LowPlot(pg.PlotWidget):
    """A plot that leaves out the title of its left axis where the axis is shorter: it would be cut."""

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The height changed."""
        super().resizeEvent(event)
        item = getattr(self, "plotItem", None)  # Qt may resize it before pyqtgraph has made its parts
        if item is not None and item.getAxis("left").labelText:
            room = self.height() - item.getAxis("bottom").height()
            item.showLabel("left", item.getAxis("left").label.boundingRect().width() <= room)


class QuietBox(pg.ViewBox):
    """The inside of a plot. It redraws the axes when the first curve gets data, and when the last one loses them."""

    def __init__(self, enableMenu: bool) -> None:
        super().__init__(enableMenu=enableMenu)
        self.has_data = False

    def itemBoundsChanged(self, item: pg.GraphicsObject) -> None:
        """Called by pyqtgraph when the data of a curve change."""
        super().itemBoundsChanged(item)
        has_data = any(map(_has_data, self.addedItems))
        if has_data != self.has_data:
            self.has_data = has_data
            for item in self.parentItem().childItems():
                if isinstance(item, pg.AxisItem):
                    item.picture = None
                    item.update()


def _has_data(item: pg.GraphicsObject) -> bool:
    """True if an item is visible: marker lines have no data."""
    if isinstance(item, pg.PlotDataItem | pg.PlotCurveItem):
        return item.xData is not None and len(item.xData) > 0
    if isinstance(item, pg.BarGraphItem):
        return len(item.opts["height"]) > 0
    return isinstance(item, pg.ScatterPlotItem) and len(item.data) > 0


class QuietAxis(pg.AxisItem):
    """An axis without ticks if there are no data, and without overlapping labels."""

    def generateDrawSpecs(self, p: QPainter) -> Specs | None:
        """Called by pyqtgraph: the line, the ticks and their labels (place, alignment, text)."""
        specs: Specs | None = super().generateDrawSpecs(p)
        if specs is None:
            return None
        line, ticks, labels = specs
        box = self.linkedView()
        if isinstance(box, QuietBox) and not box.has_data:
            return line, [], []
        kept: list[Label] = []
        for label in labels:
            if not any(label[0].intersects(other[0]) for other in kept):
                kept.append(label)
        return line, ticks, kept


def style_axes(item: pg.PlotItem) -> None:
    """Quiet axes and a faint grid for a plot item; units as written, without a menu."""
    item.setMenuEnabled(False)
    item.showGrid(x=True, y=True, alpha=0.12)
    for side in ("left", "bottom"):
        axis = item.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setPen(theme.colour("line"))
        axis.setTextPen(theme.colour("dim"))
        axis.setTickFont(theme.sans(8))


def positive(values: NDArray[np.float64], log: bool) -> NDArray[np.float64]:
    """Values as drawn on a vertical axis; log: values of zero and below are omitted."""
    return np.where(values > 0, values, np.nan) if log else values


class CountAxis(QuietAxis):
    """An axis with ticks at whole numbers only; compressed: of log10(1 + number), which has room for 0."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.compressed = False

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        if self.compressed:
            return [(1.0, 0.0)]
        spacing = [(max(1.0, float(round(step))), offset) for step, offset in super().tickSpacing(low, high, size)]
        return list(dict.fromkeys(spacing))

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if not self.compressed:
            return list(super().tickValues(low, high, size))
        steps = sorted({0, *(k * 10**e for e in range(6) for k in (1, 2, 5))})
        return [(1.0, [x for x in (math.log10(1 + k) for k in steps) if low <= x <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{10**x - 1:.0f}" if self.compressed else f"{x:.0f}" for x in values]
