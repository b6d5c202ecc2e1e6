"""Plots of runs, one in front of the others; where there is room, two next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QStackedLayout, QTabWidget, QWidget

from tumble.app.panels.study.plots.heat_map import HeatView
from tumble.app.panels.study.plots.line_plot import LineView
from tumble.app.panels.study.plots.parallel_plot import ParallelView
from tumble.app.panels.study.plots.pareto_plot import ParetoView
from tumble.app.panels.study.plots.plot_view import PlotView
from tumble.app.panels.study.plots.scatter_plot import ScatterView
from tumble.app.panels.study.plots.tornado_plot import TornadoView
from tumble.app.panels.study.run_marks import RunMarks
from tumble.app.panels.study.run_table import RunTable
from tumble.app.study.study_file import Study

if TYPE_CHECKING:
    from tumble.app.study.trial import RunRow

WIDE = 900  # pixels from which there are two plots
SECOND = 3  # the plot that the second one shows at first: parallel coordinates
KINDS: tuple[type[PlotView], ...] = (ScatterView, LineView, HeatView, ParallelView, ParetoView, TornadoView)


class PlotTabs(QTabWidget):
    """All kinds of plots."""

    def __init__(self, marks: RunMarks) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.setAccessibleName("Plots")
        self.views = [kind(marks) for kind in KINDS]
        for view in self.views:
            self.setTabToolTip(self.addTab(view, view.title), view.tip)

    def show_runs(self, study: Study, rows: Sequence[RunRow], table: RunTable) -> None:
        """Show these runs."""
        for view in self.views:
            view.show_runs(study, rows, table)


class PlotArea(QWidget):
    """One or two plots, or a placeholder while there are no runs."""

    def __init__(self, marks: RunMarks) -> None:
        super().__init__()
        self.first = PlotTabs(marks)
        self._second: PlotTabs | None = None
        self._marks = marks
        self._shown: tuple[Study, Sequence[RunRow], RunTable] | None = None
        self.empty = QLabel()
        self.empty.setObjectName("empty")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        both = QWidget()
        self._line = QHBoxLayout(both)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self.first, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(both)
        self.setMinimumHeight(120)

    def show_runs(self, study: Study | None, rows: Sequence[RunRow], table: RunTable, otherwise: str) -> None:
        """Show these runs; `otherwise` without any. study: None while its text is wrong: the plots stay."""
        self.empty.setText(otherwise)
        self._stack.setCurrentIndex(1 if table.count else 0)
        if study is not None and table.names:
            self._shown = study, rows, table
            for tabs in filter(None, (self.first, self._second)):
                tabs.show_runs(*self._shown)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """A second plot where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        if wide and self._second is None:
            self._second = PlotTabs(self._marks)
            self._second.setCurrentIndex(SECOND)
            self._line.addWidget(self._second, 1)
            if self._shown is not None:
                self._second.show_runs(*self._shown)
        if self._second is not None:
            self._second.setVisible(wide)
