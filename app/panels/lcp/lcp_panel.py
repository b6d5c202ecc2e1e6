"""The LCP panel: which splittings of a hard step converge, why, how fast, and which relaxation is best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QVBoxLayout

from tumble.app.describe.constraint_rows import RowNames
from tumble.app.describe.numbers import short
from tumble.app.editing.edits import CONTACT_MODEL, EditPlace, Edits, Values
from tumble.app.panels.lcp.splitting_plots import RowsPlot, SpectrumPlot, SweepsPlot
from tumble.app.panels.lcp.splitting_report import (
    OMEGA,
    PARTS,
    STATE_WORDS,
    RowBars,
    SplittingPicture,
    SplittingReport,
    analyse,
    explained,
    found_relaxation,
    picture,
    row_bars,
    rows_of_pair,
    size_text,
    summary,
    too_large,
)
from tumble.app.panels.lcp.splitting_table import SplittingTable
from tumble.app.session.marking import mark
from tumble.app.session.requests import WriteChanges
from tumble.app.widgets.base_panels import AnalysisPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, make_splitter, make_tabs, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.matrix_view import MatrixView
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import CsvButton
from tumble.physics import ContactModel, Splitting
from tumble.physics.errors import PhysicsError
from tumble.physics.observe.complementarity.problem import RowBound, natural_map, row_states
from tumble.physics.observe.complementarity.splittings import MOST_SAMPLED, SplittingTrial

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

COMPARING = "Solving the present state by every splitting\N{HORIZONTAL ELLIPSIS}"
LOW = 260  # height below which the words have no room [px]
METHOD, BLOCK, RELAXATION = (EditPlace(f"tumble.lcp_{name}") for name in ("method", "block", "omega"))


class LcpPanel(AnalysisPanel[SplittingReport]):
    """Compares the splittings on copies of the present state in the background while it can be seen."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, too_large, "splittings")
        self.report: SplittingReport | None = None
        self.bars: RowBars | None = None
        self.picture: SplittingPicture | None = None
        self.chosen = 0
        self._edits = session.part(Edits)
        self._names: RowNames | None = None
        self._searching = self._stays = False
        self.summary = ElidedLabel("")
        self.use = make_button("Use", "Hard contacts from now on, by the chosen splitting; can be undone", self._use)
        tip = "Find the relaxation of SOR whose sweeps leave least of an error here, and use it, with or without blocks as chosen"
        self.best = make_button(f"Best {OMEGA}", tip, self._search)
        self.write = make_button("Write to file…", "Show what would change in the MJCF file, and save it there", self._write)
        self.csv = CsvButton(session, "rows", self._rows, counted="rows")
        self.csv.setToolTip("The rows of the chosen splitting: element, state, impulse, velocity, bounds and natural map")
        self.table = SplittingTable()
        self.words = make_label(ink="dim", wrap=True, name="What is known of the chosen splitting")
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.spectrum, self.sweeps, self.natural = SpectrumPlot(), SweepsPlot(), RowsPlot()
        self.part = CalmCombo(
            "Matrix of the splitting", "The matrix that is shown", [(part.label, k) for k, part in enumerate(PARTS)]
        )
        for k, part in enumerate(PARTS):
            self.part.setItemData(k, part.tip, Qt.ItemDataRole.ToolTipRole)
        self.view = MatrixView()
        self.cell, self.row = ElidedLabel(""), ElidedLabel("")
        for low in (self.use, self.best, self.write, self.csv, self.part):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.empty = make_label(wrap=True, name="Why there are no splittings")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setObjectName("empty")
        self.set_content(holder(self._lay_out()), low=True)
        self._connect()
        self.show_none("")

    def _lay_out(self) -> QVBoxLayout:
        head = hbox((self.summary, 1), self.use, self.best, self.write, self.csv, margins=(0, 0, 0, 0), spacing=8)
        left = holder(vbox((self.table, 3), (self.words, 2), margins=(0, 0, 0, 0), spacing=4))
        both = make_splitter(Qt.Orientation.Horizontal, (self.spectrum.plot, 1, 220), (self.sweeps.plot, 2, 330))
        self.natural_page = holder(vbox((self.natural.plot, 1), self.row, margins=(0, 0, 0, 0), spacing=2))
        bar = hbox(self.part, (self.cell, 1), margins=(0, 0, 0, 0), spacing=8)
        self.matrix = holder(vbox(bar, (self.view, 1), margins=(0, 2, 0, 0), spacing=2))
        self.tabs = make_tabs(
            (both, "Spectrum and sweeps", "What a sweep leaves of an error: predicted, and measured"),
            (self.natural_page, "Natural map", "How far each row is from being solved, after the sweeps of the chosen splitting"),
            (self.matrix, "Matrix", "A, its blocks, and the parts of the chosen splitting"),
        )
        self.body = make_splitter(Qt.Orientation.Horizontal, (left, 1, 520), (self.tabs, 1, 540))
        return vbox(head, (self.body, 1), (self.empty, 1), margins=(8, 4, 8, 4), spacing=4)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Table and curves have what little height there is; the words on a splitting are then its tip."""
        super().resizeEvent(event)
        self.words.setVisible(self.height() >= LOW)
        self.sweeps.legend.setVisible(self.height() >= LOW)

    def _connect(self) -> None:
        self.table.chosen.connect(self.choose)
        self.tabs.currentChanged.connect(lambda k: self._show_chosen())
        self.part.currentIndexChanged.connect(lambda k: self._show_chosen())
        self.natural.hovered.connect(self._tell_row)
        self.natural.picked.connect(self._go)
        self.view.hovered.connect(self._tell_cell)
        self.view.picked.connect(lambda row, column: self._go(row if row >= 0 else column))
        self.session.contact_choice.changed.connect(self._on_contact)

    # ---- comparisons

    def build(self) -> None:
        """Another model."""
        model = self.session.model
        self._names = None if model is None else RowNames(model)
        self._stays = False
        super().build()

    def begin(self) -> None:
        """Say so where nothing is shown yet."""
        if self.report is None:
            self.empty.setText(COMPARING)

    def analysis(self, model: MjModel, data: MjData, wanted: Callable[[], None]) -> SplittingReport:
        """The splittings of a copy."""
        return analyse(model, data, wanted)

    def show_analysis(self, report: SplittingReport) -> None:
        """Show the splittings, if there is anything to split."""
        if report.outcomes:
            self._show(report)
            return
        self.show_none(f"{summary(report)}: there is nothing to split")
        self.report = report

    def _show(self, report: SplittingReport) -> None:
        place = report.place(report.sweep.method, block=report.sweep.block)
        if self._stays and self.report is not None and self.report.outcomes:
            before = self.report.outcomes[self.chosen].sweep
            place = report.place(before.method, block=before.block)
        self.report, self.chosen = report, place
        self._show_there(there=True)
        self.summary.set_text(summary(report))
        self.table.show_report(report, self.chosen)
        self._show_chosen()

    def show_none(self, why: str) -> None:
        """Show why there are no splittings."""
        self.report, self.bars, self.picture, self.chosen = None, None, None, 0
        self.empty.setText(why)
        self.summary.set_text("")
        self._show_there(there=False)

    def _show_there(self, *, there: bool) -> None:
        self.body.setVisible(there)
        self.empty.setVisible(not there)
        self.use.setEnabled(there)
        self.best.setEnabled(there and not self._searching)
        self.csv.allow(there)
        self.write.setEnabled(self.session.model is not None)

    # ---- the chosen splitting

    @property
    def outcome(self) -> SplittingTrial | None:
        """The splitting that is chosen in the table."""
        report = self.report
        return None if report is None or not report.outcomes else report.outcomes[self.chosen]

    def choose(self, place: int) -> None:
        """Go to a splitting; the next comparisons keep it."""
        if self.report is None or not 0 <= place < len(self.report.outcomes):
            return
        self.chosen, self._stays = place, True
        self.table.go(place)
        self._show_chosen()

    def _show_chosen(self) -> None:
        report, outcome = self.report, self.outcome
        if report is None or outcome is None:
            return
        self.words.setText(explained(outcome, report))
        page = self.tabs.currentWidget()
        if page is self.natural_page:
            self._show_rows(outcome, report.tolerance)
        elif page is self.matrix:
            self._make_picture(outcome, report)
        else:
            self.spectrum.show_outcome(outcome)
            self.sweeps.show_outcomes(report.outcomes, self.chosen, report.tolerance)

    def _show_rows(self, outcome: SplittingTrial, tolerance: float) -> None:
        self.bars = row_bars(outcome)
        assert self.report is not None
        self.natural.show_bars(self.bars, tolerance, rows_of_pair(self.report.rows, self.session.contact_choice.pair))
        self.row.set_text(f"the {len(self.bars.row)} rows with the largest, of {len(outcome.problem)}" if self.bars.left else "")

    def _make_picture(self, outcome: SplittingTrial, report: SplittingReport) -> None:
        """Make a picture of the matrix in the background."""
        part = self.part.currentData()
        self.background.run(lambda: picture(outcome, report.rows, part), lambda made: self._show_picture(made, outcome))

    def _show_picture(self, made: SplittingPicture | None, outcome: SplittingTrial) -> None:
        if outcome is not self.outcome:
            return
        self.picture = made
        self.view.show_picture(made, self._name, self._name)
        about = f"{len(outcome.problem)} rows: A is shown up to {MOST_SAMPLED}" if made is None else size_text(made)
        self.cell.set_text(about)

    # ---- rows

    def _name(self, row: int) -> str:
        report, names = self.report, self._names
        if report is None or names is None or not 0 <= row < len(report.rows.kind):
            return ""
        return names.name(report.rows, row)

    def _on_contact(self) -> None:
        """Another contact is chosen: its bars have another colour."""
        if self.live and self.tabs.currentWidget() is self.natural_page:
            self._show_chosen()

    def _tell_row(self, row: int) -> None:
        outcome = self.outcome
        if outcome is None or row < 0:
            return
        error, state = natural_map(outcome.problem)[row], RowBound(int(row_states(outcome.problem)[row]))
        impulse, speed = outcome.problem.impulse[row], outcome.problem.velocity[row]
        numbers = f"\N{GREEK SMALL LETTER LAMDA} {short(impulse, 0.0)}, w {short(speed, 0.0)}, natural map {short(error, 0.0, 3)}"
        self.row.set_text(f"{row}: {self._name(row)}, {STATE_WORDS[state]}; {numbers}")

    def _tell_cell(self, row: int, column: int) -> None:
        shown = self.picture
        if shown is None:
            return
        text = size_text(shown) if row < 0 else (
            f"{short(float(shown.values[row, column]), 0.0, 6)}   {self._name(row)} \N{MULTIPLICATION SIGN} {self._name(column)}"
        )  # fmt: skip
        self.cell.set_text(text)

    def _go(self, row: int) -> None:
        """Mark the element of a row in the view."""
        report, names = self.report, self._names
        if report is not None and names is not None and 0 <= row < len(report.rows.kind):
            mark(self.session, names.subject(report.rows, row))

    def _rows(self) -> Iterator[Sequence[str]]:
        """Lines of the CSV."""
        outcome = self.outcome
        if outcome is None:
            return
        problem, states = outcome.problem, row_states(outcome.problem).tolist()
        yield ["row", "element", "state", "impulse", "velocity", "b", "low", "high", "diagonal of A", "natural map"]
        columns = (problem.impulse, problem.velocity, problem.b, problem.low, problem.high, problem.diag, natural_map(problem))
        for row, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            yield [str(row), self._name(row), STATE_WORDS[RowBound(states[row])], *map(repr, values)]

    # ---- settings

    def _use(self) -> None:
        outcome = self.outcome
        if outcome is not None:
            self._set(outcome.sweep.method, block=outcome.sweep.block)

    def _set(self, method: Splitting, *, block: bool, omega: float | None = None) -> None:
        values: dict[EditPlace, Values] = {
            CONTACT_MODEL: (float(ContactModel.LCP),), METHOD: (float(method),), BLOCK: (float(block),),
        }  # fmt: skip
        if omega is not None:
            values[RELAXATION] = (omega,)
        self._stays = False  # what is chosen then is what the model has
        self._edits.set_all(values, "Change the splitting")

    def _search(self) -> None:
        """Find the best relaxation in the background, and use it."""
        report, outcome = self.report, self.outcome
        if report is None or outcome is None or self._searching:
            return
        block, model = outcome.sweep.block, self.session.model
        self._set_searching(on=True)
        self.background.run(
            lambda: found_relaxation(report, block=block, wanted=self.background.check),
            lambda found: self._use_best(found, block=block, same=model is self.session.model),
            self._on_no_best,
            (np.linalg.LinAlgError, PhysicsError),
        )

    def _use_best(self, found: tuple[float, str], *, block: bool, same: bool) -> None:
        self._set_searching(on=False)
        if not same:
            return
        omega, words = found
        self._set(Splitting.SOR, block=block, omega=omega)
        self.session.status.emit(f"SOR with {OMEGA} = {short(omega, figures=3)}: {words}")

    def _on_no_best(self, why: str) -> None:
        self._set_searching(on=False)
        self.session.status.emit(f"No relaxation was found: {why}")

    def _set_searching(self, *, on: bool) -> None:
        self._searching = on
        self.best.setEnabled(not on and self.outcome is not None)
        self.best.setText("Searching…" if on else f"Best {OMEGA}")

    def _write(self) -> None:
        self.session.ask(WriteChanges())
