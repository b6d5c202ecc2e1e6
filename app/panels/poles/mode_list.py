"""The modes as a list, the fastest growing first."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from tumble.app.look import theme
from tumble.app.panels.poles.analysis import PolesReport, carriers, damping_text, frequency_text, pace_text, pole_text
from tumble.app.widgets.layout import present

COLUMNS = (
    ("Pole", "Factor by which the mode's deviation is multiplied in a step; it grows beyond 1 in size", 150),
    ("Pace", "Time in which the deviation doubles or halves", 120),
    ("Frequency", "Of the swing, |s| / 2 \N{GREEK SMALL LETTER PI}", 80),
    ("Damping", "Damping ratio, -Re(s) / |s|: 1 and above does not swing", 70),
    ("Carried by", "The dofs with the largest share of the mode in position and velocity", 0),
)


class ModeList(QTreeWidget):
    """chosen: the user has gone to a mode: its number."""

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Modes")
        self.setHeaderLabels([title for title, _, _ in COLUMNS])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumSize(200, 66)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head, titles = present(self.header()), present(self.headerItem())
        head.setStretchLastSection(False)
        for column, (_, tip, width) in enumerate(COLUMNS):
            titles.setToolTip(column, tip)
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch)
            if width:
                self.setColumnWidth(column, width)
        self.currentItemChanged.connect(lambda now, before: self.chosen.emit(self.currentIndex().row()))

    def show_report(self, report: PolesReport | None, chosen: int) -> None:
        """List the modes; chosen: the current one."""
        with QSignalBlocker(self):
            count = 0 if report is None else len(report.modes)
            if self.topLevelItemCount() != count:
                self.clear()
                self.addTopLevelItems([QTreeWidgetItem() for _ in range(count)])
            if report is None:
                return
            for row, mode in enumerate(report.modes):
                item = present(self.topLevelItem(row))
                by = ", ".join(carriers(report, mode)) or "activations"
                beyond = "" if mode.reached or report.model.nu == 0 else "; beyond the actuators"
                texts = pole_text(mode), pace_text(mode), frequency_text(mode), damping_text(mode), by + beyond
                for column, text in enumerate(texts):
                    item.setText(column, text)
                item.setForeground(0, theme.colour("bad" if mode.grows else "text"))
                item.setForeground(1, theme.colour("bad" if mode.grows else "text"))
            self.setCurrentItem(self.topLevelItem(chosen))
