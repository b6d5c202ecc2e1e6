"""Preset arrangements of the panels for common tasks, by name: open panels, and the one in front on each side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PyQt6.QtCore import QObject, Qt
from PyQt6.QtWidgets import QMainWindow

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.panels.table import BOTTOM, LEFT, RIGHT, Panels
from tumble.app.replay.replay_view import camera_from, camera_to, fits, options_from, options_to
from tumble.app.viewport.tiles.arrangement import Arrangement, Corner
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.dock import Dock

if TYPE_CHECKING:
    from tumble.physics import MjModel

class LayoutPreset(Struct, frozen=True):
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
    """Show the panels of a preset, each at its first side, and close the others. A panel that does not exist is omitted.

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


def views_to(viewport: Viewport) -> dict[str, Any]:
    """Arrangement and what each view draws, without cameras, which belong to a model."""
    tiles = viewport.tiles
    return {
        "arrangement": tiles.arrangement.value,
        "corner": tiles.corner.value,
        "options": [options_to(tile.options) for tile in tiles.all],
    }


def show_views(viewport: Viewport, said: object) -> None:
    """Apply the result of `views_to`; nothing else. Of the first view only the mode: its flags are the user's."""
    if not isinstance(said, dict):
        return
    tiles, options = viewport.tiles, said.get("options")
    for tile, one in zip(tiles.all, options if isinstance(options, list) else (), strict=False):
        if isinstance(one, dict) and tile.index > 0:
            tile.options = options_from(one)
        elif isinstance(one, dict):
            tile.options.mode = options_from(one).mode
    if said.get("corner") in [corner.value for corner in Corner]:
        tiles.corner = Corner(said["corner"])
    if said.get("arrangement") in [arrangement.value for arrangement in Arrangement]:
        tiles.arrange(Arrangement(said["arrangement"]))


def cameras_to(viewport: Viewport) -> list[dict[str, Any]]:
    """Camera of each view."""
    return [camera_to(tile.camera) for tile in viewport.tiles.all]


def show_cameras(viewport: Viewport, said: object, model: MjModel) -> None:
    """Apply the result of `cameras_to`; a single camera, as in older files, is that of the first view."""
    for tile, one in zip(viewport.tiles.all, said if isinstance(said, list) else [said], strict=False):
        camera = camera_from(one)
        if camera is not None and fits(camera, model):
            viewport.set_camera(camera, tile)


class ViewKeeper(QObject):
    """Stores the views of a window between starts. Drawing options of the first one are stored by its flags."""

    def __init__(self, viewport: Viewport, store: Settings) -> None:
        super().__init__(viewport)
        self._viewport, self._store = viewport, store
        if kept := store.get(settings.SEVERAL_VIEWS):
            show_views(viewport, kept)
        viewport.tiles.changed.connect(self.keep)
        viewport.options_changed.connect(self.keep)

    def keep(self) -> None:
        """Store them."""
        views = views_to(self._viewport)
        views["options"][0] = None
        self._store.put(settings.SEVERAL_VIEWS, views)
