"""Choosing a geom by its name, with search."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QComboBox, QCompleter, QSizePolicy

from tumble.app.look import theme
from tumble.app.widgets.layout import present
from tumble.app.widgets.live_field import CalmCombo


class GeomCombo(CalmCombo):
    """chosen: the user has chosen a geom."""

    chosen = pyqtSignal(int)

    def __init__(self, hint: str) -> None:
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        completer, edit = present(self.completer()), present(self.lineEdit())
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        edit.setPlaceholderText(hint)
        edit.editingFinished.connect(self._settle)
        self.setToolTip("A geom; type to search")
        self.activated.connect(lambda at: self.chosen.emit(at))
        self._settled = -1

    def offer(self, names: Sequence[str]) -> None:
        """Offer these geoms, and choose none."""
        with QSignalBlocker(self):
            self.clear()
            self.addItems(names)
        self.show_geom(-1)
        self.show_ink("")

    def show_geom(self, geom: int) -> None:
        """Show which geom is chosen, without telling; -1: none."""
        self._settled = geom
        with QSignalBlocker(self):
            self.setCurrentIndex(geom)
            if geom < 0:
                self.clearEditText()
        self._show_start()

    def _show_start(self) -> None:
        """Show the beginning of a long name; the tool tip has all of it."""
        edit = present(self.lineEdit())
        if not edit.hasFocus():
            edit.setCursorPosition(0)
        name = self.currentText()
        self.setToolTip(f"{name}: type to search for another geom" if name else "A geom; type to search")

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._show_start()

    def show_ink(self, ink: str) -> None:
        """Show the colour (#rrggbb) in which points on the geom are drawn; "": none is chosen."""
        self.setStyleSheet(f"QComboBox {{ border-left: 4px solid {theme.shown(ink)} }}" if ink else "")

    def _settle(self) -> None:
        """Choose the typed name, or show the present choice again."""
        at = self.findText(self.currentText(), Qt.MatchFlag.MatchFixedString)
        if at >= 0 and at != self._settled and at != self.currentIndex():
            self.show_geom(at)
            self.chosen.emit(at)
        elif at < 0:
            self.show_geom(self._settled)
