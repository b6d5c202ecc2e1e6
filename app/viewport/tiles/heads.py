"""The headers of views: camera, picture mode, arrangement, and one that has the view take all the room; the rest of it drags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum

from PyQt6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF
from PyQt6.QtWidgets import QMenu, QWidget

from tumble.app.look import theme
from tumble.app.viewport.gestures import is_click
from tumble.app.viewport.tiles.arrangement import Arrangement, Corner
from tumble.app.viewport.tiles.tiles import Tile, Tiles
from tumble.render.options import PictureMode

PAD, ARROW = 7.0, 13.0  # next to a text; what the triangle behind it takes [px]
TIPS = {0: "Camera of this view", 1: "How this view is drawn", 2: "Number of views, layout", 3: "Maximize this view"}


class HeadPart(IntEnum):
    """Parts of a view's header."""

    BAR = -1
    CAMERA = 0
    MODE = 1
    ARRANGE = 2
    ONLY = 3


def mode_words(mode: PictureMode) -> str:
    """Display name of a picture mode."""
    return mode.name.capitalize()


class TileHeads:
    """Headers of one viewport. name: of a view's camera, in words."""

    def __init__(self, viewport: QWidget, tiles: Tiles, name: Callable[[Tile], str]) -> None:
        self._viewport, self._tiles, self._name = viewport, tiles, name
        self._menus: Mapping[HeadPart, QMenu] = {}
        self._over: tuple[Tile, HeadPart] | None = None
        self._pressed: tuple[Tile, HeadPart, QPointF] | None = None

    def offer(self, menus: Mapping[HeadPart, QMenu]) -> None:
        """The menus of the parts; they act on the active view."""
        self._menus = menus

    # ---- the mouse

    def _part(self, where: QPointF) -> tuple[Tile, HeadPart] | None:
        tile = self._tiles.at(where)
        if tile is None or not self._tiles.area(tile).head.contains(where.toPoint()):
            return None
        parts = self._parts(tile, QRectF(self._tiles.area(tile).head))
        return tile, next((part for part, box in parts.items() if box.contains(where)), HeadPart.BAR)

    def press(self, where: QPointF, button: Qt.MouseButton) -> bool:
        """Handle a button press; returns True if it is on a header."""
        part = self._part(where)
        left = button == Qt.MouseButton.LeftButton
        self._pressed = (*part, where) if part is not None and left else None
        return part is not None

    def drag(self, where: QPointF) -> bool:
        """The mouse moves with a button down; returns True if that began on a header. The inset view follows to a corner."""
        if self._pressed is None:
            return False
        tile, _, begun = self._pressed
        movable = self._tiles.arrangement is Arrangement.INSET and not self._tiles.only and tile.index == 1
        if movable and not is_click(begun, where):
            middle = QRectF(self._viewport.rect()).center()
            self._tiles.set_corner(Corner.at(right=where.x() > middle.x(), lower=where.y() > middle.y()))
        return True

    def release(self, where: QPointF) -> bool:
        """Handle a button release; returns True if the press was on a header. A click on a part triggers its action."""
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return False
        tile, part, begun = pressed
        if is_click(begun, where):
            if part is HeadPart.ONLY:
                self._tiles.set_only(not self._tiles.only)
            elif part in self._menus:
                box = self._parts(tile, QRectF(self._tiles.area(tile).head))[part]
                self._menus[part].popup(self._viewport.mapToGlobal(box.bottomLeft().toPoint() + QPoint(0, 1)))
        return True

    def double_click(self, where: QPointF) -> bool:
        """Maximize or restore the view whose header was double-clicked; True if there is one at this point."""
        part = self._part(where)
        if part is not None and part[1] is HeadPart.BAR:
            self._tiles.set_only(not self._tiles.only)
        return part is not None

    def hover(self, where: QPointF | None) -> bool:
        """The mouse moves without a button, or has left (None); returns True if it is over a header."""
        before, self._over = self._over, None if where is None else self._part(where)
        if self._over != before:
            self._viewport.setToolTip(TIPS.get(int(self._over[1]), "") if self._over is not None else "")
            self._viewport.update()
        return self._over is not None

    # ---- visibility

    def _texts(self, tile: Tile) -> dict[HeadPart, str]:
        return {HeadPart.CAMERA: self._name(tile), HeadPart.MODE: mode_words(tile.options.mode)}

    def _parts(self, tile: Tile, head: QRectF) -> dict[HeadPart, QRectF]:
        """Rectangles of a header's parts; parts without room are omitted."""
        side = head.height()
        right = head.right()
        areas = {}
        for part in (HeadPart.ONLY, HeadPart.ARRANGE):
            right -= side
            areas[part] = QRectF(right, head.top(), side, side)
        metrics, x = QFontMetricsF(theme.sans(8.5)), head.left() + 2
        wanted = {part: metrics.horizontalAdvance(text) + 2 * PAD + ARROW for part, text in self._texts(tile).items()}
        room = right - x
        if sum(wanted.values()) > room:  # the name of a camera may be long
            wanted[HeadPart.CAMERA] = max(room - wanted[HeadPart.MODE], 0.3 * room)
        for part, wide in wanted.items():
            wide = min(wide, right - x)
            if wide > ARROW + PAD:
                areas[part] = QRectF(x, head.top(), wide, side)
            x += wide
        return areas

    def paint(self, painter: QPainter, tile: Tile, head: QRect) -> None:
        """Draw a header; that of the active view is brighter."""
        painter.fillRect(head, theme.colour("back"))
        active = tile is self._tiles.active
        texts = self._texts(tile)
        painter.setFont(theme.sans(8.5))
        metrics = QFontMetricsF(theme.sans(8.5))
        for part, box in self._parts(tile, QRectF(head)).items():
            lit = self._over == (tile, part)
            if lit:
                painter.fillRect(box, theme.colour("hover"))
            ink = theme.colour("bright" if lit or active else "dim")
            painter.setPen(ink)
            if part in texts:
                room = box.adjusted(PAD, 0, -ARROW - 2, 0)
                text = metrics.elidedText(texts[part], Qt.TextElideMode.ElideRight, room.width() + 1)
                painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
                x, y = box.right() - ARROW, box.center().y()
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.colour("dim"))
                painter.drawPolygon(QPolygonF([QPointF(x, y - 2), QPointF(x + 7, y - 2), QPointF(x + 3.5, y + 2.5)]))
            else:
                painter.setPen(QPen(ink, 1.2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                self._paint_sign(painter, part, box.center())

    def _paint_sign(self, painter: QPainter, part: HeadPart, middle: QPointF) -> None:
        """Four small frames, or one with, or without, a smaller one in it."""
        frame = QRectF(middle.x() - 5.5, middle.y() - 4.5, 11, 9)
        painter.drawRect(frame)
        if part is HeadPart.ARRANGE:
            painter.drawLine(QPointF(middle.x(), frame.top()), QPointF(middle.x(), frame.bottom()))
            painter.drawLine(QPointF(frame.left(), middle.y()), QPointF(frame.right(), middle.y()))
        elif self._tiles.only:
            painter.drawRect(QRectF(middle.x(), middle.y(), 5.5, 4.5))

    def paint_edge(self, painter: QPainter) -> None:
        """A thin frame around the active view, if there are several, and around one that overlaps another."""
        if self._tiles.only or not self._tiles.several:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for tile in self._tiles.shown():
            area = self._tiles.area(tile)
            over = self._tiles.arrangement is Arrangement.INSET and tile.index == 1
            if tile is self._tiles.active or over:
                painter.setPen(QPen(theme.colour("accent" if tile is self._tiles.active else "back"), 1.5))
                painter.drawRect(QRectF(area.head.united(area.picture)).adjusted(0.75, 0.75, -0.75, -0.75))
