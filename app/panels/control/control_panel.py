"""The control panel: a slider per actuator, its generator, and the controller; equalities and the user's numbers."""

from __future__ import annotations

from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.names import ActuatorInfo, actuators
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.control.equality_rows import EqualityProbe, EqualityRows, GroupSwitches
from tumble.app.panels.control.generators import Generators
from tumble.app.panels.control.noise_row import NoiseRow
from tumble.app.panels.control.user_rows import UserRows
from tumble.app.session.requests import Request, RunController, StopController
from tumble.app.simulation.commands import WatchProbe
from tumble.app.simulation.generators import Generator, Shape
from tumble.app.widgets.base_panels import INTERVAL, SliderPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, set_look, vbox
from tumble.app.widgets.slider_row import ElidedLabel, SliderRow, tool
from tumble.app.widgets.wave_editor import GeneratorEditor


class ControlRow(SliderRow):
    """A slider with a button that opens the generator under it; the editor is made when it is first opened."""

    def __init__(self, info: ActuatorInfo, generators: Generators) -> None:
        super().__init__(info.name, info.unit, info.low, info.high, limited=info.limited)
        self._info, self._generators = info, generators
        self.editor: GeneratorEditor | None = None
        self.wave = tool("", f"{info.name}: generator")
        self.wave.setCheckable(True)
        self.wave.toggled.connect(self._open)
        self.add_tool(self.wave)
        if info.delayed:
            self.label.set_text(info.name, f"{info.name}: acts with the delay given in the Model panel")

    def follow(self) -> None:
        """Show the generator, if any."""
        generator = self._generators.of(self._info.index)
        self.wave.setIcon(theme.icon("wave", "accent" if generator is not None else "dim"))
        self.wave.setToolTip("Sine, square, step or noise" if generator is None else f"Driven by: {generator.shape.value}")
        if self.editor is not None:
            self.editor.show_generator(generator)

    def _open(self, on: bool) -> None:
        if self.editor is None:
            low, high = self._info.low, self._info.high  # at first about the middle of the range, over half of it
            self.editor = GeneratorEditor(Generator(Shape.SINE, offset=(low + high) / 2, amplitude=(high - low) / 4))
            self.editor.wanted.connect(lambda generator: self._generators.set(self._info.index, generator))
            self.editor.for_all.connect(self._generators.set_all)
            self.editor.show_generator(self._generators.of(self._info.index))
            self.add_below(self.editor)
        self.editor.setVisible(on)


