"""Edit, Preferences in a window: the dialog, and what changed settings do at once."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtWidgets import QMainWindow

from tumble.app.base import settings
from tumble.app.look.keys import KeyMap
from tumble.app.palette.entries import in_menus
from tumble.app.preferences.dialog import PreferencesDialog
from tumble.app.session.motion.past import PastGhosts
from tumble.app.session.motion.trails import Trails
from tumble.app.session.session import Session
from tumble.app.shell.layouts.looks import Looks
from tumble.app.viewport.widget import Viewport

# Settings that actions of the menus switch as well: by key, the setting and the action's name.
SWITCHES = {
    setting.key: (setting, name)
    for setting, name in (
        (settings.RELOAD_ON_SAVE, "reload_on_save"), (settings.SMOOTH_CAMERA, "smooth_camera"), (settings.AXES, "axes"),
        (settings.SMOOTH_MOTION, "smooth_motion"),
    )
}  # fmt: skip


class PreferencesDesk:
    """The dialog of one window."""

    def __init__(
        self, window: QMainWindow, session: Session, view: Viewport, keys: KeyMap, looks: Looks, control: Callable[[bool], None]
    ) -> None:
        """control: lets other programs control the window, or no longer."""
        self._session, self._view, self._keys, self._looks, self._control = session, view, keys, looks, control
        bar = window.menuBar()
        assert bar is not None
        by_action = {keys.action(name): name for name in keys.names}
        groups = {by_action[action]: path for path, action in in_menus(bar) if action in by_action}
        self.dialog = PreferencesDialog(session.store, keys, groups, window)
        self.dialog.settings.changed.connect(self._apply)

    def _apply(self, key: str) -> None:
        store = self._session.store
        if key == settings.SHOW_TIME.key:
            self._view.show_time = store.get(settings.SHOW_TIME)
            self._view.update()
        elif key == settings.QUALITY.key:
            self._view.quality.follow()
            self._view.update()
        elif key == settings.HISTORY_MEMORY.key:
            self._session.history.set_memory(store.get(settings.HISTORY_MEMORY))
        elif key in (settings.THEME.key, settings.FONT_SCALE.key):
            self._looks.follow()
        elif key == settings.REMOTE.key:
            self._control(store.get(settings.REMOTE))
        elif key == settings.TRAIL_SECONDS.key:
            self._session.part(Trails).set_seconds(store.get(settings.TRAIL_SECONDS))
        elif key in (settings.GHOST_NUMBER.key, settings.GHOST_INTERVAL.key, settings.GHOST_RANGE.key):
            self._session.part(PastGhosts).refresh()
        elif key in SWITCHES:
            setting, name = SWITCHES[key]
            self._keys.action(name).setChecked(store.get(setting))
