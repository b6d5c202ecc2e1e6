"""The docks of the window: where they are at first, and what makes their panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMainWindow

from app.base.log_relay import LogRelay
from app.base.settings import Settings
from app.editing.edits import Edits
from app.film.camera_keys import CameraGuide, CameraKeys
from app.panels.breakpoints.model import Breakpoints
from app.panels.control.controllers import Controllers
from app.panels.control.generators import Generators
from app.session.session import Session
from app.viewport.widget import Viewport
from app.widgets.dock import FIRST_SIZE, Dock, Panel
from app.widgets.dock_tidying import keep_in_sight

# A panel is imported with its dock's first sight: together they would take longer than all else until the window is there.
if TYPE_CHECKING:
    from app.panels.breakpoints.panel import BreakpointsPanel
    from app.panels.camera_path.panel import CameraPathPanel
    from app.panels.contact_events.panel import ContactEventsPanel
    from app.panels.contacts.panel import ContactsPanel
    from app.panels.control.panel import ControlPanel
    from app.panels.forks.panel import ForksPanel
    from app.panels.inspector.panel import InspectorPanel
    from app.panels.islands.panel import IslandsPanel
    from app.panels.joints.panel import JointsPanel
    from app.panels.log.panel import LogPanel
    from app.panels.options.panel import OptionsPanel
    from app.panels.parameters.panel import ParametersPanel
    from app.panels.signals.panel import SignalsPanel
    from app.panels.solver.panel import SolverPanel
    from app.panels.timeline.panel import TimelinePanel

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A dock. name: under which a layout remembers it; area: where it is at first, as one of the tabs there in their order.

    panel: the class in app/panels/<name>/panel.py; needs: fields of `Parts` that it is given; open: whether it is at first.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    panel: str
    needs: tuple[str, ...]
    open: bool = False


DOCKS = (
    Declared("joints", "Joints", LEFT, "JointsPanel", ("session",), open=True),
    Declared("inspector", "Model", LEFT, "InspectorPanel", ("session", "viewport", "edits"), open=True),
    Declared("islands", "Islands and sleep", LEFT, "IslandsPanel", ("session", "edits")),
    Declared("control", "Control", RIGHT, "ControlPanel", ("session", "generators", "controllers"), open=True),
    Declared("parameters", "Parameters", RIGHT, "ParametersPanel", ("session", "edits"), open=True),
    Declared("options", "Options", RIGHT, "OptionsPanel", ("session", "edits"), open=True),
    Declared("breakpoints", "Breakpoints", RIGHT, "BreakpointsPanel", ("session", "breakpoints")),
    Declared("camera_path", "Camera path", RIGHT, "CameraPathPanel",
             ("session", "viewport", "store", "camera_keys", "camera_guide")),
    Declared("contacts", "Contacts", BOTTOM, "ContactsPanel", ("session",)),
    Declared("contact_events", "Contact events", BOTTOM, "ContactEventsPanel", ("session",)),
    Declared("solver", "Solver", BOTTOM, "SolverPanel", ("session",)),
    Declared("forks", "Forks", BOTTOM, "ForksPanel", ("session", "edits")),
    Declared("signals", "Signals", BOTTOM, "SignalsPanel", ("session", "store")),
    Declared("timeline", "Time line", BOTTOM, "TimelinePanel", ("session", "viewport", "store")),
    Declared("log", "Log", BOTTOM, "LogPanel", ("relay",)),
)  # fmt: skip


@dataclass(frozen=True)
class Parts:
    """What panels show and act on; it is there from the start."""

    session: Session
    viewport: Viewport
    store: Settings
    relay: LogRelay
    edits: Edits
    generators: Generators
    controllers: Controllers
    breakpoints: Breakpoints
    camera_keys: CameraKeys
    camera_guide: CameraGuide


class Panels:
    """The panels by name, as attributes: each is made when it is first asked for, or first seen. docks: all of them."""

    joints: JointsPanel
    inspector: InspectorPanel
    islands: IslandsPanel
    control: ControlPanel
    parameters: ParametersPanel
    options: OptionsPanel
    breakpoints: BreakpointsPanel
    camera_path: CameraPathPanel
    contacts: ContactsPanel
    contact_events: ContactEventsPanel
    solver: SolverPanel
    forks: ForksPanel
    signals: SignalsPanel
    timeline: TimelinePanel
    log: LogPanel

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._wires: dict[str, Callable[[Any], None]] = {}
        self._docks = {declared.name: Dock(declared.name, declared.title, partial(self._make, declared)) for declared in DOCKS}
        self.docks = list(self._docks.values())
        for dock in self.docks:
            keep_in_sight(dock)

    def __getattr__(self, name: str) -> Any:
        docks: dict[str, Dock] = self.__dict__.get("_docks", {})
        if name not in docks:
            raise AttributeError(f"no panel {name}; there are {', '.join(docks)}")
        return docks[name].panel

    def lay_out(self, window: QMainWindow) -> None:
        """Bring the docks to where they are at first."""
        for area in (LEFT, RIGHT, BOTTOM):
            there = [(declared, self._docks[declared.name]) for declared in DOCKS if declared.area == area]
            for declared, dock in there:
                if dock.isFloating():
                    dock.setFloating(False)
                window.addDockWidget(area, dock)
                dock.setVisible(declared.open)
            for (_, before), (_, after) in pairwise(there):
                window.tabifyDockWidget(before, after)
        joints, control = self._docks["joints"], self._docks["control"]
        joints.raise_()
        control.raise_()
        window.resizeDocks([joints, control], [290, FIRST_SIZE.width()], Qt.Orientation.Horizontal)

    def dock(self, name: str) -> Dock:
        """Where a panel is, or will be."""
        return self._docks[name]

    def when_made(self, name: str, wire: Callable[[Any], None]) -> None:
        """Have a panel connected with others once it is there."""
        self._wires[name] = wire

    def _make(self, declared: Declared, dock: Dock) -> Panel:
        module = import_module(f"app.panels.{declared.name}.panel")
        made: Panel = getattr(module, declared.panel)(dock, *(getattr(self._parts, need) for need in declared.needs))
        if declared.name in self._wires:
            self._wires[declared.name](made)
        return made
