"""Pictures of the view, or of all views in their arrangement, in any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import moderngl
from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtGui import QImage, QPainter

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport import overlay
from tumble.app.viewport.overlay import Overlay
from tumble.app.viewport.photo import Photo, take
from tumble.app.viewport.tiles.arrangement import TileArea
from tumble.app.viewport.tiles.heads import TileHeads
from tumble.app.viewport.tiles.tiles import Tile, Tiles
from tumble.app.viewport.tiles.writing import Drawn, write_views
from tumble.app.viewport.tools import Tools
from tumble.render.camera import View
from tumble.render.options import Selection
from tumble.render.renderer import Renderer


class Collage(Struct):
    """Resources of the viewport that a picture needs. size: on the screen [device-independent pixels]."""

    ctx: moderngl.Context | None
    renderer: Renderer | None
    session: Session
    tiles: Tiles
    heads: TileHeads
    tools: Tools
    selection: Selection
    written: Callable[[], Overlay]

    def take(self, photo: Photo, size: tuple[int, int]) -> QImage:
        """One view, or all; size: of that on the screen [device-independent pixels]. Raises PhotoError."""
        scale = photo.height / max(size[1], 1)
        width, height = round(photo.width / scale), round(photo.height / scale)
        tiles = self.tiles.shown() if photo.all_views else [self.tiles.current]
        several = len(tiles) > 1
        if several:
            laid = self.tiles.areas_in(width, height, self.tiles.head if photo.panels else 0)
            result, drawn = self._side_by_side(tiles, laid, photo, scale)
        else:
            laid, area = [], QRect(0, 0, width, height)
            result, view = self._one(tiles[0], photo, area)
            drawn = [(tiles[0], view, area)]
        if photo.panels:
            painter = QPainter(result)
            painter.scale(scale, scale)
            write_views(painter, drawn, self.tiles, self.tools, self.session, self.selection, still=True)
            for tile, place in zip(tiles, laid, strict=False):
                self.heads.paint(painter, tile, place.head)
            overlay.paint(painter, width, height, replace(self.written(), top=float(laid[0].head.height() if several else 0)))
            painter.end()
        return result

    def _side_by_side(
        self, tiles: Sequence[Tile], laid: Sequence[TileArea], photo: Photo, scale: float
    ) -> tuple[QImage, list[Drawn]]:
        """A picture of all views in their arrangement; one over another hides it, also where nothing is drawn."""
        result = QImage(photo.width, photo.height, QImage.Format.Format_RGBA8888_Premultiplied)
        if photo.transparent:
            result.fill(Qt.GlobalColor.transparent)
        else:
            result.fill(theme.colour("back"))
        painter, drawn = QPainter(result), []
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        for tile, area in zip(tiles, laid, strict=True):
            place = _scaled(area.picture, scale)
            image, view = self._one(tile, replace(photo, width=place.width(), height=place.height()), area.picture)
            painter.drawImage(place.topLeft(), image)
            drawn.append((tile, view, area.picture))
        painter.end()
        return result, drawn

    def _one(self, tile: Tile, photo: Photo, area: QRect) -> tuple[QImage, View | None]:
        options = tile.drawn_options(tile.view(area))
        return take(self.ctx, self.renderer, self.session, tile.camera, options, photo, self.selection)


def _scaled(area: QRect, scale: float) -> QRect:
    left, top = round(area.x() * scale), round(area.y() * scale)
    right, bottom = round((area.x() + area.width()) * scale), round((area.y() + area.height()) * scale)
    return QRect(left, top, max(right - left, 1), max(bottom - top, 1))


def draw_views(
    renderer: Renderer, screen: moderngl.Framebuffer, session: Session, tiles: Tiles, selected: Selection, ratio: float, tall: int
) -> list[Drawn]:
    """Draw each where it lies; ratio: pixels of the screen in one of the viewport's; tall: all that is drawn [pixels].

    They share the renderer: meshes, textures and programs, and framebuffers where they have one size.
    """
    assert session.shown is not None
    if tiles.several:
        fill(screen, "back")
    drawn: list[Drawn] = []
    for tile in tiles.shown():
        area = tiles.area(tile).picture
        seen = tile.view(area)
        camera = (seen if tile.gliding.under_way else None) or tile.camera
        width, height = round(area.width() * ratio), round(area.height() * ratio)
        corner = round(area.x() * ratio), max(tall - round(area.y() * ratio) - height, 0)
        view = renderer.render(
            screen, session.shown[1], camera, tile.drawn_options(seen), width, height, selected,
            more=session.extras.more, corner=corner,
        )  # fmt: skip
        drawn.append((tile, view, area))
    return drawn


def fill(screen: moderngl.Framebuffer, colour: str) -> None:
    """Cover all with a colour of the theme."""
    back = theme.colour(colour)
    screen.use()
    screen.viewport = (0, 0, *screen.size)
    screen.clear(back.redF(), back.greenF(), back.blueF(), 1.0)
