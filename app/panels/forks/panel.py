"""The forks panel: what a fork does otherwise, the forks that run, and how far each departs over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QSignalBlocker, Qt, QTimer
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.describe.numbers import short
from app.look import theme
from app.panels.forks.difference import difference
from app.panels.forks.form import ForkForm, plain_box
from app.panels.forks.model import PREPARING, ForkEntry, Forks
from app.session.requests import ForkNow, Request
from app.simulation.fork_error import MEASURES
from app.simulation.fork_runner import ENERGY
from app.widgets.dock import Dock, Panel
from app.widgets.live_panel import INTERVAL
from app.widgets.plot import make_plot, positive
from app.widgets.scroll_area import SteadyScrollArea
from app.widgets.span_box import SpanBox
from app.widgets.workbench import Workbench

SPANS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0)  # of the time axis [s]
FIRST_SPAN = 5.0
POINTS = 1200  # of a curve, at most
NARROW = 640  # pixels below which the plot lies under the list rather than beside it
LOW = 120  # pixels of the list and what is above it, which scroll: the plot next to them stays in sight
FEW_COLUMNS = 290  # pixels below which the list has no room for more than names and errors
NOW, BEFORE = 255, 90  # opacity of a curve, and of that of the run before
NAME, ERROR, PEAK, COST, REMOVE = range(5)
HEADINGS = (
    ("Fork", "What differs in the fork; the box shows or hides its ghost"),
    ("apart", "How far it is from the simulation now, in the measure of the plot"),
    ("largest", "Its largest distance since it began"),
    ("\N{MICRO SIGN}s", "Wall time per step of the fork"),
    ("", ""),
)
HINT = (
    "Fork with nothing changed, then edit the model in Parameters or Options: the fork keeps the old numbers. "
    "Forks are paused while this panel is closed; after a reset they restart."
)


class ForksPanel(Panel):
    """Forks are stepped while it is open, in front of its tabs or behind them; closed, they cost nothing."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self.forks = session.part(Forks)
        self._curves: dict[int, tuple[Any, Any]] = {}
        self._items: dict[int, QTreeWidgetItem] = {}
        self._seen = False
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setMinimumWidth(260)
        self.splitter.addWidget(self._make_left())
        self.splitter.addWidget(self._make_right())
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([420, 480])
        self.set_content(self.splitter)
        self.forks.changed.connect(self._rebuild)
        session.model_loaded.connect(self._rebuild)
        session.advanced.connect(self._advance)
        dock.in_sight.connect(self._set_seen)
        toggle = dock.toggleViewAction()
        if toggle is not None:  # unlike visibilityChanged it does not tell of a tab that comes in front
            toggle.toggled.connect(self._set_open)
        if not dock.isHidden():
            self._set_open(True)
        self._rebuild()

    def _make_left(self) -> QWidget:
        self.form = ForkForm()
        self.form.go.clicked.connect(self.fork_now)
        self.form.anew.clicked.connect(self.forks.restart)
        self.note = QLabel()
        self.note.setProperty("dim", True)
        self.note.setWordWrap(True)
        self.table = _make_table()
        self.table.itemChanged.connect(self._tick)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(5)
        column.addWidget(self.form)
        column.addWidget(self.note)
        column.addWidget(self.table)
        column.addStretch(1)
        area = SteadyScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        area.setMinimumSize(260, LOW)
        return area

    def _make_right(self) -> QWidget:
        self.measure = plain_box([measure.name for measure in MEASURES], "What the error is")
        self.measure.setMaximumWidth(180)
        for k, measure in enumerate(MEASURES):
            self.measure.setItemData(k, measure.tip, Qt.ItemDataRole.ToolTipRole)
        self.measure.currentIndexChanged.connect(lambda k: self.draw())
        self.span = SpanBox(SPANS, FIRST_SPAN)
        self.span.setAccessibleName("Time shown")
        self.span.activated.connect(lambda k: self.draw())
        self.log = QCheckBox("Log")
        self.log.setToolTip("Errors on a logarithmic axis; those of zero are not on it")
        self.log.toggled.connect(self._set_log)
        self.before = QCheckBox("Previous run")
        self.before.setToolTip("The run before the forks last restarted, faint")
        self.before.setChecked(True)
        self.before.toggled.connect(lambda on: self.draw())
        self.plot = make_plot("", "time [s]")
        self.plot.setMinimumHeight(90)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.measure, 1)
        for widget in (self.span, self.log, self.before):
            head.addWidget(widget)
        head.addStretch(0)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.plot, 1)
        return right

    # ---- the user's hands

    def answer(self, request: Request) -> None:
        """Fork the present state."""
        if isinstance(request, ForkNow):
            self.fork_now()
        else:
            super().answer(request)

    def fork_now(self) -> None:
        """Fork the present state with what is chosen; opens the dock where it is closed."""
        if self.dock.isHidden():
            self.dock.bring()
        model = self._session.model
        try:
            self.forks.add(difference(self.form.chosen(), float(model.opt.timestep) if model is not None else 1.0))
        except ValueError as error:
            self._say(str(error), "bad")

    def _tick(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME:
            self.forks.set_ghost(int(item.data(NAME, Qt.ItemDataRole.UserRole)), item.checkState(NAME) == Qt.CheckState.Checked)

    def _set_log(self, on: bool) -> None:
        item = self.plot.getPlotItem()
        item.setLogMode(y=on)
        item.getViewBox().setLimits(minYRange=2 if on else None)  # decades: less than that is rounding, drawn large
        self.draw()

    # ---- the list

    def _rebuild(self) -> None:
        """The list is another, or the state of a fork in it."""
        with QSignalBlocker(self.table):
            self.table.clear()
            self._items = {entry.key: self._row(entry) for entry in self.forks.entries}
        keys = {entry.key for entry in self.forks.entries}
        for key in [key for key in self._curves if key not in keys]:
            for curve in self._curves.pop(key):
                self.plot.removeItem(curve)
        for entry in self.forks.entries:
            if entry.key not in self._curves:
                self._curves[entry.key] = (self._curve(entry, BEFORE), self._curve(entry, NOW))
        self.form.go.setEnabled(self._session.model is not None)
        self.form.anew.setEnabled(bool(self.forks.entries))
        self.table.setVisible(bool(self.forks.entries))
        wrong = [f"{entry.name}: {entry.remark}" for entry in self.forks.entries if entry.remark]
        self._say("\n".join(wrong) or (HINT if not self.forks.entries else ""), "bad" if wrong else "dim")
        self.draw()

    def _row(self, entry: ForkEntry) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.table, [entry.name])
        item.setData(NAME, Qt.ItemDataRole.UserRole, entry.key)
        item.setCheckState(NAME, Qt.CheckState.Checked if entry.ghost else Qt.CheckState.Unchecked)
        item.setIcon(NAME, theme.swatch(entry.ink))
        item.setToolTip(NAME, f"{entry.name}\n{entry.remark}".rstrip())
        for column in (ERROR, PEAK, COST):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setFont(column, theme.mono(8))
        button = QToolButton()
        button.setIcon(theme.icon("close", "dim"))
        button.setToolTip("Remove this fork")
        button.setAccessibleName(f"Remove {entry.name}")
        button.setStyleSheet("padding: 0")
        button.clicked.connect(lambda: self.forks.remove(entry.key))
        self.table.setItemWidget(item, REMOVE, button)
        return item

    def _curve(self, entry: ForkEntry, alpha: int) -> pg.PlotDataItem:
        ink = theme.ink(entry.ink, alpha)
        return self.plot.plot(pen=pg.mkPen(ink, width=1.5 if alpha == NOW else 1), connect="finite")

    def _say(self, text: str, ink: str) -> None:
        self.note.setText(text)
        self.note.setStyleSheet(f"color: {theme.colours()[ink]}")
        self.note.setVisible(bool(text))

    # ---- what is seen

    def draw(self) -> None:
        """Show the errors as they are now."""
        k = self.measure.currentIndex()
        self.plot.getPlotItem().setLabel("left", self._unit(k), color=theme.colours()["dim"], size="8pt")
        runs = [entry.traces.now for entry in self.forks.entries if entry.traces.now.count]
        first, last = min((r.span[0] for r in runs), default=0.0), max((r.span[1] for r in runs), default=0.0)
        start, end = self.span.limits(first, last)
        for entry in self.forks.entries:
            before = entry.traces.before if self.before.isChecked() else None
            for curve, run in zip(self._curves[entry.key], (before, entry.traces.now), strict=True):
                x, y = run.curve(k, start, end, POINTS) if run is not None else (np.empty(0), np.empty(0))
                curve.setData(x, positive(y, self.log.isChecked()))
            self._show_values(entry, k)
        self.plot.setXRange(start, max(end, start + 1e-9), padding=0)
        self.before.setEnabled(any(entry.traces.before is not None for entry in self.forks.entries))

    def _unit(self, k: int) -> str:
        model = self._session.model
        off = MEASURES[k] is MEASURES[-1] and model is not None and not int(model.opt.enableflags) & ENERGY
        return "needs flag energy" if off else MEASURES[k].unit

    def _show_values(self, entry: ForkEntry, k: int) -> None:
        item, moment = self._items[entry.key], entry.moment
        texts = ("", "", "")
        if entry.state == PREPARING:
            texts = ("preparing", "", "")
        elif entry.remark:
            texts = ("stopped", "", "") if moment is None else ("stopped", short(moment.peak[k]), "")
        elif moment is not None:
            texts = (short(moment.error[k]), short(moment.peak[k]), f"{1e6 * moment.seconds:.0f}")
        with QSignalBlocker(self.table):
            for column, text in zip((ERROR, PEAK, COST), texts, strict=True):
                item.setText(column, text)
            item.setForeground(ERROR, theme.colour("bad" if entry.remark else "text"))

    def _advance(self) -> None:
        if self._seen and self.forks.entries:
            self._in_turn.take(self.draw)

    def _set_open(self, open: bool) -> None:
        """Opened or closed; one that is made to float is closed and opened in one go, and its forks run on."""
        if open:
            self.forks.set_running(True)
        else:
            QTimer.singleShot(0, self._run_while_open)  # a method: with the panel, the call is gone too

    def _run_while_open(self) -> None:
        self.forks.set_running(not self.dock.isHidden())

    def _set_seen(self, seen: bool) -> None:
        self._seen = seen
        if seen:
            self.draw()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The plot beside the list where there is room."""
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            narrow = wanted == Qt.Orientation.Vertical
            self.splitter.setSizes([360, 260] if narrow else [420, 480])
            self.form.lay_out(1 if narrow else 2)


class _ForkTable(QTreeWidget):
    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        for column in (PEAK, COST):
            self.setColumnHidden(column, self.width() < FEW_COLUMNS)


def _make_table() -> QTreeWidget:
    table = _ForkTable()
    table.setAccessibleName("Forks")
    table.setHeaderLabels([name for name, _ in HEADINGS])
    table.setRootIsDecorated(False)
    table.setUniformRowHeights(True)
    table.setFixedHeight(124)
    table.setMinimumWidth(0)
    table.setFont(theme.sans(9))
    table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    head, header = table.headerItem(), table.header()
    assert head is not None
    assert header is not None
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(26)
    for k, (_, tip) in enumerate(HEADINGS):
        head.setToolTip(k, tip)
        header.setSectionResizeMode(k, header.ResizeMode.Stretch if k == NAME else header.ResizeMode.Fixed)
    for column, width in ((ERROR, 66), (PEAK, 66), (COST, 44), (REMOVE, 28)):
        table.setColumnWidth(column, width)
    return table
