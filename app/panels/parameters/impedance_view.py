"""The impedance lab: the curve d(r) with the live rows on it, the effect of a load; depth, stiffness and damping can be typed."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from tumble.app.describe.numbers import DASH, length, metric
from tumble.app.editing.impedance import with_digits
from tumble.app.look import theme
from tumble.app.panels.parameters.impedance_lab import ImpedanceReading, LabWish, depth_text, gap_text
from tumble.app.widgets.layout import make_button, make_check, make_label, vbox
from tumble.app.widgets.number_row import NumberField
from tumble.app.widgets.plot import plot_widget

_POINTS = 160  # of the curve
_FACTS = (
    ("load", "load"), ("all", "in all"), ("now", "depth now"), ("gap", "gap now"), ("rest", "depth at rest"),
    ("effective", "effective solref"), ("time", "time constant"), ("ratio", "damping ratio"),
)  # fmt: skip


class ImpedanceLab(QWidget):
    """Shows a reading; wanted: the user types a depth, a stiffness or a damping (a LabWish); raised: the refused wish is to be
    fulfilled with this geom's priority raised."""

    wanted = pyqtSignal(object)
    raised = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._reading: ImpedanceReading | None = None
        self.plot = self._make_plot()
        self.facts: dict[str, QLabel] = {}
        self.stiffness = NumberField("Force for each length it is pushed in, at the present load; per contact point")
        self.damping = NumberField("Force for each speed; per contact point")
        self.sink = NumberField("How deep the present load sinks in, from where its force begins: type it to solve for solref")
        self._scale = 1000.0  # from the unit of length to that in which a depth is typed
        self.sink.committed.connect(lambda value: self._typed(depth=value / self._scale))
        self.stiffness.committed.connect(lambda value: self._typed(stiffness=value))
        self.damping.committed.connect(lambda value: self._typed(damping=value))
        self.keep_ratio = make_check("keep damping ratio", on=True)
        self.keep_ratio.setToolTip("On: damping follows a typed depth or stiffness, critical stays critical. Off: damping stays")
        self.direct = make_check("write solref directly", "On: as -stiffness, -damping. Off: as time constant and damping ratio")
        self.warning = make_label(ink="warn")
        self.problem = make_label(ink="bad")
        self.raise_priority = make_button("Raise priority and apply", act=self.raised)
        self.raise_priority.setToolTip("This geom's priority rises above the other's: its numbers alone decide the contact")
        for field in self._fields:
            field.refused.connect(lambda why, field=field: self.refuse(why))
        self._lay_out()

    @property
    def _fields(self) -> tuple[NumberField, NumberField, NumberField]:
        return self.sink, self.stiffness, self.damping

    def _make_plot(self) -> pg.PlotWidget:
        plot = plot_widget()
        plot.setFixedHeight(150)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(False, False)
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for side in ("left", "bottom"):
            axis = plot.getAxis(side)
            axis.setPen(theme.colour("line"))
            axis.setTextPen(theme.colour("dim"))
            axis.setStyle(tickFont=theme.mono(8))
        plot.getAxis("left").enableAutoSIPrefix(False)
        plot.getAxis("left").setWidth(56)
        plot.showGrid(x=True, y=True, alpha=0.15)
        plot.setToolTip("Impedance d over the depth r. Dots: the rows now. Dashed: where the load comes to rest")
        self._curve = plot.plot(pen=pg.mkPen(theme.colour("dim"), width=1.6))
        self._dots = pg.ScatterPlotItem(size=8, pen=None, brush=theme.colour("accent", 190))
        self._line = pg.InfiniteLine(angle=90, pen=pg.mkPen(theme.colour("good"), width=1.2, style=Qt.PenStyle.DashLine))
        plot.addItem(self._line)
        plot.addItem(self._dots)
        return plot

    def _lay_out(self) -> None:
        column = vbox(self.plot, margins=(12, 4, 10, 6), spacing=4, inside=self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        self.names: dict[str, QLabel] = {}
        for line, (key, text) in enumerate(_FACTS):
            self.names[key], self.facts[key] = QLabel(text), QLabel("")
            self.names[key].setProperty("dim", True)
            self.facts[key].setFont(theme.mono(9))
            self.facts[key].setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.facts[key].setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.facts[key].setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(self.names[key], line, 0)
            grid.addWidget(self.facts[key], line, 1, 1, 2)
        self.names["load"].setToolTip("Of the contact point or row that carries most for its inertia; the lab is about that one")
        self.names["now"].setToolTip("Counted from where the force begins: with a margin that is above the surface")
        self.names["gap"].setToolTip("Distance of the surfaces, as in the Contacts panel; negative: they overlap")
        self.names["rest"].setToolTip("Where the mean load of the last half second is carried without motion")
        typed = (("z", "sinks to", self.sink), ("k", "stiffness", self.stiffness), ("c", "damping", self.damping))
        for line, (key, text, field) in enumerate(typed, len(_FACTS)):
            self.names[key], self.facts[key] = QLabel(text), QLabel("")
            for label in (self.names[key], self.facts[key]):
                label.setProperty("dim", True)
            field.setAccessibleName(text)
            grid.addWidget(self.names[key], line, 0)
            grid.addWidget(field, line, 1)
            grid.addWidget(self.facts[key], line, 2)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 2)
        column.addLayout(grid)
        column.addWidget(self.keep_ratio)
        column.addWidget(self.direct)
        for label in (self.warning, self.problem):
            label.setWordWrap(True)
            label.hide()
            column.addWidget(label)
        self.raise_priority.hide()
        column.addWidget(self.raise_priority, 0, Qt.AlignmentFlag.AlignLeft)

    def show_reading(self, reading: ImpedanceReading) -> None:
        """Show the present numbers."""
        self._reading = reading
        self._show_curve(reading)
        carried = reading.at >= 0
        many = reading.total > 1
        self.facts["load"].setText(metric(reading.load, reading.force) if carried else "none now")
        self.facts["all"].setText(f"{metric(reading.loads, reading.force)} on {reading.total} points")
        for label in (self.names["all"], self.facts["all"]):
            label.setVisible(carried and many and not reading.friction)
        self.names["now"].setText("impedance" if reading.friction else "depth now")
        now = f"d = {reading.d:.4g}" if reading.friction else depth_text(reading)
        self.facts["now"].setText(now if carried else DASH)
        self.facts["gap"].setText(gap_text(reading))
        for label in (self.names["gap"], self.facts["gap"]):
            label.setVisible(carried and reading.start != 0)
        self.names["rest"].setText("creep speed" if reading.friction else "depth at rest")
        unit = reading.length + "/s" if reading.friction else reading.length
        rest = length(reading.rest) if unit == "m" and math.isfinite(reading.rest) else metric(reading.rest, unit)
        self.facts["rest"].setText(rest if carried else DASH)
        effective = f"{' '.join(f'{v:.4g}' for v in reading.solref)}\n{reading.whose}"
        self.facts["effective"].setText(effective)
        self.facts["effective"].setToolTip(effective)
        for label in (self.names["effective"], self.facts["effective"]):
            label.setVisible(bool(reading.whose))
        self.facts["time"].setText(metric(reading.spring.time_constant(reading.imp.high), "s"))
        ratio = reading.spring.damping_ratio
        kind = "critical" if abs(ratio - 1) < 0.005 else "bounces" if ratio < 1 else "creeps back"
        self.facts["ratio"].setText(f"{ratio:.4g}   {kind}" if math.isfinite(ratio) else "no stiffness")
        self._show_physical(reading)
        self.warning.setText("\n".join(reading.warnings))
        self.warning.setVisible(bool(reading.warnings))

    def _show_physical(self, reading: ImpedanceReading) -> None:
        now = reading.now
        turns = reading.length == "rad"
        self.facts["k"].setText("N·m/rad" if turns else "N/m")
        self.facts["c"].setText("N·m·s/rad" if turns else "N·s/m")
        self._scale = 1.0 if turns else 1000.0
        self.facts["z"].setText("rad" if turns else "mm")
        rest = self._scale * reading.rest if now and math.isfinite(reading.rest) else None
        values = (rest, now.stiffness, now.damping) if now else (None, None, None)
        for field, value in zip(self._fields, values, strict=True):
            field.setEnabled(now is not None or field.held)
            field.setPlaceholderText("" if now else "carries nothing")
            field.show_value(value, f"{with_digits(value, 3 if field is self.sink else 4):.10g}" if value is not None else "")
        labels = [names[key] for names in (self.names, self.facts) for key in ("z", "k")]
        for widget in (*labels, self.sink, self.stiffness, self.keep_ratio):
            widget.setVisible(not reading.friction)

    def _show_curve(self, reading: ImpedanceReading) -> None:
        imp = reading.imp
        rest = reading.rest if reading.at >= 0 and not reading.friction and math.isfinite(reading.rest) else None
        deepest = max((float(reading.depths.max()) if len(reading.depths) else 0.0), rest or 0.0, 0.0)
        end = max(1.5 * imp.width, 1.25 * deepest, 1e-6)
        depths = np.linspace(0, end, _POINTS)
        self._curve.setData(depths, imp.at(depths))
        shown = np.maximum(reading.depths, 0.0)
        self._dots.setData(shown, imp.at(0.0 * shown if reading.friction else shown))
        self._line.setVisible(rest is not None)
        if rest is not None:
            self._line.setValue(rest)
        low, high = sorted((imp.low, imp.high))
        pad = max(0.02, 0.12 * (high - low))
        self.plot.setXRange(0, end, padding=0.02)
        self.plot.setYRange(max(0.0, low - pad), min(1.0, high + pad), padding=0)
        self.plot.setLabel("bottom", "depth r", units=reading.length)
        self.plot.setLabel("left", "d(r)")

    def _typed(self, *, depth: float | None = None, stiffness: float | None = None, damping: float | None = None) -> None:
        self.wanted.emit(LabWish(depth, stiffness, damping, self.direct.isChecked(), self.keep_ratio.isChecked()))

    def refuse(self, why: str, *, raising_helps: bool = False) -> None:
        """Show why typed input is rejected, "" for none; raising_helps: a higher priority of this geom would help."""
        self.problem.setText(f"Not accepted: {why}" if why else "")
        self.problem.setVisible(bool(why))
        self.raise_priority.setVisible(bool(why) and raising_helps)
        for field in self._fields:
            field.take_back()
        if self._reading is not None:
            self._show_physical(self._reading)
