"""The solver panel: convergence of the last step, its iterations in the view, other solvers for comparison, and the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QResizeEvent

from tumble.app.panels.solver.convergence import RECORD_INTERVAL, Comparison, ShownSolve, SolveReading, SolverProbe
from tumble.app.panels.solver.convergence_page import NARROW, ConvergencePage
from tumble.app.panels.solver.history_page import HistoryPage
from tumble.app.profile import SolverHistory, solver_tap
from tumble.app.session.panel_stream import PREPARING, PanelStream, Preparation
from tumble.app.simulation.commands import RecordSolves, SolveAgain, WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import TabCorner, make_tabs
from tumble.physics.observe.sample import sample_solver
from tumble.physics.solver.record import record as record_stage

if TYPE_CHECKING:
    from tumble.physics import Solved, SolveSettings


class SolverPanel(LivePanel[ShownSolve]):
    """Solves are recorded while it can be seen, and only then."""

    probe: SolverProbe
    _answered = pyqtSignal(object, str, object)  # from the simulation thread: serial of the step, name, result

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, SolverProbe(), RECORD_INTERVAL)
        self.comparison = Comparison()
        self.history = SolverHistory()
        self.kernels = Preparation((record_stage, sample_solver), session.status.emit, self)
        self.kernels.ended.connect(self._record)  # before the stream begins: each of its steps has a record
        self.stream = PanelStream(session, solver_tap, self.kernels)
        self.convergence = ConvergencePage(self.comparison)
        self.rolling = HistoryPage()
        self.tabs = make_tabs(
            (self.convergence, "Convergence", "The last step, iteration by iteration"),
            (self.rolling, "History", "Iterations, sizes and CPU time, step after step"),
        )
        self._pages = (self.convergence, self.rolling)
        self._corner = TabCorner(self.tabs)
        self.tabs.setCornerWidget(self._corner)
        self._corner.hide()
        self.set_content(self.tabs)
        self.convergence.scrubbed.connect(self._scrub)
        self.convergence.again.connect(self._solve_again)
        self.rolling.cleared.connect(self._forget)
        self.rolling.span.activated.connect(lambda i: self._draw_history())
        self.tabs.currentChanged.connect(lambda i: self._turn())
        dock.in_sight.connect(self._set_seen)
        session.paused_changed.connect(self._pause)
        session.history.returned.connect(self._begin_again)
        self._answered.connect(self._show_answer)
        self._seen = self._recorded = False
        self._draw_history()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The heads of the pages are next to the tabs where there is room, and leave the plots their height."""
        super().resizeEvent(event)
        self._place_heads()

    def _place_heads(self) -> None:
        wide = self.width() >= NARROW
        if wide != self._corner.isHidden():
            return
        self._corner.setHidden(not wide)
        for page in self._pages:
            if wide:
                self._corner.line.addWidget(page.head)
            else:
                page.take_head()
        self._turn()

    def _turn(self) -> None:
        """Another page is in front."""
        for page in self._pages:
            page.head.setVisible(self.tabs.currentWidget() is page)
        self.refresh()

    def build(self) -> None:
        """Another model: its own history, and nothing solved yet."""
        self.history = SolverHistory()
        self.stream.renew()
        self.comparison.show(SolveReading())
        self.convergence.scrubbing, self.convergence.stands = False, self.session.paused
        self.convergence.show_comparison(False)
        self._draw_history()

    def show_reading(self, reading: ShownSolve) -> None:
        """Show the last step and feed the history."""
        if self.kernels.running:
            self.convergence.summary.set_text(PREPARING)
            return  # nothing is recorded yet, which does not mean that there was nothing to solve
        for samples in self.stream.take():
            self.history.take(samples)
        if self.tabs.currentWidget() is self.rolling:
            self._draw_history()
        if self.tabs.currentWidget() is not self.convergence and not self.session.paused:
            return
        self.convergence.show_step(reading.reading, self.session.paused and reading.fresh)
        if self.convergence.scrubbing and self.session.extras.forces is None:
            self._scrub(self.convergence.iterate)  # the moment was published again

    def _set_seen(self, visible: bool) -> None:
        self._seen = visible
        self._record()
        self.stream.want(visible)

    def _record(self) -> None:
        """Record solves while visible, once no compilation is needed for it."""
        wanted = self._seen and self.kernels.ready()
        if wanted == self._recorded:
            return
        self._recorded = wanted
        if wanted:
            self.probe.eager = self.session.paused
        else:
            self.convergence.stop_scrubbing()
        self.session.send(RecordSolves(wanted))

    def _draw_history(self) -> None:
        self.rolling.draw(self.history, self.session.paused)

    def _pause(self, paused: bool) -> None:
        self.probe.eager = paused
        self.convergence.stands = paused
        if self._seen and not self.history.now.count:
            self._draw_history()
        if not paused:
            self.convergence.stop_scrubbing()
        if self.live and paused:
            self.session.send(WatchProbe(self.probe, True))  # publishes the step that stands: newer, perhaps, than the one shown
        elif self.live:
            self.convergence.show_comparison(False)

    # ---- user input

    def _scrub(self, iterate: int) -> None:
        record = self.comparison.record
        stands = iterate >= 0 and record is not None and self.session.paused
        self.session.show_forces(record.contact_forces(iterate) if stands and record is not None else None)

    def _solve_again(self, settings: SolveSettings, name: str) -> None:
        serial = self.comparison.reading.serial
        self.session.send(SolveAgain(settings, lambda solved: self._answered.emit(serial, name, solved)))

    def _show_answer(self, serial: tuple[int, int], name: str, solved: Solved | str) -> None:
        if serial == self.comparison.reading.serial:
            self.convergence.show_answer(name, solved)

    def _begin_again(self) -> None:
        """A branch was returned to: the history is of the course that was there before."""
        self.stream.take()
        self._forget()

    def _forget(self) -> None:
        self.history.clear()
        self._draw_history()
