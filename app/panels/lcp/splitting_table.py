"""The splittings as a table."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QTreeWidget, QTreeWidgetItem

from tumble.app.look import theme
from tumble.app.panels.lcp.splitting_report import (
    OMEGA,
    RHO,
    SplittingReport,
    explained,
    name_of,
    omega_text,
    predicted_text,
    rate,
    sweeps_text,
    theorem_text,
)
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import NUMBER, set_headings
from tumble.physics.observe.complementarity.splittings import MOST_SWEEPS

HEADINGS = (
    ("Splitting", "How A is split into B + C; bold: the model's"),
    (OMEGA, "Relaxation: of SOR that of the model; Jacobi chooses its own in each sweep"),
    (
        RHO,
        "What a sweep should leave of an error: the spectral radius; of Jacobi with its best fixed relaxation",
    ),
    ("measured", "What a sweep left of the natural map in the end"),
    ("sweeps", f"Sweeps to the tolerance, up to {MOST_SWEEPS}"),
    ("theorem", "Whether B \N{MINUS SIGN} C is positive definite, which convergence follows from where bounds stand"),
)


class SplittingTable(QTreeWidget):
    """chosen: the user has gone to a splitting: its place."""

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Splittings")
        self.setRootIsDecorated(False)
        self.setMinimumSize(200, 66)
        set_headings(self, *zip(*HEADINGS, strict=True), name=len(HEADINGS) - 1).setMinimumSectionSize(34)
        head = present(self.headerItem())
        for column in range(1, 5):
            head.setTextAlignment(column, NUMBER)
        self.currentItemChanged.connect(lambda now, before: self.chosen.emit(self.currentIndex().row()))

    def go(self, place: int) -> None:
        """Make a splitting the current one."""
        with QSignalBlocker(self):
            self.setCurrentItem(self.topLevelItem(place))

    def show_report(self, report: SplittingReport | None, chosen: int) -> None:
        """List the splittings; chosen: the current one."""
        with QSignalBlocker(self):
            count = 0 if report is None else len(report.outcomes)
            if self.topLevelItemCount() != count:
                self.clear()
                self.addTopLevelItems([QTreeWidgetItem() for _ in range(count)])
            if report is None:
                return
            plain, bold = theme.sans(9), theme.sans(9, bold=True)
            for row, outcome in enumerate(report.outcomes):
                item = present(self.topLevelItem(row))
                texts = (
                    name_of(outcome.sweep), omega_text(outcome), predicted_text(outcome), rate(outcome.contraction),
                    sweeps_text(outcome), theorem_text(outcome),
                )  # fmt: skip
                own = (outcome.sweep.method, outcome.sweep.block) == (report.sweep.method, report.sweep.block)
                for column, text in enumerate(texts):
                    item.setText(column, text)
                    item.setFont(column, bold if own and report.hard else plain)
                    item.setTextAlignment(column, NUMBER if 0 < column < 5 else item.textAlignment(0))
                item.setToolTip(0, explained(outcome, report))
                item.setToolTip(5, item.toolTip(0))
                item.setForeground(4, theme.colour("text" if outcome.converged else "warn"))
            self.setCurrentItem(self.topLevelItem(chosen))
