"""Heat map: the mean of a measure over two parameters, in the cells of a grid, or in even ones."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QPainter, QPicture
from PyQt6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from tumble.app.panels.study.plots.line_plot import groups
from tumble.app.panels.study.plots.plot_inks import level_of, limits, shade
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.plots.scatter_plot import scale_words
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Array, Mask, RunTable

MOST_CELLS = 40  # along an axis with a cell for each value; with more values there are even ones
RUNS_A_CELL = 4  # of even cells, as many along each axis as that gives, within these limits
FEWEST_BINS, MOST_BINS = 4, 24


class Cells(Struct, frozen=True):
    """Edges along (nx + 1,) and up (ny + 1,), means (ny, nx), not-a-number where there is no run, and runs (ny, nx)."""

    x: Array
    y: Array
    mean: Array
    count: NDArray[np.int64]


def cells(table: RunTable, x: str, y: str, measure: str, marked: Mask) -> Cells:
    """The cells of the marked runs."""
    (at_x, edges_x), (at_y, edges_y) = (_cells_along(table.on_axis(name)) for name in (x, y))
    values = table.column(measure)
    used = marked & (at_x >= 0) & (at_y >= 0) & np.isfinite(values)
    shape = len(edges_y) - 1, len(edges_x) - 1
    place = at_y[used] * shape[1] + at_x[used]
    count = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, values[used], minlength=shape[0] * shape[1])
    mean = np.divide(total, count, out=np.full(len(count), math.nan), where=count > 0)
    return Cells(edges_x, edges_y, mean.reshape(shape), count.reshape(shape))


def _cells_along(values: Array) -> tuple[NDArray[np.int64], Array]:
    """The cell of each number, and the edges: half way between different numbers, or even ones."""
    bins = round(math.sqrt(len(values) / RUNS_A_CELL))
    at, middles = groups(values, MOST_CELLS, min(max(bins, FEWEST_BINS), MOST_BINS))
    if len(middles) < 2:
        middle = float(middles[0]) if len(middles) else 0.0
        half = max(0.5 * abs(middle), 0.5)
        return at, np.array([middle - half, middle + half])
    inner = (middles[1:] + middles[:-1]) / 2
    return at, np.concatenate([[2 * middles[0] - inner[0]], inner, [2 * middles[-1] - inner[-1]]])


class CellsItem(pg.GraphicsObject):
    """Cells as filled rectangles."""

    def __init__(self) -> None:
        super().__init__()
        self._picture, self._bounds = QPicture(), QRectF()

    def show_cells(self, shown: Cells, low: float, high: float) -> None:
        """Draw cells, coloured in a range."""
        self._picture = QPicture()
        self._bounds = QRectF(QPointF(shown.x[0], shown.y[0]), QPointF(shown.x[-1], shown.y[-1]))
        painter = QPainter(self._picture)
        levels = level_of(shown.mean, low, high)
        for row, column in zip(*np.nonzero(levels >= 0), strict=True):
            corner = QPointF(shown.x[column], shown.y[row]), QPointF(shown.x[column + 1], shown.y[row + 1])
            painter.fillRect(QRectF(*corner), shade(int(levels[row, column]), 255))
        painter.end()
        self.prepareGeometryChange()
        self.informViewBoundsChanged()
        self.update()

    def paint(self, painter: QPainter | None, option: QStyleOptionGraphicsItem | None, widget: QWidget | None = None) -> None:
        """Called by Qt."""
        if painter is not None:
            painter.drawPicture(0, 0, self._picture)

    def boundingRect(self) -> QRectF:
        """Called by Qt."""
        return self._bounds


class HeatView(PlotView):
    """Two parameters and a measure."""

    title = "Heat map"
    tip = "The mean of a measure over two parameters"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.across = self.choice("x", "Parameter along the horizontal axis")
        self.up = self.choice("y", "Parameter along the vertical axis")
        self.colour = self.choice("colour", "Measure by whose mean cells are coloured")
        self._item = CellsItem()
        self.plot.addItem(self._item)
        self.cells: Cells | None = None

    def refill(self) -> None:
        """As PlotView.refill."""
        table = self.table
        offer(self.across, table.parameters, table.parameters[0])
        offer(self.up, table.parameters, table.parameters[-1])
        offer(self.colour, table.measures, table.measures[0] if table.measures else "")

    def axes(self) -> tuple[str, str]:
        """As PlotView.axes."""
        return self.across.currentText(), self.up.currentText()

    def draw(self) -> None:
        """As PlotView.draw."""
        table, (x, y), colour = self.table, self.axes(), self.colour.currentText()
        self.label("bottom", x)
        self.label("left", y)
        why = "" if colour else "The study measures nothing: a heat map needs a measure"
        why = why or ("A heat map needs two parameters" if x == y else "")
        self._item.setVisible(not why)
        if why:
            self.note.set_text(why)
            return
        self.cells = cells(table, x, y, colour, self.marks.mask(table))
        low, high = limits(self.cells.mean)
        self._item.show_cells(self.cells, low, high)
        self.note.set_text(f"Mean of {scale_words(table, colour, low, high)}")
