"""Poles in the plane: of the step, with the unit circle, or of continuous time."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.look import theme
from tumble.app.widgets.plot import make_plot
from tumble.physics.observe.linear.linearization import Mode

SIZE, CHOSEN_SIZE = 9, 15  # of points [px]
_CIRCLE = np.exp(2j * np.pi * np.linspace(0.0, 1.0, 181))
_DAMPINGS = (0.2, 0.5, 0.8)  # damping ratios of the faint lines of continuous time


class PlaneKind(Enum):
    """Kinds of axes; the value is the label."""

    STEP = "z, of a step"
    TIME = "s, of continuous time"


def points_of(modes: Sequence[Mode], plane: PlaneKind) -> tuple[np.ndarray, np.ndarray]:
    """Points of all poles, conjugate ones too (n,), and the mode of each (n,); those that have no place are left out."""
    place = np.array([mode.pole if plane is PlaneKind.STEP else mode.rate for mode in modes], complex)
    mode = np.flatnonzero(np.isfinite(place.real) & np.isfinite(place.imag))
    paired = mode[place[mode].imag != 0]
    return np.concatenate([place[mode], place[paired].conj()]), np.concatenate([mode, paired])


class PolePlane(QObject):
    """The plot. picked: the number of a mode whose pole was clicked."""

    picked = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.plot = make_plot("imaginary", "real")
        self.plot.setAccessibleName("Poles in the plane")
        self._plane = PlaneKind.STEP
        self._lines = [pg.PlotCurveItem(pen=theme.colour("edge")) for _ in range(1 + 2 * len(_DAMPINGS))]
        self._decaying = pg.ScatterPlotItem(size=SIZE, symbol="x", pen=theme.colour("ink0"), brush=theme.colour("ink0"))
        self._growing = pg.ScatterPlotItem(size=SIZE, symbol="x", pen=theme.colour("bad"), brush=theme.colour("bad"))
        self._ring = pg.ScatterPlotItem(size=CHOSEN_SIZE, pen=theme.colour("accent"), brush=None)
        for item in (*self._lines, self._decaying, self._growing, self._ring):
            self.plot.addItem(item)
        for scatter in (self._decaying, self._growing):
            scatter.sigClicked.connect(self._click)

    def _click(self, item: object, points: Sequence[pg.SpotItem]) -> None:
        if len(points):
            self.picked.emit(int(points[0].data()))

    def show_modes(self, modes: Sequence[Mode], plane: PlaneKind) -> None:
        """Show these poles; the view stays where it is unless the plane is another."""
        at, mode = points_of(modes, plane)
        grows = np.array([modes[k].grows for k in mode], bool)
        for scatter, there in ((self._decaying, ~grows), (self._growing, grows)):
            scatter.setData(x=at.real[there], y=at.imag[there], data=mode[there])
        self._draw_lines(at, plane)
        self.plot.setAspectLocked(plane is PlaneKind.STEP)
        if plane is not self._plane:
            self._plane = plane
            self.plot.enableAutoRange()
        units = ("", "") if plane is PlaneKind.STEP else (" 1/s", " rad/s")
        self.plot.setLabel("bottom", f"real{units[0]}", color=theme.colours()["dim"], size="8pt")
        self.plot.setLabel("left", f"imaginary{units[1]}", color=theme.colours()["dim"], size="8pt")

    def _draw_lines(self, at: np.ndarray, plane: PlaneKind) -> None:
        for line in self._lines:
            line.setData([], [])
        if plane is PlaneKind.STEP:
            self._lines[0].setData(_CIRCLE.real, _CIRCLE.imag)
            return
        reach = max(float(abs(at).max(initial=0.0)), 1e-3)
        self._lines[0].setData([0.0, 0.0], [-reach, reach])
        for k, damping in enumerate(_DAMPINGS):
            height = np.sqrt(1.0 - damping * damping)
            for side in (0, 1):
                self._lines[1 + 2 * k + side].setData([0.0, -damping * reach], [0.0, (1 - 2 * side) * height * reach])

    def choose(self, modes: Sequence[Mode], chosen: int) -> None:
        """Ring the poles of a mode; -1: of none."""
        at, mode = points_of(modes, self._plane)
        there = mode == chosen
        self._ring.setData(x=at.real[there], y=at.imag[there])
