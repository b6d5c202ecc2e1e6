"""Mixing of contact parameters, pair by pair, and a button that gives this geom priority."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtWidgets import QPushButton, QWidget

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.mixing import OVERRIDE, explain, loses, raised_priority
from tumble.app.editing.parameters import OVERRIDE as PARAMETERS
from tumble.app.look import theme
from tumble.app.widgets.layout import make_check, make_label, vbox
from tumble.app.widgets.number_row import EditRow

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST_PARTNERS = 8  # pairs of geoms whose mixture is explained
MOST_BUTTONS = 3


class MixtureBox(QWidget):
    """A text, and below it a button for each partner against which the geom does not have its way."""

    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits
        self._shown: tuple[str, tuple[tuple[int, int, str], ...]] = ("", ())
        self.label = make_label(wrap=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.buttons: list[QPushButton] = []
        self._column = vbox(self.label, margins=(12, 4, 10, 6), spacing=4, inside=self)

    def text(self) -> str:
        """Text of the box."""
        return self.label.text()

    def show_partners(self, model: MjModel, geom: int, partners: list[int]) -> None:
        """Show which geom decides the contacts with these geoms."""
        look, parts, buttons = self._edits.value, [], []
        for other in partners[:MOST_PARTNERS]:
            name = name_of(model, physics.mjtObj.mjOBJ_GEOM, other)
            head = f"<span style='color:{theme.colours()['dim']}'>with {escape(name)}</span>"
            parts.append("<br>".join([head, *map(escape, explain(model, look, geom, other))]))
            if why := loses(model, look, geom, other):
                buttons.append((geom, other, f"{why}: raise priority"))
        if len(partners) > MOST_PARTNERS:
            parts.append(f"… and with {len(partners) - MOST_PARTNERS} more.")
        shown = "<br>".join(parts) or "It touches nothing now.", tuple(buttons[:MOST_BUTTONS])
        if shown != self._shown:
            self._shown = shown
            self.label.setText(shown[0])
            self._set_buttons(model, shown[1])

    def _set_buttons(self, model: MjModel, wanted: tuple[tuple[int, int, str], ...]) -> None:
        for button in self.buttons:
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for geom, other, text in wanted:
            button = QPushButton(text)
            name = name_of(model, physics.mjtObj.mjOBJ_GEOM, geom)
            button.setToolTip(f"The priority of {name} becomes higher than the other's: its numbers alone decide the contact")
            button.setStyleSheet("padding: 3px 8px; text-align: left")
            button.clicked.connect(partial(self._raise, geom, other))
            self._column.addWidget(button)
            self.buttons.append(button)

    def _raise(self, geom: int, other: int) -> None:
        ((place, value),) = raised_priority(self._edits.value, geom, other).items()
        self._edits.set(place, value, "Raise priority")


_FLAGS = EditPlace("opt.enableflags")


class OverrideBox(QWidget):
    """A switch, and the numbers while it is on."""

    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits
        self.switch = make_check(
            "override all contacts", "Every contact uses these numbers instead of those of its geoms (option flag override)"
        )
        self.switch.clicked.connect(self._switch)
        self.rows = {p.attribute: EditRow(p, EditPlace(p.field), edits) for p in PARAMETERS}
        column = vbox(self.switch, margins=(0, 4, 0, 4), spacing=0, inside=self)
        self.switch.setContentsMargins(12, 0, 0, 0)
        self.switch.setStyleSheet("margin-left: 12px;")
        for row in self.rows.values():
            column.addWidget(row)

    def show_values(self) -> None:
        """Show the value in the model, or the pending one."""
        on = bool(int(self._edits.value(_FLAGS)[0]) & OVERRIDE)
        with QSignalBlocker(self.switch):
            self.switch.setChecked(on)
        for row in self.rows.values():
            row.follow()
            row.setVisible(on)

    def _switch(self, on: bool) -> None:
        flags = int(self._edits.value(_FLAGS)[0])
        flags = flags | OVERRIDE if on else flags & ~OVERRIDE
        self._edits.set(_FLAGS, (float(flags),), "Override all contacts")
