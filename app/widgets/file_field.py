"""A field for an output file, with a button that browses, and a hint if the file exists already."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from PyQt6.QtCore import QSignalBlocker, QStandardPaths, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from tumble.physics.files import home


class FileField(QWidget):
    """changed: another file, or another format. formats: name and suffix of each; a single one is not offered as a choice."""

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
        self.remark = QLabel()
        self.remark.setProperty("warn", True)
        self.remark.hide()
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        for widget in (self.text, self.format, self.browse):
            line.addWidget(widget, 1 if widget is self.text else 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(line)
        column.addWidget(self.remark)
        self.text.textChanged.connect(self._on_text)
        self.format.currentIndexChanged.connect(self._on_format)
        self.browse.clicked.connect(self._browse)

    @property
    def path(self) -> Path:
        """The file; one typed without a suffix gets that of the format, one without a folder lies in the user's own."""
        text = self.text.text().strip()
        path = Path(text).expanduser()
        if not text:
            return path
        if path.suffix.lower() not in [suffix for _, suffix in self._formats]:
            path = path.with_name(path.name + self.format.currentData())
        return path if path.is_absolute() else home() / path

    def propose(self, folder: str, stem: str, place: QStandardPaths.StandardLocation) -> None:
        """Offer a name that is free; place: the folder where none is remembered."""
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
