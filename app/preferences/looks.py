"""The theme of the window and the size of its fonts, as the user has chosen them; both change while it is open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QActionGroup, QGuiApplication
from PyQt6.QtWidgets import QApplication

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look import theme

SYSTEM = "system"
THEMES = (SYSTEM, *theme.NAMES)
SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class Looks(QObject):
    """changed: another theme or size of fonts is shown."""

    changed = pyqtSignal()

    def __init__(self, store: Settings, parent: QObject) -> None:
        """Applies the stored theme and fonts at once; best before widgets exist."""
        super().__init__(parent)
        self._store = store
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._on_scheme)  # bound: it ends with this object
        self.follow()

    @property
    def chosen(self) -> str:
        """One of THEMES."""
        return self._store.get(settings.THEME)

    def choose(self, name: str) -> None:
        """Show a theme, one of THEMES, from now on."""
        self._store.put(settings.THEME, name)
        self.follow()

    def set_scale(self, scale: float) -> None:
        """Multiply the size of all fonts."""
        self._store.put(settings.FONT_SCALE, min(max(scale, SCALES[0]), SCALES[-1]))
        self.follow()

    def step(self, way: int) -> None:
        """The next larger size of the fonts for way = 1, the next smaller for -1, that of the start for 0."""
        now = self._store.get(settings.FONT_SCALE)
        beyond = [scale for scale in SCALES if (scale - now) * way > 1e-3]
        self.set_scale(1.0 if way == 0 else now if not beyond else beyond[0] if way > 0 else beyond[-1])

    def follow(self) -> None:
        """Apply the stored theme, or the system's where that decides."""
        name, scale = self._name(), self._store.get(settings.FONT_SCALE)
        if (name, scale) == (theme.name(), theme.scale()):
            return
        from tumble.app.look import relook  # seldom needed

        relook.follow(cast(QApplication, QApplication.instance()), name, scale)
        self.changed.emit()

    def _on_scheme(self, scheme: Qt.ColorScheme) -> None:
        self.follow()

    def _name(self) -> str:
        if self.chosen != SYSTEM:
            return self.chosen
        hints = QGuiApplication.styleHints()
        light = hints is not None and hints.colorScheme() == Qt.ColorScheme.Light
        return "light" if light else "dark"

    def offer(self, actions: Mapping[str, QAction]) -> None:
        """Connect the window's actions."""
        group = QActionGroup(self)
        for name in THEMES:
            action = actions[f"theme_{name}"]
            group.addAction(action)
            action.setChecked(name == self.chosen)
            action.triggered.connect(lambda on, name=name: self.choose(name))
        for name, way in (("larger_text", 1), ("smaller_text", -1), ("normal_text", 0)):
            actions[name].triggered.connect(partial(self._step, way))

    def _step(self, way: int, on: bool) -> None:
        self.step(way)
