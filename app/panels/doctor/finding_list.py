"""The list of findings: those that hold, the most severe first, then those whose changes are applied but not in the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from tumble.app.describe.names import name_of
from tumble.app.doctor.finding import Finding, FindingKey, Severity
from tumble.app.look import theme

if TYPE_CHECKING:
    from tumble.physics import MjModel

INKS = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.ADVICE: "dim"}
APPLIED = "applied"
SEVERITY, ELEMENT, WHAT = range(3)
WIDTHS = (70, 110, 0)  # pixels; 0: the rest


class FindingList(QTreeWidget):
    """chosen: the user has gone to a finding; opened: and wants its line in the file."""

    chosen = pyqtSignal()
    opened = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[tuple[Finding, bool]] = []
        self.setObjectName("findings")
        self.setAccessibleName("Findings")
        self.setHeaderLabels(["Severity", "Element", "Finding"])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumSize(200, 66)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = self.header()
        assert head is not None
        head.setStretchLastSection(False)
        for column, width in enumerate(WIDTHS):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch)
            if width:
                self.setColumnWidth(column, width)
        self.currentItemChanged.connect(lambda now, before: self.chosen.emit())
        self.itemClicked.connect(lambda item, column: self.chosen.emit())  # of the one that is current already, too
        self.itemActivated.connect(lambda item, column: self.opened.emit())

    def show_findings(self, model: MjModel | None, findings: Sequence[Finding], applied: Sequence[Finding]) -> None:
        """List these; the chosen one stays chosen if it is still there, else the first is."""
        shown = [(finding, False) for finding in findings] + [(finding, True) for finding in applied]
        if shown == self._shown or model is None:
            return
        before, row = self.current, self.currentIndex().row()
        with QSignalBlocker(self):
            self._shown = shown
            self.clear()
            self.addTopLevelItems([_item(model, finding, done) for finding, done in shown])
            if before is None or not self.choose(before.key):
                self.setCurrentItem(self.topLevelItem(min(max(row, 0), len(shown) - 1)))

    @property
    def current(self) -> Finding | None:
        """The chosen finding."""
        row = self.currentIndex().row()
        return self._shown[row][0] if 0 <= row < len(self._shown) else None

    def choose(self, key: FindingKey) -> bool:
        """Go to a finding; returns False if it is not listed."""
        for row, (finding, _) in enumerate(self._shown):
            if finding.key == key:
                self.setCurrentItem(self.topLevelItem(row))
                return True
        return False


def sentence(model: MjModel, finding: Finding) -> str:
    """A finding's cause with a capital, unless it begins with the name of an element."""
    cause = finding.cause
    named = any(cause.startswith(name_of(model, *element)) for element in finding.elements)
    return cause if named else cause[:1].upper() + cause[1:]


def _item(model: MjModel, finding: Finding, done: bool) -> QTreeWidgetItem:
    element = "" if finding.element is None else name_of(model, *finding.element)
    item = QTreeWidgetItem([APPLIED if done else finding.severity.value, element, finding.text])
    item.setForeground(SEVERITY, theme.colour("good" if done else INKS[finding.severity]))
    if done:
        for column in (ELEMENT, WHAT):
            item.setForeground(column, theme.colour("dim"))
    item.setToolTip(ELEMENT, element)
    item.setToolTip(WHAT, finding.text)
    return item
