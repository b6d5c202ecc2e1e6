"""Non-modal dialogs with a form, an error line and buttons; and the fields of such forms."""

from __future__ import annotations

import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from PyQt6.QtCore import QSignalBlocker, QStandardPaths, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from tumble.app.describe.numbers import TIMES
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, vbox
from tumble.physics.base.files import home


class FormDialog(QDialog):
    """wanted: the user confirmed the form; `refuse` shows why it failed, `accept` that it is done."""

    wanted = pyqtSignal()

    def __init__(self, title: str, button: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(14)
        self.form.setVerticalSpacing(8)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.problem = make_label(ink="bad", wrap=True)
        self.problem.hide()
        self.go = make_button(button, act=self.wanted)
        self.go.setDefault(True)
        self.away = make_button("Cancel", act=self.reject)
        self.away.setAutoDefault(False)
        self.buttons = hbox(None, self.go, self.away)
        self.column = vbox(self.form, self.problem, self.buttons, margins=(18, 16, 18, 14), spacing=12, inside=self)
        self.column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    def refuse(self, why: str) -> None:
        """Show why it cannot be done; "" clears the message."""
        self.problem.setText(why)
        self.problem.setVisible(bool(why))

    def appear(self) -> None:
        """Show it, in front."""
        self.refuse("")
        self.show()
        self.raise_()
        self.activateWindow()


class FileField(QWidget):
    """A field for an output file, with a button that browses, and a hint if the file exists already.

    changed: another file, or another format. formats: name and suffix of each; a single one is not offered as a choice.
    """

    changed = pyqtSignal()

    def __init__(self, title: str, formats: list[tuple[str, str]]) -> None:
        """title: of the browser."""
        super().__init__()
        self._title, self._formats = title, formats
        self.text = QLineEdit()
        self.text.setAccessibleName(title)
        self.text.setMinimumSize(320, 26)
        self.format = QComboBox()
        self.format.setAccessibleName("Format")
        for name, suffix in formats:
            self.format.addItem(name, suffix)
        self.format.setVisible(len(formats) > 1)
        self.browse = QPushButton("Browse…")
        self.browse.setAutoDefault(False)
        self.remark = make_label(ink="warn")
        self.remark.hide()
        line = hbox((self.text, 1), self.format, self.browse, margins=(0, 0, 0, 0))
        vbox(line, self.remark, margins=(0, 0, 0, 0), spacing=3, inside=self)
        self.text.textChanged.connect(self._on_text)
        self.format.currentIndexChanged.connect(self._on_format)
        self.browse.clicked.connect(self._browse)

    @property
    def path(self) -> Path:
        """The file; without a suffix it gets that of the format, without a folder it is in the user's own."""
        text = self.text.text().strip()
        path = Path(text).expanduser()
        if not text:
            return path
        if path.suffix.lower() not in [suffix for _, suffix in self._formats]:
            path = path.with_name(path.name + self.format.currentData())
        return path if path.is_absolute() else home() / path

    def propose(self, folder: str, stem: str, place: QStandardPaths.StandardLocation) -> None:
        """Suggest an unused name; place: the folder if none is stored."""
        places = (folder, QStandardPaths.writableLocation(place))
        base = next((Path(name) for name in places if name and os.path.isdir(name)), home())
        named = f"{stem}-{datetime.now():%Y%m%d-%H%M%S}"
        names = (base / f"{named}{more}{self.format.currentData()}" for more in chain([""], (f"-{k}" for k in count(2))))
        self.text.setText(str(next(path for path in names if not os.path.exists(path))))  # a clock may have been set back

    def _on_text(self) -> None:
        suffix = self.path.suffix.lower()
        known = [s for _, s in self._formats]
        if suffix in known:
            with QSignalBlocker(self.format):
                self.format.setCurrentIndex(known.index(suffix))
        self._look()

    def _on_format(self) -> None:
        if self.text.text().strip():
            self.text.setText(str(self.path.with_suffix(self.format.currentData())))
        self._look()

    def _look(self) -> None:
        exists = os.path.isfile(self.path)
        self.remark.setText("This file exists, and will be replaced" if exists else "")
        self.remark.setVisible(exists)
        self.changed.emit()

    def _browse(self) -> None:
        patterns = ";;".join(f"{name} (*{suffix})" for name, suffix in self._formats)
        wanted = next(f"{name} (*{suffix})" for name, suffix in self._formats if suffix == self.format.currentData())
        name, _ = QFileDialog.getSaveFileName(self, self._title, str(self.path), patterns, wanted)
        if name:
            self.text.setText(name)


class ChoiceBox(QComboBox):
    """Values to choose from; others may be typed."""

    def __init__(self, values: list[str], tip: str, *, width: int = 150) -> None:
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(values)
        self.setAccessibleName(tip.partition(";")[0])
        self.setToolTip(tip)
        self.setFixedWidth(width)


def parse_size(text: str) -> tuple[int, int] | None:
    """Width and height in a text such as 1280 x 720; None if invalid."""
    match = re.search(rf"(\d{{1,5}})\s*[x*,{TIMES} ]\s*(\d{{1,5}})", text)
    if match is None or not (int(match[1]) and int(match[2])):
        return None
    return int(match[1]), int(match[2])


def size_text(width: int, height: int) -> str:
    """A size for reading."""
    return f"{width} {TIMES} {height}"


def beside(*widgets: QWidget) -> QWidget:
    """Widgets in a line, to the left."""
    return holder(hbox(*widgets, None, margins=(0, 0, 0, 0)))
