"""The dialog for an archive with several models, if it is unclear which one to open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QInputDialog, QPushButton, QWidget

from app.library import archive as archives
from app.session.loader import LoadError


def undecided(path: Path) -> list[str]:
    """The models of an archive of which none is opened by itself; none if that is not so."""
    found = archives.split(path)
    if found is None or found[1]:
        return []
    try:
        with archives.opened(path) as archive:
            names = archives.models(archive)
    except LoadError:
        return []  # which was reported when it was opened
    try:
        archives.choose(path, names)
    except LoadError:
        return names
    return []


class MemberChoice(QInputDialog):
    """A non-modal dialog that opens the chosen model."""

    def __init__(self, path: Path, names: list[str], open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open a model of an archive")
        self.setLabelText(f"{path.name} holds {len(names)} models. Which one?")
        self.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
        self.setComboBoxItems(names)
        self.setTextValue(names[0])
        self.setOkButtonText("Open")
        for button in self.findChildren(QPushButton):
            button.setIcon(QIcon())  # as elsewhere in the window
        self.resize(420, 380)
        self.textValueSelected.connect(lambda name: open_path(Path(f"{path}:{name}")))
