"""Curves of an actuator side by side, each with its present point."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PyQt6.QtWidgets import QWidget

from tumble.app.look import theme
from tumble.app.panels.actuators.chain_boxes import ActuatorCurve
from tumble.app.widgets.layout import hbox, make_label, vbox
from tumble.app.widgets.plot import make_plot

MOST_LINES = 3
INKS = ("ink0", "ink1", "dim")
POINT = 9  # [px]


class CurvePlot(QWidget):
    """A title with the names of its curves, and the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.title = make_label()
        self.plot = make_plot("", "")
        self._lines = [pg.PlotCurveItem(pen=pg.mkPen(theme.colour(ink), width=2 if ink != "dim" else 1)) for ink in INKS]
        self._point = pg.ScatterPlotItem(size=POINT, pen=None, brush=theme.colour("accent"))
        for item in (*self._lines, self._point):
            self.plot.addItem(item)
        self._labels = ("", "")
        vbox(self.title, (self.plot, 1), margins=(0, 0, 0, 0), spacing=2, inside=self)

    def show_curve(self, curve: ActuatorCurve) -> None:
        """Show another moment."""
        names = " \N{MIDDLE DOT} ".join(
            f'<span style="color:{theme.colours()[ink]}">{name}</span>' for ink, (name, _) in zip(INKS, curve.lines, strict=False)
        )
        self.title.setText(f"{curve.title}: {names}")
        for k, item in enumerate(self._lines):
            if k < len(curve.lines):
                item.setData(curve.x, curve.lines[k][1], connect="finite")
            else:
                item.setData([], [])
        self._point.setData(x=[curve.at[0]], y=[curve.at[1]])
        if self._labels != (curve.left, curve.bottom):
            self._labels = curve.left, curve.bottom
            for side, text in zip(("left", "bottom"), self._labels, strict=True):
                self.plot.setLabel(side, text, color=theme.colours()["dim"], size="8pt")
            self.plot.enableAutoRange()


class CurvePlots(QWidget):
    """As many plots as there are curves."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.plots = [CurvePlot() for _ in range(most)]
        hbox(*((plot, 1) for plot in self.plots), margins=(0, 0, 0, 0), spacing=8, inside=self)

    def show_curves(self, curves: Sequence[ActuatorCurve]) -> None:
        """Show these."""
        for k, plot in enumerate(self.plots):
            plot.setVisible(k < len(curves))
            if k < len(curves):
                plot.show_curve(curves[k])
