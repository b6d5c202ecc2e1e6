"""The page of the solver dock on many steps: iterations, residual, sizes and CPU time over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QWidget

from tumble.app.describe.numbers import duration, none_yet
from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.profile import COLUMNS, FIRST_STAGE, STAGES, SolverHistory
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, vbox
from tumble.app.widgets.live_field import SpanBox
from tumble.app.widgets.plot import make_plot, positive
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.slider_row import ElidedLabel

SPANS = (2.0, 5.0, 10.0, 30.0, 60.0, 600.0, 3600.0)  # of the time axis [s]
FIRST_SPAN = 10.0
POINTS = 1200  # of a curve, at most
NARROW = 640  # pixels below which the plots lie under each other rather than two by two
TALL, LOW = 150, 110  # pixels of a plot, at least, in a narrow and in a wide dock
SIZES = (("nefc", "constraint rows"), ("ncon", "contacts"), ("nv_awake", "dofs awake"))
RARE = 1e6  # microseconds in a second


class _Plot(QWidget):
    """A heading with the curves' names in their colours, above a plot of columns of the history."""

    def __init__(self, title: str, columns: Sequence[tuple[str, str]], scale: float = 1.0, *, log: bool = False) -> None:
        super().__init__()
        self._scale, self._log = scale, log
        self.columns = [COLUMNS.index(name) for name, _ in columns]
        inks = [(*INKS, theme.colours()["dim"])[k] for k in range(len(columns))]
        texts = [text.replace(" ", "&nbsp;") for _, text in columns]
        words = "  ".join(f'<span style="color:{ink}">{text}</span>' for ink, text in zip(inks, texts, strict=True))
        self.heading = make_label(f"<b>{title}</b>&nbsp;  {words}", wrap=True, font=theme.sans(8.5))
        self.plot = make_plot("", "", log=log)
        self.plot.getPlotItem().showLabel("left", False)
        self.plot.getPlotItem().showLabel("bottom", False)
        self.curves = [self.plot.plot(pen=pg.mkPen(ink, width=1.3), connect="finite") for ink in inks]
        self.marks = self.plot.plot(pen=None, symbol="t", symbolSize=7, symbolBrush=theme.colour("bad"), symbolPen=None)
        vbox(self.heading, (self.plot, 1), margins=(0, 0, 0, 0), spacing=1, inside=self)

    def draw(self, history: SolverHistory, start: float, end: float) -> None:
        """Draw this stretch of time [s]."""
        for curve, column in zip(self.curves, self.columns, strict=True):
            x, y = history.now.curve(column, start, end, POINTS)
            curve.setData(x, positive(y * self._scale, self._log))
        self.plot.setXRange(start, max(end, start + 1e-9), padding=0)

    def mark(self, history: SolverHistory, column: int, start: float, end: float) -> None:
        """Mark the moments at which a column has a number."""
        x, y = history.now.curve(column, start, end, POINTS)
        there = np.isfinite(y)
        self.marks.setData(x[there], y[there])


class HistoryPage(QWidget):
    """Rolling plots of a history. cleared: the user requests to clear it."""

    cleared = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.iterations = _Plot("Iterations", [("iterations", "of the island with most")])
        self.residual = _Plot("Final residual", [("residual", "where the solver stopped")], log=True)
        self.sizes = _Plot("Sizes", SIZES)
        self.stages = _Plot("CPU time of a step [\N{MICRO SIGN}s]", [(name, name) for name, _ in STAGES], RARE, log=True)
        self.plots = (self.iterations, self.residual, self.sizes, self.stages)
        self.iterations.heading.setToolTip("A red triangle: the solver stopped at the limit of its iterations")
        self.stages.heading.setToolTip("Each is the mean over the steps between two updates")
        self.span = SpanBox(SPANS, FIRST_SPAN)
        self.span.setAccessibleName("Time shown")
        clear = make_button("Clear", "Clear the history", self.cleared.emit)
        self.summary = ElidedLabel("")
        self.summary.setProperty("dim", True)
        for low in (self.span, clear):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")  # no higher than the tabs, next to which they are
        self.head = holder(hbox(self.span, clear, (self.summary, 1), margins=(0, 0, 0, 0), spacing=10))
        content = QWidget()
        self._grid = QGridLayout(content)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(6)
        area = SteadyScrollArea(content)
        self._whole = vbox((area, 1), margins=(8, 4, 8, 4), spacing=4, inside=self)
        self.take_head()
        self._columns = 0
        self._lay_out(2)

    def take_head(self) -> None:
        """Show the choice of the time and the last step above the plots, where there is no room for them elsewhere."""
        self._whole.insertWidget(0, self.head)

    def draw(self, history: SolverHistory, paused: bool) -> None:
        """Show the history as it is now; paused: whether the simulation is."""
        start, end = self.span.limits(*history.now.span)
        for plot in self.plots:
            plot.draw(history, start, end)
        self.iterations.mark(history, COLUMNS.index("limit"), start, end)
        self.summary.set_text(_words(history) or none_yet("samples", paused))

    def _lay_out(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for k, plot in enumerate(self.plots):
            self._grid.addWidget(plot, k // columns, k % columns)
            plot.setMinimumHeight(TALL if columns == 1 else LOW)
        for c in range(2):
            self._grid.setColumnStretch(c, 1 if c < columns else 0)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Two side by side where there is room."""
        super().resizeEvent(event)
        self._lay_out(1 if self.width() < NARROW else 2)


def _words(history: SolverHistory) -> str:
    """The last step, and the number of missed ones; "" before the first."""
    if history.now.count == 0:
        return ""
    _, values = history.now.samples()
    seen = values[-1]
    stages = seen[FIRST_STAGE:]
    time = f"   {duration(float(np.nansum(stages)))} per step" if np.isfinite(stages).any() else ""
    limit = f"   limit reached {history.hits} times" if history.hits else ""
    lost = f"   {history.lost} steps came too fast to be recorded" if history.lost else ""
    return f"{seen[0]:.0f} iterations   {seen[3]:.0f} rows   {seen[4]:.0f} contacts{time}{limit}{lost}"
