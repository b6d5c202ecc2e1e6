"""The page of the solver dock on one step: its curves, a slider through its iterations, and other ways to solve it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QResizeEvent
from PyQt6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSlider,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.editing.option_table import CONES, SOLVERS
from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.panels.solver.convergence import QUANTITIES, Comparison, Line, SolveReading, label, places, settings
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, vbox
from tumble.app.widgets.live_field import CalmCombo, CalmSpinBox
from tumble.app.widgets.plot import CountAxis, make_plot
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import NUMBER, set_headings
from tumble.render.scene.island_colours import colours

if TYPE_CHECKING:
    from tumble.physics import Solved

LOW = 230  # pixels below which the plot has no room for axis titles: the list above it and its tip show them
NARROW = 640  # pixels below which the numbers lie under the plot rather than next to it
THREE = ("Newton", "CG", "PGS")  # that are compared with one click
STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DashDotDotLine)
MARKS = ("o", "s", "t", "d", "x")  # at each iterate, by solve
FEW = 60  # points of a curve up to which each has a mark
HEADINGS = (
    ("solve", "Solve: the step's own, then those with other settings"),
    ("iter.", "Iterations, of the island with most"),
    ("cost", "Primal cost that it ended with, all islands together"),
    ("gradient", "Scaled norm of the gradient that it ended with, the largest of the islands"),
    ("\N{GREEK CAPITAL LETTER DELTA}qacc", "Largest difference of an acceleration from the step's own [m/s² or rad/s²]"),
    ("time", "Time of the solver alone [\N{MICRO SIGN}s]"),
)


class _Column(SteadyScrollArea):
    """Scrolls up and down only: it is as wide as its content must be."""

    def minimumSizeHint(self) -> QSize:
        """The least width without clipping."""
        least, content, bar = super().minimumSizeHint(), self.widget(), self.verticalScrollBar()
        if content is None or bar is None:
            return least
        return QSize(content.minimumSizeHint().width() + bar.sizeHint().width(), least.height())


class ConvergencePage(QWidget):
    """Shows a comparison. scrubbed: an iterate was chosen, -1: none any longer; again: solve with (settings, name)."""

    scrubbed = pyqtSignal(int)
    again = pyqtSignal(object, str)

    def __init__(self, comparison: Comparison) -> None:
        super().__init__()
        self._comparison = comparison
        self._curves: list[pg.PlotDataItem] = []
        self._paused = False
        self.scrubbing = self.stands = False  # stands: whether the simulation is paused, at any step
        self.splitter = make_splitter(Qt.Orientation.Horizontal, (self._make_left(), 2, 700), (self._make_right(), 1, 400))
        self.splitter.setMinimumWidth(260)  # not that of both parts side by side: they may lie one over the other
        vbox(self.splitter, margins=(0, 0, 0, 0), inside=self)
        self.show_comparison(False)

    def _make_left(self) -> QWidget:
        self.quantity = CalmCombo("Plotted quantity", "Quantity plotted over the iterations")
        self.quantity.setStyleSheet("min-height: 16px; padding: 1px 8px")  # no higher than the tabs, next to which it is
        for key, quantity in QUANTITIES.items():
            self.quantity.addItem(quantity.name, key)
            self.quantity.setItemData(self.quantity.count() - 1, quantity.tip, Qt.ItemDataRole.ToolTipRole)
        self.quantity.currentIndexChanged.connect(self._draw)
        self.summary = ElidedLabel("")
        self.summary.setProperty("dim", True)
        self.compress = make_check(
            "Log", "Iterations on a logarithmic axis: short solves stay readable next to long ones", toggled=self._set_compressed
        )
        self._axis = CountAxis()
        self.plot = make_plot("", "iteration", log=True, count=self._axis)
        self.plot.setMinimumHeight(58)
        self._legend = self.plot.addLegend(
            offset=(-8, 6), labelTextColor=theme.colour("text"), labelTextSize="8pt", verSpacing=-4,
            brush=theme.colour("panel", 150), pen=theme.colour("line"),
        )  # fmt: skip
        self._here = pg.InfiniteLine(angle=90, pen=pg.mkPen(theme.colour("accent"), width=1))
        self.plot.addItem(self._here, ignoreBounds=True)
        self.head = holder(hbox(self.quantity, (self.summary, 1), margins=(0, 0, 0, 0), spacing=10))
        self._left = vbox((self.plot, 1), self._make_scrubber(), margins=(8, 4, 8, 4), spacing=4)
        left = holder(self._left)
        self.take_head()
        return left

    def take_head(self) -> None:
        """Show the plotted quantity above the plot, where there is no room for it elsewhere."""
        self._left.insertWidget(0, self.head)

    def _make_scrubber(self) -> QHBoxLayout:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Iteration")
        self.slider.setToolTip("Slide through the iterations: the contact forces in the view are those of the chosen one")
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._slide)
        self.place = make_label(ink="dim", font=theme.mono(8))
        self.leave = make_button(
            "End", "Show the forces of the step itself again", self.stop_scrubbing, style="padding: 2px 10px"
        )
        return hbox(self.compress, (self.slider, 1), self.place, self.leave, spacing=8)

    def _make_right(self) -> QWidget:
        self.solver = CalmCombo("Solver", "The solver; those with LCP solve hard contacts instead of soft ones")
        self.cone = CalmCombo("Friction cone", "The friction cone; hard contacts have their own")
        self.solver.addItems(SOLVERS)
        self.solver.setCurrentText("PGS")
        self.cone.addItems(CONES)
        self.tolerance = QLineEdit()
        self.tolerance.setAccessibleName("Tolerance")
        self.tolerance.setPlaceholderText("tolerance of the model")
        self.tolerance.setToolTip("Where to stop; empty: as in the model")
        self.tolerance.returnPressed.connect(self._ask)
        self.iterations = CalmSpinBox()
        self.iterations.setAccessibleName("Most iterations")
        self.iterations.setRange(0, 100_000)
        self.iterations.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.iterations.setSpecialValueText("as in the model")
        self.iterations.setToolTip("Most iterations, or sweeps; 0: as in the model")
        self.warm = make_check("Warm start", on=True)
        self.warm.setToolTip("Start from the acceleration of the previous step, as the step itself does if the model enables it")
        self.go = make_button(
            "Solve again", "Solve the step again with these settings; the simulation does not change", self._ask
        )
        self.three = make_button("Compare Newton, CG and PGS", act=lambda: self._ask_of(THREE))
        self.three.setToolTip("Solve the step again by each of the three, with the other settings as they are here")
        self.clear = make_button("Clear", "Remove the other solves", self._clear)
        for widget in (self.solver, self.cone, self.tolerance, self.iterations):
            widget.setMinimumWidth(60)
        grid = QGridLayout()
        grid.setSpacing(6)
        grid.addWidget(self.solver, 0, 0)
        grid.addWidget(self.cone, 0, 1)
        grid.addWidget(self.tolerance, 1, 0)
        grid.addWidget(self.iterations, 1, 1)
        buttons = hbox((self.warm, 1), self.clear, self.go)
        self.remark = make_label(ink="dim", wrap=True)
        self.table = _make_table()
        content = holder(vbox(grid, buttons, self.three, self.remark, (self.table, 1), margins=(8, 4, 8, 4), spacing=5))
        return _Column(content)

    # ---- display

    def show_comparison(self, paused: bool) -> None:
        """Show the comparison as it is now; paused: whether the simulation is at its step."""
        self._paused = paused
        self.summary.set_text(self._comparison.summary(self.stands))
        ready = paused and self._comparison.record is not None
        self.go.setEnabled(ready)
        self.three.setEnabled(ready)
        self.clear.setEnabled(bool(self._comparison.solves))
        if ready and self.remark.text() in ("", _PAUSE, _NOTHING):
            self.remark.setText("")
        elif not ready:
            self.remark.setText(_NOTHING if paused else _PAUSE)
        self.remark.setVisible(bool(self.remark.text()))
        self._show_slider(ready)
        self._draw()
        self._fill_table()

    def show_step(self, reading: SolveReading, paused: bool) -> None:
        """Another reading of the simulation; scrubbing ends with its step."""
        if self._comparison.show(reading):
            self.scrubbing = False
            self.remark.setText("")
        elif paused == self._paused:
            return
        self.show_comparison(paused)

    def say(self, text: str) -> None:
        """A remark under the settings."""
        self.remark.setText(text)
        self.remark.setVisible(bool(text))

    @property
    def iterate(self) -> int:
        """Iterate at the slider's position."""
        return self.slider.value()

    def stop_scrubbing(self) -> None:
        """Back to the step's own forces."""
        if self.scrubbing:
            self.scrubbing = False
            self._show_slider(self.slider.isEnabled())
            self.scrubbed.emit(-1)

    def _show_slider(self, ready: bool) -> None:
        record = self._comparison.record
        last = record.iterates - 1 if record is not None else 0
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, last)
            if not self.scrubbing:
                self.slider.setValue(last)
        self.slider.setEnabled(ready and last > 0)
        self.leave.setEnabled(self.scrubbing)
        self._here.setVisible(self.scrubbing)
        self._here.setValue(float(places(self.slider.value(), self._axis.compressed)))
        self.place.setText(f"{self.slider.value()} / {last}" if record is not None else "\N{EN DASH}")

    def _slide(self, value: int) -> None:
        self.scrubbing = True
        self._show_slider(True)
        self.scrubbed.emit(value)

    # ---- drawing

    def _draw(self) -> None:
        quantity = str(self.quantity.currentData())
        lines = self._comparison.lines(quantity)
        item = self.plot.getPlotItem()
        item.setLabel("left", QUANTITIES[quantity].axis)
        for k, line in enumerate(lines):
            if k == len(self._curves):
                self._curves.append(self.plot.plot())
            self._draw_line(self._curves[k], line)
        for spare in self._curves[len(lines) :]:
            self.plot.removeItem(spare)
        del self._curves[len(lines) :]
        self._legend.clear()
        names, seen = self._comparison.names, set[int]()
        for line, curve in zip(lines, self._curves, strict=True):
            if line.solve not in seen:
                seen.add(line.solve)
                self._legend.addItem(curve, names[line.solve])
        self._fit_titles()

    def _set_compressed(self, on: bool) -> None:
        self._axis.compressed = on
        self._axis.picture = None  # its ticks are drawn again
        self._show_slider(self.slider.isEnabled())
        self._draw()

    def _draw_line(self, curve: pg.PlotDataItem, line: Line) -> None:
        ink = self._ink(line)
        few = len(line.curve.value) <= FEW
        pen = pg.mkPen(ink, width=1.6 if line.solve == 0 else 1.4, style=STYLES[line.solve])
        curve.setData(
            places(line.curve.iteration, self._axis.compressed), line.curve.value, pen=pen,
            symbol=MARKS[line.solve] if few else None, symbolSize=5, symbolBrush=ink, symbolPen=None,
        )  # fmt: skip

    def _ink(self, line: Line) -> QColor:
        """The colour of the island, as in the view; where there is but one, the other solves have their own colours."""
        tree = self._comparison.tree(line.curve)
        if line.solve > 0 and self._comparison.whole:
            return QColor(INKS[line.solve % len(INKS)])
        red, green, blue = colours(np.array([tree]), np.array([False]))[0]
        return theme.readable(QColor.fromRgbF(float(red), float(green), float(blue)))

    def _fill_table(self) -> None:
        self.table.clear()
        for k, (name, numbers) in enumerate(self._comparison.outcomes()):
            texts = (
                name, str(numbers.iterations), f"{numbers.cost:.6g}", f"{numbers.gradient:.2e}",
                "\N{EN DASH}" if k == 0 else f"{numbers.difference:.2e}",
                "\N{EN DASH}" if math.isnan(numbers.seconds) else f"{1e6 * numbers.seconds:.0f}",
            )  # fmt: skip
            item = QTreeWidgetItem(list(texts))
            item.setToolTip(0, name)
            for c in range(1, len(texts)):
                item.setTextAlignment(c, NUMBER)
                item.setFont(c, theme.mono(8))
            self.table.addTopLevelItem(item)

    # ---- again

    def _ask(self) -> None:
        self._ask_of((self.solver.currentText(),))

    def _ask_of(self, solvers: Sequence[str]) -> None:
        """Solve again by each of these solvers, with the other settings as they are typed."""
        if not self.go.isEnabled():
            return
        others = self.cone.currentText(), self.tolerance.text(), self.iterations.value(), self.warm.isChecked()
        try:
            chosen = [settings(solver, *others) for solver in solvers]
        except ValueError as error:
            self.say(str(error))
            return
        self.say("Solving\N{HORIZONTAL ELLIPSIS}")
        for solver, wanted in zip(solvers, chosen, strict=True):
            self.again.emit(wanted, label(wanted, solver))

    def show_answer(self, name: str, solved: Solved | str) -> None:
        """Show the result of a solve, or why it failed."""
        if isinstance(solved, str):
            self.say(solved)
            return
        self.say("" if len(solved.record) else "With these settings no constraint acts")
        self._comparison.add(name, solved)
        self.show_comparison(self._paused)

    def _clear(self) -> None:
        self._comparison.solves.clear()
        self.show_comparison(self._paused)

    def _fit_titles(self) -> None:
        """Show the titles of the axes where there is room for them, and the legend, which a single solve does not need."""
        self._legend.setVisible(bool(self._curves) and (self.height() >= LOW or bool(self._comparison.solves)))
        for axis in ("left", "bottom"):
            self.plot.getPlotItem().showLabel(axis, self.height() >= LOW)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Numbers next to the plot where there is room, else under it."""
        super().resizeEvent(event)
        self._fit_titles()
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            self.splitter.setSizes([300, 260] if wanted == Qt.Orientation.Vertical else [700, 400])


_PAUSE = "Pause (Space) to slide through the iterations and to solve the step again"
_NOTHING = "No constraint acts in this step: there is nothing to solve again"


def _make_table() -> QTreeWidget:
    table = QTreeWidget()
    table.setAccessibleName("Solves, and how they ended")
    table.setRootIsDecorated(False)
    table.setMinimumHeight(90)
    table.setMinimumWidth(0)
    table.setFont(theme.sans(9))
    set_headings(table, *zip(*HEADINGS, strict=True)).setMinimumSectionSize(34)
    return table
