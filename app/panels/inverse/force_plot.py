"""The plot of forces over time: needed forces of several dofs as lines, or of one dof with its parts stacked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QWidget

from tumble.app.look import theme
from tumble.app.panels.inverse.inverse_words import unit_of
from tumble.app.panels.inverse.motion_work import InverseReport
from tumble.app.widgets.layout import make_label, vbox
from tumble.app.widgets.plot import make_plot
from tumble.physics.observe.motion.inverse_motion import PARTS, ForcePart

Floats = NDArray[np.float64]
MOST_LINES = 6
STACKED = tuple(part for part in PARTS if part is not ForcePart.NEEDED)
# Colours of the parts, as in Balance; names in the theme.
INKS = {
    ForcePart.INERTIA: "ink7", ForcePart.GRAVITY: "ink0", ForcePart.VELOCITY: "ink6", ForcePart.PASSIVE: "ink3",
    ForcePart.CONTACT: "ink1",
    ForcePart.CONSTRAINT: "ink5", ForcePart.IMPLICIT: "bad",
}  # fmt: skip
LINE_INKS = ("ink0", "ink1", "ink2", "ink3", "ink4", "ink5")
LEAST = 1e-6  # of the largest part on the dof: smaller ones are left out of the legend


def stacks(report: InverseReport, dof: int) -> tuple[Floats, Floats]:
    """Upper and lower edges (n, k) of the parts of a need, stacked away from zero: what each asks of the actuators.

    An edge of a part ends where those before it and itself end; the upper and the lower one of the last add up to the need.
    """
    asked = -report.forces.force[:, [PARTS.index(part) for part in STACKED], dof]
    return np.cumsum(np.maximum(asked, 0.0), axis=1), np.cumsum(np.minimum(asked, 0.0), axis=1)


class ForcePlot(QWidget):
    """A plot below its legend."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = make_label(wrap=True, font=theme.sans(8.5))
        self.plot = make_plot("", "")
        self.plot.setMinimumHeight(60)
        vbox(self.heading, (self.plot, 1), margins=(0, 0, 0, 0), spacing=1, inside=self)
        # Drawn down to zero, the last part first: the ones before it cover the rest of its height.
        self._bands = [self._band(part) for part in reversed(STACKED)]
        self._lines = [self.plot.plot(connect="finite") for _ in range(MOST_LINES + 1)]
        self._keys: list[pg.InfiniteLine] = []

    def _band(self, part: ForcePart) -> tuple[pg.PlotDataItem, pg.PlotDataItem]:
        colour = QColor(theme.colours()[INKS[part]])
        back = theme.colour("field")
        mixed = QColor(*(round(0.6 * a + 0.4 * b) for a, b in zip(colour.getRgb()[:3], back.getRgb()[:3], strict=True)))
        upper, lower = (self.plot.plot(pen=None, fillLevel=0.0, brush=mixed) for _ in range(2))
        return upper, lower

    def show_report(self, report: InverseReport | None, dofs: Sequence[int]) -> None:
        """Draw one dof with its parts, or the needed forces of several."""
        for band in self._bands:
            for item in band:
                item.setData([], [])
        for line in self._lines:
            line.setData([], [])
        for key in self._keys:
            self.plot.removeItem(key)
        self._keys = []
        if report is None or not len(dofs):
            self.heading.setText("")
            return
        if len(dofs) == 1:
            self._draw_parts(report, dofs[0])
        else:
            self._draw_lines(report, dofs[:MOST_LINES])
        for at in report.keys:
            self._keys.append(pg.InfiniteLine(at, pen=pg.mkPen(theme.colour("dim"), style=Qt.PenStyle.DotLine)))
            self.plot.addItem(self._keys[-1], ignoreBounds=True)
        self.plot.getPlotItem().enableAutoRange()

    def _draw_parts(self, report: InverseReport, dof: int) -> None:
        time = report.forces.motion.time
        upper, lower = stacks(report, dof)
        for k, band in zip(reversed(range(len(STACKED))), self._bands, strict=True):
            for item, edges in zip(band, (upper, lower), strict=True):
                item.setData(time, edges[:, k])
        words = [f"<b>{_text(report.names[dof])}</b> asks [{unit_of(report, dof)}], by origin, over time [s]:"]
        force = abs(report.forces.force[:, :, dof]).max(axis=0, initial=0.0)
        for part in STACKED:
            if force[PARTS.index(part)] > LEAST * force.max(initial=0.0):
                words.append(_ink(part.value, INKS[part]))
        words.append(self._line(0, time, report.forces.needed[:, dof], "text", "needed"))
        given = report.forces.motion.given
        if given is not None:
            words.append(self._line(1, time, given[:, dof], "accent", "simulated", Qt.PenStyle.DashLine))
        self.heading.setText(" \N{MIDDLE DOT} ".join(words))

    def _draw_lines(self, report: InverseReport, dofs: Sequence[int]) -> None:
        time = report.forces.motion.time
        units = ", ".join(sorted({unit_of(report, dof) for dof in dofs}))
        words = [f"Needed [{units}] over time [s]:"]
        for k, dof in enumerate(dofs):
            words.append(self._line(k, time, report.forces.needed[:, dof], LINE_INKS[k], report.names[dof]))
        self.heading.setText(" \N{MIDDLE DOT} ".join(words))

    def _line(
        self, k: int, time: Floats, values: Floats, ink: str, name: str, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> str:
        self._lines[k].setPen(pg.mkPen(theme.colours()[ink], width=1.6, style=style))
        self._lines[k].setData(time, values)
        return _ink(name, ink)


def _text(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(" ", "&nbsp;")


def _ink(words: str, ink: str) -> str:
    return f'<span style="color:{theme.colours()[ink]}">{_text(words)}</span>'
