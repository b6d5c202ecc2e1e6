"""Choice of the text editor that opens files at the line of a message."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QWidget

from tumble.app.base import editor
from tumble.app.base.settings import EDITOR, Settings
from tumble.app.widgets.form import ChoiceBox, FormDialog

AUTOMATIC = "(the first that is installed)"
HELP = "{file}, {line} and {column} stand for the place.\nFor a known editor its name is enough."


class EditorDialog(FormDialog):
    """Asks for the command, and remembers it."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Text editor", "Save", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._store = store
        self.command = ChoiceBox([AUTOMATIC, *editor.known()], "The command that opens a file at a line", width=360)
        self.command.setAccessibleName("Command of the text editor")
        self.command.setCurrentText(store.get(EDITOR) or AUTOMATIC)
        self.form.addRow("Command", self.command)
        words = QLabel(HELP)
        words.setProperty("dim", True)
        self.form.addRow("", words)
        self.wanted.connect(self._save)

    def _save(self) -> None:
        """Remember the command if it can be started."""
        text = self.command.currentText().strip()
        if text in ("", AUTOMATIC):
            self._store.put(EDITOR, "")
            self.accept()
            return
        try:
            program = editor.arguments(text, Path("model.xml"), 1)[0]
        except ValueError as error:
            self.refuse(f"This command is not understood: {error}")
            return
        if shutil.which(program) is None:
            self.refuse(f"There is no program {shlex.quote(program)} on this computer")
            return
        self._store.put(EDITOR, editor.completed(text) or text)
        self.accept()
