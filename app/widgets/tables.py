"""Tables and lists of panels: headings with tips, widths of columns, and tips with the full text of elided cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PyQt6.QtCore import QEvent, QModelIndex, QObject, QStandardPaths, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetrics, QHelpEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QToolTip,
    QTreeWidget,
    QWidget,
)

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.session.session import Session
from tumble.app.widgets.layout import present

AROUND = 12  # room that a cell keeps next to its text [px]


NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def set_headings(
    table: QTreeWidget, titles: Sequence[str], tips: Sequence[str] = (), *, name: int = 0, numbers: bool = False
) -> QHeaderView:
    """Rows of equal height; the column `name` takes the room that the others leave. Returns the header.

    tips: of the titles, as many or none; numbers: the titles of the other columns are aligned as numbers are.
    """
    table.setHeaderLabels(titles)
    table.setUniformRowHeights(True)
    head, header = present(table.headerItem()), present(table.header())
    header.setStretchLastSection(False)
    for column in range(len(titles)):
        header.setSectionResizeMode(column, header.ResizeMode.Stretch if column == name else header.ResizeMode.ResizeToContents)
        if numbers and column != name:
            head.setTextAlignment(column, NUMBER)
    for column, tip in enumerate(tips):
        head.setToolTip(column, tip)
    return header


def quiet_rows(table: QTableView, height: int) -> QHeaderView:
    """Rows of a height [px], which grows with the text, without their own headings. Returns the header of the columns."""
    down, across = present(table.verticalHeader()), present(table.horizontalHeader())
    down.hide()
    down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    down.setMinimumSectionSize(height)  # larger fonts raise Qt's own, and so the height that grows with them
    down.setDefaultSectionSize(height)
    across.setHighlightSections(False)
    return across


def tip_where_cut(widget: QWidget) -> None:
    """Show elided texts of all tables and lists in a widget as tips."""
    for view in widget.findChildren(QAbstractItemView):
        viewport = view.viewport()
        if viewport is not None:
            viewport.installEventFilter(_Teller(view))


class _Teller(QObject):
    """Watches one view for a resting mouse; tips of the cells themselves are left to the view."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Show the tip of a cut text."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        text = self._cut_header(event) if isinstance(self._view, QHeaderView) else self._cut_cell(event)
        if text:
            QToolTip.showText(event.globalPos(), text, self._view)
        return bool(text)

    def _cut_cell(self, event: QHelpEvent) -> str:
        index = self._view.indexAt(event.pos())
        if not index.isValid() or index.data(Qt.ItemDataRole.ToolTipRole):
            return ""
        return self._if_cut(index, index.data(Qt.ItemDataRole.DisplayRole), self._view.visualRect(index).width())

    def _cut_header(self, event: QHelpEvent) -> str:
        header, model = self._view, self._view.model()
        if not isinstance(header, QHeaderView) or model is None:
            return ""
        at = header.logicalIndexAt(event.pos())
        if at < 0 or model.headerData(at, header.orientation(), Qt.ItemDataRole.ToolTipRole):
            return ""
        return self._if_cut(None, model.headerData(at, header.orientation()), header.sectionSize(at))

    def _if_cut(self, index: QModelIndex | None, text: object, room: int) -> str:
        font = None if index is None else index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(font if isinstance(font, QFont) else self._view.font())
        return text if isinstance(text, str) and metrics.horizontalAdvance(text) + AROUND > room else ""


class CsvButton(QPushButton):
    """Asks for a file and writes rows to it in another thread; the status bar shows the outcome."""

    def __init__(
        self, session: Session, what: str, rows: Callable[[], Iterable[Sequence[str]]], *, counted: str, ending: str = ""
    ) -> None:
        """rows: the headings, then the rows; in plural: their name, and the counted noun; ending: of the file's name."""
        super().__init__("Save CSV…")
        self._session, self._what, self._rows = session, what, rows
        self._counted, self._ending = counted, ending
        self._background = Background("table", self)
        self.clicked.connect(self._ask)

    def allow(self, filled: bool) -> None:
        """Enable it where there are rows, and none are being written."""
        self.setEnabled(filled and not self._background.busy)

    def _ask(self) -> None:
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        model = self._session.path
        offered = folder / f"{self._what if model is None else model.stem}{self._ending}.csv"
        name, _ = QFileDialog.getSaveFileName(self.parentWidget(), f"Save the {self._what}", str(offered), "CSV (*.csv)")
        if not name:
            return
        rows = self._rows()
        self.setEnabled(False)
        self._background.run(
            lambda: files.write_rows(Path(name), rows),
            lambda count: self._end(f"Saved {count} {self._counted} to {name}"),
            lambda why: self._end(f"The {self._what} were not saved: {why}"),
            (files.FileError,),
        )

    def _end(self, message: str) -> None:
        self.setEnabled(True)
        self._session.status.emit(message)


class FilterField(QLineEdit):
    """Words that the rows of a list must have. `hidden`: a button for the panel to place, seen while rows are hidden.

    cleared: that button was pressed; the field is empty by then, and other filters of the list are to end too.
    """

    cleared = pyqtSignal()

    def __init__(self, name: str, placeholder: str, tip: str) -> None:
        """name: for screen readers."""
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setToolTip(tip)
        self.setClearButtonEnabled(True)
        self.setMinimumHeight(24)
        self.hidden = QPushButton()
        self.hidden.setAccessibleName("Clear the filter")
        self.hidden.setProperty("link", True)
        self.hidden.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hidden.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hidden.hide()
        self.hidden.clicked.connect(self._clear)

    @property
    def words(self) -> list[str]:
        """The words, in lower case."""
        return self.text().lower().split()

    def show_hidden(self, count: int) -> None:
        """Show how many rows the filter hides; 0 clears it."""
        text = f"The filter hides {count}: clear" if count else ""
        if text != self.hidden.text():
            self.hidden.setText(text)
            self.hidden.setAccessibleDescription(text)
            self.hidden.setVisible(bool(count))

    def _clear(self) -> None:
        self.clear()
        self.cleared.emit()


def has_words(text: str, words: list[str]) -> bool:
    """True if a text contains all words, ignoring case."""
    low = text.lower()
    return all(word in low for word in words)
