"""The check panel: problems of the model, with element and line in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base.editor import open_at
from tumble.app.describe.names import name_of
from tumble.app.describe.subject import Subject, element_subject
from tumble.app.doctor import report
from tumble.app.doctor.finding import Finding, Severity
from tumble.app.look import theme
from tumble.app.panels.check.check_job import Checker
from tumble.app.session.marking import mark
from tumble.app.session.requests import CheckModel, Request
from tumble.app.widgets.dock import Dock, Panel, Workbench

if TYPE_CHECKING:
    from tumble.physics import MjModel

_INKS = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.ADVICE: "dim"}
SEVERITY, ELEMENT, WHAT, PLACE = range(4)
WIDTHS = (70, 100, 0, 150)  # pixels; 0: the rest


class CheckPanel(Panel):
    """A list of findings. A click on one marks its contact or body in the view, a double click opens the file at its line."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session, self._checker = bench.session, bench.session.part(Checker)
        self._shown: list[Finding] = []
        self._marked: Finding | None = None  # the finding that the view shows
        self.state = QLabel()
        self.state.setProperty("dim", True)
        self.go = QPushButton("Check model")
        self.go.setToolTip("Run a copy of the model for a second from its initial state, and list what is found")
        self.go.clicked.connect(self._toggle)
        self.open = QPushButton("Open at line")
        self.open.setToolTip("Open the file in your text editor at the chosen finding (or double-click it)")
        self.open.clicked.connect(self._open)
        self.list = self._make_list()
        self.whole = QLabel()  # the finding that is chosen, in all its words
        self.whole.setWordWrap(True)
        self.whole.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole.hide()
        self._lay_out()
        self._checker.changed.connect(self._show)
        bench.session.absence_changed.connect(lambda why: self._show())

    def _make_list(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setObjectName("findings")
        tree.setAccessibleName("Findings")
        tree.setHeaderLabels(["Severity", "Element", "Finding", "Place"])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = tree.header()
        assert head is not None
        head.setStretchLastSection(False)
        for column, width in enumerate(WIDTHS):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch)
            if width:
                tree.setColumnWidth(column, width)
        tree.currentItemChanged.connect(lambda now, before: self._choose())
        tree.itemActivated.connect(lambda item, column: self._open())
        return tree

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.state, 1)
        line.addWidget(self.open)
        line.addWidget(self.go)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 8, 8, 6)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self.list, 1)
        column.addWidget(self.whole)
        self.set_content(body)

    def catch_up(self) -> None:
        """Show findings from before the panel was visible."""
        self._show()

    def answer(self, request: Request) -> None:
        """Check the model now."""
        super().answer(request)
        if isinstance(request, CheckModel):
            self._checker.start()

    def _toggle(self) -> None:
        if self._checker.share is None:
            self._checker.start()
        else:
            self._checker.stop()

    # ---- queries

    def _show(self) -> None:
        checker, model = self._checker, self._session.model
        self.go.setEnabled(model is not None)
        self.go.setText("Stop" if checker.share is not None else "Check model")
        self.state.setText(self._words())
        findings = checker.findings or []
        if findings is not self._shown:
            self._shown = findings
            self.list.clear()
            if model is not None:
                self.list.addTopLevelItems([_item(model, finding) for finding in findings])
        self._choose()

    def _words(self) -> str:
        checker = self._checker
        if self._session.model is None:
            return self._session.absence
        if checker.share is not None:
            return f"Checking: {100 * checker.share:.0f} %"
        if checker.problem:
            return f"Not checked: {checker.problem}"
        if checker.findings is None:
            return "Not checked yet"
        return report.summary(checker.findings).capitalize()

    # ---- user input

    def _chosen(self) -> Finding | None:
        item = self.list.currentItem()
        at = self.list.indexOfTopLevelItem(item) if item is not None else -1
        return self._shown[at] if 0 <= at < len(self._shown) else None

    def _choose(self) -> None:
        """Mark the element of the finding in the view, and offer its line."""
        finding = self._chosen()
        place = finding.place if finding is not None else None
        self.whole.setText("" if finding is None else finding.text)
        self.whole.setVisible(finding is not None)
        self.open.setEnabled(place is not None)
        self.open.setText("Open at line" if place is None else f"Open at line {place.line}")
        model = self._session.model
        if finding is None or model is None or finding is self._marked:
            return
        self._marked = finding
        if finding.pair is not None:
            mark(self._session, Subject(pair=finding.pair))
        elif finding.element is not None:
            mark(self._session, element_subject(model, *finding.element))

    def _open(self) -> None:
        finding = self._chosen()
        if finding is not None and finding.place is not None:
            place = finding.place
            self._session.status.emit(open_at(self._session.store, place.path, place.line, place.column))


def _item(model: MjModel, finding: Finding) -> QTreeWidgetItem:
    element = "" if finding.element is None else name_of(model, *finding.element)
    place = "" if finding.place is None else f"{finding.place.path.name}:{finding.place.line}"
    item = QTreeWidgetItem([finding.severity.value, element, finding.text, place])
    item.setForeground(SEVERITY, theme.colour(_INKS[finding.severity]))
    for column, text in ((WHAT, finding.text), (PLACE, "" if finding.place is None else str(finding.place.path))):
        item.setToolTip(column, text)
    item.setTextAlignment(SEVERITY, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return item
