"""The page on stages: the present cost of each, and all of them over time, stacked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QModelIndex, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.describe.numbers import MICRO, microseconds
from tumble.app.look import theme
from tumble.app.look.theme import INKS
from tumble.app.profile import STEP_STAGES, Profiler, StepStage
from tumble.app.widgets.layout import hbox, make_button, make_label, make_splitter, present, vbox
from tumble.app.widgets.live_field import SpanBox
from tumble.app.widgets.plot import make_plot
from tumble.app.widgets.tables import NUMBER, set_headings

SPANS = (1.0, 2.0, 5.0, 10.0, 30.0)  # of the time axis [s]
FIRST_SPAN = 5.0
POINTS = 160  # of a curve, at most
PEAK = 3.0  # times the median cost that the plot shows at most
NEAR = 3.0  # a larger ratio of budget to cost is described in words, not drawn
COLOURS = (*INKS, *(QColor(ink).darker(165).name() for ink in INKS[: len(STEP_STAGES) - len(INKS)]))
NOTHING = "Nothing is measured yet"


class StagePage(QWidget):
    """chosen: a stage was selected, None: none is."""

    chosen = pyqtSignal(object)

    def __init__(self, profiler: Profiler) -> None:
        super().__init__()
        self._profiler = profiler
        self.summary = make_label(NOTHING, wrap=True)
        self.table = CostTable(
            "Cost by stage", ("stage", MICRO, "%"),
            ("Stages of a step, in their order", "Measured by the engine: mean of the last half second without its slowest tenth",
             "Of the whole step"),
        )  # fmt: skip
        self.table.itemSelectionChanged.connect(self._choose)
        self.span = SpanBox(SPANS, FIRST_SPAN)
        self.span.activated.connect(lambda i: self.draw())
        self.span.setAccessibleName("Simulated time shown")
        self.clear = make_button("Clear", "Clear the measurements", profiler.clear)
        self.plot = make_plot(f"{MICRO} per step", "")
        self.plot.setToolTip("Each stage on top of those before it; the dashed line is the time that a step may take")
        self.plot.setMinimumHeight(50)  # the panel is useful in a low dock too
        self._bands = self._make_bands()
        self.budget = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.colour("bad"), width=1.2, style=Qt.PenStyle.DashLine))
        self.plot.addItem(self.budget, ignoreBounds=True)
        self._lay_out()

    def _make_bands(self) -> list[pg.PlotDataItem]:
        """Create bands from the last stage to the first: each is drawn down to zero, and later ones cover its lower part."""
        bands = []
        for ink in reversed(COLOURS):
            colour = QColor(ink)
            band = self.plot.plot(pen=pg.mkPen(colour, width=1), fillLevel=0.0, brush=colour)
            bands.append(band)
        return bands[::-1]

    def _lay_out(self) -> None:
        head = hbox((self.summary, 1), self.span, self.clear, spacing=8)
        self.splitter = make_splitter(Qt.Orientation.Horizontal, (self.table, 0, 300), (self.plot, 1, 420))
        vbox(head, (self.splitter, 1), margins=(8, 6, 8, 4), spacing=4, inside=self)

    @property
    def stage(self) -> StepStage | None:
        """The stage that is selected."""
        return STEP_STAGES[self.table.row] if self.table.row >= 0 else None

    def _choose(self) -> None:
        chosen = self.table.row
        for k, band in enumerate(self._bands):
            colour = QColor(COLOURS[k])
            colour.setAlpha(255 if chosen in (-1, k) else 70)
            band.setBrush(colour)
        self.chosen.emit(self.stage)

    def draw(self) -> None:
        """Show the measurements so far."""
        recent = self._profiler.recent()
        if recent is None:
            self.summary.setText(NOTHING)
            self.table.show_rows([])
            for band in self._bands:
                band.setData([], [])
            return
        total = float(recent.sum())
        shares = recent / max(total, 1e-12)
        rows = [
            ((stage.name, microseconds(seconds) if seconds > 0 else "0", f"{100 * share:.1f}"), share)
            for stage, seconds, share in zip(STEP_STAGES, recent.tolist(), shares.tolist(), strict=True)
        ]
        self.table.show_rows(rows)
        for k in range(len(rows)):
            item = present(self.table.topLevelItem(k))
            if item.icon(0).isNull():
                item.setIcon(0, theme.swatch(COLOURS[k]))
        self.summary.setText(self._words(total))
        self._draw_bands(total)

    def _words(self, whole: float) -> str:
        profiler = self._profiler
        budget = profiler.budget
        rate = profiler.session.rate
        return (
            f"A step takes {microseconds(whole)} {MICRO}, {100 * whole / budget:.3g} % of the {microseconds(budget)} {MICRO} "
            f"that it may take at {rate:g}\N{MULTIPLICATION SIGN}"
        )

    def _draw_bands(self, whole: float) -> None:
        run = self._profiler.costs.now
        start, end = self.span.limits(*run.span)
        time, spent = self._profiler.bins(start, end, POINTS)
        heights = 1e6 * np.cumsum(spent, axis=1)
        for k, band in enumerate(self._bands):
            band.setData(time, heights[:, k])
        # Peaks in which the computer did something else may leave the picture.
        top = min(float(np.quantile(heights[:, -1], 0.95)), PEAK * float(np.median(heights[:, -1]))) if len(time) else 0.0
        budget = 1e6 * self._profiler.budget
        near = 0 < budget < NEAR * max(top, 1e6 * whole)
        self.budget.setVisible(near)
        self.budget.setValue(budget)
        self.plot.setXRange(start, max(end, start + 1e-9), padding=0)
        self.plot.setYRange(0.0, 1.12 * max(top, 1e6 * whole, budget if near else 0.0), padding=0)


SHARE_WIDTH, NUMBER_WIDTH = 92, 40  # of the column with the bar, and of the number in it [px]
SHARE = Qt.ItemDataRole.UserRole + 1


class _ShareBar(QStyledItemDelegate):
    """Paints the share of a row in front of its last number."""

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        if painter is not None and share:
            room = QRectF(option.rect).adjusted(2, 3, -NUMBER_WIDTH, -3)
            room.setWidth(room.width() * min(1.0, float(share)))
            painter.fillRect(room, theme.colour("accent", 190))


class CostTable(QTreeWidget):
    """Rows of costs, which are changed in place. The last column is the share of the whole, with a bar."""

    def __init__(self, name: str, titles: Sequence[str], tips: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setRootIsDecorated(False)
        self.setFont(theme.sans(8.5))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(QSize(120, 50))
        self.setItemDelegateForColumn(len(titles) - 1, _ShareBar(self))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        across = set_headings(self, titles, tips, numbers=True)
        across.setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Fixed)
        across.resizeSection(len(titles) - 1, SHARE_WIDTH)

    def show_rows(self, rows: Sequence[tuple[Sequence[str], float]]) -> None:
        """rows: the texts of a row, and its share of the whole, 0..1. The selection keeps its place."""
        while self.topLevelItemCount() > len(rows):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(rows):
            self._add()
        last = self.columnCount() - 1
        for k, (texts, share) in enumerate(rows):
            item = present(self.topLevelItem(k))
            for column, text in enumerate(texts):
                if item.text(column) != text:
                    item.setText(column, text)
            item.setToolTip(0, texts[0])
            item.setData(last, SHARE, share)

    def _add(self) -> None:
        item = QTreeWidgetItem(self)
        for column in range(1, self.columnCount()):
            item.setTextAlignment(column, NUMBER)

    @property
    def row(self) -> int:
        """Selected row; -1 without a selection."""
        item = self.currentItem()
        return -1 if item is None or not item.isSelected() else self.indexOfTopLevelItem(item)
