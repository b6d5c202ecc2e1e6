"""The actuators panel: from the control of an actuator to the forces on joints, with its curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QSignalBlocker

from tumble.app.describe.names import actuators
from tumble.app.describe.numbers import moment
from tumble.app.describe.subject import element_subject
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.actuators.actuator_reading import ActuatorProbe, ActuatorReading, ShownActuator, actuator_of_body
from tumble.app.panels.actuators.chain_boxes import boxes_of, curves_of
from tumble.app.panels.actuators.chain_view import ChainView
from tumble.app.panels.actuators.curve_plots import CurvePlots
from tumble.app.session.marking import mark
from tumble.app.session.requests import ShowElement
from tumble.app.simulation.commands import WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, vbox
from tumble.app.widgets.live_field import SearchCombo
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics import mjtObj, mjtTrn
from tumble.physics.query.actuator_chain import ActuatorLaw
from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.scene.canvas import Decor, Mark

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST_CURVES = 3
LONGEST, THICK = 0.2, 0.006  # of arrows: length, and radius of shafts, as shares of the model's extent


class ActuatorsPanel(LivePanel[ShownActuator]):
    """A page an actuator; it follows the selected body to its actuator."""

    probe: ActuatorProbe

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, ActuatorProbe())
        self.reading = ActuatorReading()
        self._law: ActuatorLaw | None = None
        self.choice = SearchCombo("Actuator", "The actuator that is shown; any part of its name can be typed")
        self.choice.setMinimumWidth(180)
        self.arrows = make_check("Arrows", "Draw the force of adhesion at each contact in the view", on=True)
        self.fields = make_button("Fields", "Show its fields in the Model panel", self._show_fields)
        self.when = ElidedLabel("")
        self.when.setProperty("dim", True)
        for low in (self.choice, self.fields):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.chain, self.curves = ChainView(), CurvePlots(MOST_CURVES)
        self.empty = make_label("", wrap=True)
        self.empty.setObjectName("empty")
        head = hbox((self.choice, 1), self.arrows, self.fields, (self.when, 2), margins=(0, 0, 0, 0), spacing=8)
        self.body = holder(vbox(head, self.chain, (self.curves, 1), margins=(0, 0, 0, 0), spacing=4))
        self.set_content(holder(vbox((self.body, 1), (self.empty, 1), margins=(8, 4, 8, 4))), low=True)
        self.choice.currentIndexChanged.connect(self._choose)
        self.arrows.toggled.connect(lambda on: self._draw_arrows())
        session.selection_changed.connect(self._follow_selection)
        session.paused_changed.connect(self._pause)
        session.absence_changed.connect(lambda why: self.build())
        session.part(Edits).settled.connect(self._read_again)
        dock.in_sight.connect(self._on_sight)

    def build(self) -> None:
        """Another model."""
        model = self.session.model
        infos = [] if model is None else actuators(model)
        before = self.choice.currentText()
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItems([info.name for info in infos])
            self.choice.setCurrentIndex(max(0, self.choice.findText(before)) if infos else -1)
        self.reading = ActuatorReading()
        self.body.setVisible(bool(infos))
        self.empty.setVisible(not infos)
        self.empty.setText(self.session.absence or "This model has no actuators")
        self._choose(self.choice.currentIndex())

    def _choose(self, index: int) -> None:
        """Go to an actuator."""
        self.probe.index = index
        self._read_again()

    def _read_again(self) -> None:
        model, index = self.session.model, self.probe.index
        self._law = None if model is None or not 0 <= index < model.nu else ActuatorLaw(model, index)
        self.arrows.setVisible(self._law is not None and model is not None and _sticks(model, index))
        if self.live:
            self.session.send(WatchProbe(self.probe, True))  # known already: the simulation only publishes again

    def _follow_selection(self, body: int) -> None:
        model = self.session.model
        index = -1 if model is None else actuator_of_body(model, body)
        if index >= 0:
            self.choice.setCurrentIndex(index)

    def show_reading(self, reading: ShownActuator) -> None:
        """Show another moment."""
        newest, model, law = reading.reading, self.session.model, self._law
        if model is None or law is None or newest.index != self.probe.index or newest is self.reading:
            return
        self.reading = newest
        self.chain.show_boxes(boxes_of(model, newest))
        self.curves.show_curves(curves_of(model, newest, law))
        self.when.set_text(moment(newest.time))
        self._draw_arrows()

    def _pause(self, paused: bool) -> None:
        self.probe.eager = paused
        if self.live and paused:
            self.session.send(WatchProbe(self.probe, True))  # publishes the moment that stands

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.probe.eager = self.session.paused
        self._draw_arrows()

    def _draw_arrows(self) -> None:
        """Draw the force of adhesion at its contacts, while it can be seen."""
        held, extras = self.reading.sticking, self.session.extras
        if self.live and self.arrows.isChecked() and held is not None and len(held.contact):
            extras.draw(self._drawn)
            self.session.forces_changed.emit()
        elif extras.erase(self._drawn):
            self.session.forces_changed.emit()

    def _drawn(self, view: View, height: int) -> DrawList:
        held, extent = self.reading.sticking, float(self.session.loaded_model.stat.extent)
        decor = Decor(0.5 * THICK * extent)
        if held is not None:
            colour = theme.colour("ink2")
            paint = Mark((colour.redF(), colour.greenF(), colour.blueF(), 1.0))
            largest = max(abs(held.force).max(initial=0.0), 1e-300)
            for point, force in zip(held.point, held.force, strict=True):
                decor.arrow(point, LONGEST * extent * force / largest, THICK * extent, paint, through=True)
        return decor.to_list()

    def _show_fields(self) -> None:
        """Show its fields, and mark the body that it moves."""
        model, index = self.session.model, self.probe.index
        if model is not None and index >= 0:
            mark(self.session, element_subject(model, mjtObj.mjOBJ_ACTUATOR, index))
            self.session.ask(ShowElement("actuator", index))


def _sticks(model: MjModel, index: int) -> bool:
    """True for adhesion."""
    return int(model.actuator_trntype[index]) == int(mjtTrn.mjTRN_BODY)
