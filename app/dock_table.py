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

from app.breakpoints import Breakpoints
from app.camera_keys import CameraGuide, CameraKeys
from app.controllers.host import Controllers
from app.docks.dock import FIRST_SIZE, Dock, Panel
from app.docks.log import LogRelay
from app.docks.tidy import keep_in_sight
from app.edits import Edits
from app.generators import Generators
from app.session import Session
from app.settings import Settings
from app.viewport.widget import Viewport

# A panel is imported with its dock's first sight: together they would take longer than all else until the window is there.
if TYPE_CHECKING:
    from app.docks.breakpoints import BreakpointsPanel
    from app.docks.camera_path import CameraPathPanel
    from app.docks.contact_events import ContactEventsPanel
    from app.docks.contacts import ContactsPanel
    from app.docks.control import ControlPanel
    from app.docks.forks import ForksPanel
    from app.docks.inspector import InspectorPanel
    from app.docks.islands import IslandsPanel
    from app.docks.joints import JointsPanel
    from app.docks.log import LogPanel
    from app.docks.options import OptionsPanel
    from app.docks.parameters import ParametersPanel
    from app.docks.signals import SignalsPanel
    from app.docks.solver import SolverPanel
    from app.docks.timeline import TimelinePanel

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A dock. name: under which a layout remembers it; area: where it is at first, as one of the tabs there in their order.

    panel: "module:Class" of what it shows; needs: fields of `Parts` that the class is given; open: whether it is at first.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    panel: str
    needs: tuple[str, ...]
    open: bool = False


DOCKS = (
    Declared("joints", "Joints", LEFT, "app.docks.joints:JointsPanel", ("session",), open=True),
    Declared("inspector", "Model", LEFT, "app.docks.inspector:InspectorPanel", ("session", "viewport", "edits"), open=True),
    Declared("islands", "Islands and sleep", LEFT, "app.docks.islands:IslandsPanel", ("session", "edits")),
    Declared("control", "Control", RIGHT, "app.docks.control:ControlPanel", ("session", "generators", "controllers"), open=True),
    Declared("parameters", "Parameters", RIGHT, "app.docks.parameters:ParametersPanel", ("session", "edits"), open=True),
    Declared("options", "Options", RIGHT, "app.docks.options:OptionsPanel", ("session", "edits"), open=True),
    Declared("breakpoints", "Breakpoints", RIGHT, "app.docks.breakpoints:BreakpointsPanel", ("session", "breakpoints")),
    Declared("camera_path", "Camera path", RIGHT, "app.docks.camera_path:CameraPathPanel",
             ("session", "viewport", "store", "camera_keys", "camera_guide")),
    Declared("contacts", "Contacts", BOTTOM, "app.docks.contacts:ContactsPanel", ("session",)),
    Declared("contact_events", "Contact events", BOTTOM, "app.docks.contact_events:ContactEventsPanel", ("session",)),
    Declared("solver", "Solver", BOTTOM, "app.docks.solver:SolverPanel", ("session",)),
    Declared("forks", "Forks", BOTTOM, "app.docks.forks:ForksPanel", ("session", "edits")),
    Declared("signals", "Signals", BOTTOM, "app.docks.signals:SignalsPanel", ("session", "store")),
    Declared("timeline", "Time line", BOTTOM, "app.docks.timeline:TimelinePanel", ("session", "viewport", "store")),
    Declared("log", "Log", BOTTOM, "app.docks.log:LogPanel", ("relay",)),
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
        module, _, kind = declared.panel.partition(":")
        made: Panel = getattr(import_module(module), kind)(dock, *(getattr(self._parts, need) for need in declared.needs))
        if declared.name in self._wires:
            self._wires[declared.name](made)
        return made
