"""The parameters panel: solref, solimp, friction and their like of one element, the impedance lab, and the way to the file."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget

from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.impedance import Impedance, SteadyLoad
from tumble.app.editing.mixing import Look, mix, raised_priority, with_places
from tumble.app.editing.parameters import Parameter, ParameterOwner, kind_named, places, units
from tumble.app.panels.parameters.impedance_lab import Carried, ElementProbe, ImpedanceReading, LabWish, read, solref_for
from tumble.app.panels.parameters.impedance_view import ImpedanceLab
from tumble.app.panels.parameters.mixture_box import MixtureBox, OverrideBox
from tumble.app.panels.parameters.several import GeomClicks, SeveralBar
from tumble.app.session.requests import EditTogether, Request, TuneGeom, WriteChanges
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.element_choice import ElementChoice
from tumble.app.widgets.layout import holder, make_label, silence, vbox
from tumble.app.widgets.number_row import NumberRow
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.write_bar import WriteBar

if TYPE_CHECKING:
    from tumble.physics import MjModel


class ParametersPanel(LivePanel[Carried]):
    """Rows of the chosen element's parameters, live; their effect; the owner of its contacts; the global override."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session, edits = bench.session, bench.session.part(Edits)
        self.aimed = ElementProbe()
        super().__init__(dock, session, self.aimed)
        self._edits = edits
        self._kind: ParameterOwner | None = None
        self._index = -1
        self._model: MjModel | None = None  # whose rows are shown
        self._steady = SteadyLoad()
        self._reading: ImpedanceReading | None = None
        self.rows: dict[str, NumberRow] = {}
        self.choice, self.lab = ElementChoice(), ImpedanceLab()
        self.several, self._clicks = SeveralBar(session), GeomClicks(session, bench.viewport)
        self.override, self.bar = OverrideBox(edits), WriteBar(session, edits)
        self.mixture = MixtureBox(edits)
        self._refused: LabWish | None = None  # values that a higher priority would allow
        for widget, name in ((self.choice, "element"), (self.lab, "lab"), (self.bar.write, "write")):
            widget.setObjectName(name)
        self._lay_out()
        self.choice.chosen.connect(self._look_at)
        self.several.chosen.connect(self.edit_together)
        self._clicks.clicked.connect(self._on_click)
        self.lab.wanted.connect(self._fulfil)
        self.lab.raised.connect(self._fulfil_with_priority)
        edits.settled.connect(self._show)
        edits.cleared.connect(self._show)
        session.selection_changed.connect(self.choice.prefer)

    def _lay_out(self) -> None:
        self._rows_column = vbox(margins=(0, 2, 0, 4), spacing=0)
        self._rows_box = holder(self._rows_column)
        self._mixture_head = _section("What decides its contacts")
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        for widget in (self._rows_box, _section("Impedance lab"), self.lab, self._mixture_head, self.mixture,
                       _section("Global override"), self.override):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)
        self.area = SteadyScrollArea(self._content)
        self.empty = QLabel(self.session.absence)
        self.empty.setObjectName("empty")
        self.session.absence_changed.connect(self.empty.setText)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        body = holder(vbox(self.choice, self.several, (self.empty, 1), (self.area, 1), self.bar, margins=(0, 0, 0, 0), spacing=0))
        self.set_content(body)
        self.setMinimumWidth(290)

    # ---- which element

    def build(self) -> None:
        """Another model is loaded."""
        model = self.session.model
        self._steady = SteadyLoad()
        self.choice.set_model(model, self.session.kept)
        self.several.forget()
        self.empty.setVisible(model is None)
        self.area.setVisible(model is not None)

    def catch_up(self) -> None:
        """Show the model that is loaded already, and of it the body that was selected before there was this panel."""
        super().catch_up()
        if self.session.selection > 0:
            self.choice.prefer(self.session.selection)

    def answer(self, request: Request) -> None:
        """Show the parameters of a geom, or the patch."""
        if isinstance(request, WriteChanges):
            self.bar.ask(request.then)
            return
        if isinstance(request, TuneGeom):
            self.look_at(kind_named("geom"), request.geom)
        elif isinstance(request, EditTogether):
            self.edit_together(request.geoms)
        super().answer(request)

    def look_at(self, kind: ParameterOwner, index: int) -> None:
        """Show an element; for other panels that know the selection."""
        self.choice.choose(kind, index)

    def edit_together(self, geoms: tuple[int, ...]) -> None:
        """Edit several geoms at once; the lab is about the first of them."""
        if not geoms:
            return
        self.look_at(kind_named("geom"), geoms[0])
        self.several.show_geoms(geoms)
        self._show()

    def _on_click(self, geom: int, added: bool) -> None:
        if not self.live:
            return
        if added and self._kind is not None and self._kind.name == "geom":
            self.several.toggle(geom)
        else:
            self.edit_together((geom,))

    def _look_at(self, kind: ParameterOwner | None, index: int) -> None:
        if (kind, index) == (self._kind, self._index) and not self._is_new_model():
            return
        self._kind, self._index, self._model = kind, index, self.session.model
        geom = kind is not None and kind.name == "geom"
        self.several.setVisible(geom)
        self.several.show_geoms((index,) if geom else ())
        self.aimed.aim(kind, index)
        self._steady = SteadyLoad()
        self._make_rows()
        self._show()
        self.refresh()

    def _is_new_model(self) -> bool:
        return self._model is not self.session.model

    def _make_rows(self) -> None:
        for row in self.rows.values():
            silence(row)
            self._rows_column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = {}
        if self._kind is None:
            return
        length, force = units(self.session.loaded_model, self._kind, self._index)
        for parameter in self._kind.parameters:
            row = NumberRow(parameter, length, force)
            row.setObjectName(parameter.attribute)
            row.changed.connect(partial(self._set, parameter))
            row.restored.connect(partial(self._restore, parameter))
            self._rows_column.addWidget(row)
            self.rows[parameter.attribute] = row

    # ---- user input

    def _places(self, parameter: Parameter, index: int | None = None) -> tuple[EditPlace, ...]:
        """Place of a parameter of the shown element, or of another of its kind."""
        if self._kind is None:
            return ()
        return places(self.session.loaded_model, self._kind, self._index if index is None else index, parameter)

    def _all_places(self, parameter: Parameter) -> list[EditPlace]:
        """The same of all elements that are edited together."""
        return [place for index in self.several.geoms or (self._index,) for place in self._places(parameter, index)]

    def _set(self, parameter: Parameter, values: Values) -> None:
        """Set the values on all edited elements; nan leaves a number of each as it is."""
        value = self._edits.value
        wanted = {place: tuple(old if math.isnan(new) else new for new, old in zip(values, value(place), strict=True))
                  for place in self._all_places(parameter)}  # fmt: skip
        why = next((why for v in wanted.values() if (why := parameter.problem(v))), "")
        if why:
            self.rows[parameter.attribute].refuse(f"of one of them {why}")
            return
        self._edits.set_all(wanted, f"Change {parameter.attribute}")

    def _restore(self, parameter: Parameter) -> None:
        self._edits.restore(self._all_places(parameter))

    def _fulfil(self, wish: LabWish) -> None:
        """Set the solref that gives the value typed in the lab, or show why none does."""
        if self._reading is None or self._kind is None:
            return
        solref, why = self._solved(self._reading, self._edits.value, wish)
        partner = self._reading.partner
        helps = bool(why) and partner >= 0 and not self._solved_alone(self._reading, wish)[1]
        self._refused = wish if helps else None
        self.lab.refuse(why, raising_helps=helps)
        if solref is not None and not why:
            self._set(self._solref(), solref)

    def _fulfil_with_priority(self) -> None:
        """The same with this geom's priority above the other's: one step of undo."""
        wish, reading = self._refused, self._reading
        if wish is None or reading is None or reading.partner < 0:
            return
        solref, why = self._solved_alone(reading, wish)
        self.lab.refuse(why)
        if solref is not None and not why:
            (priority,) = raised_priority(self._edits.value, self._index, reading.partner).values()
            geoms = self.several.geoms or (self._index,)
            fields = {"geom_priority": priority, "geom_solref": solref}
            wanted = {EditPlace(name, g): values for name, values in fields.items() for g in geoms}
            self._edits.set_all(wanted, "Raise priority and set solref")

    def _solved_alone(self, reading: ImpedanceReading, wish: LabWish) -> tuple[Values | None, str]:
        """The solref where this geom alone decides its contact, by a higher priority."""
        look = with_places(self._edits.value, raised_priority(self._edits.value, self._index, reading.partner))
        imp = Impedance.of(mix(self.session.loaded_model, look, self._index, reading.partner).solimp)
        return self._solved(replace(reading, imp=imp), look, wish)

    def _solved(self, reading: ImpedanceReading, look: Look, wish: LabWish) -> tuple[Values | None, str]:
        assert self._kind is not None
        solref, why = solref_for(self.session.loaded_model, reading, look, self._kind, self._index, wish)
        return solref, why or self._solref().problem(solref or (0.02, 1.0))

    def _solref(self) -> Parameter:
        assert self._kind is not None
        return next(p for p in self._kind.parameters if p.attribute.startswith("solref"))

    # ---- queries

    def _show(self) -> None:
        """Show the values and their effects."""
        if self.session.model is None or self._is_new_model():
            return
        self.override.show_values()
        for row in self.rows.values():
            place, *others = self._all_places(row.parameter)
            values = self._edits.value(place)
            mixed = [any(self._edits.value(p)[i] != v for p in others) for i, v in enumerate(values)]
            row.show_values(values, self._edits.first(place), mixed, any(map(self._edits.is_changed, others)))
        carried = self.session.reading(self.probe) if self.live else None
        self._show_lab(carried if self._is_of_this(carried) else Carried())

    def _is_of_this(self, carried: Carried | None) -> TypeGuard[Carried]:
        return carried is not None and self._kind is not None and carried.target == (self._kind.name, self._index)

    def show_reading(self, reading: Carried) -> None:
        """Show the rows of the moment."""
        if self._is_of_this(reading) and not self._is_new_model():
            self._show_lab(reading)

    def _show_lab(self, carried: Carried) -> None:
        if self._kind is None:
            return
        self._reading = read(self.session.loaded_model, self._edits.value, self._kind, self._index, carried, self._steady)
        self.lab.show_reading(self._reading)
        self._show_mixture(carried)

    def _show_mixture(self, carried: Carried) -> None:
        geom = self._kind is not None and self._kind.name == "geom"
        self._mixture_head.setVisible(geom)
        self.mixture.setVisible(geom)
        if geom:
            partners = list(dict.fromkeys(b if a == self._index else a for a, b in carried.key.tolist()))
            self.mixture.show_partners(self.session.loaded_model, self._index, partners)


def _section(text: str) -> QLabel:
    label = make_label(text, ink="section")
    return label
