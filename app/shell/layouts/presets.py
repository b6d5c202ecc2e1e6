"""Arrangements of the panels for what people do, by name: which are open, and which of a side is in front."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMainWindow

from tumble.app.panels.table import BOTTOM, LEFT, RIGHT, Panels
from tumble.app.widgets.dock import Dock


@dataclass(frozen=True, slots=True)
class LayoutPreset:
    """action: its name among the window's actions; open: keys of the panels that are open; the first of a side is in front."""

    action: str
    open: tuple[str, ...]


PRESETS = (
    LayoutPreset("layout_simulate", ("joints", "inspector", "control", "parameters", "options")),
    LayoutPreset("layout_contact", ("parameters", "control", "options", "contacts", "contact_events", "collision")),
    LayoutPreset("layout_solver", ("islands", "inspector", "options", "parameters", "solver", "contacts", "signals", "forks")),
    LayoutPreset("layout_film", ("camera_path", "control", "timeline")),
)


def arrange(window: QMainWindow, panels: Panels, preset: LayoutPreset) -> Dock | None:
    """Show the panels of a preset, each at its first side, and close the others. A panel that does not exist is left out.

    Returns the one in front at the bottom.
    """
    panels.lay_out(window, preset.open)
    fronts: dict[Qt.DockWidgetArea, Dock] = {}
    for key in preset.open:
        if key in panels.keys:
            fronts.setdefault(panels.side(key), panels.dock(key))
    for side in (LEFT, RIGHT, BOTTOM):
        if side in fronts:
            fronts[side].raise_()
    return fronts.get(BOTTOM)
