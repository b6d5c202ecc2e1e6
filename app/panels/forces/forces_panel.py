"""The applied forces panel: a card for each force on a body or a dof."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtWidgets import QGridLayout, QWidget

from tumble.app.describe.names import body_name, joints
from tumble.app.look import theme
from tumble.app.panels.forces.forces import ForceEntry, Forces
from tumble.app.session.session import Session
from tumble.app.simulation.applied_forces import AppliedForce, BodyForce, DofForce, Triple
from tumble.app.simulation.generators import Generator, Shape
from tumble.app.widgets.base_panels import RowsPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, vbox
from tumble.app.widgets.live_field import CalmCombo, SearchCombo
from tumble.app.widgets.number_row import NumberField
from tumble.app.widgets.slider_row import tool
from tumble.app.widgets.wave_editor import GeneratorEditor

CONSTANT = "Constant"
FACTOR = Generator(Shape.SINE)
EARTH = 9.81  # gravity, for a first force of a fair size [m/s^2]
NOTHING = "No forces are applied.\nSelect a body with a double click, then push it; or choose a joint."
_TRIPLES = (
    ("force", "force", "N", "Force on the body"),
    ("moment", "torque", "N m", "Torque on the body"),
    ("point", "at", "m", "Point of the body's frame at which the force acts"),
)


class ForceCard(QWidget):
    """One force: switch, name, axes, numbers, how it changes with time."""

    def __init__(self, forces: Forces, index: int, name: str, unit: str, choose: Callable[[], object]) -> None:
        """unit: of a dof's force; choose: selects what it acts on."""
        super().__init__()
        self._forces, self._index = forces, index
        self.on = make_check("", f"{name}: let this force act", toggled=lambda on: forces.switch(self._index, on))
        self.on.setAccessibleName(f"{name}: acts")
        self.name = make_button(name, "Select it in the view", choose, by_tab=True)
        self.remove = tool("close", f"Remove the force on {name}")
        self.remove.clicked.connect(lambda: forces.remove(self._index))
        tip = "Along the axes of the world, or of the body as it turns"
        self.axes = CalmCombo("Axes", tip, (("World axes", False), ("Body axes", True)))
        self.axes.activated.connect(lambda k: self._set(turns=self.axes.itemData(k)))
        self.fields: dict[tuple[str, int], NumberField] = {}
        self.problem = make_label(ink="bad", wrap=True)
        self.problem.hide()
        tip = "The factor by which the numbers above are multiplied as time passes"
        self.wave = GeneratorEditor(FACTOR, CONSTANT, tip, single=True)
        self.wave.wanted.connect(lambda factor: self._set(factor=factor))
        grid = QGridLayout()
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        if isinstance(self._force, DofForce):
            self.axes.hide()
            caption = "torque" if unit == "N m" else "force"
            self._add_fields(grid, 0, "force", caption, unit, f"{caption.capitalize()} along {name}", 1)
        else:
            for row, (field, caption, of, tip) in enumerate(_TRIPLES):
                self._add_fields(grid, row, field, caption, of, tip, 3)
        head = hbox(self.on, self.name, None, self.axes, self.remove, spacing=6)
        vbox(head, grid, self.problem, self.wave, margins=(12, 6, 10, 8), spacing=4, inside=self)
        self.follow()

    @property
    def _force(self) -> AppliedForce:
        return self._forces.entries[self._index].force

    def _add_fields(self, grid: QGridLayout, row: int, field: str, caption: str, unit: str, tip: str, count: int) -> None:
        grid.addWidget(make_label(caption, ink="dim", font=theme.sans(8.5)), row, 0)
        for k in range(count):
            number = NumberField(f"{tip}, {'xyz'[k]} [{unit}]" if count > 1 else f"{tip} [{unit}]")
            number.setAccessibleName(f"{caption} {'xyz'[k]}" if count > 1 else caption)
            number.committed.connect(lambda value, field=field, k=k: self._set_number(field, k, value))
            number.refused.connect(self._refuse)
            self.fields[field, k] = number
            grid.addWidget(number, row, 1 + k)
        grid.addWidget(make_label(unit, ink="dim", font=theme.sans(8.5)), row, 4)

    def follow(self) -> None:
        """Show the numbers as they are."""
        entry: ForceEntry = self._forces.entries[self._index]
        with QSignalBlocker(self.on):
            self.on.setChecked(entry.on)
        for (field, k), number in self.fields.items():
            value = getattr(entry.force, field)
            number.show_value(value if isinstance(value, float) else value[k])
        if isinstance(entry.force, BodyForce):
            self.axes.setCurrentIndex(int(entry.force.turns))
        self.wave.show_generator(entry.force.factor)

    def _set_number(self, field: str, k: int, value: float) -> None:
        before = getattr(self._force, field)
        triple: Triple | float = value if isinstance(before, float) else (*before[:k], value, *before[k + 1 :])
        self._set(**{field: triple})

    def _set(self, **values: object) -> None:
        self.problem.hide()
        self._forces.set(self._index, replace(self._force, **values))

    def _refuse(self, why: str) -> None:
        self.problem.setText(why)
        self.problem.show()


