"""The user's numbers, userdata: read by controllers and callbacks, written here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtWidgets import QFrame, QGridLayout, QWidget

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetState, WatchProbe
from tumble.app.widgets.layout import hbox, make_label, vbox
from tumble.app.widgets.number_row import NumberField

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Numbers = NDArray[np.float64]
MOST, COLUMNS = 60, 3  # fields that are shown, and side by side


class UserProbe:
    """The user's numbers of a snapshot: (nuserdata,)."""

    def room(self, model: MjModel, data: MjData) -> Numbers:
        """New storage for one snapshot."""
        return np.zeros(int(model.nuserdata))

    def take(self, model: MjModel, data: MjData, into: Numbers) -> None:
        """Fill the storage."""
        into[:] = data.userdata


class UserRows(QWidget):
    """A field for each number, with its index. Watched only while `watch` says so."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._probe = UserProbe()
        self._watched = False
        model = session.model
        self.count = 0 if model is None else int(model.nuserdata)
        self.fields: list[NumberField] = []
        box = QFrame()
        box.setProperty("ruled", True)
        more = "" if self.count <= MOST else f", the first {MOST} here"
        title = make_label(f"userdata: {self.count} numbers{more}", ink="section", font=theme.sans(9, bold=True))
        title.setStyleSheet("border: none")
        hbox((title, 1), margins=(0, 0, 10, 0), inside=box)
        self.problem = make_label(ink="bad", wrap=True)
        self.problem.hide()
        grid = QGridLayout()
        grid.setContentsMargins(12, 2, 10, 2)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        for k in range(min(self.count, MOST)):
            self._add(grid, k)
        vbox(box, grid, self.problem, margins=(0, 6, 0, 0), spacing=2, inside=self)

    def _add(self, grid: QGridLayout, k: int) -> None:
        field = NumberField(f"userdata[{k}]: the engine does not use it; controllers and callbacks may")
        field.setAccessibleName(f"userdata {k}")
        field.committed.connect(partial(self._set, k))
        field.refused.connect(self._refuse)
        self.fields.append(field)
        row, column = divmod(k, COLUMNS)
        grid.addWidget(make_label(str(k), ink="dim", font=theme.sans(8.5)), row, 2 * column)
        grid.addWidget(field, row, 2 * column + 1)
        grid.setColumnStretch(2 * column + 1, 1)

    def watch(self, visible: bool) -> None:
        """Read the numbers while they can be seen, and there are any."""
        wanted = visible and bool(self.fields)
        if wanted != self._watched:
            self._watched = wanted
            self._session.send(WatchProbe(self._probe, wanted))

    def show_numbers(self) -> None:
        """Show those of the newest snapshot."""
        numbers = self._session.reading(self._probe) if self._watched and self._session.is_obeyed else None
        if numbers is not None and len(numbers) == self.count:
            for field, value in zip(self.fields, numbers.tolist(), strict=False):
                field.show_value(value)

    def _set(self, k: int, value: float) -> None:
        self.problem.hide()
        self._session.send(SetState("userdata", k, (value,), running=True))

    def _refuse(self, why: str) -> None:
        self.problem.setText(f"Not accepted: {why}")
        self.problem.show()
