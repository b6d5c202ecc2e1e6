"""The inverse panel: the forces that a motion needs, by dof over time and by origin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.numbers import fixed, short
from tumble.app.editing.edits import Edits
from tumble.app.editing.keyframes import Keyframes
from tumble.app.look import theme
from tumble.app.panels.inverse.force_plot import MOST_LINES, ForcePlot
from tumble.app.panels.inverse.fwdinv_gauge import FwdInvProbe, ShownGap, gap_words
from tumble.app.panels.inverse.inverse_words import DofNeed, csv_rows, needs_of, summary
from tumble.app.panels.inverse.key_times import KeyTimes, path_of
from tumble.app.panels.inverse.motion_work import InverseReport, MotionWork
from tumble.app.simulation.commands import WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, make_timer, present, vbox
from tumble.app.widgets.live_field import CalmCombo, LiveSpinBox
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import NUMBER, CsvButton, set_headings

SETTLED = 300  # from the last change to the next computation [ms]
SPANS = ((0.5, "last 0.5 s"), (1.0, "last 1 s"), (2.0, "last 2 s"), (5.0, "last 5 s"), (10.0, "last 10 s"), (math.inf, "all"))
FIRST_SPAN = 2
LONGEST = 1e9  # the whole history [s]
FEW_KEYS = with_keys("A path needs two keyframes: Keep (Ctrl+Shift+K) keeps the present state as one")
TICK_TWO = "Tick two keyframes at least"
PAUSE_FIRST = "Compute shows the motion so far; while paused it is shown by itself"
COLUMNS = (
    ("Dof", ""),
    ("peak", "Largest needed force or torque"),
    ("at s", "When"),
    ("rms", "Root mean square"),
    ("peak W", "Largest power that is given to the motion"),
    ("given by", "Who can give it: actuators, or nothing that is in the model"),
)
LESS, WIDE = (3, 4), 1150  # columns that are left out of a panel that is not so wide [px]


class MotionSource(Enum):
    """Motions to choose from; the value is the label."""

    PLAYED = "Played motion"
    KEYS = "Path through keyframes"


class InversePanel(LivePanel[ShownGap]):
    """Computes the forces of the chosen motion while paused, or on request."""

    probe: FwdInvProbe

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, FwdInvProbe(), 0.2)
        self.report: InverseReport | None = None
        self.work = session.part(MotionWork)
        self.keyframes = session.part(Keyframes)
        self._needs: list[DofNeed] = []
        self._stays = False  # a click on a row selects its body, but the rows stay as they are
        self.source = CalmCombo("Motion", "Which motion", ((source.value, source) for source in MotionSource))
        self.span = CalmCombo("Time", "How much of what was played", ((text, span) for span, text in SPANS))
        self.span.setCurrentIndex(FIRST_SPAN)
        self.smoothing = LiveSpinBox()
        self.smoothing.setDecimals(3)
        self.smoothing.setRange(0.0, 10.0)
        self.smoothing.setSuffix(" s")
        self.smoothing.setSpecialValueText("as played")
        self.smoothing.setAccessibleName("Smoothing window")
        self.smoothing.setToolTip(
            "Fit positions over windows of this length, and take velocities and accelerations from them: for noisy motions. "
            "0: those of the steps"
        )
        self.stops = make_check("Stop at each", "Rest at each keyframe, with straight ways of least jerk between them")
        self.compute = make_button("Compute", "Compute the forces of this motion", self._start, by_tab=True)
        self.cancel = make_button("Cancel", "End the computation", self._cancel, by_tab=True)
        self.csv = CsvButton(session, "inverse dynamics", self._rows, counted="moments", ending="_inverse")
        self.csv.setToolTip("Velocity, acceleration, needed force and its parts of the selected dofs, else of all")
        self.summary = ElidedLabel("")
        self.summary.setProperty("dim", True)
        self.gauge = ElidedLabel("")
        self.gauge.setProperty("dim", True)
        self.gauge.setToolTip("How exactly the solver ended: the more iterations it takes, the smaller it is")
        self.keys = KeyTimes()
        self.table = self._make_table()
        self.forces = ForcePlot()
        self._caption = make_label("smoothed over", ink="dim")
        for low in (self.source, self.span, self.smoothing, self.compute, self.cancel, self.csv):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.set_content(holder(self._lay_out()), low=True)
        self._later = make_timer(self, self._start, SETTLED)
        self._connect()
        self._show_source()
        self._show_working(False)

    def _make_table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setAccessibleName("Needed forces by dof")
        table.setRootIsDecorated(False)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setMinimumSize(200, 50)
        set_headings(table, [title for title, _ in COLUMNS], [tip for _, tip in COLUMNS], numbers=True)
        table.setToolTip("One dof: its force by origin, stacked. Several: what each needs")
        return table

    def _lay_out(self) -> QVBoxLayout:
        head = hbox(
            self.source, self.span, self._caption, self.smoothing, self.stops, self.compute, self.cancel,
            None, self.csv, margins=(0, 0, 0, 0), spacing=8,
        )  # fmt: skip
        self.body = make_splitter(Qt.Orientation.Horizontal, (self.keys, 1, 190), (self.table, 3, 430), (self.forces, 4, 560))
        foot = hbox((self.summary, 1), (self.gauge, 1), margins=(0, 0, 0, 0), spacing=12)
        return vbox(head, (self.body, 1), foot, margins=(8, 4, 8, 4), spacing=4)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Names keep their room: less important columns give way."""
        super().resizeEvent(event)
        for column in LESS:
            self.table.setColumnHidden(column, self.width() < WIDE)

    def _connect(self) -> None:
        session = self.session
        self.source.currentIndexChanged.connect(lambda i: self._show_source())
        chosen = self.source.currentIndexChanged, self.span.currentIndexChanged
        for changed in (*chosen, self.smoothing.committed, self.stops.toggled):
            changed.connect(lambda value: self._soon())
        self.keys.changed.connect(self._soon)
        self.keyframes.changed.connect(self._list_keys)
        self.table.itemSelectionChanged.connect(self._draw)
        self.table.itemClicked.connect(lambda item, column: self._go())
        session.selection_changed.connect(self._follow_selection)
        self.work.progress.connect(self._show_progress)
        self.work.done.connect(self._show_result)
        session.paused_changed.connect(self._pause)
        session.history.changed.connect(self._on_history)
        session.part(Edits).settled.connect(self._soon)
        self.dock.in_sight.connect(self._on_sight)

    # ---- which motion

    def build(self) -> None:
        """Another model."""
        self.work.stop()
        self._show_working(False)
        self._show_none(self.session.absence)
        self._list_keys()

    def _list_keys(self) -> None:
        self.keys.show_keys(self.keyframes.all, [self.keyframes.title(key) for key in self.keyframes.all])
        self._soon()

    def _show_source(self) -> None:
        played = self.source.currentData() is MotionSource.PLAYED
        for of_history in (self.span, self._caption, self.smoothing):
            of_history.setVisible(played)
        for of_path in (self.stops, self.keys):
            of_path.setVisible(not played)

    def _on_history(self) -> None:
        if self.session.paused and self.source.currentData() is MotionSource.PLAYED:
            self._soon()

    def _pause(self, paused: bool) -> None:
        self.probe.eager = paused
        if self.live and paused:
            self.session.send(WatchProbe(self.probe, True))  # publishes the moment that stands
            self._soon()

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.probe.eager = self.session.paused
            self._soon()
        else:
            self._cancel()

    def _soon(self) -> None:
        if self.live and (self.session.paused or self.source.currentData() is MotionSource.KEYS):
            self._later.start()
        elif self.live and self.report is None and not self.work.working:
            self.summary.set_text(PAUSE_FIRST)

    # ---- the computation

    def _start(self) -> None:
        """Compute the forces of the chosen motion."""
        self._later.stop()
        if not self.live or self.session.model is None:
            return
        if self.source.currentData() is MotionSource.KEYS:
            chosen = self.keys.chosen
            if len(chosen) < 2:
                self.work.stop()
                self._show_working(False)
                self._show_none(FEW_KEYS if len(self.keyframes.all) < 2 else TICK_TWO)
                return
            self.work.start_path(path_of(chosen, stops=self.stops.isChecked()))
        else:
            self.work.start_recorded(min(float(self.span.currentData()), LONGEST), self.smoothing.value())
        self._show_working(True)

    def _cancel(self) -> None:
        self._later.stop()
        if self.work.working:
            self.work.stop()
            self._show_working(False)
            self.summary.set_text("Cancelled" if self.report is None else summary(self.report))

    def _show_working(self, working: bool) -> None:
        self.compute.setVisible(not working)
        self.cancel.setVisible(working)

    def _show_progress(self, share: float) -> None:
        if self.work.working:
            self.summary.set_text(f"Computing: {100 * share:.0f} %")

    def _show_result(self, result: InverseReport | str) -> None:
        self._show_working(False)
        if isinstance(result, str):
            self._show_none(result[:1].upper() + result[1:])
            return
        chosen = {need.name for need in self._chosen()}
        self.report, self._needs = result, needs_of(result)
        self.summary.set_text(summary(result))
        self.csv.allow(bool(self._needs))
        with QSignalBlocker(self.table):
            self.table.clear()
            for need in self._needs:
                self._add_row(need).setSelected(need.name in chosen)
        self._draw()

    def _add_row(self, need: DofNeed) -> QTreeWidgetItem:
        peak = f"{short(need.peak, figures=3)} {need.unit}"
        texts = (need.name, peak, fixed(need.when, 3), short(need.rms, figures=3), short(need.power, figures=3), need.by)
        item = QTreeWidgetItem(self.table, texts)
        for column in range(1, len(texts)):
            item.setTextAlignment(column, NUMBER)
        if need.lacking:
            item.setForeground(len(texts) - 1, theme.colour("bad"))
        return item

    def _show_none(self, why: str) -> None:
        self.report, self._needs = None, []
        self.table.clear()
        self.csv.allow(False)
        self.summary.set_text(why)
        self.forces.show_report(None, ())

    # ---- display

    def _chosen(self) -> list[DofNeed]:
        rows = sorted(self.table.indexOfTopLevelItem(item) for item in self.table.selectedItems())
        return [self._needs[row] for row in rows if row < len(self._needs)]

    def _draw(self) -> None:
        needs = self._chosen() or self._needs[:MOST_LINES]
        self.forces.show_report(self.report, [need.dof for need in needs])

    def _go(self) -> None:
        """Select the body of the chosen dof in the view."""
        chosen = self._chosen()
        if len(chosen) == 1 and self.report is not None:
            self._stays = True
            try:
                self.session.select(int(self.report.model.dof_bodyid[chosen[0].dof]))
            finally:
                self._stays = False

    def _follow_selection(self, body: int) -> None:
        """Choose the dofs of the body that is selected in the view."""
        if self._stays or self.report is None or not self.live:
            return
        with QSignalBlocker(self.table):
            for row, need in enumerate(self._needs):
                own = body > 0 and int(self.report.model.dof_bodyid[need.dof]) == body
                present(self.table.topLevelItem(row)).setSelected(own)
        self._draw()

    def _rows(self) -> list[Sequence[str]]:
        if self.report is None:
            return []
        dofs = sorted(need.dof for need in self._chosen()) or range(len(self.report.names))
        return list(csv_rows(self.report, dofs))

    def show_reading(self, reading: ShownGap) -> None:
        """Show the gauge of the present step."""
        self.gauge.set_text(gap_words(reading))
