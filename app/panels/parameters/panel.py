"""The parameters panel: solref, solimp, friction and their like of one element, the impedance lab, and the way to the file."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TypeGuard

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

import physics
from app.describe.names import name_of
from app.editing.edits import EditPlace, Edits, Values
from app.editing.impedance import SteadyLoad
from app.editing.mixing import explain
from app.editing.parameters import Parameter, ParameterOwner, kind_named, places, units
from app.look import theme
from app.panels.parameters.impedance_facts import ImpedanceReading, read, solref_for
from app.panels.parameters.impedance_view import ImpedanceLab
from app.panels.parameters.override_box import OverrideBox
from app.panels.parameters.probe import Carried, ElementProbe
from app.session.requests import Request, TuneGeom, WriteChanges
from app.widgets.dock import Dock
from app.widgets.element_choice import ElementChoice
from app.widgets.live_panel import LivePanel
from app.widgets.number_row import NumberRow
from app.widgets.workbench import Workbench
from app.widgets.write_bar import WriteBar
from physics import MjModel

MOST_PARTNERS = 8  # pairs of geoms whose mixture is explained


class ParametersPanel(LivePanel[Carried]):
    """Rows of the chosen element's parameters, live; what they mean; who decides its contacts; the global override."""

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
        self.override, self.bar = OverrideBox(edits), WriteBar(session, edits)
        self.mixture = QLabel()
        for widget, name in ((self.choice, "element"), (self.lab, "lab"), (self.bar.write, "write")):
            widget.setObjectName(name)
        self._lay_out()
        self.choice.chosen.connect(self._look_at)
        self.lab.wanted.connect(self._from_physical)
        edits.settled.connect(self._show)
        edits.cleared.connect(self._show)
        session.selection_changed.connect(self.choice.prefer)

    def _lay_out(self) -> None:
        self._rows_box = QWidget()
        self._rows_column = QVBoxLayout(self._rows_box)
        self._rows_column.setContentsMargins(0, 2, 0, 4)
        self._rows_column.setSpacing(0)
        self.mixture.setWordWrap(True)
        self.mixture.setContentsMargins(12, 4, 10, 6)
        self.mixture.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.mixture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._mixture_head = _section("What decides its contacts")
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        for widget in (self._rows_box, _section("Impedance lab"), self.lab, self._mixture_head, self.mixture,
                       _section("Global override"), self.override):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._content)
        self.empty = QLabel(self.session.absence)
        self.empty.setObjectName("empty")
        self.session.absence_changed.connect(self.empty.setText)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        body = QWidget()
        outer = QVBoxLayout(body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        for widget in (self.choice, self.empty, self.area, self.bar):
            outer.addWidget(widget, 1 if widget in (self.area, self.empty) else 0)
        self.set_content(body)
        self.setMinimumWidth(290)

    # ---- which element

    def build(self) -> None:
        """Another model is loaded."""
        model = self.session.model
        self._steady = SteadyLoad()
        self.choice.set_model(model, self.session.kept)
        self.empty.setVisible(model is None)
        self.area.setVisible(model is not None)

    def answer(self, request: Request) -> None:
        """Show the parameters of a geom, or what would be written to the file."""
        if isinstance(request, WriteChanges):
            self.bar.ask(request.then)
            return
        if isinstance(request, TuneGeom):
            self.look_at(kind_named("geom"), request.geom)
        super().answer(request)

    def look_at(self, kind: ParameterOwner, index: int) -> None:
        """Show an element; for others who know which one the user means."""
        self.choice.choose(kind, index)

    def _look_at(self, kind: ParameterOwner | None, index: int) -> None:
        if (kind, index) == (self._kind, self._index) and not self._is_new_model():
            return
        self._kind, self._index, self._model = kind, index, self.session.model
        self.aimed.aim(kind, index)
        self._steady = SteadyLoad()
        self._make_rows()
        self._show()
        self.refresh()

    def _is_new_model(self) -> bool:
        return self._model is not self.session.model

    def _make_rows(self) -> None:
        for row in self.rows.values():
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

    # ---- what the user wants

    def _places(self, parameter: Parameter) -> tuple[EditPlace, ...]:
        return places(self.session.loaded_model, self._kind, self._index, parameter) if self._kind is not None else ()

    def _set(self, parameter: Parameter, values: Values) -> None:
        wanted = dict.fromkeys(self._places(parameter), values)
        self._edits.set_all(wanted, f"Change {parameter.attribute}")

    def _restore(self, parameter: Parameter) -> None:
        self._edits.restore(list(self._places(parameter)))

    def _from_physical(self, stiffness: float, damping: float, direct: bool) -> None:
        if self._reading is None or self._kind is None:
            return
        found, why = solref_for(self._reading, self._edits.value, self._kind, self._index, stiffness, damping, direct=direct)
        parameter = next(p for p in self._kind.parameters if p.attribute.startswith("solref"))
        why = why or parameter.problem(found or (0.02, 1.0))
        self.lab.refuse(why)
        if found is not None and not why:
            self._set(parameter, found)

    # ---- what there is

    def _show(self) -> None:
        """Show the values and what follows from them."""
        if self.session.model is None or self._is_new_model():
            return
        self.override.show_values()
        for row in self.rows.values():
            place = self._places(row.parameter)[0]
            row.show_values(self._edits.value(place), self._edits.first(place))
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
        if not geom:
            return
        partners = list(dict.fromkeys(b if a == self._index else a for a, b in carried.key.tolist()))
        parts = []
        for other in partners[:MOST_PARTNERS]:
            lines = explain(self.session.loaded_model, self._edits.value, self._index, other)
            name = name_of(self.session.loaded_model, physics.mjtObj.mjOBJ_GEOM, other)
            head = f"<span style='color:{theme.colours()['dim']}'>with {escape(name)}</span>"
            parts.append("<br>".join([head, *map(escape, lines)]))
        if len(partners) > MOST_PARTNERS:
            parts.append(f"… and with {len(partners) - MOST_PARTNERS} more.")
        text = "<br>".join(parts) or "It touches nothing now."
        if text != self.mixture.text():
            self.mixture.setText(text)


def _section(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("section", True)
    return label
