"""Panels that others derive from: ones that follow, or analyse, the simulation while visible, and ones whose rows scroll."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QWidget

from tumble.app.base.background import Background
from tumble.app.describe.names import without_common_words
from tumble.app.editing.edits import Edits
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.simulation.hooks import Probe, Reading
from tumble.app.simulation.state_copy import ShownState, StateCopy, StateProbe
from tumble.app.widgets.dock import Dock, Panel
from tumble.app.widgets.layout import hbox, holder, make_label, make_timer, silence, vbox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.slider_row import SliderRow
from tumble.app.widgets.tables import FilterField, has_words
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

SETTLED = 200  # from the last change of the state, while paused, to the next analysis [ms]
AGAIN, SHARE = 1.0, 8.0  # between two analyses while time runs: wall time at least [s], and times what the last one took
INTERVAL = 0.1  # wall time between two updates [s]: numbers that change faster cannot be read, and cost time to draw


R = TypeVar("R")


class LivePanel(Panel, Generic[Reading]):
    """Watches a probe while it is visible, and shows its readings a few times a second.

    Subclasses set their content, and override `build` (another model runs, or none yet) and `show_reading`.
    """

    def __init__(self, dock: Dock, session: Session, probe: Probe[Reading], interval: float = INTERVAL) -> None:
        """interval [s]."""
        super().__init__(dock)
        self.session = session
        self.probe: Probe[Reading] = probe
        self._in_turn = session.frame_budget.new_turn(interval)
        self.live = False  # whether it follows the simulation
        session.model_loaded.connect(self.build)
        session.advanced.connect(self._advance)
        dock.in_sight.connect(self._set_live)

    def catch_up(self) -> None:
        """Show the loaded model, or that there is none."""
        self.build()

    def build(self) -> None:
        """Another model is loaded: session.model; None: none yet."""

    def become_live(self) -> None:
        """The panel has become visible."""

    def show_reading(self, reading: Reading) -> None:
        """Show the probe's data; session.snapshot is of the same moment."""

    def refresh(self) -> None:
        """Show the present reading now."""
        reading = self.session.reading(self.probe)
        if reading is not None and self.live:
            self.show_reading(reading)

    def _set_live(self, visible: bool) -> None:
        if visible == self.live:
            return
        self.live = visible
        if visible:
            self.session.send(WatchProbe(self.probe, True))
            self.become_live()
            self.refresh()
        else:
            self.session.send(WatchProbe(self.probe, False))

    def _advance(self) -> None:
        if self.live:
            self._in_turn.take(self.refresh)


class AnalysisStopped(Exception):
    """The analysis is no longer wanted."""


class AnalysisPanel(LivePanel[ShownState], Generic[R]):
    """While time runs, now and then; paused, as soon as the state has changed. A newer copy ends the analysis of an older one."""

    probe: StateProbe

    def __init__(self, dock: Dock, session: Session, refuse: Callable[[MjModel], str], name: str) -> None:
        """refuse: why a model is not analysed, "" where it is; name: of the threads."""
        super().__init__(dock, session, StateProbe(refuse))
        self.background = Background(name, self)
        self._copy = StateCopy()  # the newest that was looked at
        self._ended, self._took = -math.inf, 0.0  # when the last analysis ended, by monotonic [s], and what it took
        self._run = 0
        self._working = False
        self._later = make_timer(self, self._ask, SETTLED)
        session.paused_changed.connect(lambda paused: self.look_again())
        session.history.changed.connect(self._on_history)
        session.part(Edits).settled.connect(self.look_again)
        session.absence_changed.connect(lambda why: self.build())
        dock.in_sight.connect(self._on_sight)

    @abstractmethod
    def analysis(self, model: MjModel, data: MjData, wanted: Callable[[], None]) -> R:
        """The analysis of a copy, in another thread. wanted: raises once it is no longer. PhysicsError, LinAlgError are shown."""

    @abstractmethod
    def show_analysis(self, result: R) -> None:
        """Show a result."""

    @abstractmethod
    def show_none(self, why: str) -> None:
        """Show why there is nothing."""

    def begin(self) -> None:
        """An analysis begins."""

    def build(self) -> None:
        """Another model."""
        self._drop()
        self._copy = StateCopy(number=self._copy.number)  # that of another model is not kept
        self.show_none(self.session.absence)
        self.look_again()

    def show_reading(self, reading: ShownState) -> None:
        """Analyse a new copy; ask for another while time runs."""
        copy = reading.copy
        if copy.number != self._copy.number:
            self._copy = copy
            if copy.model is None or copy.data is None:
                self.show_none(copy.why)
            else:
                self._start(copy.model, copy.data)
        if self.session.paused:
            if self._is_stale():
                self._later.start()
        elif not self._working and monotonic() - self._ended > max(AGAIN, SHARE * self._took):
            self._ask()

    def look_again(self) -> None:
        """Have the state analysed soon."""
        if self.live:
            self._later.start()

    def _is_stale(self) -> bool:
        """True if the state has changed since the last copy, as by posing or a step."""
        data, now = self._copy.data, self.session.snapshot
        fields = ("qpos", "qvel", "act", "ctrl")
        return data is not None and now is not None and not all(
            np.array_equal(getattr(data, name), getattr(now, name)) for name in fields
        )  # fmt: skip

    def _on_history(self) -> None:
        if self.session.paused:
            self.look_again()

    def _ask(self) -> None:
        """Have the state copied."""
        if self.live and self.session.model is not None:
            self._ended = monotonic()
            self.probe.wanted = True
            self.session.send(WatchProbe(self.probe, True))  # known already: the simulation only publishes again

    def _start(self, model: MjModel, data: MjData) -> None:
        self._drop()
        self._working = True
        run, began = self._run, monotonic()
        self.begin()

        def wanted() -> None:
            self.background.check()
            if run != self._run:
                raise AnalysisStopped

        def end(show: Callable[[Any], None], result: R | str) -> None:
            if run == self._run:
                self._working = False
                self._ended = monotonic()
                self._took = self._ended - began
                show(result)

        self.background.run(
            lambda: self.analysis(model, data, wanted),
            lambda result: end(self.show_analysis, result),
            lambda why: end(self.show_none, why[:1].upper() + why[1:]),
            (PhysicsError, np.linalg.LinAlgError, AnalysisStopped),
        )

    def _drop(self) -> None:
        """Have an analysis that is at work come to nothing."""
        self._run += 1
        self._working = False

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.look_again()
        else:
            self._drop()
            self.put_away()

    def put_away(self) -> None:
        """It is no longer in sight."""


