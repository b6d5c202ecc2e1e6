"""Arrangements of the panels for what people do, by name: which are open, and which of a side is in front."""

from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMainWindow

from app.look import theme
from app.panels.table import BOTTOM, LEFT, RIGHT, Panels

# Of the window's height that the bottom is given first, more with larger text; it is made lower where the view needs the room.
TALL = 0.34


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


def arrange(window: QMainWindow, panels: Panels, preset: LayoutPreset) -> None:
    """Show the panels of a preset, each at its first side, and close the others. A panel that does not exist is left out."""
    panels.lay_out(window, preset.open)
    fronts: dict[Qt.DockWidgetArea, str] = {}
    for key in preset.open:
        if key in panels.keys:
            fronts.setdefault(panels.side(key), key)
    for side in (LEFT, RIGHT, BOTTOM):
        if side in fronts:
            panels.dock(fronts[side]).raise_()
    if BOTTOM in fronts:
        tall = TALL * max(1.0, theme.scale()) * window.height()
        window.resizeDocks([panels.dock(fronts[BOTTOM])], [round(tall)], Qt.Orientation.Vertical)
