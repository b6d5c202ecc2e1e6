"""The dialog for a folder or an archive with several models, if it is unclear which one to open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QInputDialog, QListView, QPushButton, QWidget


class MemberChoice(QInputDialog):
    """A non-modal dialog that opens the chosen model."""

    def __init__(self, path: Path, choices: Mapping[str, Path], open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open one of several models")
        self.setLabelText(f"{path.name} holds {len(choices)} models. Which one?")
        self.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
        self.setComboBoxItems(list(choices))
        self.setTextValue(next(iter(choices)))
        self.setOkButtonText("Open")
        for button in self.findChildren(QPushButton):
            button.setIcon(QIcon())  # as elsewhere in the window
        self.resize(420, 380)
        for names in self.findChildren(QListView):
            names.doubleClicked.connect(self.accept)
        self.textValueSelected.connect(lambda name: open_path(choices[name]))
