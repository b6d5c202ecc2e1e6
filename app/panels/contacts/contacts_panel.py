"""The contacts panel: all contacts and constraint rows of the moment, and the friction cone of the one that is chosen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QAction, QColor, QResizeEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QMenu,
    QSlider,
    QToolButton,
    QWidget,
)

from tumble.app.base import settings
from tumble.app.describe.contacts import FIRST_CONTACT_KIND, MODE_INKS, Names, why_it_slips
from tumble.app.describe.subject import constraint_subject
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.contacts.columns import CONTACT_COLUMNS, ROW_COLUMNS, find_contacts, find_rows, summary
from tumble.app.panels.contacts.cone_gauge import ConeGauge
from tumble.app.panels.contacts.moment_table import MomentModel, MomentTable
from tumble.app.panels.contacts.state import (
    ContactProbe,
    ContactReading,
    ContactState,
    Pair,
    PairTotals,
    RowState,
    contacts_of,
    rows_of,
    sides,
    slip_case,
)
from tumble.app.session.contact_tracking import ContactPlace, places
from tumble.app.session.marking import mark
from tumble.app.session.requests import AskDoctor, AskPair, ShowOptimization, TuneGeom
from tumble.app.simulation.commands import WatchProbe
from tumble.app.viewport.contacts.legend import STEPS, ArrowLength
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_tabs, vbox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import FilterField
from tumble.physics import ContactMode
from tumble.physics.observe.thickness import DEEP

WIDE = 640  # pixels from which the gauge stands next to the table rather than below
PAIRED = 380  # pixels from which the words stand next to the gauge, where both are below the table
LOW, LOWER = 260, 190  # pixels of height below which few words, and fewer, are seen below the gauge
NO_TROUBLE = "Choose a contact that is deep or slips: why it does, and what would change it"
LEAST = 260  # pixels that the dock needs with the gauge below
_STATE, _USED, _DEPTH = 1, 2, 7  # columns coloured by the state of the contact
SWITCHES = ("contact_point", "contact_force", "contact_split", "friction_cone", "contact_patch", "contact_past")
SLIDER = 96  # width [px]
TIP = "Length of the force arrows in the view: {} of the default. Dragging the end of the arrow in the legend changes it too"


class ContactsPanel(LivePanel[ContactReading]):
    """Two tables and a gauge; a row and its place in the view choose each other."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        self.contact_probe = ContactProbe()
        super().__init__(dock, session, self.contact_probe)
        self._names: Names | None = None
        self._state: ContactState | None = None
        self._rows: RowState | None = None
        self._places: list[ContactPlace] = []  # of the contacts shown, which are of an earlier moment than the session's snapshot
        self._index = -1  # of the contact chosen, among those shown
        self._soft = np.zeros(0)  # of the contacts shown: ContactReading.soft
        self._troubled: Pair | None = None  # sides of the contact that the doctor is asked about
        self._row: tuple[int, int, int] | None = None  # type, id and place of the constraint row chosen
        self.search = FilterField(
            "Search contacts and rows", "Filter: body, geom, slip …",
            "Rows that have all these words: names of bodies and geoms, or a state such as slip or deep",
        )  # fmt: skip
        self.search.textChanged.connect(lambda text: self._fill())
        self.search.setObjectName("search")
        self.by_pair = make_check("By pair", on=session.store.get(settings.CONTACTS_BY_PAIR), toggled=self._group)
        self.by_pair.setToolTip("Contacts of two geoms in a row with their totals; its arrow, or the right key, shows each")
        self.count = ElidedLabel("")
        self.count.setProperty("dim", True)
        self.contacts = MomentTable(MomentModel(CONTACT_COLUMNS, _contact_ink), CONTACT_COLUMNS)
        self.contacts.setAccessibleName("Contacts")
        self.rows = MomentTable(MomentModel(ROW_COLUMNS, _row_ink), ROW_COLUMNS)
        self.rows.setAccessibleName("Constraint rows")
        self.contacts.setObjectName("contacts")
        self.contacts.setToolTip("A double click opens the parameters of the smaller geom")
        self.contacts.moments.group(self.by_pair.isChecked())
        for table in (self.contacts, self.rows):
            table.moments.layoutChanged.connect(lambda: self._mark())  # sorted
        self.contacts.chosen.connect(self._choose_contact)
        self.contacts.doubleClicked.connect(lambda index: self._tune())
        self.rows.chosen.connect(self._choose_row)
        tip = "All rows of the constraint solver: equalities, friction losses, limits, contacts"
        self.tabs = make_tabs((self.contacts, "Contacts", ""), (self.rows, "Constraint rows", tip))
        self.tabs.currentChanged.connect(self._turn)
        self.bar = ShownBar(session.part(ArrowLength), bench.actions)
        self.tabs.setCornerWidget(self.bar)
        self.gauge = ConeGauge()
        self.why = make_label(wrap=True, name="Why the chosen contact slips or not")
        self.why.setContentsMargins(12, 0, 4, 0)  # below the words of the gauge
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.why.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.why.hide()
        self._words = SteadyScrollArea(self.why)  # no word makes the window grow
        self.set_content(self._make_body(), low=True)
        session.contact_choice.changed.connect(self._show_choice)
        dock.opened.connect(self._forget_row)

    def _make_body(self) -> QWidget:
        self.parameters = make_button("Parameters", act=self._tune, style="padding: 4px 8px", enabled=False)
        self.parameters.setToolTip("Softness and friction of the smaller geom of the chosen contact")
        self.parameters.setObjectName("parameters")
        self.closely = make_button("Collision", act=self._look_closely, style="padding: 4px 8px", enabled=False)
        self.closely.setToolTip("The collision of the chosen contact, step by step")
        self.solver = make_button("Solver", act=self._ask_solver, style="padding: 4px 8px", enabled=False)
        self.solver.setToolTip("The optimization that the chosen contact is part of: its cost, and the iterates of three solvers")
        self.doctor = make_button("Doctor", act=self._ask_doctor, style="padding: 4px 8px", enabled=False)
        self._head = head = hbox((self.search, 1), self.doctor, self.solver, self.closely, self.parameters)
        self.search.setMinimumWidth(110)
        self._remarks = holder(hbox(self.by_pair, (self.count, 1), self.search.hidden, margins=(0, 0, 0, 0), spacing=6))
        self._column = vbox(head, self._remarks, (self.tabs, 1), margins=(0, 0, 0, 0), spacing=4)
        left = holder(self._column)
        body = QWidget()
        body.setMinimumWidth(LEAST)  # else it stays as wide as it must be with the gauge next to the table
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom, body)
        self._body.setContentsMargins(8, 6, 8, 4)
        self._body.setSpacing(4)
        self._body.addWidget(left, 3)
        self._chosen = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._chosen.addWidget(self.gauge, 1)
        self._chosen.addWidget(self._words, 1)
        self._body.addLayout(self._chosen, 1)
        return body

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Put the gauge where there is room for it."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        across = not wide and self.width() >= PAIRED
        words = 1 if self.height() < LOWER else 2 if self.height() < LOW else 4
        self.bar.fit(self.width())
        self._words.setMinimumHeight(words * self.why.fontMetrics().lineSpacing() if wide else 0 if across else 32)
        self._chosen.setDirection(QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom)
        self._body.setAlignment(self._chosen, Qt.AlignmentFlag.AlignTop if wide else Qt.AlignmentFlag(0))
        if wide:  # and mostly low
            self._head.insertWidget(1, self._remarks, 2)
        else:
            self._column.insertWidget(1, self._remarks)
        self._body.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self.gauge.spread(beside=wide)
        self._words.setMaximumWidth(self.gauge.maximumWidth())

    # ---- session signals

    def build(self) -> None:
        """Another model is loaded."""
        self._names = Names(self.session.model) if self.session.model is not None else None
        self._state, self._rows, self._row = None, None, None
        self._places, self._index = [], -1
        self.contacts.moments.forget_pairs()
        self._fill()

    def show_reading(self, reading: ContactReading) -> None:
        """Show the contacts of another moment."""
        model, snapshot = self.session.model, self.session.snapshot
        if model is None or snapshot is None or not reading.contact:
            return
        if self._names is None:
            self._names = Names(model)
        self._state, self._rows = contacts_of(model, snapshot, reading), rows_of(reading)
        self._places, self._index, self._soft = places(model, snapshot), self.session.contact_choice.index, reading.soft
        self._fill()

    def _forget_row(self, is_open: bool) -> None:
        """Closing the dock forgets the choice."""
        if not is_open:
            self._row = None

    def _turn(self) -> None:
        """The other tab: constraint rows are taken only while they are seen."""
        self.contact_probe.rows = self.tabs.currentWidget() is self.rows
        self.by_pair.setVisible(not self.contact_probe.rows)
        if self.live:
            self.session.send(WatchProbe(self.contact_probe, True))  # known already: the simulation only publishes again
        self._fill()

    # ---- tables

    def _group(self, on: bool) -> None:
        self.session.store.put(settings.CONTACTS_BY_PAIR, on)
        self.contacts.moments.group(on)

    def _fill(self) -> None:
        names, state, rows, text = self._names, self._state, self._rows, self.search.text()
        if self.tabs.currentWidget() is self.rows:
            matches = None if rows is None or names is None else find_rows(text, rows, names)
            self.rows.moments.show_moment(rows, names, matches)
            self.count.set_text("" if rows is None else f"{len(rows)} constraint row{'' if len(rows) == 1 else 's'}")
        else:
            matches = None if state is None or names is None else find_contacts(text, state, names)
            self.contacts.moments.show_moment(state, names, matches)
            self.count.set_text("" if state is None else summary(state))
        self.search.show_hidden(0 if matches is None else int(np.count_nonzero(~matches)))
        self._mark()

    def _mark(self, *, seek: bool = False) -> None:
        """Highlight the selection, and show its cone."""
        choice = self.session.contact_choice
        self.contacts.mark(self._index, seek=seek)
        self.rows.mark(self._row_now(), seek=seek)
        pair = "" if choice.pair is None or self._names is None else self._names.pair(np.array(choice.pair))
        self.parameters.setEnabled(choice.carrier >= 0)
        self.closely.setEnabled(choice.pair is not None and min(choice.pair) >= 0)
        self.solver.setEnabled(choice.pair is not None)
        self._troubled, trouble = self._trouble()
        self.doctor.setEnabled(self._troubled is not None)
        self.doctor.setToolTip(f"Why {trouble}, and what would change it" if trouble else NO_TROUBLE)
        self.gauge.show_contact(pair, self._state, self._index)
        self._explain()

    def _trouble(self) -> tuple[Pair | None, str]:
        """The sides of the chosen contact, if it is deep or slips, and words for that; without a choice, of the deepest."""
        state, k, choice = self._state, self._index, self.session.contact_choice
        if state is None or self._names is None or not len(state):
            return None, ""
        if choice.pair is None:
            k = int(np.argmax(state.sunk))
        if not 0 <= k < len(state):
            return None, ""
        first, second = sides(state)[k]
        name = self._names.pair(sides(state)[k])
        if state.sunk[k] >= DEEP:
            return (int(first), int(second)), f"{name} is so deep"
        slips = choice.pair is not None and state.mode[k] == ContactMode.SLIP
        return ((int(first), int(second)), f"{name} slips") if slips else (None, "")

    def _explain(self) -> None:
        """Explain why the chosen contact slips or sticks."""
        state, k, model = self._state, self._index, self.session.model
        there = state is not None and model is not None and 0 <= k < len(self._soft) and bool(state.geom[k].min() >= 0)
        if there and state is not None and model is not None:
            lines = why_it_slips(slip_case(model, self.session.part(Edits).value, state, k, float(self._soft[k])))
            if (text := " ".join(lines)) != self.why.text():
                self.why.setText(text)
                self.why.setToolTip(text)
        self.why.setVisible(there)
        self._words.setVisible(there)

    def _row_now(self) -> int:
        """Index of the selected constraint row now; -1 if it is gone."""
        rows, choice = self._rows, self.session.contact_choice
        if rows is None:
            return -1
        place = 0 if self._row is None else self._row[2]
        if choice.pair is not None:
            first = int(rows.address[self._index]) if self._index >= 0 else -1
            return -1 if first < 0 else first + place
        if self._row is None:
            return -1
        same = np.flatnonzero((rows.type == self._row[0]) & (rows.id == self._row[1]))
        return int(same[place]) if place < len(same) else -1

    # ---- user input

    def _choose_contact(self, index: int) -> None:
        self._row = None
        self._choose(index)

    def _choose(self, index: int) -> None:
        snapshot = self.session.snapshot
        if snapshot is not None and index < len(self._places):
            self.session.contact_choice.choose(self._places[index], snapshot)

    def _choose_row(self, row: int) -> None:
        rows = self._rows
        if rows is None or row >= len(rows):
            return
        kind, ident = int(rows.type[row]), int(rows.id[row])
        if kind >= FIRST_CONTACT_KIND:
            self._row = kind, ident, row - int(rows.address[ident])
            self._choose(ident)
        else:
            first = int(np.flatnonzero((rows.type == kind) & (rows.id == ident))[0])
            self._row = kind, ident, row - first
            if self.session.model is not None:
                mark(self.session, constraint_subject(self.session.model, kind, ident))
            self._mark()

    def _tune(self) -> None:
        if self.session.contact_choice.carrier >= 0:
            self.session.ask(TuneGeom(self.session.contact_choice.carrier))

    def _ask_doctor(self) -> None:
        if self._troubled is not None:
            self.session.ask(AskDoctor(self._troubled))

    def _ask_solver(self) -> None:
        self.session.ask(ShowOptimization())

    def _look_closely(self) -> None:
        pair = self.session.contact_choice.pair
        if pair is not None:
            self.session.ask(AskPair(*pair))

    def _show_choice(self) -> None:
        """Show it in the present moment, of which its index is."""
        self._index = -1
        self.refresh()
        self._mark(seek=True)


