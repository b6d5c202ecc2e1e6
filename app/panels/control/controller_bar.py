"""The controller in one line: its file, how it is, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from tumble.app.panels.control.controllers import Controllers
from tumble.app.widgets.slider_row import ElidedLabel


class ControllerBar(QWidget):
    """Part of the control dock; hidden while there is no controller."""

    def __init__(self, controllers: Controllers) -> None:
        super().__init__()
        self._controllers = controllers
        self.name = ElidedLabel("")
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.stop = self._button("Stop", "Stop this controller", controllers.stop)
        self.again = self._button("Restart", "Run the file again, as it is now", controllers.run_again)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.name, 1)
        line.addWidget(self.again)
        line.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 10, 2)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.state)
        controllers.changed.connect(self._show)
        self._show()

    def _button(self, text: str, tip: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: slot())
        return button

    def _show(self) -> None:
        controllers = self._controllers
        source = controllers.source or controllers.asked
        self.setVisible(source is not None and bool(controllers.text))
        if source is None:
            return
        self.name.set_text(source.path.name, str(source.path))
        self.state.setText(controllers.text)
        for key, on in (("bad", bool(controllers.error) and not controllers.running), ("warn", controllers.stuck),
                        ("dim", controllers.running and not controllers.stuck)):  # fmt: skip
            self.state.setProperty(key, on)
        style = self.state.style()
        if style is not None:  # the colours follow the properties
            style.unpolish(self.state)
            style.polish(self.state)
        self.stop.setVisible(controllers.running or controllers.stuck)
        self.again.setVisible(not controllers.running and controllers.asked is None)