class RowsPanel(Panel):
    """A column of rows between a head and the bottom."""

    def __init__(self, dock: Dock, head: QWidget | None = None) -> None:
        super().__init__(dock)
        self._area = SteadyScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = vbox(margins=(0, 0, 0, 0), spacing=0)
        body = holder(column)
        if head is not None:
            column.addWidget(head)
        column.addWidget(self._area, 1)
        self.set_content(body, low=True)

    def set_rows(self, rows: Sequence[QWidget], otherwise: str, content: QWidget | None = None) -> None:
        """Show these rows in place of those before; `otherwise` if there are none. content: empty widget for the rows."""
        content = content or QWidget()
        column = vbox(*rows, margins=(0, 4, 0, 4), spacing=0, inside=content)
        if not rows:
            empty = make_label(otherwise, wrap=True)
            empty.setObjectName("empty")
            empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(empty)
        column.addStretch(1)
        if (before := self._area.widget()) is not None:
            # Not deleted by Qt at once: rows may be replaced while a signal of one of them is handled.
            silence(before)
            self._area.takeWidget()
            before.deleteLater()
        self._area.setWidget(content)


LEGIBLE = 0.7  # of the longest name: with less room next to the sliders, the names stand above them
SLACK = 2  # that a text needs next to its width, so that it is not cut [px]


class SliderPanel(RowsPanel):
    """A head, a filter, and a column of sliders."""

    def __init__(self, dock: Dock, noun: str, head: QWidget, *tools: QWidget) -> None:
        """noun: what a slider is of, such as joint; head: above the filter; tools: next to it."""
        self._noun = noun
        self._sliders: Sequence[SliderRow] = ()
        self.filter = FilterField(f"Filter {noun}s", "", "Rows that have all these words in their names")
        self.filter.textChanged.connect(lambda text: self._filter())
        self._bar = holder(hbox((self.filter, 1), *tools, margins=(10, 4, 10, 2), spacing=6))
        top = holder(vbox(head, self._bar, self.filter.hidden, margins=(0, 0, 0, 0), spacing=0))
        super().__init__(dock, top)

    def set_sliders(self, sliders: Sequence[SliderRow], otherwise: str, more: QWidget | None = None) -> None:
        """Replace the sliders, with one more widget below them; `otherwise` if there are none."""
        self._sliders = sliders
        self.set_rows([*sliders, *([] if more is None else [more])], otherwise, _SliderColumn(sliders))
        self._bar.setVisible(bool(sliders))
        self.filter.setPlaceholderText(f"Filter {len(sliders)} {self._noun}{'' if len(sliders) == 1 else 's'} by name")
        self._filter()

    def _filter(self) -> None:
        words, count = self.filter.words, 0
        for row in self._sliders:
            fits = has_words(row.name, words)
            row.setVisible(fits)
            count += not fits
        self.filter.show_hidden(count)


class _SliderColumn(QWidget):
    """Fits the names when the room changes, or the size of text."""

    def __init__(self, rows: Sequence[SliderRow]) -> None:
        super().__init__()
        self._rows = rows
        self._whole = [row.name for row in rows]
        self._brief = without_common_words(self._whole)

    def event(self, event: QEvent | None) -> bool:
        """Fit them before they are laid out."""
        if event is not None and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self._rows:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Whole names where there is room for all of them, else without the words that they have in common."""
        room = self.width() - max(row.least_width() for row in self._rows)
        advance = self._rows[0].label.fontMetrics().horizontalAdvance
        names, width = self._whole, max(map(advance, self._whole)) + SLACK
        if width > room:
            names, width = self._brief, max(map(advance, self._brief)) + SLACK
        above = room < LEGIBLE * width
        for row, name, full in zip(self._rows, names, self._whole, strict=True):
            row.show_name(full if above else name, None if above else min(width, room))
