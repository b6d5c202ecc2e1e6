"""The panel "Soft bodies": numbers of a flex while it moves, coloured elements, and the limit of the time step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtWidgets import QLabel, QPushButton, QWidget

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import duration, short
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.parameters import FLEX
from tumble.app.panels.soft.look import MEANINGS, Legend, SoftLook, SoftQuantity
from tumble.app.viewport.figures import Drawing, Figure, Stroke
from tumble.app.widgets.base_panels import INTERVAL, RowsPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_timer, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.number_row import EditRow
from tumble.physics.observe.soft_strain import BEND, EDGE, flex_of_body

if TYPE_CHECKING:
    from tumble.physics.observe.soft_strain import StepLimit

SETTLED = 150  # ms after a change until the model surely has it, and is read again
_KINDS = {EDGE: "edge", BEND: "bent edge"}

_CABLES_ONLY = ("flex_edgestiffness", "flex_edgedamping")  # cloth and solids have their elasticity
_ELASTIC_ONLY = ("flex_young", "flex_poisson", "flex_thickness", "flex_damping")


def _applies(model: physics.MjModel, flex: int, field: str) -> bool:
    """True if a parameter affects a flex."""
    dim = int(model.flex_dim[flex])
    if field in _CABLES_ONLY:
        return dim == 1 and not model.flex_interp[flex]
    cloth = dim == 2 and not model.flex_interp[flex]
    return bool(model.flex_elastic[flex]) and (field != "flex_thickness" or cloth) if field in _ELASTIC_ONLY else True


def limit_words(limit: StepLimit | None, timestep: float) -> tuple[str, bool]:
    """Limit of the time step in words, and True if the current one [s] exceeds it."""
    if limit is None:
        return "No elastic force limits the time step", False
    what = f"Stiffest: {_KINDS.get(limit.kind, limit.kind)} {limit.index}, {short(limit.frequency, figures=3)} Hz"
    share = timestep / limit.step
    verdict = f"the present {duration(timestep)} is {short(100 * share, figures=3)} % of it"
    return f"{what}. Explicit steps are stable up to {duration(limit.step)}; {verdict}", share > 1.0


class SoftPanel(RowsPanel):
    """Follows the simulation while visible, and only then colours soft bodies."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        self.choice = CalmCombo("Soft body", "The soft body (flex) whose numbers are shown")
        self.colour = CalmCombo("Colour elements by", "Colour the elements of all soft bodies")
        self.legend, self.limit, self.show_it = Legend(), QLabel(), QPushButton("Show it")
        super().__init__(dock, self._head())
        self._session = session = bench.session
        self._edits = session.part(Edits)
        self._drawing, self._marked = session.part(Drawing), False
        self.look = SoftLook(session, self)
        self.look.changed.connect(lambda: self.legend.show_scale(self.look.quantity, self.look.reach))
        self.look.limited.connect(self._show_limit)
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self.rows: list[EditRow] = []
        self._later = make_timer(self, self.look.read, SETTLED)
        self.choice.currentIndexChanged.connect(lambda index: self._build())
        self.colour.currentIndexChanged.connect(self._colour)
        self.show_it.clicked.connect(lambda: self._mark(on=not self._marked))
        session.model_loaded.connect(self._new_model)
        session.absence_changed.connect(lambda why: self._new_model())
        session.advanced.connect(self._advance)
        session.selection_changed.connect(self._choose)
        self._edits.changed.connect(self._follow)
        self._edits.cleared.connect(self._new_model)  # may be the first sign of another model
        dock.in_sight.connect(self._come_and_go)
        self._new_model()

    def _head(self) -> QWidget:
        column = vbox(self.choice, margins=(12, 10, 10, 4), spacing=6)
        head = holder(column)
        line = hbox(QLabel("Colour by"))
        for quantity in SoftQuantity:
            self.colour.addItem(quantity.value, quantity)
            self.colour.setItemData(self.colour.count() - 1, MEANINGS[quantity], 3)
        line.addWidget(self.colour, 1)
        column.addLayout(line)
        column.addWidget(self.legend)
        self.limit.setWordWrap(True)
        column.addWidget(self.limit)
        self.show_it.setToolTip("Mark the part that limits the time step in the view")
        self.show_it.setCheckable(True)
        column.addWidget(self.show_it)
        self._top = head
        return head

    # ---- which body

    @property
    def flex(self) -> int:
        """The flex that is shown; -1: none."""
        return self.choice.currentIndex()

    def _new_model(self) -> None:
        model = self._session.model
        names = [] if model is None else [name_of(model, physics.mjtObj.mjOBJ_FLEX, flex) for flex in range(model.nflex)]
        before = self.choice.currentText()
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems(names)
        if before in names:
            self.choice.setCurrentIndex(names.index(before))
        self.choice.blockSignals(False)
        self._top.setVisible(bool(names))
        self._unmark()
        self._build()
        if self.dock.isVisible():
            self.look.read()
        else:
            self.look.forget()

    def _choose(self, body: int) -> None:
        """Show the soft body that the selected body is a part of."""
        model = self._session.model
        flex = -1 if model is None else flex_of_body(model, body)
        if flex >= 0:
            self.choice.setCurrentIndex(flex)

    def _build(self) -> None:
        self.rows = []
        model = self._session.model
        if model is not None and self.flex >= 0:
            for parameter in FLEX:
                if not _applies(model, self.flex, parameter.field):
                    continue
                place, of = EditPlace(parameter.field, self.flex), f" of {self.choice.currentText()}"
                self.rows.append(EditRow(parameter, place, self._edits, of))
        self.set_rows(list(self.rows), self._session.absence or "This model has no soft bodies (flexes).")
        self._show_values()
        self._show_limit()

    def _follow(self, place: EditPlace) -> None:
        if place.field.startswith("flex_"):
            self._show_values()
            self._later.start()
        elif place.field == "opt.timestep":
            self._show_limit()

    def _show_values(self) -> None:
        for row in self.rows:
            row.follow()

    # ---- the time step

    def _limit_now(self) -> StepLimit | None:
        return self.look.limits[self.flex] if 0 <= self.flex < len(self.look.limits) else None

    def _show_limit(self) -> None:
        limit = self._limit_now()
        self.show_it.setVisible(limit is not None)
        if self._session.model is None or not self.look.limits:
            self.limit.setText("")
            return
        timestep = self._edits.value(EditPlace("opt.timestep"))[0]
        words, bad = limit_words(limit, timestep)
        self.limit.setText(words)
        self.limit.setProperty("bad", bad)
        style = self.limit.style()
        if style is not None:
            style.unpolish(self.limit)
            style.polish(self.limit)

    def _mark(self, *, on: bool) -> None:
        """Mark the stiffest part in the view, where it is now, or no longer."""
        limit, snapshot, model = self._limit_now(), self._session.snapshot, self._session.model
        if not on or limit is None or snapshot is None or model is None:
            self._unmark()
            return
        first = int(model.flex_vertadr[self.flex])
        points = snapshot.frame.flexvert_xpos[first + np.array(limit.vertices)]
        around = np.vstack([points, points[:1]])
        self._drawing.show((Figure(around, Stroke.LINE, "warn", 2.4), Figure(points.copy(), Stroke.DOTS, "warn", 4.0)))
        self._marked = True
        self.show_it.setChecked(True)

    def _unmark(self) -> None:
        if self._marked:
            self._drawing.clear()
        self._marked = False
        self.show_it.setChecked(False)

    # ---- simulation updates

    def _colour(self, index: int) -> None:
        self.look.colour_by(self.colour.itemData(index))

    def _come_and_go(self, visible: bool) -> None:
        if visible:
            self.look.read()
        else:
            self.look.stop()
            self._unmark()

    def _advance(self) -> None:
        if not self.dock.isVisible():
            return
        self._in_turn.take(self.look.look)
        if self._marked:
            self._mark(on=True)
