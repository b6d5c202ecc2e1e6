"""Equality constraints as switches: by name, live, each of them undone like any other edit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QCheckBox, QFrame, QPushButton, QToolButton, QVBoxLayout, QWidget

from tumble.app.describe.islands import equality_name, held_bodies
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.poses import switch_equalities
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.widgets.layout import hbox, make_check, make_label, vbox

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
        self.boxes: list[QCheckBox] = []
        self._title = make_label(ink="section", font=theme.sans(9, bold=True))
        self._title.setStyleSheet("border: none")  # the line above is that of the whole head
        self.all = QPushButton()
        self.all.setStyleSheet("padding: 2px 8px")
        self.all.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all.clicked.connect(self._switch_all)
        box = QFrame()
        box.setProperty("ruled", True)
        head = hbox((self._title, 1), margins=(0, 0, 10, 0), inside=box)
        head.addWidget(self.all, 0, Qt.AlignmentFlag.AlignBottom)
        column = vbox(box, margins=(0, 6, 0, 0), spacing=2, inside=self)
        self._build(column)

    def _build(self, column: QVBoxLayout) -> None:
        model = self._session.model
        count = int(model.neq) if model is not None else 0
        for index in range(count):
            assert model is not None
            name = equality_name(model, index)
            box = make_check(name, "Switch this constraint on or off; can be undone", on=bool(model.eq_active0[index]))
            box.setAccessibleName(f"Equality constraint {name}")
            box.setStyleSheet("margin: 1px 12px;")
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
        switch_equalities(self._session, {index: on}, f"{name} {'on' if on else 'off'}")
        bodies = held_bodies(self._session.loaded_model, index)
        if bodies and bodies[0] > 0:
            self._session.select(bodies[0])  # the constrained bodies are visible in the view
        self._tell()

    def _switch_all(self) -> None:
        on = not any(box.isChecked() for box in self.boxes)
        changed: dict[int, Any] = {i: on for i, box in enumerate(self.boxes) if box.isChecked() != on}
        switch_equalities(self._session, changed, f"Equality constraints {'on' if on else 'off'}")


GROUPS = 6
PLACE = EditPlace("opt.disableactuator")


class GroupSwitches(QWidget):
    """A line of six buttons; a group without actuators has one that is disabled. Hidden where a model has no actuators."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._edits = session, session.part(Edits)
        caption = make_label("Groups", ink="dim")
        line = hbox(caption, margins=(12, 0, 10, 4), spacing=3, inside=self)
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
