"""The six groups of actuators, each switched on or off: opt.disableactuator."""

from __future__ import annotations

from functools import partial

import numpy as np
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.session.session import Session

GROUPS = 6
PLACE = EditPlace("opt.disableactuator")


class GroupSwitches(QWidget):
    """A line of six buttons; a group without actuators has one that is disabled. Hidden where a model has no actuators."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._edits = session, session.part(Edits)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 10, 4)
        line.setSpacing(3)
        caption = QLabel("Groups")
        caption.setProperty("dim", True)
        line.addWidget(caption)
        self.buttons = [self._button(group) for group in range(GROUPS)]
        for button in self.buttons:
            line.addWidget(button)
        line.addStretch(1)
        self._edits.settled.connect(self._show)
        self._edits.cleared.connect(self.build)
        session.model_loaded.connect(self.build)

    def _button(self, group: int) -> QToolButton:
        button = QToolButton()
        button.setText(str(group))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setFixedWidth(26)
        button.setProperty("group", True)
        button.clicked.connect(partial(self._switch, group))
        return button

    def build(self) -> None:
        """Another model."""
        model = self._session.model
        self.setVisible(model is not None and int(model.nu) > 0)
        groups = np.asarray(model.actuator_group) if model is not None else np.zeros(0, int)
        for group, button in enumerate(self.buttons):
            count = int(np.count_nonzero(groups == group))
            button.setEnabled(count > 0)
            words = f"{count} actuator{'' if count == 1 else 's'}" if count else "no actuators in it"
            button.setToolTip(f"Actuator group {group}: {words}. Off, they exert no force; can be undone")
            button.setAccessibleName(f"Actuator group {group}")
        self._show()

    def is_on(self, group: int) -> bool:
        """True if the actuators of a group are enabled; groups beyond 30 cannot be disabled."""
        return not 0 <= group <= 30 or not int(self._edits.value(PLACE)[0]) >> group & 1

    def _show(self) -> None:
        if self._session.model is None:
            return
        for group, button in enumerate(self.buttons):
            with QSignalBlocker(button):
                button.setChecked(self.is_on(group) and button.isEnabled())

    def _switch(self, group: int, on: bool) -> None:
        bits = int(self._edits.value(PLACE)[0])
        value = bits & ~(1 << group) if on else bits | 1 << group
        self._edits.set(PLACE, (float(value),), f"Actuator group {group} {'on' if on else 'off'}")
