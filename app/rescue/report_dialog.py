"""What a bundle for a bug report will hold, shown before it is saved: each part can be read, and left out."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QByteArray, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QPixmap
from PyQt6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.rescue.report import ReportPart

MOST_SHOWN = 100_000  # letters of a text
NOTE = (
    "The file stays on this computer until you send it. It contains only data, nothing that runs. Untick what to leave out."
)
ROLE = Qt.ItemDataRole.UserRole


class ReportDialog(QDialog):
    """A list of the parts, a look at each, and a word of the user. saved: those that shall be in it."""

    saved = pyqtSignal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save a bundle for a bug report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(860, 520)
        self.words = QPlainTextEdit()
        self.words.setAccessibleName("What happened")
        self.words.setPlaceholderText("What did you do, what did you expect, and what happened? (optional)")
        self.words.setMaximumHeight(64)
        self.words.setTabChangesFocus(True)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Files of the report")
        self.list.setHeaderLabels(["Contents", "", "Size"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        header = self.list.header()
        if header is not None:
            header.setStretchLastSection(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.currentItemChanged.connect(lambda item, before: self._look(item))
        self.list.itemChanged.connect(lambda item, column: self._count())
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text of the chosen file")
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono(9))
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.look = QStackedWidget()
        self.look.addWidget(self.text)
        self.look.addWidget(self.picture)
        self.total = QLabel()
        self.total.setProperty("dim", True)
        self.save = QPushButton("Save…")
        self.save.setDefault(True)
        self.save.clicked.connect(lambda: self.saved.emit(self.chosen()))
        self.cancel = QPushButton("Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.close)
        self._lay_out()

    def _lay_out(self) -> None:
        note = QLabel(NOTE)
        note.setWordWrap(True)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.list)
        split.addWidget(self.look)
        split.setSizes([230, 170])
        line = QHBoxLayout()
        line.addWidget(self.total)
        line.addStretch(1)
        line.addWidget(self.cancel)
        line.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addWidget(note)
        column.addWidget(self.words)
        column.addWidget(split, 1)
        column.addLayout(line)

    def add(self, parts: Sequence[ReportPart]) -> None:
        """Show more parts; one that is there already takes its place."""
        for part in parts:
            item = self._item(part.name) or QTreeWidgetItem(self.list)
            item.setData(0, ROLE, part)
            item.setText(0, part.name)
            item.setText(1, f"not there: {part.missing}" if part.missing else part.about)
            item.setToolTip(1, item.text(1))
            item.setText(2, "" if part.missing else size_words(len(part.data)))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setCheckState(0, Qt.CheckState.Unchecked if part.missing else Qt.CheckState.Checked)
            item.setDisabled(bool(part.missing))
        if self.list.currentItem() is None:
            self.list.setCurrentItem(self.list.topLevelItem(0))
        self._look(self.list.currentItem())
        self._count()

    def set_waiting(self, what: str) -> None:
        """Say that something is yet to come, and wait with saving; "": all is there."""
        self.save.setEnabled(not what)
        self.total.setText(what)
        if not what:
            self._count()

    def chosen(self) -> list[ReportPart]:
        """The parts that are ticked, and those that are missing, which the bundle tells of."""
        parts = []
        for item in self._items():
            part: ReportPart = item.data(0, ROLE)
            if part.missing or item.checkState(0) == Qt.CheckState.Checked:
                parts.append(part)
            else:
                parts.append(ReportPart(part.name, part.about, missing="left out by the user"))
        return parts

    def _items(self) -> list[QTreeWidgetItem]:
        items = [self.list.topLevelItem(k) for k in range(self.list.topLevelItemCount())]
        return [item for item in items if item is not None]

    def _item(self, name: str) -> QTreeWidgetItem | None:
        return next((item for item in self._items() if item.text(0) == name), None)

    def _count(self) -> None:
        if self.save.isEnabled():
            total = sum(len(part.data) for part in self.chosen() if not part.missing)
            self.total.setText(f"{size_words(total)} before it is packed")

    def _look(self, item: QTreeWidgetItem | None) -> None:
        part: ReportPart | None = item.data(0, ROLE) if item is not None else None
        if part is not None and part.name.endswith(".png"):
            pixmap = QPixmap()
            pixmap.loadFromData(QByteArray(part.data))
            room = self.look.size().boundedTo(QSize(820, 400)).expandedTo(QSize(64, 64))
            self.picture.setPixmap(
                pixmap.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
            )
            self.look.setCurrentWidget(self.picture)
            return
        if part is None or part.missing:
            text = "" if part is None else part.missing
        elif part.is_text:
            text = part.data.decode(errors="replace")[:MOST_SHOWN]
        else:
            text = f"{part.about}: {size_words(len(part.data))}, not shown here"
        self.text.setPlainText(text)
        self.look.setCurrentWidget(self.text)


def size_words(count: int) -> str:
    """A number of bytes for reading."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