class ForcesPanel(RowsPanel):
    """Forces that act until they are switched off; the view shows them as arrows."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        self._session: Session = bench.session
        self._viewport = bench.viewport
        self.forces = self._session.part(Forces)
        self.push = make_button("Push the selected body", act=self._push, by_tab=True)
        self.push.setToolTip("Apply a force to the body that is selected in the view")
        self.dofs = SearchCombo("Joint", "A joint to apply a force along; type to search")
        self.drive = make_button("Push the joint", "Apply a force or torque along this joint", self._drive, by_tab=True)
        self._joint_row = holder(hbox((self.dofs, 1), self.drive, margins=(0, 0, 0, 0), spacing=6))
        super().__init__(dock, holder(vbox(self.push, self._joint_row, margins=(12, 8, 10, 4), spacing=6)))
        self.cards: list[ForceCard] = []
        self._session.model_loaded.connect(self._build)
        self._session.absence_changed.connect(lambda why: self._build())
        self._session.selection_changed.connect(lambda body: self._show_choice())
        self.forces.listed.connect(self._list)
        self.forces.changed.connect(lambda index: self.cards[index].follow())
        self._build()

    def _build(self) -> None:
        """Another model."""
        model = self._session.model
        self.dofs.clear()
        for joint in joints(model) if model is not None else ():
            self.dofs.addItem(joint.name, joint)
        self._joint_row.setVisible(self.dofs.count() > 0)
        self._list()
        self._show_choice()

    def _list(self) -> None:
        self.cards = [] if self._session.model is None else [self._card(k) for k in range(len(self.forces.entries))]
        self.set_rows(self.cards, self._session.absence or NOTHING)

    def _card(self, index: int) -> ForceCard:
        model, force = self._session.loaded_model, self.forces.entries[index].force
        if isinstance(force, DofForce):
            name, unit, body = self._dof_words(force.dof)
        else:
            name, unit, body = body_name(model, force.body), "N", force.body
        return ForceCard(self.forces, index, name, unit, lambda: self._session.select(body))

    def _dof_words(self, dof: int) -> tuple[str, str, int]:
        """Name of a dof's joint, unit of its force, and the body that it moves."""
        model = self._session.loaded_model
        joint = next(one for one in joints(model) if int(model.jnt_dofadr[one.index]) == dof)
        return joint.name, "N m" if joint.unit == "rad" else "N", int(model.dof_bodyid[dof])

    def _show_choice(self) -> None:
        """Name the selected body on the button."""
        model, body = self._session.model, self._session.selection
        chosen = model is not None and body > 0
        self.push.setEnabled(chosen)
        self.push.setText(f"Push {body_name(self._session.loaded_model, body)}" if chosen else "Push the selected body")

    def _push(self) -> None:
        """Apply half of the selected body's weight on earth, sideways: a force that can be seen to act."""
        body = self._session.selection
        half = 0.5 * EARTH * float(self._session.loaded_model.body_subtreemass[body])
        self._viewport.set_option("perturb_force", True)
        self.forces.add(BodyForce(body, force=(float(f"{half:.2g}") or 1.0, 0.0, 0.0)))

    def _drive(self) -> None:
        joint = self.dofs.currentData()
        if joint is not None:
            self.forces.add(DofForce(int(self._session.loaded_model.jnt_dofadr[joint.index]), 1.0))
