"""The list of forks with their errors; its last row is for the next fork."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QToolButton, QTreeWidget, QTreeWidgetItem

from tumble.app.look import theme
from tumble.app.panels.forks.forks import ForkEntry
from tumble.app.panels.forks.form import NEXT, NEXT_TIP
from tumble.app.widgets.tables import NUMBER, set_headings

FEW_COLUMNS = 290  # pixels below which the list has no room for more than names and errors
NAME, ERROR, PEAK, COST, REMOVE = range(5)
HEADINGS = (
    ("Fork", "What differs in the fork; the box shows or hides its ghost"),
    ("apart", "Present distance from the simulation, in the measure of the plot"),
    ("largest", "Its largest distance since it began"),
    ("\N{MICRO SIGN}s", "Wall time per step of the fork"),
    ("", ""),
)
KEY = Qt.ItemDataRole.UserRole
NEXT_KEY = 0  # forks have keys from 1 on


class ForkList(QTreeWidget):
    """chosen: key of the row that the user has chosen, NEXT_KEY for the next fork; ghosted: key, and whether its ghost shows."""

    chosen = pyqtSignal(int)
    ghosted = pyqtSignal(int, bool)
    removed = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[int, QTreeWidgetItem] = {}
        self.setAccessibleName("Forks")
        self.setRootIsDecorated(False)
        self.setMinimumWidth(0)
        self.setFont(theme.sans(9))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = set_headings(self, *zip(*HEADINGS, strict=True), name=NAME)
        header.setMinimumSectionSize(26)
        for column, width in ((ERROR, 66), (PEAK, 66), (COST, 44), (REMOVE, 28)):
            header.setSectionResizeMode(column, header.ResizeMode.Fixed)
            self.setColumnWidth(column, width)
        self.itemChanged.connect(self._on_changed)
        self.currentItemChanged.connect(lambda item, before: self.chosen.emit(item.data(NAME, KEY)) if item is not None else None)

    def show_forks(self, entries: Sequence[ForkEntry], chosen: int) -> None:
        """List these, and the next fork; chosen: key of the current row."""
        with QSignalBlocker(self):
            if [*self._rows] != [*(entry.key for entry in entries), NEXT_KEY]:
                self.clear()
                self._rows = {entry.key: self._row(entry.key, entry.ink) for entry in entries}
                self._rows[NEXT_KEY] = self._next_row()
            for entry in entries:
                self._show(entry)
            self.setCurrentItem(self._rows[chosen])
        header = self.header()
        high = 0 if header is None else header.sizeHint().height()
        self.setFixedHeight(high + len(self._rows) * self.sizeHintForRow(0) + 2 * self.frameWidth() + 2)

    def show_values(self, key: int, values: Sequence[str], *, bad: bool) -> None:
        """Show error, peak and cost of a fork in their columns."""
        item = self._rows[key]
        with QSignalBlocker(self):
            for column, text in zip((ERROR, PEAK, COST), values, strict=True):
                item.setText(column, text)
            item.setForeground(ERROR, theme.colour("bad" if bad else "text"))

    def _show(self, entry: ForkEntry) -> None:
        item = self._rows[entry.key]
        item.setText(NAME, entry.name)
        item.setCheckState(NAME, Qt.CheckState.Checked if entry.ghost else Qt.CheckState.Unchecked)
        item.setToolTip(NAME, f"{entry.name}\n{entry.remark}".rstrip())
        button = self.itemWidget(item, REMOVE)
        if button is not None:
            button.setAccessibleName(f"Remove {entry.name}")

    def _row(self, key: int, ink: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self)
        item.setData(NAME, KEY, key)
        item.setIcon(NAME, theme.swatch(ink))
        for column in (ERROR, PEAK, COST):
            item.setTextAlignment(column, NUMBER)
            item.setFont(column, theme.mono(8))
        button = QToolButton()
        button.setIcon(theme.icon("close", "dim"))
        button.setToolTip("Remove this fork")
        button.setStyleSheet("padding: 0")
        button.clicked.connect(lambda: self.removed.emit(key))
        self.setItemWidget(item, REMOVE, button)
        return item

    def _next_row(self) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [f"{NEXT}\N{HORIZONTAL ELLIPSIS}"])
        item.setData(NAME, KEY, NEXT_KEY)
        item.setToolTip(NAME, NEXT_TIP)
        item.setForeground(NAME, theme.colour("dim"))
        return item

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME:
            self.ghosted.emit(item.data(NAME, KEY), item.checkState(NAME) == Qt.CheckState.Checked)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fewer columns where there is no room."""
        super().resizeEvent(event)
        for column in (PEAK, COST):
            self.setColumnHidden(column, self.width() < FEW_COLUMNS)
