"""The balance panel: forces on the chosen dofs by origin, as bars and arrows, and where energy comes from and goes."""

from __future__ import annotations

from time import monotonic

import numpy as np
from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtGui import QResizeEvent

from tumble.app.describe.names import dof_names
from tumble.app.describe.numbers import moment
from tumble.app.panels.balance.account import Accounts, EnergyReport
from tumble.app.panels.balance.arrows import ForceArrows
from tumble.app.panels.balance.balance_readings import BalanceProbe, BalanceReading, BalanceScope, Chosen, ShownBalance, choose
from tumble.app.panels.balance.energy_page import EnergyPage
from tumble.app.panels.balance.force_table import ForceColumn, ForceTable, Key
from tumble.app.panels.balance.words import TermNames, is_angular, place_of, remainder_words, subject_of
from tumble.app.session.marking import mark
from tumble.app.session.requests import ShowElement
from tumble.app.simulation.commands import WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import TabCorner, hbox, holder, make_check, make_tabs, make_timer, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics.query.balance.terms import Origin

SETTLED = 250  # from the last change of the position, while paused, to the next account [ms]
NARROW = 720  # pixels of width below which the controls stand above the tabs
AGAIN = 2.0  # wall time between two accounts while time runs, at least [s]
SHARE = 8.0  # ... and so many times what the last one took
NOTHING_MOVES = "Nothing here can move: choose a tree, or select a moving body"
ALL = "All dofs"
EQUATION = "M qacc + qfrc_bias = qfrc_passive + qfrc_actuator + qfrc_applied + J\N{PRIME} efc_force"


