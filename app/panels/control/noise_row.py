"""Noise on all controls, as that of `simulate`."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QDoubleSpinBox, QLabel, QWidget

from tumble.app.look import theme
from tumble.app.panels.control.generators import Generators
from tumble.app.session.session import Session
from tumble.app.widgets.layout import hbox
from tumble.app.widgets.live_field import CalmDoubleSpinBox

MEMORY = 0.1  # that is shown first [s]


class NoiseRow(QWidget):
    """Two fields; deviation 0 is off. Hidden without actuators."""

    def __init__(self, session: Session, generators: Generators) -> None:
        super().__init__()
        self._session, self._generators = session, generators
        self.deviation = self._field(
            2.0, 0.05, "Noise: deviation", "Standard deviation of noise on all controls, 1 is half of their range; 0: none"
        )
        self.memory = self._field(10.0, 0.05, "Noise: memory", "Correlation time; 0: every step is independent", " s")
        self.memory.setValue(MEMORY)
        caption, over = QLabel("Noise"), QLabel("over")
        for word in (caption, over):
            word.setProperty("dim", True)
        hbox(caption, self.deviation, over, self.memory, None, margins=(12, 0, 10, 4), spacing=6, inside=self)
        for field in (self.deviation, self.memory):
            field.valueChanged.connect(lambda value: self._set())
        generators.changed.connect(lambda index: self.follow())
        session.model_loaded.connect(self.follow)

    def _field(self, most: float, step: float, name: str, tip: str, suffix: str = "") -> QDoubleSpinBox:
        field = CalmDoubleSpinBox()
        field.setRange(0.0, most)
        field.setDecimals(3)
        field.setSingleStep(step)
        field.setSuffix(suffix)
        field.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)
        field.setKeyboardTracking(False)
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.setFont(theme.mono(9))
        field.setAccessibleName(name)
        field.setToolTip(tip)
        return field

    def _set(self) -> None:
        self._generators.set_noise(self.deviation.value(), self.memory.value())

    def follow(self) -> None:
        """Show zero once the last noise has ended."""
        model = self._session.model
        self.setVisible(model is not None and int(model.nu) > 0)
        if self._generators.noise() is None and not self.deviation.hasFocus():
            with QSignalBlocker(self.deviation):
                self.deviation.setValue(0.0)
