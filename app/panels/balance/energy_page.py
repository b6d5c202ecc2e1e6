"""The page on energy: which origins give it and take it over the last seconds, and curves of work, power and force."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWidget

from tumble.app.describe.numbers import duration, metric
from tumble.app.look import theme
from tumble.app.panels.balance.account import EnergyReport
from tumble.app.panels.balance.force_table import ForceColumn, ForceTable, Key
from tumble.app.panels.balance.words import KINETIC, POTENTIAL, REST, TermNames, ink_of
from tumble.app.widgets.layout import hbox, holder, make_label, make_splitter, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.plot import make_plot
from tumble.app.widgets.slider_row import ElidedLabel

SPANS = ((0.5, "last 0.5 s"), (1.0, "last 1 s"), (2.0, "last 2 s"), (5.0, "last 5 s"), (10.0, "last 10 s"))
FIRST_SPAN = 1
MOST_CURVES = 6  # where no rows are selected: those of the largest work
STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_TIPS = {
    KINETIC: "Change of the kinetic energy of all bodies",
    POTENTIAL: "Change of the potential energy of gravity, springs and soft bodies; their forces give no work beside it",
    REST: "Change of energy that no force accounts for: it falls with the time step. Where it is large, halve the time step "
          "or take another integrator",
}  # fmt: skip


class CurveKind(Enum):
    """Quantities over time; the value is the label."""

    WORK = "Work so far [J]"
    POWER = "Power [W]"
    FORCE = "Force on the dof [N, N m]"


class EnergyCurve(Struct, frozen=True):
    """A curve. key: its row; x (n,) [s]; y (n,)."""

    key: Key
    x: NDArray[np.float64]
    y: NDArray[np.float64]


def rows_of(report: EnergyReport) -> tuple[list[Key], NDArray[np.float64]]:
    """Rows of an account and their energies [J]: kinetic, potential, the rest, then the origins with most first."""
    series = report.series
    counted = np.flatnonzero(report.counted)
    given = report.given[counted]
    order = np.argsort(-abs(given), kind="stable")
    heads = [(KINETIC, -1), (POTENTIAL, -1), (REST, -1)]
    ends = [series.kinetic[-1] - series.kinetic[0], series.potential[-1] - series.potential[0], float(series.rest.sum())]
    keys = [(int(series.origin[k]), int(series.ident[k])) for k in counted[order]]
    return heads + keys, np.concatenate([ends, given[order]])


def curve_of(report: EnergyReport, key: Key, quantity: CurveKind) -> EnergyCurve | None:
    """A row's curve; None where it has none of that quantity."""
    series = report.series
    start, step = series.time[:-1], np.diff(series.time)
    heads = {KINETIC: series.kinetic, POTENTIAL: series.potential}
    if key[0] in heads or key[0] == REST:
        changes = series.rest if key[0] == REST else np.diff(heads[key[0]])
    else:
        k = np.flatnonzero((series.origin == key[0]) & (series.ident == key[1]))
        if not len(k):
            return None
        if quantity is CurveKind.FORCE:
            return EnergyCurve(key, start, series.force[:, k[0], 0]) if series.force.shape[2] else None
        changes = series.work[:, k[0]]
    if quantity is CurveKind.FORCE:
        return None
    if quantity is CurveKind.POWER:
        return EnergyCurve(key, start, changes / np.maximum(step, 1e-300))
    return EnergyCurve(key, series.time, np.concatenate([[0.0], np.cumsum(changes)]))


def force_keys(report: EnergyReport) -> list[Key]:
    """Origins that push the chosen dof, those with the largest force first."""
    series = report.series
    if not series.force.shape[2]:
        return []
    largest = abs(series.force[:, :, 0]).max(axis=0)
    return [(int(series.origin[k]), int(series.ident[k])) for k in np.argsort(-largest, kind="stable") if largest[k] > 0]


