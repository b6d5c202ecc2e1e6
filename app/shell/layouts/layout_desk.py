"""The layouts of the window: presets for common tasks, own ones, and the one it is closed with."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from PyQt6.QtCore import QObject, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMainWindow, QMenu

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look import actions as declared
from tumble.app.panels.table import BOTTOM, LEFT, RIGHT, Panels
from tumble.app.shell.layouts.own_layouts import LayoutsDialog, OwnLayout, OwnLayouts
from tumble.app.shell.layouts.sides import Sides
from tumble.app.shell.view_flags import show_views, views_to
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.dock import Dock

log = logging.getLogger(__name__)

# Incremented when docks change so much that a stored layout no longer fits.
LAYOUT_VERSION = 5


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


class LayoutDesk(QObject):
    """Shows layouts, and keeps them."""

    def __init__(self, window: QMainWindow, viewport: Viewport, panels: Panels, store: Settings) -> None:
        super().__init__(window)
        self._viewport = viewport
        self._window, self._panels, self._store = window, panels, store
        self.own = OwnLayouts(store)
        self.sides = Sides(window, panels, store)

    def offer(self, actions: Mapping[str, QAction]) -> None:
        """Connect the window's actions."""
        for preset in PRESETS:
            actions[preset.action].triggered.connect(partial(self._arrange, preset))
        actions["fold_bottom"].triggered.connect(lambda: self.sides.of(BOTTOM).toggle())
        actions["own_layouts"].triggered.connect(lambda: self.dialog.appear())

    def fill(self, menu: QMenu, actions: Mapping[str, QAction]) -> None:
        """Menu of presets and saved layouts, filled whenever it is opened."""
        menu.aboutToShow.connect(partial(self._fill, menu, actions))
        self._fill(menu, actions)

    def _fill(self, menu: QMenu, actions: Mapping[str, QAction]) -> None:
        menu.clear()
        menu.addActions([actions[spec.name] for spec in declared.LAYOUTS if spec.name.startswith("layout_")])
        menu.addSeparator()
        for name in self.own.names():
            entry = QAction(name.replace("&", "&&"), menu)
            entry.triggered.connect(lambda checked, name=name: self.show(name))
            menu.addAction(entry)
        menu.addAction(actions["own_layouts"])
        menu.addSeparator()
        menu.addActions([actions[name] for name in ("left_panels", "right_panels", "fold_bottom", "reset_layout")])

    # ---- showing

    def reset(self) -> None:
        """Move the docks to their default places."""
        self.sides.unfold_all()
        self._panels.lay_out(self._window)

    def _arrange(self, preset: LayoutPreset) -> None:
        self.sides.unfold_all()
        self.sides.make_room_soon(arrange(self._window, self._panels, preset))

    def show(self, name: str) -> None:
        """Apply a saved layout."""
        layout = self.own.get(name)
        if layout is not None:
            self._show(layout.state, layout.folded)
            show_views(self._viewport, layout.views)

    def _show(self, state: bytes, folded: list[dict[str, Any]]) -> bool:
        """Restore a layout; False if it is damaged or of another version."""
        self.sides.unfold_all()
        shown = self._window.restoreState(state, LAYOUT_VERSION)
        if not shown:
            log.warning("a saved layout is of another version or damaged, and is not shown")
        self.sides.from_json(folded)
        return shown

    # ---- keeping

    def save(self, name: str) -> None:
        """Save the present layout by name."""
        self.own.save(OwnLayout(name, self._state(), self.sides.to_json(), views_to(self._viewport)))

    def remember(self) -> None:
        """Store the present layout for the next start."""
        self._store.put(settings.LAYOUT, self._state())
        self._store.put(settings.FOLDED, self.sides.to_json())

    def begin(self) -> None:
        """Apply the layout that `remember` has stored, or the first one; `furnish` makes the panels that are visible in it."""
        kept = self._store.get(settings.LAYOUT)
        for dock in self._panels.docks:
            dock.hold(True)
        self._panels.lay_out(self._window, () if kept else None)
        if kept and not self._show(kept, self._store.get(settings.FOLDED)):
            self.reset()

    def furnish(self) -> None:
        """Create the visible panels, and from now on each one that becomes visible."""
        for dock in self._panels.docks:
            dock.hold(False)

    def _state(self) -> bytes:
        return bytes(self._window.saveState(LAYOUT_VERSION).data())

    @cached_property
    def dialog(self) -> LayoutsDialog:
        """The user's layouts: save, rename, delete; created on first use."""
        return LayoutsDialog(self.own, self.save, self.show, self._window)
