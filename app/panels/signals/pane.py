"""One plot of the signals dock: curves, a legend with their values, and draggable cursors."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QFontMetrics, QMouseEvent, QResizeEvent
from PyQt6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from tumble.app.base.traces import Run
from tumble.app.describe.signals import Signal
from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.widgets.layout import accept_copy, hbox, make_label, vbox
from tumble.app.widgets.plot import plot_widget, style_axes
from tumble.app.widgets.slider_row import ElidedLabel

LEGEND_WIDTH = 270  # of an entry, at least; as many side by side as fit
NUMBER = "\N{MINUS SIGN}0.0000e\N{MINUS SIGN}00"  # as wide as numbers become
LEAST_NAME = 40  # pixels of a name that units leave free
POINTS = 1600  # of a curve, at most

MeasuredCurve = Callable[[str, float, float, int], tuple[Any, Any]]  # of a signal between two times, of about so many points


class _Entry(QWidget):
    """A line of the legend: colour, name, value and unit, and a button that takes the signal away."""

    def __init__(self, signal: Signal, ink: str, remove: Callable[[], None]) -> None:
        super().__init__()
        self._signal = signal
        self._mark = QLabel("━")
        self._mark.setStyleSheet(f"color: {ink}")
        self.name = ElidedLabel("")
        self.name.set_text(signal.name, f"{signal.name}{f' [{signal.unit}]' if signal.unit else ''}")
        self._number = "\N{EN DASH}"
        self.value = make_label("\N{EN DASH}", font=theme.mono(9))
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(f"Remove {signal.name} from this plot")
        self.close_button.setIcon(theme.icon("close", "dim"))
        self.close_button.setToolTip(f"Remove {signal.name} from this plot")
        self.close_button.setStyleSheet("padding: 0")
        self.close_button.clicked.connect(remove)
        hbox(self._mark, (self.name, 1), self.value, self.close_button, margins=(4, 0, 0, 0), spacing=5, inside=self)

    @property
    def whole_width(self) -> int:
        """Width of the full name, number and unit [px]."""
        value = QFontMetrics(self.value.font()).horizontalAdvance(f"{NUMBER} {self._signal.unit}")
        return self._width_besides() + self.name.fontMetrics().horizontalAdvance(self._signal.name) + value

    def show_value(self, text: str, tip: str) -> None:
        self.value.setToolTip(f"{tip}\n{text} {self._signal.unit}".strip())
        self._number = text
        self._fit()

    def _fit(self) -> None:
        """Show the unit in full or not at all: a cut one could be misread."""
        text = f"{self._number} {self._signal.unit}".rstrip()
        room = self.width() - self._width_besides() - LEAST_NAME
        self.value.setText(text if self.value.fontMetrics().horizontalAdvance(text) <= room else self._number)

    def _width_besides(self) -> int:
        """Pixels other than name and value."""
        return self._mark.sizeHint().width() + self.close_button.sizeHint().width() + 3 * 5 + 4

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._fit()


class SignalPane(QFrame):
    """Curves over time. Its signals are those of `signals`; it shows the traces passed to it.

    dropped: names of signals let fall here; file_dropped: the path of a file; removed: the name of one to take away;
    chosen: it was clicked;
    zoomed: the user moved the time axis; hovered: the time under the mouse, nan when it has left;
    moved: number and time of a cursor that was dragged.
    """

    dropped = pyqtSignal(object, str)
    file_dropped = pyqtSignal(object)
    removed = pyqtSignal(object, str)
    chosen = pyqtSignal(object)
    closed = pyqtSignal(object)
    zoomed = pyqtSignal()
    hovered = pyqtSignal(float)
    moved = pyqtSignal(int, float)

    def __init__(self) -> None:
        super().__init__()
        self.signals: list[Signal] = []
        self.entries: dict[str, _Entry] = {}
        self._inks: dict[str, str] = {}
        self._curves: dict[str, tuple[Any, Any, Any]] = {}
        self.setAcceptDrops(True)
        self.setMinimumHeight(96)
        self.plot = plot_widget()
        self.plot.setMinimumHeight(56)
        item = self.plot.getPlotItem()
        item.hideButtons()
        style_axes(item)
        item.getAxis("left").setWidth(54)
        item.getAxis("bottom").setHeight(20)
        self.box = item.getViewBox()
        self.box.setAutoVisible(y=True)
        self.box.enableAutoRange(x=False, y=True)
        self.box.sigRangeChangedManually.connect(lambda axes: self.zoomed.emit())
        self._hover = self._line(theme.colour("dim"), movable=False)
        self.cursors = [self._line(theme.colour(name), movable=True) for name in ("good", "accent")]
        for k, line in enumerate(self.cursors):
            pg.InfLineLabel(line, "AB"[k], position=0.94, color=theme.colour("text"), movable=False)
            line.sigPositionChanged.connect(lambda moved, k=k: self.moved.emit(k, float(moved.value())))
        self.plot.scene().sigMouseMoved.connect(self._mouse_moved)
        self.empty = make_label("Drag a signal here, or double-click it in the list", wrap=True)
        self.empty.setObjectName("empty")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._legend = QWidget()
        self._legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # entries give way
        self._grid = QGridLayout(self._legend)
        self._grid.setContentsMargins(4, 2, 24, 2)
        self._grid.setSpacing(0)
        self.close_button = QToolButton(self)
        self.close_button.setAccessibleName("Close this plot")
        self.close_button.setIcon(theme.icon("close", "dim"))
        self.close_button.setToolTip("Close this plot")
        self.close_button.setStyleSheet("padding: 0")
        self.close_button.clicked.connect(lambda: self.closed.emit(self))
        vbox(self._legend, self.empty, (self.plot, 1), margins=(2, 2, 2, 2), spacing=0, inside=self)
        self.set_active(False)
        self._lay_out()

    # ---- signals

    def add(self, signal: Signal) -> None:
        """Show another signal."""
        if signal.name in self.entries:
            return
        ink = next((i for i in INKS if i not in map(theme.shown, self._inks.values())), INKS[len(self.signals) % len(INKS)])
        self.signals.append(signal)
        self._inks[signal.name] = ink
        faded = pg.mkColor(ink)
        faded.setAlpha(90)
        before = self.plot.plot(pen=pg.mkPen(faded, width=1), connect="finite")
        now = self.plot.plot(pen=pg.mkPen(ink, width=1.4), connect="finite")
        measured = self.plot.plot(pen=pg.mkPen(ink, width=1.4, style=Qt.PenStyle.DotLine), connect="finite")
        self._curves[signal.name] = (before, now, measured)
        self.entries[signal.name] = _Entry(signal, ink, lambda: self.removed.emit(self, signal.name))
        self._lay_out()

    def remove(self, name: str) -> None:
        """Show a signal no more."""
        self.signals = [s for s in self.signals if s.name != name]
        for curve in self._curves.pop(name):
            self.plot.removeItem(curve)
        del self._inks[name]
        entry = self.entries.pop(name)
        entry.setParent(None)
        entry.deleteLater()
        self._lay_out()

    def draw(
        self,
        now: Run,
        before: Run | None,
        columns: dict[str, int],
        start: float,
        end: float,
        measured: MeasuredCurve | None = None,
    ) -> None:
        """Draw the curves between two times; before: the run to compare with, measured: what was measured, or None."""
        for signal in self.signals:
            faded, bright, dotted = self._curves[signal.name]
            if measured is not None:
                dotted.setData(*measured(signal.name, start, end, POINTS))
            elif dotted.xData is not None and len(dotted.xData):
                dotted.setData(np.empty(0), np.empty(0))
            column = columns[signal.name]
            for curve, run in ((faded, before), (bright, now)):
                x, y = run.curve(column, start, end, POINTS) if run is not None else (np.empty(0), np.empty(0))
                curve.setData(x, y)

    def set_window(self, start: float, end: float) -> None:
        """Show these times, not as the user's doing."""
        self.box.setRange(xRange=(start, max(end, start + 1e-9)), padding=0, disableAutoRange=False)

    @property
    def window_shown(self) -> tuple[float, float]:
        """The times between the left and right edges."""
        (start, end), _ = self.box.viewRange()
        return float(start), float(end)

    def follow(self) -> None:
        """Fit the height to the curves again."""
        self.box.enableAutoRange(y=True)

    # ---- cursors and legend

    def show_hover(self, time: float) -> None:
        """Draw the mouse's line; nan: none."""
        self._hover.setVisible(not math.isnan(time))
        if not math.isnan(time):
            self._hover.setValue(time)

    def show_cursors(self, times: tuple[float, float] | None) -> None:
        """Draw the two cursors; None: none."""
        for k, line in enumerate(self.cursors):
            line.setVisible(times is not None)
            if times is not None and line.value() != times[k]:
                line.setValue(times[k])

    def set_active(self, active: bool) -> None:
        """Mark this pane as the one that double-clicked signals are added to, or unmark it."""
        edge = theme.colours()["accentdim" if active else "line"]
        ground = theme.colours()["field"]
        self.setStyleSheet(f"SignalPane {{ background: {ground}; border: 1px solid {edge}; border-radius: 4px; }}")

    def _line(self, colour: QColor, movable: bool) -> pg.InfiniteLine:
        line = pg.InfiniteLine(angle=90, movable=movable, pen=pg.mkPen(colour, width=1, style=Qt.PenStyle.DashLine))
        line.setVisible(False)
        self.plot.addItem(line, ignoreBounds=True)
        return line

    def _mouse_moved(self, where: QPointF) -> None:
        if self.box.sceneBoundingRect().contains(where):
            self.hovered.emit(float(self.box.mapSceneToView(where).x()))
        else:
            self.hovered.emit(math.nan)

    def _lay_out(self) -> None:
        wide = max((entry.whole_width for entry in self.entries.values()), default=0)
        columns = max(1, (self.width() - 30) // max(LEGEND_WIDTH, wide))
        for k, signal in enumerate(self.signals):
            self._grid.addWidget(self.entries[signal.name], k // columns, k % columns)
        for c in range(self._grid.columnCount()):
            self._grid.setColumnStretch(c, 1 if c < columns else 0)
        self._legend.setVisible(bool(self.signals))
        self.empty.setVisible(not self.signals)

    # ---- events

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self.close_button.move(self.width() - self.close_button.sizeHint().width() - 3, 3)
        self.close_button.raise_()
        self._lay_out()

    def leaveEvent(self, event: QEvent | None) -> None:
        super().leaveEvent(event)
        self.hovered.emit(math.nan)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        super().mousePressEvent(event)
        self.chosen.emit(self)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        if event is not None and (data := event.mimeData()) is not None and data.hasText():
            accept_copy(event)

    def dragMoveEvent(self, event: QDragMoveEvent | None) -> None:
        if event is not None and (data := event.mimeData()) is not None and data.hasText():
            accept_copy(event)

    def dropEvent(self, event: QDropEvent | None) -> None:
        if event is None or (data := event.mimeData()) is None:
            return
        accept_copy(event)
        files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if files:
            self.file_dropped.emit(files[0])
            return
        for name in data.text().splitlines():
            self.dropped.emit(self, name)
