"""Tornado: how much each parameter moves a measure, the strongest on top.

Of a sensitivity study these are Sobol's total indices; of any other, Spearman's rank correlations, which see only what rises or
falls throughout. Both are computed in the background: scipy.stats alone takes a second to import.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from msgspec import Struct

from tumble.app.base.background import Background
from tumble.app.look import theme
from tumble.app.panels.study.plots.plot_inks import LEAST, MOST
from tumble.app.panels.study.plots.plot_view import PlotView, offer
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Mask, RunTable
from tumble.app.study.study_file import Study

if TYPE_CHECKING:
    from tumble.app.study.trial import RunRow

FEWEST = 5  # runs from which a correlation is computed
SOBOL = "Sobol's total indices, the share of the variance that a parameter has a part in"
SPEARMAN = "Spearman's rank correlations, which see what rises or falls throughout"
INSTEAD = 'for Sobol\'s indices: method = "sensitivity"'


class Influence(Struct, frozen=True):
    """A parameter's bar, and the ends of its 95 % interval, not-a-number without one."""

    parameter: str
    value: float
    low: float = math.nan
    high: float = math.nan


class Tornado(Struct, frozen=True):
    """Bars, the strongest first, and what they are in words."""

    bars: tuple[Influence, ...]
    words: str


def correlations(table: RunTable, measure: str, marked: Mask) -> list[Influence]:
    """Rank correlations of a measure with each parameter over the marked runs; none of a parameter that is the same in all."""
    from scipy.stats import spearmanr

    values = table.column(measure)
    used = marked & np.isfinite(values)
    result = []
    for name in table.parameters:
        numbers = table.column(name)
        good = used & np.isfinite(numbers)
        if good.sum() >= FEWEST and np.ptp(numbers[good]) > 0 and np.ptp(values[good]) > 0:
            result.append(Influence(name, float(spearmanr(numbers[good], values[good]).statistic)))
    return result


def tornado(table: RunTable, rows: Sequence[RunRow], study: Study, measure: str, marked: Mask) -> Tornado:
    """The bars of a measure."""
    if study.sweep.method == "sensitivity" and marked.all():
        from tumble.app.study.sensitivity import sensitivities

        index = next(index for index in sensitivities(rows, study) if index.measure == measure)
        bars = [
            Influence(name, float(index.total[k]), *map(float, index.total_range[k])) for k, name in enumerate(study.parameters)
        ]  # fmt: skip
        words = f"{SOBOL}; from {index.used} points of the sample"
    else:
        bars = correlations(table, measure, marked)
        words = f"{SPEARMAN}; {INSTEAD}" if marked.all() else f"{SPEARMAN}, of the marked runs"
    known = sorted((bar for bar in bars if math.isfinite(bar.value)), key=lambda bar: -abs(bar.value))
    return Tornado(tuple(known), words)


class TornadoView(PlotView):
    """A bar for each parameter."""

    title = "Tornado"
    tip = "How much each parameter moves a measure"

    def __init__(self, marks: RunMarks) -> None:
        super().__init__(marks)
        self.measure = self.choice("of", "Measure whose dependence on each parameter is shown")
        self._background = Background("tornado", self)
        self._study: Study | None = None
        self._rows: Sequence[RunRow] = ()
        self._again = False  # the runs have changed while bars were computed
        self.shown = Tornado((), "")
        self.plot.setToolTip("")
        self.box.setMouseEnabled(x=False, y=False)
        self.plot.getPlotItem().hideButtons()

    def show_runs(self, study: Study, rows: Sequence[RunRow], table: RunTable) -> None:
        """Show these runs of a study."""
        self._study, self._rows = study, rows
        self.show_table(table)

    def refill(self) -> None:
        """As PlotView.refill."""
        offer(self.measure, self.table.measures, self.table.measures[0] if self.table.measures else "")

    def draw(self) -> None:
        """As PlotView.draw: the bars come a moment later."""
        study, measure = self._study, self.measure.currentText()
        if study is None or not measure:
            self.note.set_text("The study measures nothing")
            return
        self._again = self._background.busy
        if self._again:
            return
        if not self.shown.bars:
            self.note.set_text("Computing…")
        table, rows, marked = self.table, list(self._rows), self.marks.mask(self.table)
        self._background.run(lambda: tornado(table, rows, study, measure, marked), self._show, self.note.set_text)

    def _show(self, shown: Tornado) -> None:
        self.shown = shown
        self.note.set_text(shown.words if shown.bars else f"Too few runs yet, at least {FEWEST}, or a measure that never changes")
        item = self.plot.getPlotItem()
        item.clear()
        count = len(shown.bars)
        places = np.arange(count, 0, -1.0)
        values = np.array([bar.value for bar in shown.bars])
        for ink, held in ((MOST, values >= 0), (LEAST, values < 0)):
            brush = pg.mkBrush(theme.colour(ink, 200))
            item.addItem(pg.BarGraphItem(x0=0, y=places[held], width=values[held], height=0.6, brush=brush, pen=pg.mkPen(None)))
        for place, bar in zip(places.tolist(), shown.bars, strict=True):
            if math.isfinite(bar.low):
                item.addItem(pg.PlotCurveItem([bar.low, bar.high], [place, place], pen=pg.mkPen(theme.colour("text"), width=2)))
        names = [(place, f"{bar.parameter}  {bar.value:.2f}") for place, bar in zip(places.tolist(), shown.bars, strict=True)]
        axis = item.getAxis("left")
        axis.setTicks([names])
        axis.setWidth(max((self.fontMetrics().horizontalAdvance(text) for _, text in names), default=40) + 12)
        self.label("bottom", "total index" if shown.words.startswith(SOBOL) else "rank correlation")
        item.addItem(pg.InfiniteLine(0.0, pen=pg.mkPen(theme.colour("edge"))))
        ends = [0.0, *values, *(end for bar in shown.bars for end in (bar.low, bar.high) if math.isfinite(end))]
        self.box.setRange(xRange=(min(ends), max(ends)), yRange=(0.4, count + 0.6), padding=0.02)
        if self._again:
            self.draw()

    def brush(self, *args: object) -> None:
        """Bars are no runs."""