def verdict(report: EnergyReport, names: TermNames) -> str:
    """Change of energy and its largest cause, in a sentence."""
    series = report.series
    change = float(series.energy[-1] - series.energy[0])
    keys, energies = rows_of(report)
    seconds = float(series.time[-1] - series.time[0])
    said = f"Energy {'rose' if change > 0 else 'fell'} by {metric(abs(change), 'J')} in {duration(seconds)}"
    causes = [(key, value) for key, value in zip(keys[2:], energies[2:], strict=True) if value * change > 0]
    if not causes or abs(change) < 1e-12:
        return said
    key, value = max(causes, key=lambda cause: abs(cause[1]))
    who = "the rest, the error of the integrator" if key[0] == REST else names.name(*key)
    return f"{said}; most by {who}: {metric(value, 'J')}"


class EnergyPage(QWidget):
    """A table of energies by origin, and a plot of the selected rows over time. head: controls, for the panel to place."""

    def __init__(self) -> None:
        super().__init__()
        self.report: EnergyReport | None = None
        self._names: TermNames | None = None
        self.span = CalmCombo("Time accounted for", "How much of what was played is accounted for", ((t, s) for s, t in SPANS))
        self.span.setCurrentIndex(FIRST_SPAN)
        self.quantity = CalmCombo("Curves", "What the curves show", ((q.value, q) for q in CurveKind))
        self.summary = ElidedLabel("")
        self.summary.setProperty("dim", True)
        self.head = holder(hbox(self.span, self.quantity, (self.summary, 1), margins=(0, 0, 0, 0), spacing=8))
        self.head.hide()
        self.table = ForceTable("Energy by origin")
        self.plot = make_plot("", "time [s]")
        self.heading = make_label(wrap=True, font=theme.sans(8.5))
        right = holder(vbox(self.heading, (self.plot, 1), margins=(0, 0, 0, 0), spacing=1))
        self.splitter = make_splitter(Qt.Orientation.Horizontal, (self.table, 1, 420), (right, 1, 420))
        vbox((self.splitter, 1), margins=(8, 4, 8, 4), spacing=4, inside=self)
        self._curves: list[pg.PlotDataItem] = []
        self.quantity.currentIndexChanged.connect(lambda i: self.draw())
        self.table.picked.connect(self.draw)

    def spread(self, *, beside: bool) -> None:
        """Place the plot next to the table, or below it."""
        self.splitter.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    @property
    def seconds(self) -> float:
        """The time to account for [s]."""
        return float(self.span.currentData())

    def show_report(self, report: EnergyReport | str, names: TermNames | None) -> None:
        """Show an account, or why there is none."""
        if isinstance(report, str) or names is None:
            self.summary.set_text(report if isinstance(report, str) else "")
            self.report = None
            self.table.show_moment([], (), (), ())
            self.draw()
            return
        self.report, self._names = report, names
        self.summary.set_text(verdict(report, names))
        keys, energies = rows_of(report)
        column = ForceColumn("Energy J", "Given (right) or taken (left) over this time", energies, abs(energies).max(initial=0.0))
        self.table.show_moment(keys, [names.name(*key) for key in keys], [_TIPS.get(key[0], "") for key in keys], (column,))
        self.draw()

    def draw(self) -> None:
        """Draw the curves of the selected rows, else of those with most."""
        curves = self._chosen_curves()
        while len(self._curves) < len(curves):
            self._curves.append(self.plot.plot(connect="finite"))
        used: dict[str, int] = {}
        words = []
        for k, item in enumerate(self._curves):
            if k >= len(curves):
                item.setData([], [])
                continue
            ink = ink_of(curves[k].key[0])
            used[ink] = used.get(ink, -1) + 1
            item.setPen(pg.mkPen(theme.colours()[ink], width=1.4, style=STYLES[used[ink] % len(STYLES)]))
            item.setData(curves[k].x, curves[k].y)
            words.append(f'<span style="color:{theme.colours()[ink]}">{self._text(curves[k].key)}</span>')
        self.heading.setText(" \N{MIDDLE DOT} ".join(words))

    def _text(self, key: Key) -> str:
        return ("" if self._names is None else self._names.name(*key)).replace(" ", "&nbsp;")

    def _chosen_curves(self) -> list[EnergyCurve]:
        report = self.report
        if report is None:
            return []
        quantity: CurveKind = self.quantity.currentData()
        keys = self.table.selected()
        if not keys:
            keys = (force_keys(report) if quantity is CurveKind.FORCE else self.table.forces.keys)[:MOST_CURVES]
        found = [curve_of(report, key, quantity) for key in keys]
        return [curve for curve in found if curve is not None]

