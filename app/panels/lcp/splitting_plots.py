"""Plots of a splitting: its spectrum in the complex plane, its sweeps, and the natural map of its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QObject, QPointF, Qt, pyqtSignal

from tumble.app.look import theme
from tumble.app.panels.lcp.splitting_report import RowBars
from tumble.app.widgets.plot import CountAxis, make_plot
from tumble.physics import Splitting
from tumble.physics.observe.complementarity.problem import RowBound
from tumble.physics.observe.complementarity.splittings import SplittingTrial

SIZE = 8  # of points [px]
LEAST = 1e-16  # natural map that is drawn [m/s or rad/s]: below is rounding
STATE_INKS = {RowBound.FREE: "good", RowBound.FIXED: "dim", RowBound.SLIDING: "warn", RowBound.VOID: "disabled"}
_CIRCLE = np.exp(2j * np.pi * np.linspace(0.0, 1.0, 181))


class SpectrumPlot:
    """Eigenvalues of a sweep, the unit circle, and that of the spectral radius."""

    def __init__(self) -> None:
        self.plot = make_plot("imaginary", "real")
        self.plot.setAccessibleName("Eigenvalues of a sweep")
        self.plot.setToolTip("A sweep multiplies each part of an error by an eigenvalue: within the unit circle it shrinks")
        self.plot.setAspectLocked(True)
        self._unit = pg.PlotCurveItem(_CIRCLE.real, _CIRCLE.imag, pen=theme.colour("edge"))
        self._radius = pg.PlotCurveItem(pen=pg.mkPen(theme.colour("accent"), style=Qt.PenStyle.DashLine))
        self._whole = pg.ScatterPlotItem(size=SIZE, symbol="+", pen=theme.colour("disabled"), brush=None)
        self._within = pg.ScatterPlotItem(size=SIZE, symbol="x", pen=theme.colour("ink0"), brush=None)
        self._beyond = pg.ScatterPlotItem(size=SIZE, symbol="x", pen=theme.colour("bad"), brush=None)
        for item in (self._unit, self._radius, self._whole, self._within, self._beyond):
            self.plot.addItem(item)

    def show_outcome(self, outcome: SplittingTrial) -> None:
        """Show the spectrum of a splitting; of Jacobi that of its best fixed relaxation, and faint that of whole steps."""
        verdict = outcome.verdict
        values = np.zeros(0, complex) if verdict is None or verdict.eigenvalues is None else verdict.eigenvalues
        whole = values if outcome.sweep.method is Splitting.JACOBI else values[:0]
        if outcome.sweep.method is Splitting.JACOBI and verdict is not None:
            values = 1.0 - verdict.best * (1.0 - values)
        inside = np.abs(values) < 1.0
        for item, points in ((self._whole, whole), (self._within, values[inside]), (self._beyond, values[~inside])):
            item.setData(x=points.real, y=points.imag)
        radius = 0.0 if verdict is None or np.isnan(verdict.radius) else verdict.radius
        self._radius.setData(radius * _CIRCLE.real, radius * _CIRCLE.imag)


class SweepsPlot:
    """The natural map after each sweep of all splittings, that of the chosen one with its prediction."""

    def __init__(self) -> None:
        self.plot = make_plot("natural map m/s", "sweep", log=True, count=CountAxis())
        self.plot.setAccessibleName("Natural map by sweep")
        self.legend = self.plot.addLegend(
            offset=(-8, 6), labelTextColor=theme.colour("text"), labelTextSize="8pt", verSpacing=-4,
            brush=theme.colour("panel", 150), pen=theme.colour("line"),
        )  # fmt: skip
        self._others: list[pg.PlotDataItem] = []
        self._predicted = self.plot.plot(
            name="predicted", pen=pg.mkPen(theme.colour("accent"), style=Qt.PenStyle.DashLine, width=1.4)
        )
        self._measured = self.plot.plot(name="measured", pen=pg.mkPen(theme.colour("ink0"), width=1.8))
        self._tolerance = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.colour("text"), width=1, style=Qt.PenStyle.DotLine))
        self.plot.addItem(self._tolerance, ignoreBounds=True)

    def show_outcomes(self, outcomes: Sequence[SplittingTrial], chosen: int, tolerance: float) -> None:
        """Show all splittings, one of them in front."""
        while len(self._others) < len(outcomes):
            self._others.append(self.plot.plot(pen=pg.mkPen(theme.colour("disabled"), width=1)))
        for k, curve in enumerate(self._others):
            there = k < len(outcomes) and k != chosen
            curve.setData(*(_curve(outcomes[k]) if there else ([], [])))
        self._tolerance.setValue(np.log10(max(tolerance, LEAST)))
        self._measured.setData(*_curve(outcomes[chosen]))
        self._predicted.setData(*predicted_curve(outcomes[chosen]))


def _curve(outcome: SplittingTrial) -> tuple[np.ndarray, np.ndarray]:
    there = np.flatnonzero(np.isfinite(outcome.residual))
    return there, np.maximum(outcome.residual[there], LEAST)


def predicted_curve(outcome: SplittingTrial) -> tuple[np.ndarray, np.ndarray]:
    """The line of the spectral radius, through the measured curve two thirds of its length on."""
    radius = 0.0 if outcome.verdict is None else outcome.verdict.radius
    sweeps, value = _curve(outcome)
    if outcome.sweep.method is Splitting.CONJUGATE or not 0.0 < radius < np.inf or len(sweeps) < 2:
        return np.zeros(0), np.zeros(0)
    through = 2 * len(sweeps) // 3
    ends = np.array([sweeps[0], sweeps[-1]], float)
    line = np.log10(value[through]) + (ends - sweeps[through]) * np.log10(radius)
    low, high = np.log10(LEAST), np.log10(value.max()) + 1.0  # as much of it as is worth seeing
    if radius != 1.0:
        ends = sweeps[through] + (np.clip(line, low, high) - np.log10(value[through])) / np.log10(radius)
        line = np.clip(line, low, high)
    return ends, 10.0**line


class RowsPlot(QObject):
    """Bars of the natural map by row. hovered, picked: the number of a row, -1 for none."""

    hovered = pyqtSignal(int)
    picked = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.plot = make_plot("natural map m/s", "row", log=True, count=CountAxis())
        self.plot.setAccessibleName("Natural map by row")
        self.plot.setToolTip("A click chooses the contact, or the body, of a row")
        self._bars = pg.BarGraphItem(x=[], height=[], width=0.8)
        self._tolerance = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.colour("text"), width=1, style=Qt.PenStyle.DotLine))
        self.plot.addItem(self._bars)
        self.plot.addItem(self._tolerance, ignoreBounds=True)
        self._shown = RowBars(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64), 0)
        self.plot.scene().sigMouseMoved.connect(lambda where: self.hovered.emit(self._row_at(where)))
        self.plot.scene().sigMouseClicked.connect(self._on_clicked)

    def show_bars(self, bars: RowBars, tolerance: float, chosen: np.ndarray) -> None:
        """Show the natural map of rows, in the colours of their states; chosen (n,): rows of the chosen contact."""
        self._shown = bars
        height = np.log10(np.maximum(bars.value, LEAST))
        floor = min(np.log10(max(tolerance, LEAST)), float(height.min(initial=0.0))) - 1.0
        brushes = [pg.mkBrush(theme.colour(STATE_INKS[RowBound(state)])) for state in range(len(RowBound))]
        pairs = zip(bars.row.tolist(), bars.state.tolist(), strict=True)
        marked = pg.mkBrush(theme.colour("ink0"))
        self._bars.setOpts(
            x=np.arange(len(height)), y0=np.full(len(height), floor), height=height - floor, width=0.8, pen=pg.mkPen(None),
            brushes=[marked if chosen[row] else brushes[state] for row, state in pairs],
        )  # fmt: skip
        self._tolerance.setValue(np.log10(max(tolerance, LEAST)))
        box = self.plot.getPlotItem().getViewBox()
        box.setRange(
            xRange=(-0.6, max(1.0, len(height) - 0.4)),
            yRange=(floor, max(float(height.max(initial=0.0)), floor + 2) + 0.3),
            padding=0,
        )

    def _row_at(self, where: QPointF) -> int:
        box = self.plot.getPlotItem().getViewBox()
        if not box.sceneBoundingRect().contains(where):
            return -1
        place = round(box.mapSceneToView(where).x())
        return int(self._shown.row[place]) if 0 <= place < len(self._shown.row) else -1

    def _on_clicked(self, event: object) -> None:
        row = self._row_at(event.scenePos())  # type: ignore[attr-defined]
        if row >= 0 and event.button() is Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            self.picked.emit(row)
