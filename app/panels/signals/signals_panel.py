"""The signals panel: any number of model or data over time, sampled at every step while the dock can be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QSizePolicy,
    QWidget,
)

from tumble.app.base.settings import FOLDER, PLOTS
from tumble.app.base.traces import Traces
from tumble.app.describe.numbers import none_yet, short, step_moment
from tumble.app.describe.signals import Catalogue, SignalError
from tumble.app.look import theme
from tumble.app.panels.signals.measured_bar import MeasuredBar
from tumble.app.panels.signals.pane import SignalPane
from tumble.app.panels.signals.signal_tree import SignalTree
from tumble.app.session.panel_stream import Preparation
from tumble.app.session.requests import LayOver, PlotSignal, Request
from tumble.app.simulation.commands import StreamSteps
from tumble.app.simulation.hooks import StepStream
from tumble.app.study.measured_data import MeasuredData
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, vbox
from tumble.app.widgets.live_field import SpanBox
from tumble.app.widgets.tables import CsvButton
from tumble.physics.base.files import home
from tumble.physics.observe.sample import SignalTap, sample_signals

if TYPE_CHECKING:
    from tumble.physics.observe.sample import Samples

MOST_SIGNALS = 32  # each takes 5 MB, that of the run before included
SPANS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0)  # of the time axis while it follows [s]
FIRST_SPAN = 5.0
DRAW_INTERVAL = 0.04  # wall time between two pictures while time runs [s]
LONG = 840  # pixels at the usual size of text from which all switches are in one line
NARROW = 560  # pixels below which the list lies over the plots rather than next to them


number = partial(short, figures=6)  # a value for reading


class SignalsPanel(Panel):
    """A list of all signals next to panes of curves; nothing is sampled while the dock is closed.

    Plots are stored between starts, and signals that a model does not have wait for one that does.
    """

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self.session = session = bench.session
        self._store = session.store
        self.traces = Traces()
        self.panes: list[SignalPane] = []
        self._wanted: dict[SignalPane, list[str]] = {}  # names, those too that the present model does not have
        self._in_turn = session.frame_budget.new_turn(DRAW_INTERVAL)
        self._catalogue: Catalogue | None = None
        self._stream: StepStream[Samples] | None = None
        self.kernels = Preparation((sample_signals,), session.status.emit, self)
        self.kernels.ended.connect(self._sample)
        self._visible = False
        self._cursors: tuple[float, float] | None = None
        self._active: SignalPane | None = None
        self._hover = math.nan
        self._laid_over: Path | None = None  # the record of which a signal is plotted
        self.measured = session.part(MeasuredData)
        self.measured.changed.connect(self._show_measured)
        self.tree = SignalTree()
        self.tree.wanted.connect(lambda name: self.add(name))
        self._lay_out()
        session.model_loaded.connect(self._rebuild)
        session.advanced.connect(self._advance)
        session.history.returned.connect(self._begin_again)
        dock.in_sight.connect(self._set_visible)
        dock.dockLocationChanged.connect(self._turn)
        self._recall()

    def _lay_out(self) -> None:
        self._column = make_splitter(Qt.Orientation.Vertical)
        self.status = make_label(ink="dim")
        self.status.setContentsMargins(4, 0, 4, 0)
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # names give way
        self.measured_bar = MeasuredBar(self.measured)
        right = holder(vbox(self._make_bar(), (self._column, 1), self.measured_bar, self.status, margins=(0, 6, 8, 4), spacing=4))
        self.splitter = make_splitter(Qt.Orientation.Horizontal, (self.tree, 0, 250), (right, 1, 600))
        self.splitter.setChildrenCollapsible(True)
        self.set_content(self.splitter)

    def _make_bar(self) -> QWidget:
        self.new_pane = make_button("Add plot", "Another plot below, with the same time axis", lambda: self.add_pane())
        self.follow = make_check(
            "Follow", "Keep the newest time in view; zooming or dragging a plot stops it", on=True, toggled=self._set_follow
        )
        self.span = SpanBox(SPANS, FIRST_SPAN)
        self.span.setAccessibleName("Time shown")
        self.span.setToolTip("Time shown while following")
        self.span.activated.connect(lambda i: self.follow.setChecked(True) if not self.follow.isChecked() else self._draw())
        self.cursor_switch = make_check(
            "Cursors", "Two lines to drag: values at A and B, and their difference", toggled=self._set_cursors
        )
        self.compare = make_check("Previous run", on=True, toggled=lambda on: self._draw())
        self.compare.setToolTip("The run before the last reset, faint behind the present one")
        self.export = CsvButton(self.session, "signals", self._table, counted="samples")
        self.export.setToolTip("All samples of the present run that are kept in full resolution")
        self.lay_over = make_button("Measured…", "Lay measured data over the plots and the view: a CSV file", self._ask_measured)
        bar = QWidget()
        self._rows = rows = QBoxLayout(QBoxLayout.Direction.TopToBottom, bar)
        rows.setContentsMargins(8, 0, 0, 0)
        rows.setSpacing(4)
        for widgets in ((self.follow, self.span, self.new_pane, self.export), (self.cursor_switch, self.compare, self.lay_over)):
            line = hbox(*widgets, None, spacing=8)
            rows.addLayout(line)
        return bar

    # ---- signals and panes

    def add_pane(self) -> SignalPane:
        """Add a plot, which becomes the target of new signals."""
        pane = SignalPane()
        pane.setAccessibleName("Plot")
        pane.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        pane.dropped.connect(lambda where, name: self.add(name, where))
        pane.file_dropped.connect(self.measured.open)
        pane.removed.connect(self._remove)
        pane.chosen.connect(self._choose_pane)
        pane.closed.connect(self.close_pane)
        pane.zoomed.connect(lambda pane=pane: self._zoomed(pane))
        pane.hovered.connect(self._hovered)
        pane.moved.connect(self._cursor_moved)
        self.panes.append(pane)
        self._wanted[pane] = []
        self._column.addWidget(pane)
        self._choose_pane(pane)
        pane.show_cursors(self._cursors)
        self._draw()
        return pane

    def close_pane(self, pane: SignalPane) -> None:
        """Remove a plot; the last one is only emptied."""
        for signal in list(pane.signals):
            pane.remove(signal.name)
        self._wanted[pane] = []
        if len(self.panes) > 1:
            self.panes.remove(pane)
            del self._wanted[pane]
            pane.setParent(None)
            pane.deleteLater()
            self._choose_pane(self.panes[-1])
        self._remember()
        self._sample()

    def answer(self, request: Request) -> None:
        """Plot a signal, or lay measured data over."""
        super().answer(request)
        if isinstance(request, PlotSignal):
            self.add(request.name)
        elif isinstance(request, LayOver):
            self.measured.open(request.path)

    def add(self, name: str, pane: SignalPane | None = None) -> None:
        """Plot a signal by its name."""
        pane = pane or self._active or self.panes[0]
        if self._catalogue is None:
            return
        try:
            signal = self._catalogue.scalar(name)
        except SignalError as error:
            self.session.status.emit(str(error))
            return
        if signal.name not in self.traces.names and len(self.traces.names) >= MOST_SIGNALS:
            self.session.status.emit(f"At most {MOST_SIGNALS} signals can be plotted: remove one first")
            return
        pane.add(signal)
        if signal.name not in self._wanted[pane]:
            self._wanted[pane].append(signal.name)
        self._choose_pane(pane)
        self._remember()
        self._sample()

    def _remove(self, pane: SignalPane, name: str) -> None:
        pane.remove(name)
        self._wanted[pane].remove(name)
        self._remember()
        self._sample()

    def _remember(self) -> None:
        self._store.put(PLOTS, [self._wanted[pane] for pane in self.panes])

    def _recall(self) -> None:
        """Restore the plots of the last session."""
        for names in self._store.get(PLOTS):
            self._wanted[self.add_pane()] = names[:MOST_SIGNALS]
        if not self.panes:
            self.add_pane()

    def _choose_pane(self, pane: SignalPane) -> None:
        self._active = pane
        for other in self.panes:
            other.set_active(other is pane and len(self.panes) > 1)

    def _sample(self) -> None:
        """Sample the plotted signals, and none while the dock is hidden."""
        wanted = {s.name: s for pane in self.panes for s in pane.signals}
        if list(wanted) != self.traces.names:
            self._take()
            self.traces.choose(list(wanted))
        if self._stream is not None:
            self.session.send(StreamSteps(self._stream, False))
            self._stream = None
        if wanted and self._visible and self.session.model is not None and self.kernels.ready():
            chosen = [(s.field, s.start) for s in wanted.values()]
            self._stream = StepStream(lambda data: SignalTap(data, chosen))
            self.session.send(StreamSteps(self._stream, True))
        self._draw()

    # ---- session signals

    def catch_up(self) -> None:
        """Show the model that is loaded already."""
        if self.session.model is not None:
            self._rebuild()

    def _rebuild(self) -> None:
        """Another model: signals that it also has stay, the others wait for a model that has them."""
        self._catalogue = Catalogue(self.session.loaded_model)
        self.tree.set_catalogue(self._catalogue)
        if self.session.kept is None:
            self.traces = Traces()
        else:
            self._take()  # the curves continue
        self._stream = None
        for pane in self.panes:
            for signal in list(pane.signals):
                pane.remove(signal.name)
        known: set[str] = set()
        for pane, names in self._wanted.items():
            for name in names:
                if self._catalogue.knows(name) and len(known | {name}) <= MOST_SIGNALS:
                    pane.add(self._catalogue.scalar(name))
                    known.add(name)
        self._sample()

    def _set_visible(self, visible: bool) -> None:
        if visible != self._visible:
            self._visible = visible
            self._sample()

    def _take(self) -> None:
        if self._stream is None:
            return
        for samples in self._stream.take():
            if samples.values.shape[1] == len(self.traces.names):
                self.traces.feed(samples.time, samples.resets, samples.values)

    def _begin_again(self) -> None:
        """A branch was returned to: the curves are of the course that was there before."""
        self._take()
        self.traces.clear()
        self._draw()

    def _advance(self) -> None:
        if self._visible:
            self._take()
            self._in_turn.take(self._draw)

    # ---- drawing

    def _draw(self) -> None:
        if not self._visible or not self.panes:
            return
        start, end = self._window()
        columns = {name: i for i, name in enumerate(self.traces.names)}
        before = self.traces.before if self.compare.isChecked() else None
        for pane in self.panes:
            pane.set_window(start, end)
            pane.draw(self.traces.now, before, columns, start, end, self.measured.curve if self.measured.record else None)
        self._show_values()
        self.compare.setEnabled(self.traces.before is not None)
        self.export.allow(self.traces.now.count > 0)

    def _window(self) -> tuple[float, float]:
        if not self.follow.isChecked():
            return self.panes[0].window_shown
        return self.span.limits(*self.traces.now.span)

    def _show_values(self) -> None:
        run = self.traces.now
        newest = run.span[1]
        for pane in self.panes:
            for signal in pane.signals:
                column = self.traces.names.index(signal.name)
                if self._cursors is not None:
                    a, b = (run.at(column, t) for t in self._cursors)
                    tip = f"A {number(a)}, B {number(b)} {signal.unit}"
                    text = "\N{GREEK CAPITAL LETTER DELTA} " + number(b - a)
                else:
                    tip = "The value at the mouse; without it, the newest"
                    text = number(run.at(column, newest if math.isnan(self._hover) else self._hover))
                pane.entries[signal.name].show_value(text, tip)
        self._show_status()

    def _show_status(self) -> None:
        moment_text = partial(step_moment, timestep=self.session.history.timestep)
        if not self.traces.names:
            text = ""
        elif self._cursors is not None:
            a, b = self._cursors
            per = f", {1 / abs(b - a):.4g} Hz" if a != b else ""
            text = f"A {moment_text(a)}   B {moment_text(b)}   B\N{MINUS SIGN}A {moment_text(b - a)}{per}"
        elif self.traces.now.count == 0:
            text = none_yet("samples", self.session.paused)
        elif not math.isnan(self._hover):
            text = moment_text(self._hover)
        else:
            text = f"{self.traces.now.count:,} steps sampled".replace(",", "\N{NARROW NO-BREAK SPACE}")
        waiting = [name for pane in self.panes for name in self._wanted[pane] if name not in pane.entries]
        if waiting and self._catalogue is not None:
            text += f"{'   ' if text else ''}Not in this model: {', '.join(waiting)}"
        self.status.setText(text)

    # ---- measured data

    def _ask_measured(self) -> None:
        folder = self._store.get(FOLDER) or str(home())
        name, _ = QFileDialog.getOpenFileName(self, "Lay measured data over", folder, f"Tables (*{LayOver.suffix})")
        if name:
            self.measured.open(Path(name))

    def _show_measured(self) -> None:
        """Another record, or another shift: plot a signal of it if none of them is plotted."""
        record = self.measured.record
        plotted = {signal.name for pane in self.panes for signal in pane.signals}
        if record is not None and record.path != self._laid_over and not plotted & set(record.names):
            self.add(record.names[0])
        self._laid_over = None if record is None else record.path
        self._draw()

    # ---- user input

    def _zoomed(self, pane: SignalPane) -> None:
        """A plot was zoomed or dragged: the others follow, and the newest time is no longer kept in view."""
        start, end = pane.window_shown
        self.follow.setChecked(False)
        for other in self.panes:
            other.set_window(start, end)
        self._draw()

    def _set_follow(self, on: bool) -> None:
        if on:
            for pane in self.panes:
                pane.follow()
            self._draw()

    def _hovered(self, time: float) -> None:
        self._hover = time
        for pane in self.panes:
            pane.show_hover(time)
        self._show_values()

    def _set_cursors(self, on: bool) -> None:
        start, end = self.panes[0].window_shown
        self._cursors = (start + (end - start) / 3, start + 2 * (end - start) / 3) if on else None
        for pane in self.panes:
            pane.show_cursors(self._cursors)
        if on:
            self.follow.setChecked(False)  # else the picture runs away from under them
        self._show_values()

    def _cursor_moved(self, which: int, time: float) -> None:
        if self._cursors is None:
            return
        a, b = self._cursors
        self._cursors = (time, b) if which == 0 else (a, time)
        for pane in self.panes:
            pane.show_cursors(self._cursors)
        self._show_values()

    def _table(self) -> Iterable[list[str]]:
        """All samples that are kept, the headings first."""
        headings, rows = self.traces.table()
        units = {s.name: s.unit for pane in self.panes for s in pane.signals} | {"time": "s"}
        titles = [f"{h} [{units[h]}]" if units.get(h) else h for h in headings]
        return chain([titles], ([repr(float(v)) for v in row] for row in rows))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self, area: Qt.DockWidgetArea | None = None) -> None:
        """The list next to the plots where there is room; above them where it is narrow, and as it arrives at a side."""
        at_side = area in (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
        wanted = Qt.Orientation.Vertical if at_side or self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            self.splitter.setSizes([180, 400] if wanted == Qt.Orientation.Vertical else [250, 600])
        long = not at_side and self.width() >= LONG * theme.scale()
        self._rows.setDirection(QBoxLayout.Direction.LeftToRight if long else QBoxLayout.Direction.TopToBottom)
