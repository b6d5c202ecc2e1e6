"""The diff of a patch, to be looked at before it is saved."""

from __future__ import annotations

from html import escape

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QKeySequence, QTextCursor
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.patch import Patch

_INK = {"+": "good", "-": "bad", "@": "disabled"}


class PatchView(QDialog):
    """Beside the window, not before it: the simulation can still be used. wanted: save this patch."""

    wanted = pyqtSignal(object)

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Write to the MJCF file")
        self.resize(760, 420)
        self._patch: Patch | None = None
        self.head = QLabel()
        self.head.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono(9.5))
        self.left = QLabel()
        self.left.setWordWrap(True)
        self.left.setProperty("warn", True)
        self.save = QPushButton("Save")
        self.save.setToolTip("Write these lines to the file")
        self.save.setShortcut(QKeySequence("Ctrl+Return"))
        self.save.clicked.connect(self._save)
        cancel = QPushButton("Cancel")
        cancel.setToolTip("Leave the file as it is (Esc)")
        cancel.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.head)
        column.addWidget(self.text, 1)
        column.addWidget(self.left)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(cancel)
        line.addWidget(self.save)
        column.addLayout(line)
        self.save.setDefault(True)

    def show_patch(self, patch: Patch) -> None:
        """Show what would change."""
        self._patch = patch
        names = ", ".join(str(file.path) for file in patch.files)
        count = len(patch.places)
        said = f"{count} change{'s' if count != 1 else ''} to {names}; every other byte stays. The result was loaded and checked."
        self.head.setText(said if patch.files else "There is nothing to write.")
        self.save.setEnabled(bool(patch.files))
        self.text.clear()
        for file in patch.files:
            for line in file.diff():
                ink = theme.colours()[_INK.get(line[:1], "dim")]
                text = escape(line.expandtabs(4))
                self.text.appendHtml(f'<span style="color:{ink}; white-space:pre-wrap">{text}</span>')
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.left.setText("Not written:\n" + "\n".join(patch.left[:12]) if patch.left else "")
        self.left.setVisible(bool(patch.left))
        self.show()
        self.raise_()
        self.activateWindow()

    def refuse(self, why: str) -> None:
        """Say why it is not saved; the view stays."""
        self.left.setText(f"Not saved: {why}")
        self.left.show()
        self.save.setEnabled(False)

    def _save(self) -> None:
        if self._patch is not None:
            self.wanted.emit(self._patch)
