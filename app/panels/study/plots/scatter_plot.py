"""Scatter: two columns against each other, coloured by a third."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.look import theme
from tumble.app.panels.study.plots.plot_inks import FAINT, LEVELS, level_of, limits, shade
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import RUN, WALL, Array, Mask, RunTable

SIZE, CHOSEN_SIZE = 5, 11  # of points [px]


class PointCloud(Struct, frozen=True):
    """Points of runs: rows of the table, places on the axes, shades (-1: no number), and the range of the colours."""

    rows: NDArray[np.int64]
    x: Array
    y: Array
    level: NDArray[np.int64]
    low: float = math.nan
    high: float = math.nan


def cloud(table: RunTable, x: str, y: str, colour: str = "") -> PointCloud:
    """The points of two columns; runs without a number in one of them are left out."""
    across, up = table.on_axis(x), table.on_axis(y)
    rows = np.flatnonzero(np.isfinite(across) & np.isfinite(up))
    if not colour:
        return PointCloud(rows, across[rows], up[rows], np.zeros(len(rows), np.int64))
    values = table.on_axis(colour)[rows]
    low, high = limits(values)
    return PointCloud(rows, across[rows], up[rows], level_of(values, low, high), low, high)


class PointItems:
    """Points of a plot by shade, faint where they are not marked, and a ring around the chosen one."""

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._faint = pg.ScatterPlotItem(size=SIZE, pen=None)
        self._shades = [pg.ScatterPlotItem(size=SIZE, pen=None) for _ in range(LEVELS + 1)]
        self._ring = pg.ScatterPlotItem(size=CHOSEN_SIZE)
        for item in (self._faint, *self._shades, self._ring):
            plot.addItem(item)

    def show(self, points: PointCloud, marked: Mask, chosen: int) -> None:
        """marked: by row of the table; chosen: a row, -1 for none."""
        mine = marked[points.rows]
        self._faint.setBrush(pg.mkBrush(theme.colour("disabled", FAINT)))
        self._faint.setData(points.x[~mine], points.y[~mine])
        for k, item in enumerate(self._shades):
            held = mine & (points.level == k - 1)
            if held.any() or len(item.data):
                item.setBrush(pg.mkBrush(shade(k - 1)))
                item.setData(points.x[held], points.y[held])
        ring = points.rows == chosen
        self._ring.setPen(pg.mkPen(theme.colour("bright"), width=2))
        self._ring.setBrush(pg.mkBrush(None))
        self._ring.setData(points.x[ring], points.y[ring])


class ScatterView(PlotView):
    """Two columns and a colour."""

    title = "Scatter"
    tip = "Two columns against each other, coloured by a third"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.across = self.choice("x", "Column along the horizontal axis")
        self.up = self.choice("y", "Column along the vertical axis")
        self.colour = self.choice("colour", "Column by which points are coloured")
        self._items = PointItems(self.plot)
        self.points_shown = PointCloud(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    def refill(self) -> None:
        """As PlotView.refill."""
        names, table = [*self.table.names, RUN, WALL], self.table
        offer(self.across, names, names[0])
        offer(self.up, names, table.measures[0] if table.measures else RUN)
        offer(self.colour, names, table.names[1] if len(table.names) > 1 else RUN)

    def axes(self) -> tuple[str, str]:
        """As PlotView.axes."""
        return self.across.currentText(), self.up.currentText()

    def points(self) -> tuple[NDArray[np.int64], Array, Array]:
        """As PlotView.points."""
        shown = self.points_shown
        return shown.rows, shown.x, shown.y

    def draw(self) -> None:
        """As PlotView.draw."""
        table, (x, y), colour = self.table, self.axes(), self.colour.currentText()
        if not x:
            return
        self.points_shown = shown = cloud(table, x, y, colour)
        chosen = -1 if self.marks.chosen is None else table.row_of(self.marks.chosen)
        self._items.show(shown, self.marks.mask(table), chosen)
        self.label("bottom", x)
        self.label("left", y)
        self.note.set_text(scale_words(table, colour, shown.low, shown.high))


def scale_words(table: RunTable, colour: str, low: float, high: float) -> str:
    """The ends of the colours in words."""
    if not math.isfinite(low):
        return f"{colour}: no numbers"
    ends = [table.text(colour, table.from_axis(colour, value)) for value in (low, high)]
    return f"{colour}: from blue, {ends[0]}, to orange, {ends[1]}"
