"""Marks on the runs of a study, in all of its views at once, and the chosen run."""

from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.panels.study.run_table import Mask, RunTable

Range = tuple[float, float]


class RunMarks(QObject):
    """Ranges of columns, which a marked run is within, and the number of the chosen run, None for none.

    changed: other ranges; chosen_changed: another run is chosen.
    """

    changed = pyqtSignal()
    chosen_changed = pyqtSignal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.ranges: dict[str, Range] = {}
        self.chosen: int | None = None

    @property
    def any(self) -> bool:
        """True if there is a range."""
        return bool(self.ranges)

    def mark(self, ranges: Mapping[str, Range]) -> None:
        """Set the ranges of these columns; those of others stay."""
        self.ranges |= ranges
        self.changed.emit()

    def drop(self, name: str) -> None:
        """Forget the range of a column."""
        if self.ranges.pop(name, None) is not None:
            self.changed.emit()

    def clear(self) -> None:
        """Forget all ranges."""
        if self.ranges:
            self.ranges = {}
            self.changed.emit()

    def choose(self, run: int | None) -> None:
        """Choose a run."""
        if run != self.chosen:
            self.chosen = run
            self.chosen_changed.emit()

    def mask(self, table: RunTable) -> Mask:
        """True for the rows that are marked: all of them without ranges (n,)."""
        return table.within(self.ranges)

    def words(self, table: RunTable) -> str:
        """The ranges as text: `friction 0.1 to 0.3`."""
        return ", ".join(
            f"{name} {table.text(name, low) or f'{low:.4g}'} to {table.text(name, high) or f'{high:.4g}'}"
            for name, (low, high) in self.ranges.items()
        )
