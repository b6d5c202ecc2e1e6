"""The steps in which handles snap."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings


class SnapDialog(QDialog):
    """A length and an angle."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Snap steps")
        self._store = store
        self.length = self._field(" mm", 1e3 * store.get(settings.SNAP_LENGTH), 0.01, 1e5, "Step of a move")
        self.angle = self._field("\N{DEGREE SIGN}", store.get(settings.SNAP_ANGLE), 0.1, 180.0, "Step of a turn")
        form = QFormLayout(self)
        form.addRow("Move by", self.length)
        form.addRow("Turn by", self.angle)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)

    def _field(self, suffix: str, value: float, least: float, most: float, name: str) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(least, most)
        box.setDecimals(2)
        box.setSuffix(suffix)
        box.setValue(value)
        box.setAccessibleName(name)
        return box

    def accept(self) -> None:
        """Keep them."""
        self._store.put(settings.SNAP_LENGTH, 1e-3 * self.length.value())
        self._store.put(settings.SNAP_ANGLE, self.angle.value())
        super().accept()