def _contact_ink(state: ContactState | PairTotals, k: int, column: int) -> QColor | None:
    if column == _DEPTH:
        return theme.colour("bad") if state.sunk[k] >= DEEP else None
    mode = ContactMode(int(state.mode[k]))
    if mode == ContactMode.OPEN or column in (_STATE, _USED):
        return theme.colour(MODE_INKS[mode])
    return None


def _row_ink(rows: RowState, r: int, column: int) -> QColor | None:
    return theme.colour("dim") if rows.state[r] == 0 else None


class ShownBar(QWidget):
    """Next to the tabs of the contacts panel."""

    def __init__(self, length: ArrowLength, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._length = length
        self.caption = make_label("Arrows", ink="dim")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Length of the force arrows")
        self.slider.setObjectName("arrow_length")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 8)
        self.slider.setFixedWidth(SLIDER)
        self.slider.valueChanged.connect(length.set_step)
        self.menu = QMenu(self)
        self.menu.addActions([actions[name] for name in SWITCHES])
        self.shown = QToolButton()
        self.shown.setText("In the view \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self.shown.setToolTip("What the view shows of contacts")
        self.shown.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.shown.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.shown.setMenu(self.menu)
        hbox(self.caption, self.slider, self.shown, margins=(0, 0, 0, 2), spacing=6, inside=self)
        length.changed.connect(lambda value: self._show())
        self._show()

    def fit(self, room: int) -> None:
        """Hide controls without room next to the tabs [px]."""
        self.slider.setVisible(room >= 380)
        self.caption.setVisible(room >= 440)

    def _show(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._length.step)
        self.slider.setToolTip(TIP.format(self._length.words))