class ControlPanel(SliderPanel):
    """Sliders of the controls: name, unit, range, value, reset, generator; one button that clears all; the controller."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session, generators = bench.session, bench.session.part(Generators)
        self.clear = make_button("Clear all", act=generators.clear_controls, style="padding: 3px 8px", by_tab=True)
        self.clear.setToolTip("Set all controls to zero, and stop the generators that move them")
        self.controller = ControllerBar(session.part(Controllers))
        self.groups, self.noise = GroupSwitches(session), NoiseRow(session, generators)
        head = holder(vbox(self.controller, self.groups, self.noise, margins=(0, 4, 0, 0), spacing=0))
        self.groups.build()  # now that they have a place: shown before, they would be windows
        self.noise.follow()
        super().__init__(dock, "actuator", head, self.clear)
        self._session, self._generators = session, generators
        self._probe = EqualityProbe()
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self._infos: list[ActuatorInfo] = []
        self.rows: list[ControlRow] = []
        self.equalities, self.user = EqualityRows(session), UserRows(session)
        session.model_loaded.connect(self._build)
        session.absence_changed.connect(lambda why: self._build())
        session.ctrl_changed.connect(self._show)
        generators.changed.connect(lambda index: self.rows[index].follow())
        session.advanced.connect(lambda: self._in_turn.take(self._show_inputs) if self._watched else None)
        dock.in_sight.connect(lambda visible: self._watch())
        session.part(Edits).settled.connect(self._show_groups)
        self._watched = self._probed = False
        self._build()

    def answer(self, request: Request) -> None:
        """Run a composed controller, or stop the one that runs; for another panel, behind its tab."""
        controllers = self._session.part(Controllers)
        if isinstance(request, RunController):
            try:
                request.path.parent.mkdir(parents=True, exist_ok=True)
                controllers.create(request.path, request.text)
            except OSError as error:
                self._session.status.emit(f"The controller was not written: {request.path}: {error.strerror or error}")
        elif isinstance(request, StopController):
            controllers.stop()
        else:
            super().answer(request)

    def _build(self) -> None:
        model, snapshot = self._session.model, self._session.snapshot
        infos = actuators(model) if model is not None else []
        # After a reload the rows stay, with their open editors.
        stay = bool(infos) and infos == self._infos
        if not stay:
            self._infos, self.rows = infos, [self._row(info) for info in infos]
        for info, row in zip(infos, self.rows, strict=True):
            row.follow()
            if snapshot is not None:
                row.show_value(float(snapshot.ctrl[info.index]))
        self._show_groups()
        before, self.equalities = self.equalities, EqualityRows(self._session)
        self.user.watch(False)
        user, self.user = self.user, UserRows(self._session)
        if not stay or before.boxes or self.equalities.boxes or user.fields or self.user.fields:
            below = [part for part, there in ((self.equalities, self.equalities.boxes), (self.user, self.user.fields)) if there]
            more = holder(vbox(*below, margins=(0, 0, 0, 0), spacing=0)) if below else None
            otherwise = self._session.absence or with_keys("This model has no actuators.\nCtrl+drag a body to move it.")
            self.set_sliders(self.rows, otherwise, more)
        self._watch()

    def _row(self, info: ActuatorInfo) -> ControlRow:
        row = ControlRow(info, self._generators)
        row.changed.connect(lambda value: self._set(info.index, value))
        return row

    def _set(self, index: int, value: float) -> None:
        self._generators.set(index, None)  # moving the slider takes control from the generator
        self._session.set_ctrl(index, value)

    def _show(self, index: int, value: float) -> None:
        if index < len(self.rows):
            self.rows[index].show_value(value)

    def _show_groups(self) -> None:
        """Dim those that a group switches off."""
        model = self._session.model
        for index, row in enumerate(self.rows):
            assert model is not None
            row.label.setEnabled(self.groups.is_on(int(model.actuator_group[index])))

    def _watch(self) -> None:
        """Ask which equality constraints are on, and for the user's numbers, while there are any and they can be seen."""
        wanted = bool(self.equalities.boxes) and self.dock.isVisible()
        if wanted != self._probed:
            self._probed = wanted
            self._session.send(WatchProbe(self._probe, wanted))
        self.user.watch(self.dock.isVisible())
        self._watched = wanted or (bool(self.user.fields) and self.dock.isVisible())
        self._show_inputs()

    def _show_inputs(self) -> None:
        self.user.show_numbers()
        active = self._session.reading(self._probe)
        if active is not None and self._session.is_obeyed:  # else the switch that was just clicked would flip back briefly
            self.equalities.show_active(active)


class ControllerBar(QWidget):
    """Part of the control dock; hidden while there is no controller."""

    def __init__(self, controllers: Controllers) -> None:
        super().__init__()
        self._controllers = controllers
        self.name = ElidedLabel("")
        self.state = make_label(wrap=True)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.stop = make_button("Stop", "Stop this controller", lambda: controllers.stop(), by_tab=True)
        self.again = make_button("Restart", "Run the file again, as it is now", lambda: controllers.run_again(), by_tab=True)
        line = hbox((self.name, 1), self.again, self.stop, spacing=6)
        vbox(line, self.state, margins=(12, 8, 10, 2), spacing=2, inside=self)
        controllers.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        controllers = self._controllers
        source = controllers.source or controllers.asked
        self.setVisible(source is not None and bool(controllers.text))
        if source is None:
            return
        self.name.set_text(source.path.name, str(source.path))
        self.state.setText(controllers.text)
        for key, on in (("bad", bool(controllers.error) and not controllers.running), ("warn", controllers.stuck),
                        ("dim", controllers.running and not controllers.stuck)):  # fmt: skip
            set_look(self.state, key, on)
        self.stop.setVisible(controllers.running or controllers.stuck)
        self.again.setVisible(not controllers.running and controllers.asked is None)
