"""Controls of contacts in the view: a slider for the length of force arrows, and a menu of flags."""

from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSlider, QToolButton, QWidget

from tumble.app.viewport.contacts.arrow_length import STEPS, ArrowLength

SWITCHES = ("contact_point", "contact_force", "contact_split", "friction_cone", "contact_patch", "contact_past")
SLIDER = 96  # width [px]
TIP = "Length of the force arrows in the view: {} of the usual. The end of the arrow in the legend there can be dragged too"


class ShownBar(QWidget):
    """Next to the tabs of the contacts panel."""

    def __init__(self, length: ArrowLength, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._length = length
        self.caption = QLabel("Arrows")
        self.caption.setProperty("dim", True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Length of the force arrows")
        self.slider.setObjectName("arrow_length")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 8)
        self.slider.setFixedWidth(SLIDER)
        self.slider.valueChanged.connect(length.set_step)
        self.menu = QMenu(self)
        self.menu.addActions([actions[name] for name in SWITCHES])
        self.shown = QToolButton()
        self.shown.setText("In the view \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self.shown.setToolTip("What the view shows of contacts")
        self.shown.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.shown.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.shown.setMenu(self.menu)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 2)
        line.setSpacing(6)
        for widget in (self.caption, self.slider, self.shown):
            line.addWidget(widget)
        length.changed.connect(lambda value: self._show())
        self._show()

    def fit(self, room: int) -> None:
        """Leave out what has no room beside the tabs [px]."""
        self.slider.setVisible(room >= 380)
        self.caption.setVisible(room >= 440)

    def _show(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._length.step)
        self.slider.setToolTip(TIP.format(self._length.words))
