"""The forks panel: settings of a fork, the running forks, and how far each diverges over time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QWidget,
)

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.numbers import short
from tumble.app.look import theme
from tumble.app.panels.forks.fork_list import NEXT_KEY, ForkForm, ForkList, plain_box
from tumble.app.panels.forks.forks import PREPARING, ForkChoice, ForkEntry, Forks
from tumble.app.session.requests import ForkNow, Request, TryFork
from tumble.app.simulation.fork_runner import ENERGY, MEASURES
from tumble.app.widgets.base_panels import INTERVAL
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_check, make_splitter, vbox
from tumble.app.widgets.live_field import SpanBox
from tumble.app.widgets.plot import make_plot, positive
from tumble.app.widgets.scroll_area import SteadyScrollArea

SPANS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0)  # of the time axis [s]
FIRST_SPAN = 5.0
POINTS = 1200  # of a curve, at most
NARROW = 640  # pixels below which the plot lies under the list rather than next to it
LOW = 120  # pixels of the list and the widgets above it, which scroll: the plot next to them stays visible
NOW, BEFORE = 255, 90  # opacity of a curve, and of that of the run before
HINT = (
    with_keys("Fork now (Ctrl+D), then change the settings of the fork below, ")
    + "or edit the model in Parameters or Options: the fork keeps the old numbers. "
    "Forks are paused while this panel is closed; after a reset they restart."
)
SAME_HINT = "Same settings: it will not differ. Change one below, or edit the model in Parameters or Options"
FLAT = "Same settings: no difference"


class ForksPanel(Panel):
    """Forks are stepped while the panel is open, in front of its tabs or behind them; closed, they cost nothing."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self.forks = session.part(Forks)
        self._curves: dict[int, tuple[Any, Any]] = {}
        self._chosen, self._next = NEXT_KEY, ForkChoice()  # which row is current; settings of the next fork
        self._shown: tuple[int, ForkChoice] | None = None  # last state of the form
        self._flat: list[bool] = []  # which forks do as the simulation does
        self._seen = False
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self.splitter = make_splitter(Qt.Orientation.Horizontal, (self._make_left(), 0, 420), (self._make_right(), 1, 480))
        self.splitter.setMinimumWidth(260)
        self.set_content(self.splitter)
        self.forks.changed.connect(self._rebuild)
        session.model_loaded.connect(self._rebuild)
        session.advanced.connect(self._advance)
        dock.in_sight.connect(self._set_seen)
        toggle = dock.toggleViewAction()
        if toggle is not None:  # unlike visibilityChanged it is not emitted for a tab that comes in front
            toggle.toggled.connect(self._set_open)
        if not dock.isHidden():
            self._set_open(True)
        self._rebuild()

    def _make_left(self) -> QWidget:
        self.table = ForkList()
        self.table.chosen.connect(self._choose)
        self.table.ghosted.connect(self.forks.set_ghost)
        self.table.removed.connect(self.forks.remove)
        self.form = ForkForm()
        self.form.go.clicked.connect(self.fork_now)
        self.form.restart.clicked.connect(self.forks.restart)
        self.form.edited.connect(self._edit)
        content = holder(vbox(self.table, self.form, None, margins=(8, 6, 8, 6), spacing=5))
        area = SteadyScrollArea(content)
        area.setMinimumSize(260, LOW)
        return area

    def _make_right(self) -> QWidget:
        self.measure = plain_box([measure.name for measure in MEASURES], "Error measure")
        self.measure.setMaximumWidth(180)
        for k, measure in enumerate(MEASURES):
            self.measure.setItemData(k, measure.tip, Qt.ItemDataRole.ToolTipRole)
        self.measure.currentIndexChanged.connect(lambda k: self.draw())
        self.span = SpanBox(SPANS, FIRST_SPAN)
        self.span.setAccessibleName("Time shown")
        self.span.activated.connect(lambda k: self.draw())
        self.log = make_check("Log", "Errors on a logarithmic axis; zero errors are not drawn", toggled=self._set_log)
        self.before = make_check(
            "Previous run", "The run before the forks last restarted, faint", on=True, toggled=lambda on: self.draw()
        )
        self.plot = make_plot("", "time [s]")
        self.plot.setMinimumHeight(90)
        head = hbox((self.measure, 1), self.span, self.log, self.before, (None, 0), spacing=8)
        return holder(vbox(head, (self.plot, 1), margins=(8, 6, 8, 6), spacing=4))

    # ---- user input

    def answer(self, request: Request) -> None:
        """Fork the present state; for another panel, behind its tab."""
        if isinstance(request, ForkNow):
            self.fork_now()
        elif isinstance(request, TryFork):
            self._try(request)
        else:
            super().answer(request)

    def _try(self, request: TryFork) -> None:
        """A fork of this name there is restarts, with these changes."""
        self.dock.show()
        for entry in [entry for entry in self.forks.entries if entry.title == request.name]:
            self.forks.remove(entry.key)
        with self._reported():
            self._chosen = self.forks.add(ForkChoice(), request.name, request.changes).key
            self._rebuild()

    def fork_now(self) -> None:
        """Fork the present state with the settings of the next fork, and choose the new one; opens a closed dock."""
        if self.dock.isHidden():
            self.dock.bring()
        self._edit()
        with self._reported():
            self._chosen, self._next = self.forks.add(self._next).key, ForkChoice()
            self._rebuild()

    def _choose(self, key: int) -> None:
        """Show the settings of a fork, or those of the next one."""
        self._edit()  # text typed in a line, not entered yet
        self._chosen = key
        self._show_form()
        self._show_note()

    def _edit(self) -> None:
        """The boxes have other settings: those of the chosen fork change at once."""
        if self._chosen == NEXT_KEY:
            self._next = self.form.chosen()
            return
        with self._reported():
            self.forks.change(self._chosen, self.form.chosen())

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Shows the error in the user's input."""
        try:
            yield
        except ValueError as error:
            self._say(str(error), "bad")

    def _set_log(self, on: bool) -> None:
        item = self.plot.getPlotItem()
        item.setLogMode(y=on)
        item.getViewBox().setLimits(minYRange=2 if on else None)  # decades: less than that is rounding, drawn large
        self.draw()

    # ---- the list

    def _rebuild(self) -> None:
        """The list, or the state of a fork, changed."""
        keys = {entry.key for entry in self.forks.entries}
        if self._chosen not in keys:
            self._chosen = NEXT_KEY
        self.table.show_forks(self.forks.entries, self._chosen)
        for key in [key for key in self._curves if key not in keys]:
            for curve in self._curves.pop(key):
                self.plot.removeItem(curve)
        for entry in self.forks.entries:
            if entry.key not in self._curves:
                self._curves[entry.key] = (self._curve(entry, BEFORE), self._curve(entry, NOW))
        self.form.go.setEnabled(self._session.model is not None)
        self.form.restart.setEnabled(bool(self.forks.entries))
        self._show_form()
        self._flat = [self._is_flat(entry) for entry in self.forks.entries]
        self._show_note()
        self.draw()

    def _show_form(self) -> None:
        entry = self.forks.find(self._chosen)
        shown = self._chosen, self._next if entry is None else entry.choice
        if shown == self._shown:
            return  # a line may be half typed
        self._shown = shown
        if entry is None:
            self.form.show_next(self._next)
        else:
            self.form.show_fork(entry.name, entry.choice)

    def _show_note(self) -> None:
        """Show the error message, or the placeholder text."""
        entries = self.forks.entries
        wrong = [f"{entry.name}: {entry.remark}" for entry in entries if entry.remark]
        chosen = self.forks.find(self._chosen)
        if wrong:
            self._say("\n".join(wrong), "bad")
        elif chosen is not None and self._is_flat(chosen):
            self._say(SAME_HINT, "warn")
        else:
            self._say("" if entries else HINT, "dim")
        flat = bool(self._flat) and all(self._flat)
        self.plot.getPlotItem().setTitle(FLAT if flat else None, color=theme.colours()["dim"], size="8pt")

    def _is_flat(self, entry: ForkEntry) -> bool:
        """True if a fork agrees with the simulation, and always has."""
        apart = entry.moment is not None and np.fmax.reduce(entry.moment.peak, initial=0.0) > 0.0
        return not apart and not entry.remark and self.forks.is_same(entry)

    def _curve(self, entry: ForkEntry, alpha: int) -> pg.PlotDataItem:
        ink = theme.ink(entry.ink, alpha)
        return self.plot.plot(pen=pg.mkPen(ink, width=1.5 if alpha == NOW else 1), connect="finite")

    def _say(self, text: str, ink: str) -> None:
        note = self.form.note
        note.setText(text)
        note.setStyleSheet(f"color: {theme.colours()[ink]}")
        note.setVisible(bool(text))

    # ---- visibility

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
        flat = [self._is_flat(entry) for entry in self.forks.entries]
        if flat != self._flat:
            self._flat = flat
            self._show_note()

    def _unit(self, k: int) -> str:
        model = self._session.model
        off = MEASURES[k] is MEASURES[-1] and model is not None and not int(model.opt.enableflags) & ENERGY
        return "needs flag energy" if off else MEASURES[k].unit

    def _show_values(self, entry: ForkEntry, k: int) -> None:
        moment = entry.moment
        texts = ("", "", "")
        if entry.state == PREPARING:
            texts = ("preparing", "", "")
        elif entry.remark:
            texts = ("stopped", "", "") if moment is None else ("stopped", short(moment.peak[k]), "")
        elif moment is not None:
            texts = (short(moment.error[k]), short(moment.peak[k]), f"{1e6 * moment.seconds:.0f}")
        self.table.show_values(entry.key, texts, bad=bool(entry.remark))

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
        """The plot next to the list where there is room."""
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            narrow = wanted == Qt.Orientation.Vertical
            self.splitter.setSizes([360, 260] if narrow else [420, 480])
            self.form.lay_out(1 if narrow else 2)
