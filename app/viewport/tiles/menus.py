"""Menus of several views: how many and where, and how the active one is drawn."""

from __future__ import annotations

from functools import partial

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMenu, QWidget

from tumble.app.look import actions as declared
from tumble.app.viewport.tiles.heads import mode_words
from tumble.app.viewport.widget import Viewport
from tumble.render.options import PictureMode


class ViewsMenu(QMenu):
    """Menu of views, in the menu bar and at the header of each view."""

    def __init__(self, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__("Se&veral views", parent)
        names = [spec.name for spec in declared.SEVERAL]
        self.addActions([actions[name] for name in names if name.startswith("views_")])
        self.addSeparator()
        self.addActions([actions[name] for name in names if not name.startswith("views_")])


class ModeMenu(QMenu):
    """Menu of picture modes, at the header of each view."""

    def __init__(self, viewport: Viewport, parent: QWidget) -> None:
        super().__init__("Picture mode", parent)
        self._viewport = viewport
        for mode in PictureMode:
            action = QAction(mode_words(mode), self)
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose, mode))
            self.addAction(action)
        self.aboutToShow.connect(self._mark)

    def _choose(self, mode: PictureMode, checked: bool) -> None:
        self._viewport.set_mode(mode)

    def _mark(self) -> None:
        for mode, action in zip(PictureMode, self.actions(), strict=True):
            action.setChecked(self._viewport.options.mode is mode)
