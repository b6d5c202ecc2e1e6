"""Panels that others derive from: one that follows the simulation while visible, and ones whose rows scroll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QWidget

from tumble.app.describe.names import without_common_words
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.simulation.hooks import Probe, Reading
from tumble.app.widgets.dock import Dock, Panel
from tumble.app.widgets.layout import hbox, holder, make_label, silence, vbox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.slider_row import SliderRow
from tumble.app.widgets.tables import FilterField, has_words

INTERVAL = 0.1  # wall time between two updates [s]: numbers that change faster cannot be read, and cost time to draw


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
