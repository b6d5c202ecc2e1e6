"""Pictures of the view, or of all views in their arrangement, in any size; overlays, each at the place of its view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import moderngl
from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtGui import QImage, QPainter, QRegion

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport import overlay
from tumble.app.viewport.figures import Drawing, flatten
from tumble.app.viewport.overlay import Overlay, paint
from tumble.app.viewport.photo import Photo, take
from tumble.app.viewport.plates import extent
from tumble.app.viewport.tiles.arrangement import Arrangement, TileArea
from tumble.app.viewport.tiles.heads import TileHeads
from tumble.app.viewport.tiles.tiles import Tile, Tiles
from tumble.app.viewport.tools import Canvas, Tools
from tumble.render.camera import View
from tumble.render.options import LabelMode, Selection
from tumble.render.renderer import Renderer
from tumble.render.scene.labels import labels

Drawn = tuple[Tile, View | None, QRect]  # a view, its snapshot, and its area


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


@contextmanager
def _inside(painter: QPainter, area: QRect, covered: QRect) -> Iterator[None]:
    painter.save()
    painter.setClipRegion(QRegion(area) - QRegion(covered))
    painter.translate(area.x(), area.y())
    try:
        yield
    finally:
        painter.restore()


def over_view(session: Session, tile: Tile, canvas: Canvas, selection: Selection, *, still: bool = False) -> Overlay:
    """Overlay of one view: figures of panels, labels, the selected contact and the colour legend.

    still: in its own picture, which leaves the arrangement of the view's labels as it is.
    """
    overlay = Overlay()
    if session.snapshot is None:
        return overlay
    view, width, height = canvas.view, canvas.width, canvas.height
    options = tile.drawn_options(view)
    overlay.figures = flatten(session.part(Drawing).figures, view, width, height)
    tile.contacts.annotate(overlay, options, view, width, height)
    if options.label != LabelMode.NONE:
        model, frame = session.loaded_model, session.frame or session.snapshot.frame
        texts = labels(model, frame, options, selection, view, width, height)
        layout = tile.layout.branch() if still else tile.layout
        overlay.labels = layout.place(texts, extent, width, height, scale=theme.scale(), about=(options.label, id(model)))
    return overlay


def painted_inside(painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles) -> Iterator[tuple[Tile, Canvas]]:
    """Each view that has a picture, with the painter moved there, and kept out of a view that lies over it."""
    over = drawn[1][2].adjusted(0, -tiles.head, 0, 0) if tiles.arrangement is Arrangement.INSET and len(drawn) > 1 else QRect()
    for tile, view, area in drawn:
        if view is not None:
            with _inside(painter, area, over if tile.index == 0 else QRect()):
                yield tile, Canvas(view, area.width(), area.height(), tile is tiles.active, tile is tiles.under)


def write_views(
    painter: QPainter, drawn: Sequence[Drawn], tiles: Tiles, tools: Tools, session: Session, selection: Selection, *,
    still: bool = False,
) -> None:  # fmt: skip
    """Over the picture of each view, what videos show too: tools, labels, marks. still: as for `over_view`."""
    for tile, canvas in painted_inside(painter, drawn, tiles):
        tools.paint(painter, canvas, recorded=True)
        paint(painter, canvas.width, canvas.height, over_view(session, tile, canvas, selection, still=still))
