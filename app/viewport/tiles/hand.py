"""The mouse over a viewport: the view under it becomes the active one, and headers, tools and the camera have it in turn."""

from __future__ import annotations

import math

from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QMouseEvent, QWheelEvent

from tumble.app.session.session import Session
from tumble.app.viewport.choosing import Chooser
from tumble.app.viewport.gestures import Drag, click_of, drag_camera, drag_of, is_click
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tiles.heads import TileHeads
from tumble.app.viewport.tools import Tools
from tumble.render.camera import scroll

# Wheel units of one click, by Qt's convention.
WHEEL_CLICK = 120.0


class ViewHand:
    """Mouse input of one viewport."""

    def __init__(self, viewport: ViewSurface, session: Session, heads: TileHeads, tools: Tools, chooser: Chooser) -> None:
        self._viewport, self._session, self._heads, self._tools, self._chooser = viewport, session, heads, tools, chooser
        self._drag = Drag.NOTHING
        self._last = self._pressed = QPointF()

    def drop(self) -> None:
        """End a drag of the camera."""
        self._drag = Drag.NOTHING

    def _go_to(self, where: QPointF) -> bool:
        """Make the view at a point the active one; returns True if there is one."""
        tiles = self._viewport.tiles
        tile = tiles.at(where)
        if tile is not None:
            tiles.activate(tile)
        return tile is not None

    def press(self, event: QMouseEvent) -> None:
        """Begin a drag."""
        where = event.position()
        self._last = self._pressed = where
        if not self._go_to(where) or self._heads.press(where, event.button()) or self._tools.press(event):
            return
        self._drag = drag_of(event.button(), event.modifiers(), selected=False)

    def move(self, event: QMouseEvent) -> None:
        """Go on with a drag."""
        view, shown = self._viewport, self._session.shown
        if self._heads.drag(event.position()) or shown is None:
            return
        if not event.buttons():
            self._hover(event)
            return
        if self._tools.move(event) or self._drag is Drag.NOTHING:
            return
        moved = (event.position() - self._last) / max(view.picture_size[1], 1)
        self._last = event.position()
        view.set_camera(drag_camera(view.camera, shown[0], self._drag, moved.x(), moved.y()))

    def _hover(self, event: QMouseEvent) -> None:
        """The mouse moves without a button: notify the tools of the view under it."""
        view, tiles, before = self._viewport, self._viewport.tiles, self._viewport.tiles.under
        tiles.under = None if self._heads.hover(event.position()) else tiles.at(event.position())
        if before not in (None, tiles.under):
            self._tools.leave()
        if tiles.under is None:
            view.setCursor(Qt.CursorShape.ArrowCursor)
            return
        with tiles.aiming(tiles.under):
            self._tools.move(event)

    def leave(self) -> None:
        """The mouse has left the viewport."""
        self._heads.hover(None)
        self._viewport.tiles.under = None
        self._tools.leave()

    def release(self, event: QMouseEvent) -> None:
        """End a drag; one that went nowhere is a click."""
        view = self._viewport
        if self._heads.release(event.position()) or self._tools.release(event):
            return
        if self._drag is Drag.ORBIT and is_click(self._pressed, event.position()):
            self._tools.click(event)
        self._drag = Drag.NOTHING
        view.update()

    def double_click(self, event: QMouseEvent) -> None:
        """Select, centre or track the object under the mouse; on a header maximize its view."""
        if not self._go_to(event.position()) or self._heads.double_click(event.position()):
            return
        self._chooser.double_click(self._viewport.mouse_at(event), click_of(event.button(), event.modifiers()))

    def turn_wheel(self, event: QWheelEvent) -> None:
        """Zoom."""
        if self._session.shown is None or not self._go_to(event.position()):
            return
        clicks = event.angleDelta().y() / WHEEL_CLICK
        if math.isfinite(clicks) and clicks:
            self._viewport.set_camera(scroll(self._viewport.camera, self._session.shown[0], clicks))
        event.accept()
