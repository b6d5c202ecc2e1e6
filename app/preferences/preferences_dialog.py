"""Edit, Preferences: settings and keys, with one search for both. Every change takes effect at once, and is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QMainWindow, QPushButton, QTabWidget, QVBoxLayout, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.palette.entries import in_menus
from tumble.app.preferences.keys import KeyMap
from tumble.app.preferences.keys_page import KeyCapture, KeysPage
from tumble.app.preferences.looks import Looks
from tumble.app.preferences.settings_page import SettingsPage
from tumble.app.session.session import Session
from tumble.app.session.trails import PastGhosts, Trails
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.tables import FilterField

# Settings that actions of the menus switch as well: by key, the setting and the action's name.
SWITCHES = {
    setting.key: (setting, name)
    for setting, name in (
        (settings.RELOAD_ON_SAVE, "reload_on_save"), (settings.SMOOTH_CAMERA, "smooth_camera"), (settings.AXES, "axes"),
        (settings.SMOOTH_MOTION, "smooth_motion"),
    )
}  # fmt: skip


class PreferencesDialog(QDialog):
    """Non-modal: changes are visible in the window at once."""

    def __init__(self, store: Settings, keys: KeyMap, groups: Mapping[str, str], parent: QWidget) -> None:
        """groups: of each action, by name, the path of its menu."""
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.search = FilterField("Search settings and keys", "Search settings and keys", "Words of a name, a menu or a meaning")
        self.search.setMinimumHeight(28)
        self.by_key = KeyCapture("Find by key")
        self.by_key.setToolTip("Press a key to find its action")
        self.settings, self.keys = SettingsPage(store), KeysPage(keys, groups)
        self.tabs = QTabWidget()
        self.away = QPushButton("Close")
        self.away.setAutoDefault(False)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.by_key.taken.connect(self._find_key)
        self.away.clicked.connect(self.close)
        self._filter("")
        self.resize(760, 620)

    def _lay_out(self) -> None:
        top, bottom, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(self.search, 1)
        top.addWidget(self.search.hidden)
        top.addWidget(self.by_key)
        bottom.addStretch(1)
        bottom.addWidget(self.away)
        self.tabs.addTab(self.settings, "Settings")
        self.tabs.addTab(self.keys, "Keys")
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.tabs, 1)
        column.addLayout(bottom)

    def appear(self) -> None:
        """Show it, in front, with the stored settings."""
        self.settings.refresh()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()
        self.search.selectAll()

    def _filter(self, typed: str) -> None:
        counts = self.settings.filter(typed), self.keys.filter(typed)
        self.search.show_hidden(self.settings.total + self.keys.total - sum(counts))
        for place, (title, count) in enumerate(zip(("Settings", "Keys"), counts, strict=True)):
            self.tabs.setTabText(place, f"{title} ({count})" if typed else title)
        if typed and not counts[self.tabs.currentIndex()] and max(counts):
            self.tabs.setCurrentIndex(counts.index(max(counts)))

    def _find_key(self, key: str) -> None:
        self.tabs.setCurrentWidget(self.keys)
        self.search.setText(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText))
        self.search.setFocus()


class PreferencesDesk:
    """The dialog of one window, and the immediate effects of changed settings."""

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
