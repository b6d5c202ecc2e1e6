"""Edit, Preferences: settings and keys, with one search for both. Every change takes effect at once, and is kept."""

from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTabWidget, QVBoxLayout, QWidget

from tumble.app.base.settings import Settings
from tumble.app.look.keys import KeyMap
from tumble.app.preferences.key_capture import KeyCapture
from tumble.app.preferences.keys_page import KeysPage
from tumble.app.preferences.settings_page import SettingsPage
from tumble.app.widgets.rows.filter_field import FilterField


class PreferencesDialog(QDialog):
    """Non-modal: what is changed is seen in the window."""

    def __init__(self, store: Settings, keys: KeyMap, groups: Mapping[str, str], parent: QWidget) -> None:
        """groups: of each action, by name, the path of its menu."""
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.search = FilterField("Search settings and keys", "Search settings and keys", "Words of a name, a menu or a meaning")
        self.search.setMinimumHeight(28)
        self.by_key = KeyCapture("Find by key")
        self.by_key.setToolTip("Press a key, and see what it does")
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
        """Show it, in front, with what is stored now."""
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
