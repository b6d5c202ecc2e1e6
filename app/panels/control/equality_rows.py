"""Equality constraints as switches: by name, live, each of them undone like any other edit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tumble.app.describe.equalities import equality_name, held_bodies
from tumble.app.editing.equalities import EqualitySwitches
from tumble.app.look import theme
from tumble.app.session.session import Session

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Switches = NDArray[np.bool_]


class EqualityProbe:
    """Active equality constraints of a snapshot: (neq,)."""

    def room(self, model: MjModel, data: MjData) -> Switches:
        """New storage for one snapshot."""
        return np.zeros(int(model.neq), bool)

    def take(self, model: MjModel, data: MjData, into: Switches) -> None:
        """Fill the storage."""
        into[:] = data.eq_active


class EqualityRows(QWidget):
    """A line with how many are on and a button for all, then a switch for each."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._switches = session.part(EqualitySwitches)
        self.boxes: list[QCheckBox] = []
        self._title = QLabel()
        self._title.setProperty("section", True)
        self._title.setStyleSheet("border: none")  # the line above is that of the whole head
        self._title.setFont(theme.sans(9, bold=True))
        self.all = QPushButton()
        self.all.setStyleSheet("padding: 2px 8px")
        self.all.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all.clicked.connect(self._switch_all)
        box = QFrame()
        box.setProperty("ruled", True)
        head = QHBoxLayout(box)
        head.setContentsMargins(0, 0, 10, 0)
        head.addWidget(self._title, 1)
        head.addWidget(self.all, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(2)
        column.addWidget(box)
        self._build(column)

    def _build(self, column: QVBoxLayout) -> None:
        model = self._session.model
        count = int(model.neq) if model is not None else 0
        for index in range(count):
            assert model is not None
            name = equality_name(model, index)
            box = QCheckBox(name)
            box.setToolTip("Switch this constraint on or off; can be undone")
            box.setAccessibleName(f"Equality constraint {name}")
            box.setStyleSheet("margin: 1px 12px;")
            box.setChecked(bool(model.eq_active0[index]))
            box.clicked.connect(partial(self._switch, index, name))
            self.boxes.append(box)
            column.addWidget(box)
        self._tell()

    def show_active(self, active: Switches) -> None:
        """Show which are on."""
        if len(active) != len(self.boxes):
            return  # of the model before
        for box, on in zip(self.boxes, active.tolist(), strict=True):
            if box.isChecked() != on:
                with QSignalBlocker(box):
                    box.setChecked(on)
        self._tell()

    def _tell(self) -> None:
        on = sum(box.isChecked() for box in self.boxes)
        self._title.setText(f"Equality constraints: {on} of {len(self.boxes)} on")
        self.all.setText("All off" if on else "All on")
        self.all.setToolTip(f"Switch all equality constraints {'off' if on else 'on'}; can be undone")

    def _switch(self, index: int, name: str, on: bool) -> None:
        self._switches.set({index: on}, f"{name} {'on' if on else 'off'}")
        bodies = held_bodies(self._session.loaded_model, index)
        if bodies and bodies[0] > 0:
            self._session.select(bodies[0])  # what it holds is seen in the view
        self._tell()

    def _switch_all(self) -> None:
        on = not any(box.isChecked() for box in self.boxes)
        changed: dict[int, Any] = {i: on for i, box in enumerate(self.boxes) if box.isChecked() != on}
        self._switches.set(changed, f"Equality constraints {'on' if on else 'off'}")
