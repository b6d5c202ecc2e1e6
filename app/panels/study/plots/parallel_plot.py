"""Parallel coordinates: an axis for each column, a line for each run. A drag along an axis marks the runs that cross it there."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QResizeEvent

from tumble.app.look import theme
from tumble.app.panels.study.plots.plot_inks import LEVELS, level_of, limits, shade
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.plots.scatter_plot import scale_words
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Array, Mask, RunTable

COLOURS = 8  # of the lines: fewer than of points, for each is a curve
MOST_LINES = 3000  # that are drawn, evenly among the runs: more would only fill the plot
FAINT, CLEAR = 30, 110  # opacity of lines
TEXT_HEIGHT = 17  # of the numbers at the ends of axes [px]


class Parallels(Struct, frozen=True):
    """Lines of runs.

    rows: of the table (k,); places: on the axes, from 0 to 1 (k, axes); ends: of the axes (axes, 2); level: shades (k,).
    """

    rows: NDArray[np.int64]
    places: Array
    ends: Array
    level: NDArray[np.int64]


def parallels(table: RunTable, names: tuple[str, ...], colour: str, marked: Mask) -> Parallels:
    """Lines of runs with a number on every axis; of many, the marked first."""
    values = np.column_stack([table.on_axis(name) for name in names]) if names else np.zeros((table.count, 0))
    ends = np.array([limits(values[:, k]) for k in range(len(names))]).reshape(-1, 2)
    rows = np.flatnonzero(np.isfinite(values).all(axis=1))
    if len(rows) > MOST_LINES:
        rows = np.concatenate([_some(rows[marked[rows]], MOST_LINES), _some(rows[~marked[rows]], MOST_LINES // 3)])
    span = ends[:, 1] - ends[:, 0]
    places = np.where(span > 0, (values[rows] - ends[:, 0]) / np.where(span > 0, span, 1.0), 0.5)
    shades = table.on_axis(colour)
    return Parallels(rows, places, ends, level_of(shades, *limits(shades))[rows] * COLOURS // LEVELS)


def _some(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]


def path_of(places: Array) -> tuple[Array, Array]:
    """Lines (k, axes) as one curve with gaps of not-a-number between them."""
    count, axes = places.shape
    gap = np.full((count, 1), np.nan)
    x = np.hstack([np.tile(np.arange(axes, dtype=float), (count, 1)), gap])
    return x.ravel(), np.hstack([places, gap]).ravel()


class ParallelView(PlotView):
    """All parameters and measures."""

    title = "Parallel"
    tip = "An axis for each column, a line for each run"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.colour = self.choice("colour", "Column by which lines are coloured")
        self.shown = Parallels(np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros((0, 2)), np.zeros(0, np.int64))
        self._faint, self._chosen = pg.PlotCurveItem(connect="finite"), pg.PlotCurveItem(connect="finite")
        self._curves = [pg.PlotCurveItem(connect="finite") for _ in range(COLOURS + 1)]
        for curve in (self._faint, *self._curves, self._chosen):
            self.plot.addItem(curve)
        self._axes: list[pg.GraphicsObject] = []
        self.plot.setToolTip("Drag up or down along an axis to mark runs by it; a click beside the axes chooses a run")
        item = self.plot.getPlotItem()
        item.hideAxis("left")
        item.showGrid(x=False, y=False)
        self.box.setMouseEnabled(x=False, y=False)
        item.hideButtons()

    def refill(self) -> None:
        """As PlotView.refill."""
        offer(self.colour, self.table.names, self.table.names[-1])

    def draw(self) -> None:
        """As PlotView.draw."""
        table, names, colour = self.table, self.table.names, self.colour.currentText()
        if not colour:
            return
        marked = self.marks.mask(table)
        self.shown = shown = parallels(table, names, colour, marked)
        mine = marked[shown.rows]
        self._faint.setPen(pg.mkPen(theme.colour("disabled", FAINT)))
        self._faint.setData(*path_of(shown.places[~mine]))
        for k, curve in enumerate(self._curves):
            curve.setPen(pg.mkPen(shade(round((k - 1) * (LEVELS - 1) / (COLOURS - 1)) if k else -1, CLEAR)))
            curve.setData(*path_of(shown.places[mine & (shown.level == k - 1)]))
        chosen = -1 if self.marks.chosen is None else table.row_of(self.marks.chosen)
        self._chosen.setPen(pg.mkPen(theme.colour("bright"), width=2))
        self._chosen.setData(*path_of(shown.places[shown.rows == chosen]))
        self._draw_axes(names)
        self.note.set_text(scale_words(table, colour, *limits(table.on_axis(colour))))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave room for the numbers at the ends."""
        super().resizeEvent(event)
        self._redraw()

    def _draw_axes(self, names: tuple[str, ...]) -> None:
        """An upright line for each column, with the numbers at its ends, and its range where runs are marked by it."""
        for item in self._axes:
            self.plot.removeItem(item)
        self._axes = []
        ticks = self.plot.getPlotItem().getAxis("bottom")
        ticks.setTicks([list(enumerate(names))])
        for k, name in enumerate(names):
            line = pg.PlotCurveItem([k, k], [0.0, 1.0], pen=pg.mkPen(theme.colour("edge")))
            self._axes.append(line)
            for end, anchor in ((0, (0.5, 0.0)), (1, (0.5, 1.0))):
                value = self.table.from_axis(name, float(self.shown.ends[k, end]))
                text = pg.TextItem(self.table.text(name, value, 3), color=theme.colour("dim"), anchor=anchor)
                text.setFont(theme.sans(8))
                text.setPos(k, float(end))
                self._axes.append(text)
            if name in self.marks.ranges:
                low, high = (self._place(k, name, value) for value in self.marks.ranges[name])
                self._axes.append(pg.PlotCurveItem([k, k], [low, high], pen=pg.mkPen(theme.colour("accent"), width=6)))
        for item in self._axes:
            self.plot.addItem(item, ignoreBounds=True)
        beyond = TEXT_HEIGHT * theme.scale() / max(1.0, self.box.height() - 2 * TEXT_HEIGHT * theme.scale())
        self.box.setRange(xRange=(-0.4, len(names) - 0.6), yRange=(-beyond, 1.0 + beyond), padding=0)

    def _place(self, k: int, name: str, value: float) -> float:
        low, high = self.shown.ends[k]
        on_axis = float(np.log10(value)) if name in self.table.logarithmic and value > 0 else value
        return min(max((on_axis - low) / (high - low), 0.0), 1.0) if high > low else 0.5

    def points(self) -> tuple[NDArray[np.int64], Array, Array]:
        """As PlotView.points: where lines cross axes."""
        count, axes = self.shown.places.shape
        rows = np.repeat(self.shown.rows, axes)
        return rows, np.tile(np.arange(axes, dtype=float), count), self.shown.places.ravel()

    def brush(self, rect: QRectF, begun: QPointF) -> None:
        """Mark the runs that cross the nearest axis in the rectangle."""
        k = round(begun.x())
        if not 0 <= k < len(self.table.names):
            return
        name, (low, high) = self.table.names[k], self.shown.ends[k]
        ends = (low + share * (high - low) for share in (rect.top(), rect.bottom()))
        first, last = (self.table.from_axis(name, float(end)) for end in ends)
        self.marks.mark({name: (first, last)})
