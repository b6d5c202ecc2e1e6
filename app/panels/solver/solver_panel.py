"""The solver panel: convergence of the last step, its iterations in the view, other solvers, a contact's problem, history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QResizeEvent

from tumble.app.describe.contacts import Names
from tumble.app.panels.solver.contact_page import ContactPage
from tumble.app.panels.solver.contact_solves import ContactTarget, StepHold
from tumble.app.panels.solver.convergence import RECORD_INTERVAL, Comparison, ShownSolve, SolveReading, SolverProbe
from tumble.app.panels.solver.convergence_page import NARROW, ConvergencePage
from tumble.app.panels.solver.history_page import HistoryPage
from tumble.app.profile import SolverHistory, solver_tap
from tumble.app.session.panel_stream import PREPARING, PanelStream, Preparation
from tumble.app.session.requests import Request, ShowOptimization
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
        self.hold = StepHold()
        self.contact = ContactPage(self._name)
        self.rolling = HistoryPage()
        self.tabs = make_tabs(
            (self.convergence, "Convergence", "The last step, iteration by iteration"),
            (self.rolling, "History", "Iterations, sizes and CPU time, step after step"),
            (self.contact, "Contact", "The optimization that a contact is part of, and the iterates of three solvers on it"),
        )
        self._pages = (self.convergence, self.rolling, self.contact)
        self._corner = TabCorner(self.tabs)
        self.tabs.setCornerWidget(self._corner)
        self._corner.hide()
        self.set_content(self.tabs)
        self.convergence.scrubbed.connect(self._scrub)
        self.convergence.again.connect(self._solve_again)
        self.contact.step_needed.connect(self._hold)
        session.contact_choice.changed.connect(self._show_choice)
        session.absence_changed.connect(lambda why: self.contact.forget(why))
        self.rolling.cleared.connect(self._forget)
        self.rolling.span.activated.connect(lambda i: self._draw_history())
        self.tabs.currentChanged.connect(lambda i: self._turn())
        dock.in_sight.connect(self._set_seen)
        session.paused_changed.connect(self._pause)
        session.history.returned.connect(self._begin_again)
        self._answered.connect(self._show_answer)
        self._seen = self._recorded = self._watched = False
        self._names: Names | None = None
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
        self._watch_contact()
        self.refresh()

    def build(self) -> None:
        """Another model: its own history, and nothing solved yet."""
        self.history = SolverHistory()
        self._names = None
        self.contact.forget(self.session.absence)
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
        if self.tabs.currentWidget() is self.contact:
            self._show_contact()
        if self.tabs.currentWidget() is not self.convergence and not self.session.paused:
            return
        self.convergence.show_step(reading.reading, self.session.paused and reading.fresh)
        if self.convergence.scrubbing and self.session.extras.forces is None:
            self._scrub(self.convergence.iterate)  # the moment was published again

    def _set_seen(self, visible: bool) -> None:
        self._seen = visible
        self._record()
        self._watch_contact()
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

    # ---- the contact

    def _watch_contact(self) -> None:
        """Hold steps only while the page on the contact is seen."""
        wanted = self._seen and self.tabs.currentWidget() is self.contact
        if wanted == self._watched:
            return
        self._watched = wanted
        self.session.send(WatchProbe(self.hold, wanted))
        if not wanted:
            self.hold.forget()
            self.contact.forget()

    def _hold(self) -> None:
        if self._watched:
            self.hold.wanted = True
            self.session.send(WatchProbe(self.hold, True))  # known already: the simulation only publishes again

    def _show_contact(self) -> None:
        shown = self.session.reading(self.hold)
        if shown is not None:
            self.contact.show_step(shown, self._target(), self.session.paused)

    def _show_choice(self) -> None:
        if self._watched:
            self.refresh()

    def _target(self) -> ContactTarget | None:
        """The chosen contact; None: none is."""
        choice, snapshot = self.session.contact_choice, self.session.snapshot
        if choice.pair is None or snapshot is None:
            return None
        first, second = (max(side, -1) for side in choice.pair)
        point = snapshot.contact("pos")[choice.index].copy() if choice.index >= 0 else np.zeros(3)
        return ContactTarget((first, second), point)

    def _name(self, geoms: tuple[int, int]) -> str:
        """Names of the two geoms of a contact."""
        if self._names is None and self.session.model is not None:
            self._names = Names(self.session.model)
        names = [] if self._names is None else self._names.geoms
        return " \N{EN DASH} ".join(names[g] if 0 <= g < len(names) else "soft body" for g in geoms)

    # ---- user input

    def answer(self, request: Request) -> None:
        """Show the page on the chosen contact."""
        super().answer(request)
        if isinstance(request, ShowOptimization):
            self.tabs.setCurrentWidget(self.contact)

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
