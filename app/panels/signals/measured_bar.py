"""The line of the signals panel on the record that is laid over: its file, its shift, and whether it is a ghost in the view."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtWidgets import QToolButton, QWidget

from tumble.app.look import theme
from tumble.app.study.measured_data import MeasuredData
from tumble.app.widgets.layout import hbox, make_check, make_label
from tumble.app.widgets.live_field import CalmDoubleSpinBox
from tumble.app.widgets.slider_row import ElidedLabel

MOST_SHIFT = 1e6  # [s]
SHIFT_STEP = 0.005  # [s]


class MeasuredBar(QWidget):
    """Hidden while there is no record, and nothing to say about one."""

    def __init__(self, data: MeasuredData) -> None:
        super().__init__()
        self._data = data
        self.name = ElidedLabel("")
        self.name.setProperty("dim", True)
        self.shift = CalmDoubleSpinBox()
        self.shift.setAccessibleName("Begin of the record")
        self.shift.setToolTip("Simulated time of the record's first row")
        self.shift.setDecimals(4)
        self.shift.setRange(-MOST_SHIFT, MOST_SHIFT)
        self.shift.setSingleStep(SHIFT_STEP)
        self.shift.setSuffix(" s")
        self.shift.valueChanged.connect(data.set_shift)
        self.ghost = make_check("Ghost", "Show the measured positions in the view, too", on=data.ghost, toggled=data.set_ghost)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName("Take the measured data away")
        self.close_button.setToolTip("Take the measured data away")
        self.close_button.setIcon(theme.icon("close", "dim"))
        self.close_button.setStyleSheet("padding: 0")
        self.close_button.clicked.connect(data.close_record)
        self._from = make_label("from", ink="dim")
        hbox((self.name, 1), self._from, self.shift, self.ghost, self.close_button, margins=(8, 0, 0, 0), spacing=6, inside=self)
        data.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Show the record, or why there is none."""
        record, data = self._data.record, self._data
        self.setVisible(record is not None or bool(data.remark))
        rows = "" if record is None else f"{record.path.name}: {len(record.time)} rows of {', '.join(record.names)}"
        text = data.remark or f"\N{MIDLINE HORIZONTAL ELLIPSIS} {rows}"
        self.name.set_text(text, text)
        for widget in (self._from, self.shift, self.ghost):
            widget.setVisible(record is not None)
        pose = data.pose
        self.ghost.setEnabled(pose is not None and pose.measured)
        with QSignalBlocker(self.shift), QSignalBlocker(self.ghost):
            self.shift.setValue(data.shift)
            self.ghost.setChecked(data.ghost)
