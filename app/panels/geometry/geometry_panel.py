"""The geometry panel: numbers of a geom, site or camera, its handles in the view, and the brush of a height field."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtWidgets import QGridLayout, QWidget

from tumble.app.describe.names import body_name
from tumble.app.editing.edits import Edits, Values
from tumble.app.editing.shapes.heights import Brush, BrushMode
from tumble.app.editing.shapes.shaping import SIZES, ShapeElement, Shaping
from tumble.app.editing.shapes.structure import StructureFollower
from tumble.app.handles.shape_tool import ShapeTool
from tumble.app.look import theme
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_check, make_label, vbox
from tumble.app.widgets.live_field import CalmCombo, SearchCombo
from tumble.app.widgets.number_row import NumberField
from tumble.app.widgets.write_bar import WriteBar

HINT = "Click a geom or site in the view, or choose one here. Cameras are in the list."
FIGURES = 6  # of a number: more do not fit, and an exponent would be cut off
MODES = {
    BrushMode.RAISE: "Heap up, by the strength in metres a second",
    BrushMode.LOWER: "Dig, by the strength in metres a second",
    BrushMode.SMOOTH: "Even out: the strength is the share of unevenness that goes in 0.1 s",
}
_RADIUS, _STRENGTH = 0.1, 0.2  # of the brush at first: of the field's lesser side, of its height a second


class NumbersRow(QWidget):
    """Several numbers in a line below a caption, committed together."""

    def __init__(self, caption: str, tip: str, commit: Callable[[Values], None], refuse: Callable[[str], None]) -> None:
        super().__init__()
        self._caption = make_label(caption, ink="dim", font=theme.sans(8.5))
        self._tip, self._commit, self._refuse = tip, commit, refuse
        self.fields: list[NumberField] = []
        self._values: Values = ()
        self._names: tuple[str, ...] = ()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        vbox(self._caption, self._grid, margins=(12, 2, 10, 2), spacing=2, inside=self)

    def set_names(self, names: Sequence[str]) -> None:
        """Have a field for each name."""
        if self._names == tuple(names):
            return
        self._names = tuple(names)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.fields = []
        for k, name in enumerate(names):
            field = NumberField(f"{self._tip}: {name}")
            field.setAccessibleName(f"{self._caption.text()} {name}")
            field.committed.connect(lambda value, k=k: self._put(k, value))
            field.refused.connect(self._refuse)
            self.fields.append(field)
            self._grid.addWidget(make_label(name, ink="dim", font=theme.sans(8)), 0, k)
            self._grid.addWidget(field, 1, k)
        self.setVisible(bool(names))

    def show_values(self, values: Values) -> None:
        """Show numbers."""
        self._values = values
        for field, value in zip(self.fields, values, strict=True):
            field.show_value(value, f"{round(value, 9) + 0.0:.{FIGURES}g}", edited=True)

    def _put(self, k: int, value: float) -> None:
        self._commit((*self._values[:k], value, *self._values[k + 1 :]))


class GeometryPanel(Panel):
    """Follows the selection; the view has handles while it is visible."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session, self._viewport = bench.session, bench.viewport
        self.shaping, self._structure = self._session.part(Shaping), self._session.part(StructureFollower)
        self.tool = ShapeTool(bench.viewport, self._session)
        bench.viewport.tools.add(self.tool)
        self.element = SearchCombo("Element", "Geom, site or camera of the selected body; type to search")
        self.hint = make_label(HINT, ink="dim", wrap=True)
        self.handles = make_check("Handles", "Arrows and rings in the view move and turn it, squares change its size", on=True)
        self.world = make_check("World axes", "Handles along the axes of the world instead of the element's own")
        self.pos_row = NumbersRow("Position in its body [m]", "Position", lambda v: self._put("pos", v), self._tell)
        self.quat_row = NumbersRow("Orientation in its body", "Quaternion", lambda v: self._put("quat", v), self._tell)
        self.size_row = NumbersRow("Size [m]", "Size", lambda v: self._put("size", v), self._tell)
        self.pos_row.set_names("xyz")
        self.quat_row.set_names(("w", "x", "y", "z"))
        self.problem = make_label(ink="bad", wrap=True)
        self.note = make_label(ink="dim", wrap=True)
        self.field = self._make_field()
        self.bar = WriteBar(self._session, self._session.part(Edits))
        head = holder(vbox(self.element, self.hint, hbox(self.handles, self.world, None), margins=(12, 8, 10, 2), spacing=6))
        words = holder(vbox(self.problem, self.note, margins=(12, 2, 10, 2), spacing=2))
        self.set_content(
            holder(vbox(
                head, self.size_row, self.pos_row, self.quat_row, self.field, words, None, self.bar,
                margins=(0, 0, 0, 0), spacing=2,
            ))
        )  # fmt: skip
        self.element.activated.connect(lambda k: self._choose(self.element.itemData(k)))
        self.handles.toggled.connect(self._set_handles)
        self.world.toggled.connect(self._set_world)
        self._session.selection_changed.connect(lambda body: self._select(body))
        self._session.model_loaded.connect(self.catch_up)
        self._session.absence_changed.connect(lambda why: self.catch_up())
        self.shaping.chosen_changed.connect(self._show)
        self.shaping.edited.connect(self._show_numbers)
        self._structure.settled.connect(self._show_note)
        dock.in_sight.connect(self._come_and_go)

    def _make_field(self) -> QWidget:
        """Controls of the brush."""
        self.brush = make_check("Brush", "Drag over the height field to change it", toggled=lambda on: self._set_brush())
        self.mode = CalmCombo("Brush mode", "What the brush does", [(mode.value, mode) for mode in BrushMode])
        for k, tip in enumerate(MODES.values()):
            self.mode.setItemData(k, tip, 3)
        self.radius = NumberField("Radius of the brush [m]")
        self.strength = NumberField("Strength of the brush [m/s], or share of unevenness that goes in 0.1 s")
        self.radius.setAccessibleName("Radius of the brush")
        self.strength.setAccessibleName("Strength of the brush")
        for number in (self.radius, self.strength):
            number.committed.connect(lambda value, number=number: self._set_number(number, value))
            number.refused.connect(self._tell)
        self.mode.activated.connect(lambda k: self._set_brush())
        line = hbox(self.brush, (self.mode, 1), spacing=6)
        captions = [make_label(text, ink="dim", font=theme.sans(8.5)) for text in ("radius", "strength")]
        numbers = hbox(captions[0], (self.radius, 1), captions[1], (self.strength, 1), spacing=6)
        return holder(vbox(line, numbers, margins=(12, 4, 10, 2), spacing=4))

    # ---- which element

    def catch_up(self) -> None:
        """Show the loaded model."""
        self._select(self._session.selection)

    def _select(self, body: int) -> None:
        """Offer the elements of a body; that of another one is no longer chosen."""
        model, chosen = self._session.model, self.shaping.chosen
        if model is not None and chosen is not None and chosen.body(model) != body:
            elements = self.shaping.elements(body)
            self.shaping.choose(elements[0] if body > 0 and elements else None)
        elif model is not None and chosen is None and body > 0 and self.isVisible():
            self.shaping.choose(next(iter(self.shaping.elements(body)), None))
        self._fill(body)
        self._show()

    def _fill(self, body: int) -> None:
        elements = self.shaping.elements(body)
        with QSignalBlocker(self.element):
            self.element.clear()
            for one in elements:
                self.element.addItem(one.words(self._session.loaded_model), one)
            self.element.setCurrentIndex(elements.index(self.shaping.chosen) if self.shaping.chosen in elements else -1)

    def _choose(self, element: ShapeElement | None) -> None:
        self.shaping.choose(element)

    # ---- numbers

    def _show(self) -> None:
        """Show the chosen element."""
        model, chosen = self._session.model, self.shaping.chosen
        if model is not None and chosen is not None and self.element.currentData() != chosen:
            self._fill(chosen.body(model))
        there = model is not None and chosen is not None
        whose = "the world" if self._session.selection <= 0 or model is None else body_name(model, self._session.selection)
        self.hint.setText(self._session.absence or f"Elements of {whose}. {HINT}")
        self.hint.setVisible(not there)
        self.pos_row.setVisible(there)
        self.quat_row.setVisible(there)
        self.handles.setEnabled(there)
        self.world.setEnabled(there)
        size = self.shaping.size() if there else ()
        self.size_row.set_names(SIZES[chosen.kind(model)][1] if size and model is not None and chosen is not None else ())
        self.size_row.setVisible(bool(size))
        is_field = model is not None and chosen is not None and chosen.hfield(model) >= 0
        self.field.setVisible(is_field)
        if is_field and not self.radius.text():
            half_x, half_y, top, _ = size
            self.radius.show_value(float(f"{2 * _RADIUS * min(half_x, half_y):.2g}"))
            self.strength.show_value(float(f"{_STRENGTH * top:.2g}"))
        if not is_field:
            self.brush.setChecked(False)
        self._tell(chosen.fixed_why(model) if model is not None and chosen is not None else "")
        self._set_brush()
        self._show_numbers()
        self._show_note()

    def _show_numbers(self) -> None:
        if self.shaping.chosen is None or self._session.model is None or not self.isVisible():
            return
        pos, quat = self.shaping.local_pose()
        self.pos_row.show_values(pos)
        self.quat_row.show_values(quat)
        if self.size_row.fields:
            self.size_row.show_values(self.shaping.size())

    def _show_note(self) -> None:
        """Show what of the changes no file can have."""
        there = self.shaping.chosen is not None
        self.note.setText(f"Not in the file: {self._structure.problem}" if there and self._structure.problem else "")
        self.note.setVisible(bool(self.note.text()))

    def _put(self, what: str, values: Values) -> None:
        """A number was typed."""
        why = self.shaping.problem(what, values)
        self._tell(why)
        if why:
            self._show_numbers()
            return
        pos, quat = self.shaping.local_pose()
        if what == "size":
            self.shaping.resize(values)
        elif what == "pos":
            self.shaping.move(values, quat)
        else:
            length = sum(v * v for v in values) ** 0.5
            w, x, y, z = (v / length for v in values)
            self.shaping.move(pos, (w, x, y, z))

    def _tell(self, why: str) -> None:
        self.problem.setText(why)
        self.problem.setVisible(bool(why))

    # ---- the view

    def _come_and_go(self, visible: bool) -> None:
        self._viewport.tools.switch(self.tool, visible)
        if visible:
            self._select(self._session.selection)

    def _set_handles(self, on: bool) -> None:
        self.tool.handles = on
        self._viewport.update()

    def _set_world(self, on: bool) -> None:
        self.tool.world = on
        self._viewport.update()

    def _set_number(self, number: NumberField, value: float) -> None:
        if value <= 0:
            self._tell("Radius and strength of the brush must be more than 0")
            number.take_back()
            return
        number.show_value(value)
        self._tell("")
        self._set_brush()

    def _set_brush(self) -> None:
        """Give the tool the brush as it is set."""
        brush = None
        if self.brush.isChecked() and not self.field.isHidden():
            why = self.shaping.brush_problem()
            self._tell(why)
            radius, strength = (float(number.text()) for number in (self.radius, self.strength))
            brush = None if why else Brush(self.mode.currentData(), radius, strength)
        self.tool.brush = brush
        self._viewport.update()
