"""Pareto front: the runs that no other beats in two measures at once."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from tumble.app.look import theme
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.plots.scatter_plot import PointCloud, PointItems, cloud
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Array

LEAST, GREATEST = "least", "greatest"
FRONT_SIZE = 8  # of its points [px]


def front(x: Array, y: Array, *, x_least: bool = True, y_least: bool = True) -> NDArray[np.int64]:
    """The points that no other is better than in one measure and as good as in the other, along x."""
    across, up = (values if least else -values for values, least in ((x, x_least), (y, y_least)))
    order = np.lexsort((up, across))
    best = np.minimum.accumulate(up[order])
    better = np.append(True, best[1:] < best[:-1])[: len(order)]
    return order[better] if x_least else order[better][::-1]


class ParetoView(PlotView):
    """Two measures, of each the least or the greatest wanted."""

    title = "Pareto"
    tip = "The runs that no other beats in two measures at once"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.across, self.x_goal = self.choice("", "Measure along the horizontal axis"), self.choice("", "What of it is good")
        self.up, self.y_goal = self.choice("and", "Measure along the vertical axis"), self.choice("", "What of it is good")
        for box in (self.x_goal, self.y_goal):
            box.addItems([LEAST, GREATEST])
        self._items = PointItems(self.plot)
        self._stairs = pg.PlotCurveItem()
        self._front = pg.ScatterPlotItem(size=FRONT_SIZE)
        for item in (self._stairs, self._front):
            self.plot.addItem(item)
        self.cloud = PointCloud(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    def refill(self) -> None:
        """As PlotView.refill."""
        names = self.table.measures or self.table.names
        offer(self.across, names, names[0])
        offer(self.up, names, names[-1])

    def axes(self) -> tuple[str, str]:
        """As PlotView.axes."""
        return self.across.currentText(), self.up.currentText()

    def points(self) -> tuple[NDArray[np.int64], Array, Array]:
        """As PlotView.points."""
        return self.cloud.rows, self.cloud.x, self.cloud.y

    def draw(self) -> None:
        """As PlotView.draw."""
        table, (x, y) = self.table, self.axes()
        if not x:
            return
        self.cloud = shown = cloud(table, x, y)
        marked = self.marks.mask(table)
        chosen = -1 if self.marks.chosen is None else table.row_of(self.marks.chosen)
        self._items.show(shown, marked, chosen)
        mine = np.flatnonzero(marked[shown.rows])
        goals = {"x_least": self.x_goal.currentText() == LEAST, "y_least": self.y_goal.currentText() == LEAST}
        best = mine[front(shown.x[mine], shown.y[mine], **goals)]
        self._front.setBrush(pg.mkBrush(theme.colour("accent")))
        self._front.setPen(pg.mkPen(None))
        self._front.setData(shown.x[best], shown.y[best])
        self._stairs.setPen(pg.mkPen(theme.colour("accent"), width=1.5))
        self._stairs.setData(shown.x[best], shown.y[best])
        self.label("bottom", x)
        self.label("left", y)
        of = f" of the {len(mine)} marked" if self.marks.any else f" of {len(mine)}"
        self.note.set_text("Choose two measures" if x == y else f"{len(best)} runs{of} are best: none is better in both")
