"""The control dock: a slider an actuator."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.docks.panel import RowsDock
from app.docks.slider_row import SliderRow
from app.model_info import actuators
from app.session import Session


class ControlDock(RowsDock):
    """Sliders of the controls: name, unit, range, value, reset; and one button that clears all."""

    def __init__(self, session: Session) -> None:
        head = QWidget()
        self._count = QLabel()
        self._count.setProperty("dim", True)
        self.clear = QPushButton("Clear all")
        self.clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.clear.setToolTip("Set all controls to zero")
        self.clear.clicked.connect(session.clear_ctrl)
        line = QHBoxLayout(head)
        line.setContentsMargins(12, 8, 10, 4)
        line.addWidget(self._count, 1)
        line.addWidget(self.clear)
        super().__init__("Control", "control", head)
        self._session = session
        self.rows: list[SliderRow] = []
        session.model_loaded.connect(self._build)
        session.ctrl_changed.connect(self._show)
        self._build()

    def _build(self) -> None:
        model, snapshot = self._session.model, self._session.snapshot
        infos = actuators(model) if model is not None else []
        self.rows = []
        for info in infos:
            row = SliderRow(info.name, info.unit, info.low, info.high, limited=info.limited)
            row.changed.connect(lambda value, i=info.index: self._session.set_ctrl(i, value))
            if snapshot is not None:
                row.show_value(float(snapshot.ctrl[info.index]))
            self.rows.append(row)
        self._count.setText(f"{len(infos)} actuator{'s' if len(infos) != 1 else ''}")
        self.clear.setEnabled(bool(infos))
        self.set_rows(list(self.rows), "This model has no actuators.\nCtrl+drag a body to move it.")

    def _show(self, index: int, value: float) -> None:
        if index < len(self.rows):
            self.rows[index].show_value(value)
