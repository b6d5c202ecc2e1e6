"""Height of each panel at the bottom: the user's, else that of the table of panels."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PyQt6.QtCore import QEvent, QObject, QTimer, pyqtSignal
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtWidgets import QMainWindow

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look import theme
from tumble.app.panels.table import BOTTOM, Panels
from tumble.app.widgets.dock import Dock

log = logging.getLogger(__name__)

LEAST, MOST = 60, 4000  # of a height that is kept [px]


class PanelHeights(QObject):
    """Remembers a height when the user drags the separator over the panel that is in front at the bottom.

    grasped: a separator between docks was pressed.
    """

    grasped = pyqtSignal()

    def __init__(self, window: QMainWindow, panels: Panels, store: Settings, front: Callable[[], Dock | None]) -> None:
        """front: the dock that is seen at the bottom."""
        super().__init__(window)
        self._window, self._panels, self._store, self._front = window, panels, store, front
        self._pressed: tuple[Dock, int] | None = None  # the dock at the bottom when a button went down, and its height
        self._chosen = {key: px for key, px in store.get(settings.PANEL_HEIGHTS).items() if LEAST <= px <= MOST}
        window.installEventFilter(self)

    def chosen(self, dock: Dock) -> int | None:
        """The height that the user has given a panel [px]; None: none."""
        return self._chosen.get(dock.objectName())

    def of(self, dock: Dock) -> int:
        """The height in which a panel is opened [px]."""
        return self.chosen(dock) or round(self._panels.height(dock.objectName()) * max(1.0, theme.scale()))

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """A button that goes down on the window itself is on a separator between docks."""
        if watched is self._window and isinstance(event, QMouseEvent):
            front = self._front()
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = None if front is None else (front, front.height())
                self.grasped.emit()
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                QTimer.singleShot(0, self._compare)  # the window follows the mouse a moment later
        return False

    def _compare(self) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        dock, before = pressed
        at_bottom = self._window.dockWidgetArea(dock) == BOTTOM and dock.isVisible() and not dock.isFloating()
        if at_bottom and dock.height() != before:
            self._chosen[dock.objectName()] = min(max(dock.height(), LEAST), MOST)
            self._store.put(settings.PANEL_HEIGHTS, self._chosen)
