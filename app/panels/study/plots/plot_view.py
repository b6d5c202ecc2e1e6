"""A plot of runs with its choices above it. A rectangle drawn with the mouse marks runs in all views, a click chooses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent, QShowEvent
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from tumble.app.look import theme
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import Array, RunTable
from tumble.app.study.study_file import Study
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.plot import LowPlot, QuietAxis, style_axes
from tumble.app.widgets.slider_row import ElidedLabel

if TYPE_CHECKING:
    from tumble.app.study.trial import RunRow

TIP = "Drag marks runs, in all views; a click chooses one; wheel and right drag zoom, Shift and drag moves, the A shows all"
LOW = 230  # pixels of height below which the axis along has no title
NEAR = 14.0  # pixels from a point within which a click chooses it


class BrushBox(pg.ViewBox):
    """The inside of a plot. brushed: the rectangle that was drawn, in numbers of the axes; its top left is where it began."""

    brushed = pyqtSignal(object, object)  # QRectF, QPointF: where it began

    def __init__(self) -> None:
        super().__init__(enableMenu=False)

    def mouseDragEvent(self, ev: pg.GraphicsScene.mouseEvents.MouseDragEvent, axis: int | None = None) -> None:
        """Called by pyqtgraph."""
        moves = bool(ev.modifiers() & Qt.KeyboardModifier.ShiftModifier) or axis is not None
        if ev.button() != Qt.MouseButton.LeftButton or moves:
            super().mouseDragEvent(ev, axis)
            return
        ev.accept()
        self.rbScaleBox.setPen(pg.mkPen(theme.colour("accent")))
        self.rbScaleBox.setBrush(pg.mkBrush(theme.colour("accent", 40)))
        if not ev.isFinish():
            self.updateScaleBox(ev.buttonDownPos(), ev.pos())
            return
        self.rbScaleBox.hide()
        first, last = (self.childGroup.mapFromParent(place) for place in (ev.buttonDownPos(), ev.pos()))
        self.brushed.emit(QRectF(first, last).normalized(), QPointF(first))


class PlotView(QWidget):
    """Subclasses override `refill` (other columns) and `draw`."""

    title = ""
    tip = ""

    def __init__(self, marks: RunMarks) -> None:
        super().__init__()
        self.marks = marks
        self.table = RunTable()
        self.note = ElidedLabel("")
        self.note.setProperty("dim", True)
        self.box = BrushBox()
        axes = {"left": QuietAxis("left"), "bottom": QuietAxis("bottom")}
        self.plot = LowPlot(background=theme.colour("field"), viewBox=self.box, axisItems=axes, enableMenu=False)
        self.box.setParentItem(self.plot.getPlotItem())  # which owns it: Python would delete it once more
        self.plot.setMinimumSize(120, 90)
        self.plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.plot.setToolTip(TIP)
        self.plot.setAccessibleName(self.title)
        item = self.plot.getPlotItem()
        style_axes(item)
        item.getAxis("left").setWidth(58)
        self._choices = QHBoxLayout()
        self._choices.setSpacing(5)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(2)
        column.addLayout(self._choices)
        column.addWidget(self.note)
        column.addWidget(self.plot, 1)
        self.box.brushed.connect(self._brush)
        self.plot.scene().sigMouseClicked.connect(self._click)
        marks.changed.connect(self._redraw)
        marks.chosen_changed.connect(self._redraw)
        self._due = True

    # ---- choices

    def choice(self, label: str, tip: str) -> QComboBox:
        """A box of columns behind a label, "" for none."""
        if label:
            name = QLabel(label)
            name.setProperty("dim", True)
            self._choices.addWidget(name)
        box = CalmCombo()
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        box.setMinimumWidth(60)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.activated.connect(lambda k: self._choose())
        self._choices.addWidget(box, 1)
        return box

    def show_runs(self, study: Study, rows: Sequence[RunRow], table: RunTable) -> None:
        """Show the runs of a study, in rows and in arrays."""
        self.show_table(table)

    def show_table(self, table: RunTable) -> None:
        """Show these runs."""
        other = table.names != self.table.names
        self.table = table
        if other:
            self.refill()
        self._redraw()

    def refill(self) -> None:
        """Offer the columns of another study."""

    def draw(self) -> None:
        """Draw the runs as they are now."""

    def _choose(self) -> None:
        self.draw()
        self.plot.getPlotItem().autoRange()
        self.plot.getPlotItem().enableAutoRange()

    def _redraw(self) -> None:
        """Draw now where it is in sight, else once it is."""
        self._due = not self.isVisible()
        if not self._due:
            self.draw()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave out the title of the horizontal axis where the plot is low: the choices say it too."""
        super().resizeEvent(event)
        self.plot.getPlotItem().showLabel("bottom", self.height() >= LOW)

    def showEvent(self, event: QShowEvent | None) -> None:
        """Draw what has changed meanwhile."""
        super().showEvent(event)
        if self._due:
            self._due = False
            self.draw()

    def changeEvent(self, event: QEvent | None) -> None:
        """Another theme: shades between two of its colours are made again."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.PaletteChange and self.table.count:
            self._redraw()

    # ---- axes

    def label(self, side: str, name: str) -> None:
        """Title and ticks of an axis for a column."""
        axis = self.plot.getPlotItem().getAxis(side)
        axis.setLabel(name, color=theme.colours()["dim"], size="8pt")
        if side == "bottom":
            axis.showLabel(self.height() >= LOW)
        axis.setLogMode(name in self.table.logarithmic)
        words = self.table.words.get(name)
        axis.setTicks([list(enumerate(words))] if words else None)

    # ---- the mouse

    def axes(self) -> tuple[str, str]:
        """The columns along and up; "" for an axis that has none."""
        return "", ""

    def points(self) -> tuple[NDArray[np.int64], Array, Array]:
        """Rows of the table that can be clicked, and where they are drawn."""
        return np.zeros(0, np.int64), np.zeros(0), np.zeros(0)

    def brush(self, rect: QRectF, begun: QPointF) -> None:
        """Mark the runs in a rectangle."""
        spans = (rect.left(), rect.right()), (rect.top(), rect.bottom())
        self.marks.mark({
            name: (self.table.from_axis(name, low), self.table.from_axis(name, high))
            for name, (low, high) in zip(self.axes(), spans, strict=True) if name in self.table.values
        })  # fmt: skip

    def _brush(self, rect: QRectF, begun: QPointF) -> None:
        self.brush(rect, begun)

    def _click(self, event: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.box.sceneBoundingRect().contains(event.scenePos()):
            return
        event.accept()
        run = self.nearest(self.box.mapSceneToView(event.scenePos()))
        if run is not None:
            self.marks.choose(run)

    def nearest(self, place: QPointF) -> int | None:
        """The run drawn nearest to a place, None for none near it."""
        rows, x, y = self.points()
        if not len(rows):
            return None
        wide, high = self.box.viewPixelSize()
        apart = np.hypot((x - place.x()) / wide, (y - place.y()) / high)
        at = int(np.argmin(np.where(np.isnan(apart), np.inf, apart)))
        return int(self.table.run[rows[at]]) if apart[at] <= NEAR else None


def offer(box: QComboBox, names: Sequence[str], first: str) -> None:
    """Offer names; the one that was chosen stays where it can, else `first`."""
    before = box.currentText()
    with QSignalBlocker(box):
        box.clear()
        box.addItems(list(names))
        box.setCurrentText(before if before in names else first)
