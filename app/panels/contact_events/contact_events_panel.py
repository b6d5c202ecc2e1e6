"""The contact events panel: when which geoms touched, stuck, slipped and parted, seen at every step while it can be seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QCursor, QResizeEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QToolTip,
    QWidget,
)

from tumble.app.describe.contacts import MODE_INKS, MODE_WORDS, Names
from tumble.app.describe.numbers import none_yet, span_text
from tumble.app.look import theme
from tumble.app.panels.contact_events.groups import Pair, Touch
from tumble.app.panels.contact_events.lane_view import LaneView, ShownLanes
from tumble.app.panels.contact_events.lanes import (
    BY_GEOM,
    LATEST,
    STRONGEST,
    Lanes,
    find_pairs,
    pair_of,
    piece_words,
    summary,
    touch_words,
)
from tumble.app.session.panel_stream import PREPARING, PanelStream, Preparation
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.tables import CsvButton, FilterField
from tumble.app.widgets.time_view import TimeWindow
from tumble.physics.observe.soft_strain import flex_of_body
from tumble.physics.observe.touch import ContactTap, follow_contacts

WIDE = 800  # pixels from which the controls are in one line
INTERVAL = 0.04  # wall time between two pictures [s]: lanes that move less often seem to stick
SPANS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 600.0)  # seconds shown
FIRST_SPAN = 5.0
SORTS = (("Latest first", LATEST), ("Largest force first", STRONGEST), ("By geom", BY_GEOM))
NONE_FOUND = "No pair matches these words"
HINT = "Click a bar to see its events"
TIP = (
    "A lane for each pair of geoms; a bar from make to break, in the colour of what the contact does.\n"
    "Smooth: it has no friction; open: it carries no force; asleep: its bodies sleep.\n"
    "Height: square root of the force. Triangle: its peak. White line: made; grey line: broke.\n"
    "Wheel zooms, drag moves through time and lanes, a click chooses the pair"
)


class ContactEventsPanel(Panel):
    """Lanes of contacts along time."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self.session = session = bench.session
        self._report = bench.actions["report"]
        self.lanes = Lanes()
        self.kernels = Preparation((follow_contacts,), session.status.emit, self)
        self.stream = PanelStream(session, ContactTap, self.kernels)
        self.kernels.ended.connect(self._draw)
        self.drawn = 0  # pictures made so far
        self._names: Names | None = None
        self._visible = False
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self._chosen: tuple[Pair, float] | None = None  # a pair, and a time in the contact of which details are shown
        self.times = TimeWindow(FIRST_SPAN)
        self.view = LaneView(self.times)
        self.view.setAccessibleName("Lanes of contact events")
        self.view.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.view.clicked.connect(self._choose)
        self.view.pointed.connect(self._point)
        self.view.changed.connect(self._moved)
        self.set_content(self._make_body(), low=True)
        session.model_loaded.connect(self._rebuild)
        session.advanced.connect(self._advance)
        session.history.returned.connect(self._begin_again)
        session.selection_changed.connect(lambda selection: self._draw())
        session.contact_choice.changed.connect(self._show_choice)
        dock.in_sight.connect(self._set_visible)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """All controls in one line where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        self._bar.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def _make_body(self) -> QWidget:
        self.details = make_label(HINT, wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.summary = make_label(ink="dim", wrap=True)
        words = (f'<span style="color:{theme.colours()[MODE_INKS[mode]]}">{word}</span>' for mode, word in MODE_WORDS.items())
        legend = QLabel("&nbsp; ".join(words))
        for label in (self.summary, legend):
            label.setToolTip(TIP)
        foot = hbox((self.summary, 1), legend)
        column = vbox(self._make_bar(), (self.view, 1), self.details, margins=(8, 6, 8, 4), spacing=4)
        body = holder(column)
        foot.insertWidget(1, self.search.hidden)
        column.addLayout(foot)
        return body

    def _make_bar(self) -> QBoxLayout:
        self._make_filters()
        self._make_times()
        self.export = CsvButton(self.session, "events", self._events, counted="events", ending="-contacts")
        self.export.setToolTip("All events that are kept: make, break, stick, slip, peaks")
        clear = make_button("Clear", "Clear all events", self._clear)
        self.bundle = make_button(
            "Report…", "A contact behaves wrongly? Save the last seconds with all that a bug report needs", self._report.trigger
        )
        for button in (self.export, clear, self.bundle):
            button.setStyleSheet("padding: 4px 8px")
        self._bar = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._bar.setSpacing(4)
        for widgets in ((self.search, self.own), (self.follow, self.span, self.order), (self.export, clear, self.bundle)):
            line = hbox(*widgets, spacing=8)
            if self.search not in widgets:
                line.addStretch(1)
            self._bar.addLayout(line, 1 if self.search in widgets else 0)
        return self._bar

    def _make_filters(self) -> None:
        self.search = FilterField(
            "Search pairs", "Filter: body, geom …", "Pairs that have all these words in the names of geoms or bodies"
        )
        self.search.setMinimumWidth(96)
        self.search.cleared.connect(lambda: self.own.setChecked(False))
        self.search.textChanged.connect(lambda text: self._draw())
        self.own = make_check("Selected body", "Only contacts of the body that is selected", toggled=lambda on: self._draw())
        self.order = CalmCombo("Order of the lanes", entries=SORTS)
        self.order.activated.connect(lambda i: self._draw())

    def _make_times(self) -> None:
        self.follow = make_check("Follow", "Keep the newest time in view; dragging stops it", on=True, toggled=self._set_follow)
        self.span = CalmCombo("Time shown", entries=((span_text(span), span) for span in SPANS))
        self.span.setCurrentIndex(SPANS.index(FIRST_SPAN))
        self.span.activated.connect(self._set_span)

    # ---- session signals

    def catch_up(self) -> None:
        """Show the model that is loaded already."""
        if self.session.model is not None:
            self._rebuild()

    def _rebuild(self) -> None:
        """Another model: create its lanes."""
        self._names = Names(self.session.loaded_model) if self._visible else None
        self.lanes, self._chosen = Lanes(), None
        self.details.setText(HINT)
        self.follow.setChecked(True)
        self.times.advance(0.0)
        self.stream.renew()
        self._draw()

    def _set_visible(self, visible: bool) -> None:
        if visible == self._visible:
            return
        self._visible = visible
        self.stream.want(visible)
        self._draw()

    def _begin_again(self) -> None:
        """A branch was returned to: the pieces are of the course that was there before."""
        for touches in self.stream.take():
            self.lanes.take(touches)  # they count on
        self._clear()

    def _advance(self) -> None:
        if not self._visible:
            return
        for touches in self.stream.take():
            self.lanes.take(touches)
        self.times.advance(self.lanes.time)
        self._in_turn.take(self._draw)

    # ---- drawing

    def _draw(self) -> None:
        """Show the visible lanes, and the details of the chosen contact."""
        if not self._visible:
            return
        self.drawn += 1
        if self._names is None and self.session.model is not None:
            self._names = Names(self.session.model)
        lanes = self.lanes.present(self._wanted(), self.order.currentData())
        view = self.view
        view.set_lanes(len(lanes))
        view.empty = self.empty_text()
        seen = lanes[view.first : view.first + view.room]
        pairs = [self.lanes.pairs[lane] for lane in seen]
        touch = self._touch()
        chosen = (pairs.index(touch.pair), touch.begin, touch.end) if touch is not None and touch.pair in pairs else None
        names = [self._name(pair) for pair in pairs]
        view.show_lanes(ShownLanes(names, pairs, *self.lanes.between(self.times.start, self.times.stop, seen), chosen))
        if self._chosen is not None:
            gone = f"{self._name(self._chosen[0])}: its contacts are no longer in the history"
            self.details.setText(gone if touch is None else touch_words(touch, self._name(touch.pair), self.lanes.time))
        self.summary.setText(summary(self.lanes, len(lanes)))
        self.search.show_hidden(len(self.lanes.pairs) - len(lanes))
        self.export.allow(len(lanes) > 0)

    def empty_text(self) -> str:
        """Why no lane is shown."""
        if self.kernels.running:
            return PREPARING
        return NONE_FOUND if self.lanes.pairs else none_yet("contacts", self.session.paused)

    def _wanted(self) -> np.ndarray | None:
        """Mask of the lanes that the filters leave; None: all."""
        pairs = self.lanes.pairs
        if self._names is None or not pairs:
            return None
        matches = find_pairs(self.search.text(), pairs, self._names)
        if self.own.isChecked():
            matches &= self._owned()[np.array(pairs)].any(axis=1)
        return matches

    def _owned(self) -> np.ndarray:
        """Mask of the sides of contacts, geoms and -1 - flex, are of the selected body."""
        model, body = self.session.loaded_model, self.session.selection
        flex = flex_of_body(model, body)
        own = np.append(np.asarray(model.geom_bodyid) == body, np.zeros(model.nflex, bool))
        own[-1 - flex] |= flex >= 0
        return own

    def _name(self, pair: Pair) -> str:
        return "" if self._names is None else self._names.pair(np.array(pair))

    def _touch(self) -> Touch | None:
        """The contact of which details are shown."""
        if self._chosen is None:
            return None
        lane = self.lanes.lane_of(self._chosen[0])
        return None if lane < 0 else self.lanes.touch_at(lane, self._chosen[1])

    # ---- user input

    def _choose(self, pair: Pair, time: float) -> None:
        """Show the contact of a pair at a time, or its newest."""
        self._chosen = pair, time if np.isfinite(time) else self.lanes.time
        snapshot = self.session.snapshot
        if snapshot is not None:
            self.session.contact_choice.choose_pair(pair, self.session.loaded_model, snapshot)
        self._draw()

    def _show_choice(self) -> None:
        """A contact is chosen somewhere else: show its newest here."""
        pair = self.session.contact_choice.pair
        if self._visible and pair is not None and (self._chosen is None or self._chosen[0] != pair):
            self._chosen = pair, self.lanes.time
            self._draw()

    def _point(self, k: int) -> None:
        """Show a tool tip for the piece under the mouse."""
        if k < 0 or k >= len(self.view.shown.rows):
            QToolTip.hideText()
            return
        QToolTip.showText(QCursor.pos(), self.told(k), self.view)

    def told(self, k: int) -> str:
        """Description of the piece in row k of the view."""
        row = self.view.shown.rows[k]
        return piece_words(row, self._name(pair_of(row)))

    def _moved(self) -> None:
        """The view was dragged or zoomed."""
        if self.follow.isChecked() != self.times.follow:
            self.follow.setChecked(self.times.follow)
        span = self.times.span
        self.span.setPlaceholderText(f"{span:.3g} s")
        self.span.setCurrentIndex(SPANS.index(span) if span in SPANS else -1)
        self._draw()

    def _set_follow(self, on: bool) -> None:
        self.times.set_follow(on)
        self._draw()

    def _set_span(self, index: int) -> None:
        self.times.set_span(SPANS[index])
        self._draw()

    def _clear(self) -> None:
        self.lanes.clear()
        self._chosen = None
        self.details.setText(HINT)
        self._draw()

    def _events(self) -> Iterator[list[str]]:
        """All events that are kept, the headings first."""
        sides = [] if self._names is None else self._names.sides
        return self.lanes.contacts(self.lanes.present()).events(sides)