class BalancePanel(LivePanel[ShownBalance]):
    """A page with the forces of the moment, and one with the account of energy."""

    probe: BalanceProbe

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, BalanceProbe())
        self.accounts = session.part(Accounts)
        self.shown_arrows = ForceArrows(session)
        self._names: TermNames | None = None
        self._dof_names: list[str] = []
        self._reading: BalanceReading | None = None
        self._stays = False  # a click on a row selects its body, but the balance stays that of the present one
        self._accounted = -np.inf  # when the last account ended, by monotonic [s]
        self.scope = CalmCombo("Balance of", "Whose forces: of the selected body", ((s.value, s) for s in BalanceScope))
        self.dof = CalmCombo("Dof", "One dof, or all of them side by side")
        self.dof.setMinimumContentsLength(8)
        self.arrows = make_check("Arrows", "Draw the forces on these bodies in the view: a torque has two heads")
        self.each = make_check("Each contact", "Contacts one by one rather than those of a pair together")
        self.summary = ElidedLabel("")
        self.summary.setProperty("dim", True)
        self.forces = ForceTable("Forces by origin")
        self.energy = EnergyPage()
        self.tabs = make_tabs(
            (holder(vbox((self.forces, 1), margins=(8, 4, 8, 4))), "Forces", f"The equation of motion {EQUATION}, term by term"),
            (self.energy, "Energy", "Where the energy of the last seconds came from, and where it went"),
        )
        controls = self.scope, self.dof, self.arrows, self.each
        self.head = holder(hbox(*controls, (self.summary, 1), margins=(0, 0, 0, 0), spacing=8))
        self._corner = TabCorner(self.tabs)
        for low in (self.scope, self.dof, self.energy.span, self.energy.quantity):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")  # no higher than the tabs, next to which they are
        self.tabs.setCornerWidget(self._corner)
        self._above = vbox(margins=(8, 4, 8, 0), spacing=0)
        self.set_content(holder(vbox(self._above, (self.tabs, 1), margins=(0, 0, 0, 0), spacing=0)), low=True)
        self._wide: bool | None = None
        self._place_heads()
        self._later = make_timer(self, self._account)
        self.scope.currentIndexChanged.connect(lambda i: self._choose())
        self.dof.currentIndexChanged.connect(lambda i: self._take())
        self.arrows.toggled.connect(lambda on: self._take())
        self.each.toggled.connect(lambda on: self._take())
        self.forces.picked.connect(lambda: self._go(self.forces.selected()))
        self.energy.table.picked.connect(lambda: self._go(self.energy.table.selected()))
        for table in (self.forces, self.energy.table):
            table.opened.connect(lambda row, table=table: self._open(table.forces.keys[row]))
        self.energy.span.currentIndexChanged.connect(lambda i: self._account_soon())
        self.tabs.currentChanged.connect(lambda i: self._turn())
        self.accounts.done.connect(self._show_report)
        session.selection_changed.connect(self._follow_selection)
        session.paused_changed.connect(self._pause)
        session.history.changed.connect(self._on_history)
        dock.in_sight.connect(self._on_sight)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The controls are next to the tabs where there is room, and leave the table its height."""
        super().resizeEvent(event)
        self._place_heads()

    def _place_heads(self) -> None:
        wide = self.width() >= NARROW
        if wide == self._wide:
            return
        self._wide = wide
        self._corner.setVisible(wide)
        line = self._corner.line if wide else self._above
        for head in (self.head, self.energy.head):
            line.addWidget(head)
        self.energy.spread(beside=wide)
        self._show_head()

    def _show_head(self) -> None:
        """Show the controls of the page in front."""
        there = self.tabs.currentWidget() is self.energy
        self.head.setVisible(not there)
        self.energy.head.setVisible(there)

    # ---- what it is of

    def build(self) -> None:
        """Another model."""
        model = self.session.model
        self._names = None if model is None else TermNames(model)
        self._reading = None
        self.accounts.stop()
        self.energy.show_report(self.session.absence, None)
        self._choose()
        self._account_soon()

    def _follow_selection(self, body: int) -> None:
        if not self._stays:
            self._choose()

    def _choose(self) -> None:
        """Look at the body, tree or model that is chosen now."""
        model = self.session.model
        chosen = Chosen() if model is None else choose(model, self.scope.currentData(), self.session.selection)
        if model is None or chosen == self._chosen:
            return
        self._chosen = chosen
        self._dof_names = dof_names(model, chosen.dofs)
        before = self.dof.currentText()
        with QSignalBlocker(self.dof):
            self.dof.clear()
            self.dof.addItem(ALL)
            self.dof.addItems(self._dof_names)
            self.dof.setCurrentIndex(max(0, self.dof.findText(before)))
        self._take()

    _chosen = Chosen()

    @property
    def _dofs(self) -> tuple[int, ...]:
        """The dofs shown: those of the scope, or the one that is chosen."""
        k = self.dof.currentIndex() - 1
        return self._chosen.dofs if k < 0 else self._chosen.dofs[k : k + 1]

    def _take(self) -> None:
        """Read what is chosen now."""
        self.probe.chosen = Chosen(self._dofs, self._chosen.bodies, self._chosen.name)
        self.probe.arrows, self.probe.each = self.arrows.isChecked(), self.each.isChecked()
        if not self.probe.arrows:
            self.shown_arrows.clear()
        if self.live:
            self.session.send(WatchProbe(self.probe, True))  # known already: the simulation only publishes again
        self._account_soon()

    # ---- forces

    def show_reading(self, reading: ShownBalance) -> None:
        """Show the forces of another moment."""
        self._reading = reading.reading
        if self.tabs.currentWidget() is not self.energy:
            self._fill()
        if self.arrows.isChecked():
            self.shown_arrows.show(reading.reading.wrenches)
        if self.tabs.currentWidget() is self.energy and not self.session.paused and not self.accounts.working:
            self._account_while_running()

    def _fill(self) -> None:
        reading, model, names = self._reading, self.session.model, self._names
        if reading is None or model is None or names is None or reading.chosen != self.probe.chosen:
            return
        dofs = reading.chosen.dofs
        titles = dof_names(model, dofs)
        columns = [
            ForceColumn("Power W", "Force times velocity: what the term gives to these dofs, or takes", reading.power,
                        abs(reading.power).max(initial=0.0))
        ]  # fmt: skip
        for k, dof in enumerate(dofs):
            unit = "N m" if is_angular(model, dof) else "N"
            values = reading.force[:, k]
            tip = f"Force of each origin on {titles[k]} [{unit}]; they add up to zero"
            columns.append(ForceColumn(f"{titles[k]} {unit}", tip, values, abs(values).max(initial=0.0)))
        keys = list(zip(reading.origin.tolist(), reading.ident.tolist(), strict=True))
        tips = [remainder_words(hard=reading.hard) if key[0] == Origin.REMAINDER else "" for key in keys]
        self.forces.show_moment(keys, [names.name(*key) for key in keys], tips, columns)
        self.summary.set_text(self._words(reading))

    def _words(self, reading: BalanceReading) -> str:
        if not reading.chosen.dofs:
            return NOTHING_MOVES
        if reading.asleep:
            return f"{reading.chosen.name} sleeps: no force is computed"
        if not len(reading.origin):
            return f"{reading.chosen.name} at {moment(reading.time)}: forces are below a billionth of the largest in the model"
        rest = reading.force[reading.origin == Origin.REMAINDER]
        largest = abs(reading.force).max(initial=0.0)
        share = abs(rest).max(initial=0.0) / max(largest, 1e-300)
        closes = "adds up to zero, to rounding" if share < 1e-9 else f"remainder {share:.2g} of the largest"
        return f"{reading.chosen.name} at {moment(reading.time)}: {len(reading.origin)} origins; {closes}"

    # ---- energy

    def _account_soon(self) -> None:
        if self.live and self.tabs.currentWidget() is self.energy:
            self._later.start(SETTLED)

    def _account(self) -> None:
        if self.live and self.session.model is not None:
            dofs = self._dofs
            self.accounts.start(self.energy.seconds, dofs[0] if dofs else -1)

    def _account_while_running(self) -> None:
        report = self.energy.report
        took = 0.0 if report is None else report.seconds
        if monotonic() - self._accounted > max(AGAIN, SHARE * took):
            self._account()

    def _show_report(self, report: EnergyReport | str) -> None:
        self._accounted = monotonic()
        self.energy.show_report(report, self._names)

    def _on_history(self) -> None:
        if self.session.paused:
            self._account_soon()

    def _turn(self) -> None:
        """Another page is in front."""
        self._show_head()
        self.refresh()
        self._account_soon()

    # ---- coming and going

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.probe.eager = self.session.paused
            self._account_soon()
        else:
            self.shown_arrows.clear()
            self.accounts.stop()

    def _pause(self, paused: bool) -> None:
        self.probe.eager = paused
        if self.live and paused:
            self.session.send(WatchProbe(self.probe, True))  # publishes the moment that stands
            self._account_soon()

    # ---- user input

    def _go(self, keys: list[Key]) -> None:
        """Mark the source of the chosen row in the view; the balance stays."""
        model = self.session.model
        if model is None or len(keys) != 1:
            return
        self._stays = True
        try:
            mark(self.session, subject_of(model, *keys[0]))
        finally:
            self._stays = False

    def _open(self, key: Key) -> None:
        """Show the fields of the element of a row."""
        place = place_of(*key)
        if place is not None:
            self.session.ask(ShowElement(*place))
