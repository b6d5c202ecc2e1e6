"""Line: a measure over one parameter, as the median of the runs there and a band that has eight tenths of them."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Array, Mask, RunTable

MOST_VALUES = 40  # different numbers of a parameter that have a place each; of more, there are BINS
BINS = 20
MOST_LINES = 6  # different numbers of another parameter that have a line each; of more, there are LINE_BINS
LINE_BINS = 4
BAND = (10.0, 90.0)  # percentiles
NO_SPLIT = "all runs"


class MedianLine(Struct, frozen=True):
    """A line: what it is of, its places along the axis, medians, ends of the band, and numbers of runs (n,)."""

    label: str
    x: Array
    middle: Array
    low: Array
    high: Array
    count: NDArray[np.int64]


def groups(values: Array, most: int, bins: int) -> tuple[NDArray[np.int64], Array]:
    """The group of each number (n,), -1 for not-a-number, and the middles of the groups: different numbers, or even bins."""
    good = np.isfinite(values)
    different = np.unique(values[good])
    if len(different) <= most:
        places = np.searchsorted(different, values)
        return np.where(good, places, -1), different
    edges = np.linspace(different[0], different[-1], bins + 1)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    return np.where(good, places, -1), (edges[1:] + edges[:-1]) / 2


def median_lines(table: RunTable, x: str, y: str, split: str, marked: Mask) -> list[MedianLine]:
    """Lines of the marked runs; split: the parameter whose values have a line each, "" for one line."""
    at, middles = groups(table.on_axis(x), MOST_VALUES, BINS)
    values = table.column(y)
    used = marked & (at >= 0) & np.isfinite(values)
    if not split:
        return [_line("", middles, at, values, used)]
    which, centres = groups(table.on_axis(split), MOST_LINES, LINE_BINS)
    return [
        _line(f"{split} {table.text(split, table.from_axis(split, centre))}", middles, at, values, used & (which == k))
        for k, centre in enumerate(centres.tolist())
    ]


def _line(label: str, middles: Array, at: NDArray[np.int64], values: Array, used: Mask) -> MedianLine:
    order = np.argsort(at[used], kind="stable")
    held, first, count = np.unique(at[used][order], return_index=True, return_counts=True)
    parts = np.split(values[used][order], first[1:]) if len(held) else []
    numbers = np.array([np.percentile(part, (50.0, *BAND)) for part in parts]).reshape(-1, 3)
    return MedianLine(label, middles[held], numbers[:, 0], numbers[:, 1], numbers[:, 2], count)


class LineView(PlotView):
    """A measure over a parameter."""

    title = "Line"
    tip = "A measure over one parameter: median, and a band with 80 % of the runs"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.across = self.choice("x", "Parameter along the horizontal axis")
        self.up = self.choice("y", "Measure along the vertical axis")
        self.split = self.choice("a line for each", "Parameter whose values have a line each")
        self._legend = self.plot.getPlotItem().addLegend(offset=(-8, 4), labelTextColor=theme.colour("text"))
        self._legend.setBrush(pg.mkBrush(theme.colour("panel", 200)))
        self.lines: list[MedianLine] = []

    def refill(self) -> None:
        """As PlotView.refill."""
        table = self.table
        offer(self.across, table.parameters, table.parameters[0])
        offer(self.up, table.measures, table.measures[0] if table.measures else "")
        offer(self.split, (NO_SPLIT, *table.parameters), NO_SPLIT)

    def axes(self) -> tuple[str, str]:
        """As PlotView.axes."""
        return self.across.currentText(), self.up.currentText()

    def draw(self) -> None:
        """As PlotView.draw."""
        x, y = self.axes()
        item = self.plot.getPlotItem()
        item.clear()
        self.label("bottom", x)
        self.label("left", y)
        if not y:
            self.note.set_text("The study measures nothing: a line needs a measure")
            return
        split = self.split.currentText()
        split = "" if split in (NO_SPLIT, x) else split
        self.lines = median_lines(self.table, x, y, split, self.marks.mask(self.table))
        self._legend.setVisible(bool(split))
        for k, line in enumerate(self.lines):
            self._draw_line(item, line, INKS[k % len(INKS)])
        binned = len(np.unique(self.table.column(x))) > MOST_VALUES
        where = f"in {BINS} parts of the range" if binned else "at each value"
        self.note.set_text(f"Median {where}; the band has 80 % of the {'marked ' if self.marks.any else ''}runs there")

    def _draw_line(self, item: pg.PlotItem, line: MedianLine, ink: str) -> None:
        if line.count.max(initial=0) > 1:
            edges = [pg.PlotDataItem(line.x, values, pen=pg.mkPen(theme.ink(ink, 90))) for values in (line.low, line.high)]
            for edge in edges:
                item.addItem(edge)
            item.addItem(pg.FillBetweenItem(*edges, brush=pg.mkBrush(theme.ink(ink, 50))))
        dots = {"symbol": "o", "symbolSize": 5, "symbolBrush": pg.mkBrush(theme.ink(ink)), "symbolPen": None}
        item.addItem(pg.PlotDataItem(line.x, line.middle, pen=pg.mkPen(theme.ink(ink), width=2), name=line.label or None, **dots))
